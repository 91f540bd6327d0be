SELECT r.rolname, r.rolsuper, r.rolinherit, r.rolcreaterole, r.rolcreatedb, r.rolcanlogin, r.rolreplication, r.rolconnlimit,
       '********'::text AS rolpassword, r.rolvaliduntil, r.rolbypassrls, s.setconfig AS rolconfig, r.oid
FROM pg_catalog.pg_authid r
LEFT JOIN pg_catalog.pg_db_role_setting s ON s.setrole = r.oid AND s.setdatabase = 0
