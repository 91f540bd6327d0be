#!/usr/bin/env python3
"""Compares the first output line of tests/golden/analyze/*.txt with what PostgreSQL 15 says of the same statement.

Usage: oracle.py 'host=127.0.0.1 port=5432 user=postgres' [file ...]
Makes a database "analyze_oracle" with the tables of fixture_catalog.h. A case whose comment has "differs:" is skipped.
"""
import ctypes
import pathlib
import sys

LIBPQ = ctypes.CDLL("libpq.so.5")
for name in ("PQconnectdb", "PQexec", "PQprepare", "PQdescribePrepared"):
    getattr(LIBPQ, name).restype = ctypes.c_void_p
for name in ("PQresultErrorField", "PQfname", "PQgetvalue", "PQerrorMessage"):
    getattr(LIBPQ, name).restype = ctypes.c_char_p

SETUP = """
CREATE TABLE t(id int4 PRIMARY KEY, a int4, b text, v varchar(5), n numeric(10,2), ts timestamptz, arr int4[], j jsonb, f float8, bo bool, d date);
CREATE TABLE u(id int4 PRIMARY KEY, x text, a int8);
CREATE TABLE p(a int4, b int4, c text, PRIMARY KEY (a, b));
CREATE TABLE s(k text PRIMARY KEY, data text DEFAULT 'none', at timestamptz DEFAULT now());
CREATE VIEW w AS SELECT 1 AS one, 'x'::text AS letter;
"""


class Connection:
    def __init__(self, conninfo):
        self.conn = ctypes.c_void_p(LIBPQ.PQconnectdb(conninfo.encode()))
        self.types = {}

    def execute(self, sql):
        return ctypes.c_void_p(LIBPQ.PQexec(self.conn, sql.encode()))

    def scalar(self, sql):
        value = LIBPQ.PQgetvalue(self.execute(sql), 0, 0)
        return value.decode() if value else ""

    def type_name(self, oid, typmod):
        key = (oid, typmod)
        if key not in self.types:
            self.types[key] = self.scalar(f"SELECT format_type({oid}, {typmod})")
        return self.types[key]

    def error(self, result):
        def field(code):
            value = LIBPQ.PQresultErrorField(result, ord(code))
            return value.decode() if value else None
        text = "ERROR " + field("C")
        if field("P"):
            text += " at " + field("P")
        text += ": " + field("M")
        if field("D"):
            text += " | DETAIL: " + field("D")
        if field("H"):
            text += " | HINT: " + field("H")
        return text

    def default_text(self, sql):
        """pg_get_expr of a DEFAULT on a column of the expression's own type."""
        result = ctypes.c_void_p(LIBPQ.PQprepare(self.conn, b"", ("SELECT " + sql).encode(), 0, None))
        if LIBPQ.PQresultErrorField(result, ord("C")):
            return self.error(result)
        result = ctypes.c_void_p(LIBPQ.PQdescribePrepared(self.conn, b""))
        column = self.type_name(LIBPQ.PQftype(result, 0) & 0xFFFFFFFF, LIBPQ.PQfmod(result, 0))
        self.execute("SET timezone = 'UTC'")
        self.execute("DROP TABLE IF EXISTS default_text")
        self.execute(f"CREATE TABLE default_text (c {column} DEFAULT ({sql}))")
        return self.scalar("SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 'default_text'::regclass")

    def describe(self, sql):
        result = ctypes.c_void_p(LIBPQ.PQprepare(self.conn, b"", sql.encode(), 0, None))
        if LIBPQ.PQresultErrorField(result, ord("C")):
            return self.error(result)
        result = ctypes.c_void_p(LIBPQ.PQdescribePrepared(self.conn, b""))
        parameters = [self.type_name(LIBPQ.PQparamtype(result, i) & 0xFFFFFFFF, -1) for i in range(LIBPQ.PQnparams(result))]
        text = "OK (" + ", ".join(parameters) + ") ->"
        for i in range(LIBPQ.PQnfields(result)):
            name = LIBPQ.PQfname(result, i).decode()
            text += f" {name}:{self.type_name(LIBPQ.PQftype(result, i) & 0xFFFFFFFF, LIBPQ.PQfmod(result, i))}"
        return text


def cases(path):
    comments, sql, output, part = [], [], [], 0
    for line in path.read_text().splitlines() + [""]:
        if part == 0:
            if not line or line.startswith("#"):
                comments = [] if not line else comments + [line]
                continue
            part = 1
        if part == 1:
            if line == "----":
                part = 2
            else:
                sql.append(line)
        elif not line:
            yield "\n".join(comments), "\n".join(sql), output[0] if output else ""
            comments, sql, output, part = [], [], [], 0
        else:
            output.append(line)


def main():
    conninfo = sys.argv[1]
    admin = Connection(conninfo + " dbname=postgres")
    admin.execute("DROP DATABASE IF EXISTS analyze_oracle")
    admin.execute("CREATE DATABASE analyze_oracle")
    oracle = Connection(conninfo + " dbname=analyze_oracle")
    oracle.execute(SETUP)
    golden = pathlib.Path(__file__).resolve().parents[2] / "golden/analyze"
    paths = [pathlib.Path(p) for p in sys.argv[2:]] or sorted(golden.glob("*.txt"))
    total = different = 0
    for path in paths:
        for comments, sql, ours in cases(path):
            if "differs:" in comments:
                continue
            total += 1
            theirs = oracle.describe(sql)
            if theirs != ours:
                different += 1
                print(f"{path.name}: {sql}\n  ours:   {ours}\n  theirs: {theirs}")
    for comments, sql, ours in cases(golden.parent / "deparse/scalar.txt"):
        if "differs:" in comments:
            continue
        total += 1
        theirs = oracle.default_text(sql)
        if theirs != ours:
            different += 1
            print(f"deparse: {sql}\n  ours:   {ours}\n  theirs: {theirs}")
    print(f"{total} cases, {different} different")
    sys.exit(different != 0)


main()
