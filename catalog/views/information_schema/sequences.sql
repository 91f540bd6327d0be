SELECT pg_catalog.current_database()::name AS sequence_catalog, n.nspname::name AS sequence_schema, c.relname::name AS sequence_name,
       pg_catalog.format_type(s.seqtypid, NULL)::varchar AS data_type,
       (CASE s.seqtypid WHEN 21 THEN 16 WHEN 23 THEN 32 ELSE 64 END)::int4 AS numeric_precision, 2::int4 AS numeric_precision_radix,
       0::int4 AS numeric_scale, s.seqstart::varchar AS start_value, s.seqmin::varchar AS minimum_value, s.seqmax::varchar AS maximum_value,
       s.seqincrement::varchar AS increment, (CASE WHEN s.seqcycle THEN 'YES' ELSE 'NO' END)::varchar(3) AS cycle_option
FROM pg_catalog.pg_sequence s
JOIN pg_catalog.pg_class c ON c.oid = s.seqrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind = 'S'
