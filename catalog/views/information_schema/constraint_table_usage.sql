SELECT pg_catalog.current_database()::name AS table_catalog, tn.nspname::name AS table_schema, c.relname::name AS table_name,
       pg_catalog.current_database()::name AS constraint_catalog, n.nspname::name AS constraint_schema, k.conname::name AS constraint_name
FROM pg_catalog.pg_constraint k
JOIN pg_catalog.pg_namespace n ON n.oid = k.connamespace
JOIN pg_catalog.pg_class c ON c.oid = k.conrelid
JOIN pg_catalog.pg_namespace tn ON tn.oid = c.relnamespace
WHERE k.contype IN ('p', 'u') AND c.relkind IN ('r', 'p')
