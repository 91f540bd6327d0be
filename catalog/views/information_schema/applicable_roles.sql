SELECT m.rolname::name AS grantee, b.rolname::name AS role_name, (CASE WHEN a.admin_option THEN 'YES' ELSE 'NO' END)::varchar(3) AS is_grantable
FROM pg_catalog.pg_auth_members a
JOIN pg_catalog.pg_authid m ON m.oid = a.member
JOIN pg_catalog.pg_authid b ON b.oid = a.roleid
