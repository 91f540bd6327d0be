SELECT r.rolname AS groname, r.oid AS grosysid, ARRAY(SELECT m.member FROM pg_catalog.pg_auth_members m WHERE m.roleid = r.oid) AS grolist
FROM pg_catalog.pg_authid r
WHERE NOT r.rolcanlogin
