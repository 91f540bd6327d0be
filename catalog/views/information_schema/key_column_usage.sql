SELECT pg_catalog.current_database()::name AS constraint_catalog, n.nspname::name AS constraint_schema, k.conname::name AS constraint_name,
       pg_catalog.current_database()::name AS table_catalog, tn.nspname::name AS table_schema, k.relname::name AS table_name,
       a.attname::name AS column_name, k.place::int4 AS ordinal_position, NULL::int4 AS position_in_unique_constraint
FROM (SELECT con.conname, con.connamespace, con.conrelid, c.relname, c.relnamespace, con.conkey,
             pg_catalog.generate_subscripts(con.conkey, 1) AS place
      FROM pg_catalog.pg_constraint con
      JOIN pg_catalog.pg_class c ON c.oid = con.conrelid
      WHERE con.contype IN ('p', 'u', 'f') AND c.relkind IN ('r', 'p')) k
JOIN pg_catalog.pg_namespace n ON n.oid = k.connamespace
JOIN pg_catalog.pg_namespace tn ON tn.oid = k.relnamespace
JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[k.place]
