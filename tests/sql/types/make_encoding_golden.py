#!/usr/bin/env python3
"""Writes tests/sql/types/golden/encoding_<family>.txt: what a PostgreSQL 15 server makes of literals.

    python3 tests/sql/types/make_encoding_golden.py [--host 127.0.0.1] [--port 5432] [--user postgres] [FAMILY ...]

One line a literal, tab-separated; backslash, tab, newline and other control bytes as \\\\, \\t, \\n, \\xNN:

    type  literal  text form  binary form in hex
    type  literal  !SQLSTATE  message

The type may have modifiers: numeric(10,2). Settings of the session are those in SETTINGS. The literals are those of literals_<family>.txt beside
this script: a line that ends with ":" names the type (or types, by blanks) of the lines after it; "#" starts a comment line.
"""
import argparse
import pathlib
import re
import struct
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
SETTINGS = "SET TimeZone = 'UTC'; SET DateStyle = 'ISO, MDY'; SET IntervalStyle = 'postgres'; SET extra_float_digits = 1; SET bytea_output = 'hex';"


def unescape(text):
    return re.sub(r"\\(x[0-9a-f]{2}|.)",
                  lambda m: {"t": "\t", "n": "\n", "\\": "\\"}.get(m[1]) or chr(int(m[1][1:], 16)), text)


def escape(text):
    text = text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")
    return re.sub(r"[\x00-\x1f\x7f]", lambda m: f"\\x{ord(m[0]):02x}", text)


def psql(args, sql):
    command = ["psql", "-XAtq", "-v", "VERBOSITY=verbose", "-h", args.host, "-p", str(args.port), "-U", args.user, "-d", "postgres"]
    return subprocess.run(command, input=(SETTINGS + "\n" + sql).encode(), capture_output=True)


def ask(args, type_name, literal):
    quoted = "E'" + literal.replace("\\", "\\\\").replace("'", "''") + "'"
    # A cast of a literal to a type with modifiers would be explicit, and cut: assignment to a column is not.
    done = psql(args, f"CREATE TEMP TABLE t (v {type_name}); INSERT INTO t VALUES ({quoted});\n"
                      "COPY (SELECT v, format('%s', v) FROM t) TO STDOUT (FORMAT binary);")
    error = re.search(r"ERROR:  (\w{5}): (.*)", done.stderr.decode())
    if error:
        return f"!{error[1]}\t{escape(error[2])}"
    data = done.stdout
    at = 19 + 2
    fields = []
    for _ in range(2):
        (length,) = struct.unpack_from(">i", data, at)
        fields.append(data[at + 4:at + 4 + length])
        at += 4 + length
    return f"{escape(fields[1].decode())}\t{fields[0].hex()}"


def write_family(args, path):
    family = path.stem.removeprefix("literals_")
    rows = [f"# Made by make_encoding_golden.py from {path.name} and PostgreSQL 15."]
    type_names = []
    for line in path.read_text().split("\n"):
        if line.startswith("#") or not line:
            continue
        if line.endswith(":"):
            type_names = line[:-1].split()
            continue
        for type_name in type_names:
            rows.append(f"{type_name}\t{line}\t{ask(args, type_name, unescape(line))}")
    (HERE / "golden" / f"encoding_{family}.txt").write_text("\n".join(rows) + "\n")
    print(family, len(rows) - 1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", default=5432, type=int)
    parser.add_argument("--user", default="postgres")
    parser.add_argument("family", nargs="*")
    args = parser.parse_args()
    for path in sorted(HERE.glob("literals_*.txt")):
        if not args.family or path.stem.removeprefix("literals_") in args.family:
            write_family(args, path)


main()
