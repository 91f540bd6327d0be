SELECT pg_catalog.current_database()::name AS constraint_catalog, n.nspname::name AS constraint_schema, k.conname::name AS constraint_name,
       pg_catalog.current_database()::name AS table_catalog, tn.nspname::name AS table_schema, c.relname::name AS table_name,
       (CASE k.contype WHEN 'c' THEN 'CHECK' WHEN 'f' THEN 'FOREIGN KEY' WHEN 'p' THEN 'PRIMARY KEY' WHEN 'u' THEN 'UNIQUE' END)::varchar
         AS constraint_type,
       (CASE WHEN k.condeferrable THEN 'YES' ELSE 'NO' END)::varchar(3) AS is_deferrable,
       (CASE WHEN k.condeferred THEN 'YES' ELSE 'NO' END)::varchar(3) AS initially_deferred,
       'YES'::varchar(3) AS enforced,
       (CASE WHEN k.contype = 'u' THEN 'YES' END)::varchar(3) AS nulls_distinct
FROM pg_catalog.pg_constraint k
JOIN pg_catalog.pg_namespace n ON n.oid = k.connamespace
JOIN pg_catalog.pg_class c ON c.oid = k.conrelid
JOIN pg_catalog.pg_namespace tn ON tn.oid = c.relnamespace
WHERE k.contype IN ('c', 'f', 'p', 'u') AND c.relkind IN ('r', 'p')
UNION ALL
SELECT pg_catalog.current_database()::name, n.nspname::name,
       (n.oid::text || '_' || c.oid::text || '_' || a.attnum::text || '_not_null')::name,
       pg_catalog.current_database()::name, n.nspname::name, c.relname::name, 'CHECK'::varchar, 'NO'::varchar(3), 'NO'::varchar(3),
       'YES'::varchar(3), NULL::varchar(3)
FROM pg_catalog.pg_namespace n
JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
WHERE a.attnotnull AND a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p')
