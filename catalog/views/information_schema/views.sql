SELECT pg_catalog.current_database()::name AS table_catalog, n.nspname::name AS table_schema, c.relname::name AS table_name,
       pg_catalog.pg_get_viewdef(c.oid)::varchar AS view_definition, 'NONE'::varchar AS check_option,
       'NO'::varchar(3) AS is_updatable, 'NO'::varchar(3) AS is_insertable_into, 'NO'::varchar(3) AS is_trigger_updatable,
       'NO'::varchar(3) AS is_trigger_deletable, 'NO'::varchar(3) AS is_trigger_insertable_into
FROM pg_catalog.pg_namespace n
JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid
WHERE c.relkind = 'v'
