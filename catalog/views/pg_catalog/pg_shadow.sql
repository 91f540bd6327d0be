SELECT r.rolname AS usename, r.oid AS usesysid, r.rolcreatedb AS usecreatedb, r.rolsuper AS usesuper, r.rolreplication AS userepl,
       r.rolbypassrls AS usebypassrls, r.rolpassword AS passwd, r.rolvaliduntil AS valuntil, s.setconfig AS useconfig
FROM pg_catalog.pg_authid r
LEFT JOIN pg_catalog.pg_db_role_setting s ON s.setrole = r.oid AND s.setdatabase = 0
WHERE r.rolcanlogin
