SELECT n.nspname AS schemaname, c.relname AS matviewname, pg_catalog.pg_get_userbyid(c.relowner) AS matviewowner, t.spcname AS tablespace,
       c.relhasindex AS hasindexes, c.relispopulated AS ispopulated, pg_catalog.pg_get_viewdef(c.oid) AS definition
FROM pg_catalog.pg_class c
LEFT JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_catalog.pg_tablespace t ON t.oid = c.reltablespace
WHERE c.relkind = 'm'
