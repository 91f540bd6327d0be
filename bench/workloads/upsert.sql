\set id random(1, 1000000)
INSERT INTO bench_sessions VALUES (:id, 'session', now()) ON CONFLICT (id) DO UPDATE SET data = EXCLUDED.data, ts = EXCLUDED.ts;
