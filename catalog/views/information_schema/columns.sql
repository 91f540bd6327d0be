SELECT pg_catalog.current_database()::name AS table_catalog, n.nspname::name AS table_schema, c.relname::name AS table_name,
       a.attname::name AS column_name, a.attnum::int4 AS ordinal_position, pg_catalog.pg_get_expr(d.adbin, d.adrelid)::varchar AS column_default,
       (CASE WHEN a.attnotnull THEN 'NO' ELSE 'YES' END)::varchar(3) AS is_nullable,
       (CASE WHEN t.typelem <> 0 AND t.typlen = -1 THEN 'ARRAY'
             WHEN tn.nspname = 'pg_catalog' THEN pg_catalog.format_type(a.atttypid, NULL)
             ELSE 'USER-DEFINED' END)::varchar AS data_type,
       (CASE WHEN a.atttypid IN (1042, 1043) AND a.atttypmod <> -1 THEN a.atttypmod - 4
             WHEN a.atttypid IN (1560, 1562) AND a.atttypmod <> -1 THEN a.atttypmod END)::int4 AS character_maximum_length,
       (CASE WHEN a.atttypid NOT IN (25, 1042, 1043) THEN NULL
             WHEN a.atttypid = 25 OR a.atttypmod = -1 THEN 1073741824
             ELSE (a.atttypmod - 4) * 4 END)::int4 AS character_octet_length,
       (CASE a.atttypid WHEN 21 THEN 16 WHEN 23 THEN 32 WHEN 20 THEN 64 WHEN 700 THEN 24 WHEN 701 THEN 53
             WHEN 1700 THEN CASE WHEN a.atttypmod <> -1 THEN ((a.atttypmod - 4) >> 16) & 65535 END END)::int4 AS numeric_precision,
       (CASE WHEN a.atttypid IN (20, 21, 23, 700, 701) THEN 2 WHEN a.atttypid = 1700 THEN 10 END)::int4 AS numeric_precision_radix,
       (CASE WHEN a.atttypid IN (20, 21, 23) THEN 0
             WHEN a.atttypid = 1700 AND a.atttypmod <> -1 THEN (a.atttypmod - 4) & 65535 END)::int4 AS numeric_scale,
       (CASE WHEN a.atttypid = 1082 THEN 0
             WHEN a.atttypid IN (1083, 1114, 1184, 1266) THEN CASE WHEN a.atttypmod < 0 THEN 6 ELSE a.atttypmod END
             WHEN a.atttypid = 1186 THEN CASE WHEN a.atttypmod < 0 OR a.atttypmod & 65535 = 65535 THEN 6 ELSE a.atttypmod & 65535 END
        END)::int4 AS datetime_precision,
       NULL::varchar AS interval_type, NULL::int4 AS interval_precision,
       NULL::name AS character_set_catalog, NULL::name AS character_set_schema, NULL::name AS character_set_name,
       (CASE WHEN co.oid IS NOT NULL THEN pg_catalog.current_database() END)::name AS collation_catalog,
       cn.nspname::name AS collation_schema, co.collname::name AS collation_name,
       NULL::name AS domain_catalog, NULL::name AS domain_schema, NULL::name AS domain_name,
       pg_catalog.current_database()::name AS udt_catalog, tn.nspname::name AS udt_schema, t.typname::name AS udt_name,
       NULL::name AS scope_catalog, NULL::name AS scope_schema, NULL::name AS scope_name, NULL::int4 AS maximum_cardinality,
       a.attnum::name AS dtd_identifier, 'NO'::varchar(3) AS is_self_referencing, 'NO'::varchar(3) AS is_identity,
       NULL::varchar AS identity_generation, NULL::varchar AS identity_start, NULL::varchar AS identity_increment,
       NULL::varchar AS identity_maximum, NULL::varchar AS identity_minimum, 'NO'::varchar(3) AS identity_cycle,
       'NEVER'::varchar AS is_generated, NULL::varchar AS generation_expression,
       (CASE WHEN c.relkind IN ('r', 'p') THEN 'YES' ELSE 'NO' END)::varchar(3) AS is_updatable
FROM pg_catalog.pg_attribute a
JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
JOIN pg_catalog.pg_namespace tn ON tn.oid = t.typnamespace
LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
LEFT JOIN pg_catalog.pg_collation co ON co.oid = a.attcollation AND co.collname <> 'default'
LEFT JOIN pg_catalog.pg_namespace cn ON cn.oid = co.collnamespace
WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'v', 'f', 'p')
