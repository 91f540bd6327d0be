SELECT pg_catalog.current_database()::name AS constraint_catalog, n.nspname::name AS constraint_schema, k.conname::name AS constraint_name,
       pg_catalog.current_database()::name AS unique_constraint_catalog, un.nspname::name AS unique_constraint_schema,
       u.conname::name AS unique_constraint_name,
       (CASE k.confmatchtype WHEN 'f' THEN 'FULL' WHEN 'p' THEN 'PARTIAL' WHEN 's' THEN 'NONE' END)::varchar AS match_option,
       (CASE k.confupdtype WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' WHEN 'd' THEN 'SET DEFAULT' WHEN 'r' THEN 'RESTRICT'
             WHEN 'a' THEN 'NO ACTION' END)::varchar AS update_rule,
       (CASE k.confdeltype WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' WHEN 'd' THEN 'SET DEFAULT' WHEN 'r' THEN 'RESTRICT'
             WHEN 'a' THEN 'NO ACTION' END)::varchar AS delete_rule
FROM pg_catalog.pg_constraint k
JOIN pg_catalog.pg_namespace n ON n.oid = k.connamespace
LEFT JOIN pg_catalog.pg_constraint u ON u.conindid = k.conindid AND u.contype IN ('p', 'u') AND u.conrelid = k.confrelid
LEFT JOIN pg_catalog.pg_namespace un ON un.oid = u.connamespace
WHERE k.contype = 'f'
