SELECT pg_catalog.current_database()::name AS catalog_name
