SELECT NULL::name AS character_set_catalog, NULL::name AS character_set_schema, 'UTF8'::name AS character_set_name,
       'UCS'::name AS character_repertoire, 'UTF8'::name AS form_of_use, pg_catalog.current_database()::name AS default_collate_catalog,
       NULL::name AS default_collate_schema, NULL::name AS default_collate_name
