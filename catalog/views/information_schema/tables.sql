SELECT pg_catalog.current_database()::name AS table_catalog, n.nspname::name AS table_schema, c.relname::name AS table_name,
       (CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'f' THEN 'FOREIGN' ELSE 'BASE TABLE' END)::varchar AS table_type,
       NULL::name AS self_referencing_column_name, NULL::varchar AS reference_generation,
       NULL::name AS user_defined_type_catalog, NULL::name AS user_defined_type_schema, NULL::name AS user_defined_type_name,
       (CASE WHEN c.relkind IN ('r', 'p') THEN 'YES' ELSE 'NO' END)::varchar(3) AS is_insertable_into,
       'NO'::varchar(3) AS is_typed, NULL::varchar AS commit_action
FROM pg_catalog.pg_namespace n
JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid
WHERE c.relkind IN ('r', 'v', 'f', 'p')
