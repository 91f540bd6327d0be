SELECT pg_catalog.current_database()::name AS constraint_catalog, n.nspname::name AS constraint_schema,
       (n.oid::text || '_' || c.oid::text || '_' || a.attnum::text || '_not_null')::name AS constraint_name,
       (a.attname::text || ' IS NOT NULL')::varchar AS check_clause
FROM pg_catalog.pg_namespace n
JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
WHERE a.attnotnull AND a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p')
