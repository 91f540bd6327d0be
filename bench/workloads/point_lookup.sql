\set id random(1, :rows)
SELECT * FROM bench_rows WHERE id = :id;
