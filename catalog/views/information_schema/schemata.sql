SELECT pg_catalog.current_database()::name AS catalog_name, n.nspname::name AS schema_name, r.rolname::name AS schema_owner,
       NULL::name AS default_character_set_catalog, NULL::name AS default_character_set_schema, NULL::name AS default_character_set_name,
       NULL::varchar AS sql_path
FROM pg_catalog.pg_namespace n
JOIN pg_catalog.pg_authid r ON r.oid = n.nspowner
