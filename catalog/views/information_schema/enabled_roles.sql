SELECT r.rolname::name AS role_name FROM pg_catalog.pg_authid r
