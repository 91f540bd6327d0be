#!/usr/bin/env python3
"""Writes string_io.golden: text and binary forms of string-like and composite types as PostgreSQL 15 has them.

    PGHOST=... PGPORT=... python3 tests/sql/types/make_string_golden.py

A line is: type, typmod, literal, binary in hex, text; of a literal that is refused, the binary is empty and the text is
"SQLSTATE message", followed by "|detail|hint|context". Tab, newline and backslash are written as \\t, \\n and \\\\.
"""
import os
import random

import psycopg2

R = random.Random(20260103)
OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "string_io.golden")


def text():
    pieces = ["a", "B", " ", "  ", "é", "ß", "漢", "😀", "0", "'", '"', "\\", ",", "{", "}", "%", "_", "\t", "\n", "null", "abc", "-"]
    return "".join(R.choice(pieces) for _ in range(R.choice([0, 1, 2, 3, 5, 8, 13, 30])))


def number():
    return R.choice(["0", "-0", "1", "-1", "1.0", "1.50", "1e2", "1E-3", "-12345678901234567890.123", "0.1", "1e400", "01", "1.", ".5", "-", "+1", "1e", "1a"])


def json_string():
    inner = "".join(R.choice(["a", "b", "é", "\\n", "\\\"", "\\u00e9", "\\ud83d\\ude00", "\\\\", "/", "\\/", " ", "x" * 14]) for _ in range(R.choice([0, 1, 2, 4])))
    if R.random() < .05:
        inner += R.choice(["\\u0000", "\\ud83d", "\\ude00", "\\q", "\\u12", "\n", "\\ud83d\\ud83d", "\\ud83dx", "\\"])
    return '"' + inner + '"'


def json(depth=0):
    k = R.random()
    space = R.choice(["", "", "", " ", "\n"])
    if k < .3 and depth < 4:
        return "{" + space + ("," + space).join(json_string() + R.choice([":", " : ", ": "]) + json(depth + 1) for _ in range(R.choice([0, 1, 2, 3, 5]))) + "}"
    if k < .5 and depth < 4:
        return "[" + ("," + space).join(json(depth + 1) for _ in range(R.choice([0, 1, 2, 3, 5]))) + space + "]"
    if k < .7:
        return json_string()
    if k < .9:
        return R.choice(["0", "1", "-1.5", "1e2", "10.00", "-0.0", "123456789012345678901234567890"]) if R.random() < .95 else number()
    return R.choice(["true", "false", "null"]) if R.random() < .95 else R.choice(["True", "nul", "NULL", "undefined", "'a'", "é"])


def broken(value):
    """Now and then with a character dropped, doubled or exchanged."""
    if not value or R.random() < .6:
        return value
    at = R.randrange(len(value))
    return R.choice([value[:at] + value[at + 1:], value[:at] + value[at] + value[at:], value[:at] + R.choice('{}[],:"x ') + value[at + 1:], value + R.choice(" }],x")])


def array(element, depth=0):
    k = R.random()
    if depth < 3 and k < .15:
        size = R.choice([1, 2])
        inner = array(element, 9)
        return "{" + ",".join([inner] * size) + "}"
    items = []
    for _ in range(R.choice([0, 1, 2, 3, 4])):
        item = element()
        if R.random() < .1:
            item = R.choice(["NULL", "null", '"NULL"', " null ", "nul\\l"])
        elif R.random() < .3:
            item = '"' + item.replace("\\", "\\\\").replace('"', '\\"') + '"'
        items.append(R.choice(["", "", " "]) + item)
    body = "{" + ",".join(items) + "}"
    if depth == 0 and R.random() < .1:
        lower = R.choice([-1, 0, 1, 5])
        body = "[%d:%d]=%s" % (lower, lower + len(items) - 1, body)
    return body


def integer():
    return R.choice(["0", "1", "-7", "2147483647", "42"]) if R.random() < .95 else R.choice(["2147483648", "x", ""])


def uuid():
    digits = "".join(R.choice("0123456789abcdefABCDEF") for _ in range(32))
    k = R.random()
    if k < .4:
        return "-".join([digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]])
    if k < .6:
        return digits
    if k < .75:
        return "{" + "-".join(digits[i:i + 4] for i in range(0, 32, 4)) + "}"
    return broken(digits)


def bytea():
    k = R.random()
    if k < .6:
        return broken("\\x" + "".join(R.choice(["00", "ff", "5c", "0a", "Ab", " 61"]) for _ in range(R.choice([0, 1, 3, 20]))))
    return "".join(R.choice(["a", "\\\\", "\\000", "\\377", "\\400", "\\", "é", "b"]) for _ in range(R.choice([0, 1, 3])))


def words():
    return "".join(R.choice(["1", "22", "0", "7", " ", "x", "70000"]) + " " for _ in range(R.choice([0, 1, 2, 4])))


def cases():
    for n in range(40):
        yield "text", -1, text()
        yield "name", -1, text() * R.choice([1, 1, 5])
        yield "char", -1, R.choice([text(), "\\303", "\\101", "\\400", "a", ""])
        yield "bytea", -1, bytea()
        yield "uuid", -1, uuid()
    for n in range(80):
        yield "varchar", R.choice([-1, 4 + 1, 4 + 3, 4 + 10]), text()
        yield "bpchar", R.choice([-1, 4 + 1, 4 + 3, 4 + 10]), text()
        yield "oidvector", -1, words()
        yield "int2vector", -1, words()
    for n in range(200):
        yield "json", -1, broken(json())
        yield "jsonb", -1, broken(json())
        yield "_text", -1, broken(array(lambda: text().strip() or "x"))
        yield "_int4", -1, broken(array(integer))
    for n in range(40):
        yield "_varchar", R.choice([-1, 4 + 3]), array(lambda: R.choice(["a", "abc", "abcd", "é   "]))
        yield "_jsonb", -1, array(lambda: R.choice(["1", '"x"', "{}"]))
        yield "_bool", -1, array(lambda: R.choice(["t", "f", "true"]))


def escape(value):
    return value.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")


# The type as a cast names it, for each typmod.
def sql_name(name, typmod):
    suffix = "[]" if name.startswith("_") else ""
    base = name.lstrip("_")
    return 'pg_catalog."%s"%s%s' % (base, "(%d)" % (typmod - 4) if typmod >= 0 else "", suffix)


def main():
    connection = psycopg2.connect(dbname=os.environ.get("PGDATABASE", "postgres"), user=os.environ.get("PGUSER", "postgres"))
    connection.autocommit = True
    cursor = connection.cursor()
    lines = []
    for name, typmod, literal in cases():
        # A column's input function enforces the typmod; a cast would cut silently.
        cursor.execute("CREATE TEMP TABLE IF NOT EXISTS io_%s_%d (v %s)" % (name, typmod + 1, sql_name(name, typmod)))
        send = "array_send" if name.startswith("_") else name + "send" if name not in ("uuid", "json", "jsonb") else name + "_send"
        try:
            cursor.execute("TRUNCATE io_%s_%d" % (name, typmod + 1))
            cursor.execute("INSERT INTO io_%s_%d VALUES (%%s)" % (name, typmod + 1), (literal,))
            cursor.execute("SELECT encode(%s(v), 'hex'), (v)::text FROM io_%s_%d" % (send, name, typmod + 1))
            binary, shown = cursor.fetchone()
            # A cast of bpchar to text drops blanks that its output shows.
            if name == "bpchar":
                shown = bytes.fromhex(binary).decode()
        except psycopg2.Error as error:
            diag = error.diag
            binary = ""
            shown = "%s %s|%s|%s|%s" % (error.pgcode, diag.message_primary, diag.message_detail or "", diag.message_hint or "",
                                        (diag.context or "") if name in ("json", "jsonb", "_jsonb") else "")
        lines.append("\t".join([name, str(typmod), escape(literal), binary, escape(shown)]))
    with open(OUT, "w") as out:
        out.write("\n".join(dict.fromkeys(lines)) + "\n")


main()
