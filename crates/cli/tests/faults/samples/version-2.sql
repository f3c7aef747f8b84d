-- Rows in the format of schema version 2.

insert into accounts (id, name) values ('6ee3c674883f4cd193ab20c8e444426a', 'Mine');

insert into users (email, account_id, key_digest) values ('me@sample.example', '6ee3c674883f4cd193ab20c8e444426a', 'a856d21dd12a5d34a2b053305fc40fb01900fa9fad6aad0ef144a3310103070f');

insert into tokens (id, account_id, token_digest) values ('c7f333a81b404e70a248e7396fd42364', '6ee3c674883f4cd193ab20c8e444426a', 'ae85be3d820f9c14ae35c234b39b6a46c4ecb7413ff94b98379575b685370488');

insert into zones (id, account_id, seq, name, tier) values ('7ff35772801a480488dead21aefffe29', '6ee3c674883f4cd193ab20c8e444426a', 1, 'sample.example', 'enterprise');
insert into zones (id, account_id, seq, name, tier) values ('c76bb9d2c582432d9bc286b6d2691e5f', '6ee3c674883f4cd193ab20c8e444426a', 2, 'business.example', 'business');

insert into filters (id, zone_id, seq, expression, expression_digest, paused, description, ref) values ('a6bc97fa627348c5b3a1d05f17f71fc4', '7ff35772801a480488dead21aefffe29', 1, 'http.host eq "ö.example" and not ssl', 'd3dcf895f131a7798d518148770aacc1653ea48df0e93948437d7d1dde9790c3', 0, 'It''s \ "quoted"', 'FIL-1');
insert into filters (id, zone_id, seq, expression, expression_digest, paused, description, ref) values ('a681acd463bb457b8364a95bbf3aace2', '7ff35772801a480488dead21aefffe29', 2, '(ip.src in {192.0.2.0/24 198.51.100.7} and http.request.method eq "POST")', 'c27bb8efa52b598075308d10c261c442e8fd8907d4e42d09d4aa21425ee1d1a0', 1, null, null);
insert into filters (id, zone_id, seq, expression, expression_digest, paused, description, ref) values ('8b276123f3464f6999b59cdefcb5eecb', '7ff35772801a480488dead21aefffe29', 3, 'cf.bot_management.score lt 30', 'f165dcbf958fab38a8d3e128f7999834fa3adb82e34b94424c8b95fa2cbc6a18', 0, null, null);

insert into firewall_rules (id, zone_id, seq, filter_id, action, priority, paused, description, ref, products, created_on, modified_on) values ('4b19f69460954599b10e0c9bddca881e', '7ff35772801a480488dead21aefffe29', 1, 'a6bc97fa627348c5b3a1d05f17f71fc4', 'block', 10, 0, 'first', 'RUL-1', '', '2026-11-22T10:14:34Z', '2026-11-22T10:14:34Z');
insert into firewall_rules (id, zone_id, seq, filter_id, action, priority, paused, description, ref, products, created_on, modified_on) values ('4962fa8bfca24916b3e4f3a3ab6873e7', '7ff35772801a480488dead21aefffe29', 2, 'a681acd463bb457b8364a95bbf3aace2', 'bypass', null, 0, 'changed', null, 'waf', '2026-11-22T10:14:34Z', '2026-11-22T10:14:34Z');
insert into firewall_rules (id, zone_id, seq, filter_id, action, priority, paused, description, ref, products, created_on, modified_on) values ('f8660aa4c8b4400c9512a021fcd51b41', '7ff35772801a480488dead21aefffe29', 3, 'a6bc97fa627348c5b3a1d05f17f71fc4', 'log', null, 0, null, null, '', '2026-11-22T10:14:34Z', '2026-11-22T10:14:34Z');

insert into logpush_jobs (id, zone_id, account_id, revision, enabled, settings, last_complete, last_error, error_message, time_created) values (1, '7ff35772801a480488dead21aefffe29', null, 0, 0, '{"dataset":"http_requests","name":"first","enabled":false,"destination_conf":"https://logs.example/in?header_Authorization=secret","output_options":{"field_names":["RayID","ClientCountry"],"timestamp_format":"rfc3339","sample_rate":0.5},"filter":"{\"where\": {\"and\": [{\"key\": \"ClientCountry\", \"operator\": \"!eq\", \"value\": \"ca\"}, {\"key\": \"EdgeResponseStatus\", \"operator\": \"geq\", \"value\": 400}]}}","kind":"","frequency":"high","max_upload_records":2000}', null, null, null, '2026-11-22T10:14:34Z');
insert into logpush_jobs (id, zone_id, account_id, revision, enabled, settings, last_complete, last_error, error_message, time_created) values (2, null, '6ee3c674883f4cd193ab20c8e444426a', 0, 1, '{"dataset":"audit_logs","name":null,"enabled":true,"destination_conf":"s3://bucket/logs/{DATE}?region=eu-central-1&access-key-id=a&secret-access-key=b","logpull_options":"fields=ID,ActionType&timestamps=unix","kind":"","frequency":"high"}', null, null, null, '2026-11-22T10:14:34Z');

update counters set last = 2 where name = 'logpush_jobs';
