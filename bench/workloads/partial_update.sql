\set id random(1, :rows)
UPDATE bench_rows SET data = 'changed' WHERE id = :id;
