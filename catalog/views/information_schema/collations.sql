SELECT pg_catalog.current_database()::name AS collation_catalog, n.nspname::name AS collation_schema, c.collname::name AS collation_name,
       'NO PAD'::varchar AS pad_attribute
FROM pg_catalog.pg_collation c
JOIN pg_catalog.pg_namespace n ON n.oid = c.collnamespace
WHERE c.collencoding IN (-1, 6)
