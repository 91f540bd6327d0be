#!/usr/bin/env python3
"""Writes number_functions.golden and number_kernels.inc: what PostgreSQL 15 answers for calls of functions on numbers.

    PGHOST=... PGPORT=... python3 tests/sql/func/make_number_golden.py [SEED [COUNT]]

A line is: kernel, argument types, result type, arguments, and last the result as text or "!SQLSTATE message". NULL is \\N. Arguments are random,
with many at the edges of the types, but for those in CASES. Only functions whose body stands in sql/func are called.
"""
import glob
import os
import random
import re
import struct
import sys

import psycopg2

HERE = os.path.dirname(os.path.abspath(__file__))
R = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 20261201)
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 12
FILES = ["integer_*", "float_*", "number_cast", "number_hash", "numeric_*", "in_range_number"]
TYPES = {"boolean": "bool", "smallint": "int2", "integer": "int4", "bigint": "int8", "oid": "oid", "xid": "xid", "real": "float4",
         "double precision": "float8", "numeric": "numeric", "text": "text", "name": "name", "character": "bpchar", '"char"': "char", "uuid": "uuid"}
SKIPPED = {"Drandom", "Setseed", "Dpi", "Numeric"}
# Extra calls: SQL name, argument types, arguments.
CASES = [
    ("round", ("numeric", "int4"), [("2.5", 0), ("-2.5", 0), ("1234.5", -2), ("99.99", -2), ("1.5", -5), ("0.5", 0), ("9999.99995", 4), ("1e30", 5000)]),
    ("trunc", ("numeric", "int4"), [("-1234.567", 1), ("99.9", -1), ("0.00001", 5), ("12345678", -4)]),
    ("power", ("numeric", "numeric"),
     [("2", "10"), ("0.1", "10"), ("2.5", "-3"), ("0", "0"), ("0", "-1"), ("-2", "0.5"), ("-2", "3"), ("3", "0.5"), ("10", "-20"), ("10", "100"),
      ("1.0000001", "10000000"), ("0.5", "-100"), ("-3", "3"), ("0", "2.5"), ("-inf", "3"), ("-inf", "2.5"), ("inf", "0"), ("1", "NaN"), ("NaN", "0"),
      ("0.5", "inf"), ("-1", "inf"), ("0", "-inf"), ("1.23456789012345678901", "1"), ("1.23456789012345678901", "2"), ("9", "1000000"),
      ("1.5", "2147483648"), ("0.999", "-2147483649"), ("7.0", "-1")]),
    ("exp", ("numeric",), [("1.0",), ("-50.0",), ("100.0",), ("0",), ("0.000001",), ("6000.0",), ("-inf",), ("NaN",), ("700.123",)]),
    ("ln", ("numeric",), [("2.0",), ("1.05",), ("0.00001",), ("123456789.123",), ("1",), ("0",), ("-1",), ("inf",), ("1e100",), ("0.99999999",)]),
    ("log", ("numeric", "numeric"), [("2.0", "64.0"), ("1", "2"), ("0", "2"), ("inf", "2"), ("2", "inf"), ("inf", "inf"), ("-inf", "2"), ("10", "0.1")]),
    ("sqrt", ("numeric",), [("2",), ("0.0001",), ("1e-8",), ("20000",), ("1e10",), ("0",), ("-1",), ("inf",), ("-inf",), ("0.25",), ("144.00",)]),
    ("gcd", ("int4", "int4"), [(-2147483648, 0), (-2147483648, -1), (12, 18), (0, 0), (-2147483648, -2147483648)]),
    ("lcm", ("int4", "int4"), [(2147483647, 2147483646), (4, 6), (0, 5), (-4, 6), (-2147483648, 1)]),
    ("gcd", ("numeric", "numeric"), [("1.5", "0.45"), ("inf", "2"), ("0.00", "5.0"), ("-12", "18")]),
    ("lcm", ("numeric", "numeric"), [("1.5", "0.45"), ("0.0", "1.00"), ("inf", "0")]),
    ("factorial", ("int8",), [(0,), (1,), (20,), (-1,), (40000,), (100,)]),
    ("width_bucket", ("numeric", "numeric", "numeric", "int4"),
     [("5.35", "0.024", "10.06", 5), ("10", "0", "5", 3), ("-1", "0", "5", 3), ("3", "5", "0", 4), ("1", "1", "1", 1), ("1", "1", "2", 0),
      ("NaN", "1", "2", 5), ("1", "inf", "2", 5), ("0.6", "0", "0.9", 3), ("inf", "0", "1", 2147483647)]),
    ("width_bucket", ("float8", "float8", "float8", "int4"),
     [("5.35", "0.024", "10.06", 5), ("10", "0", "5", 3), ("3", "5", "0", 4), ("1", "1", "1", 1), ("1", "1", "2", 0), ("NaN", "1", "2", 5),
      ("1", "inf", "2", 5), ("0.3", "0", "0.9", 3)]),
    ("power", ("float8", "float8"),
     [("0", "-1"), ("-2", "0.5"), ("10", "400"), ("10", "-400"), ("NaN", "0"), ("1", "NaN"), ("-inf", "3"), ("-inf", "-3"), ("0", "inf"), ("-1", "inf"),
      ("0", "0"), ("2", "-inf"), ("-8", "3"), ("inf", "-1")]),
    ("int48div", ("int4", "int8"), [(-2147483648, -1)]),
    ("int4div", ("int4", "int4"), [(-2147483648, -1), (-7, 2)]),
    ("int28div", ("int2", "int8"), [(-32768, -1)]),
    ("sind", ("float8",), [("30",), ("-30",), ("180",), ("270",), ("390",), ("45",), ("1e10",), ("inf",)]),
    ("cosd", ("float8",), [("60",), ("120",), ("90",), ("1e10",), ("45",), ("-60",)]),
    ("tand", ("float8",), [("45",), ("135",), ("90",), ("-45",), ("180",), ("0",), ("225",)]),
    ("cotd", ("float8",), [("45",), ("0",), ("90",), ("135",), ("-45",)]),
    ("asind", ("float8",), [("0.5",), ("-1",), ("1",), ("2",), ("0.7",)]),
    ("acosd", ("float8",), [("0.5",), ("-0.5",), ("-1",), ("1",), ("0.9",)]),
    ("exp", ("float8",), [("1000",), ("-1000",), ("inf",), ("-inf",), ("1",)]),
    ("scale", ("numeric",), [("1.230",), ("inf",), ("0",)]),
    ("trim_scale", ("numeric",), [("1.230",), ("inf",), ("100",), ("0.000",)]),
    ("int4", ("float8",), [("2147483647.4",), ("2147483647.5",), ("-2147483648.5",), ("-2147483648.6",), ("2.5",), ("3.5",), ("NaN",), ("inf",)]),
    ("int8", ("float8",), [("9223372036854774784",), ("9223372036854775807",), ("-9223372036854775808",)]),
    ("float4", ("float8",), [("1e308",), ("1e-300",), ("3.4028235e38",), ("NaN",)]),
    ("float8", ("numeric",), [("1e400",), ("1e-400",), ("0.1",), ("123456789012345678901234567890",)]),
    ("int4", ("numeric",), [("2147483647.4",), ("2147483647.5",), ("NaN",), ("inf",), ("-0.5",)]),
]
INTEGER_BITS = {"int2": 16, "int4": 32, "int8": 64}


def integer(bits):
    low, high = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
    return R.choice([0, 1, -1, 2, low, high, low + 1, R.randint(-100, 100), R.randint(-100, 100), R.randint(low, high),
                     R.randint(low >> (bits // 2), high >> (bits // 2))])


def floating(bits):
    k = R.random()
    if k < .25:
        return R.choice(["0", "-0", "1", "-1", "0.5", "NaN", "inf", "-inf", "1e-30", "1e30"])
    if k < .4:
        value = struct.unpack("<d" if bits == 64 else "<f", R.getrandbits(bits).to_bytes(bits // 8, "little"))[0]
        return repr(value)
    return repr(round(R.uniform(-1000, 1000), R.randint(0, 6))) if k < .9 else repr(R.uniform(-1, 1))


def decimal():
    k = R.random()
    if k < .15:
        return R.choice(["0", "0.00", "1", "-1", "NaN", "Infinity", "-Infinity", "10000", "9999.9999", "0.0001"])
    digits = "".join(R.choice("0123456789") for _ in range(R.choice([1, 2, 4, 5, 8, 12, 20]))) + "." * (R.random() < .8)
    if digits[-1] == ".":
        digits += "".join(R.choice("0123456789") for _ in range(R.choice([0, 1, 2, 4, 6, 12])))
    return ("-" if R.random() < .3 else "") + digits


def argument(kind, function, position):
    if kind in INTEGER_BITS:
        if function in ("factorial",):
            return R.randint(-2, 60)
        if function.startswith(("round", "trunc")):
            return R.randint(-10, 12)
        return integer(INTEGER_BITS[kind])
    if kind in ("oid", "xid"):
        return R.choice([0, 1, 5, 4294967295, 2147483648, R.getrandbits(32)])
    if kind in ("float4", "float8"):
        return floating(64 if kind == "float8" else 32)
    if kind == "numeric":
        if function in ("exp", "numeric_exp"):
            return "%.3f" % R.uniform(-30, 30)
        if function in ("power", "pow", "numeric_power"):
            return "%.3f" % R.uniform(0, 20) if position == 0 else R.choice(["%d" % R.randint(-12, 12), "%.2f" % R.uniform(-5, 5)])
        return decimal()
    if kind == "bool":
        return R.choice(["t", "f"])
    if kind == "uuid":
        return "%032x" % R.getrandbits(128)
    text = "".join(R.choice("abcXYZ 019é") for _ in range(R.choice([0, 1, 3, 7, 11, 12, 13, 24, 30]))).strip()
    return (text or "a")[0].replace("é", "e") if kind == "char" else text


def pascal(name):
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def bodies():
    names = set()
    for pattern in FILES:
        for path in glob.glob(os.path.join(HERE, "../../../sql/func", pattern + ".cc")):
            names |= set(re.findall(r"^void (\w+)\(const KernelCall& call\)", open(path).read(), re.M))
    return names - SKIPPED


def call(cursor, name, types, args, result):
    parts = ", ".join(f'%s::{"pg_catalog." + chr(34) + t + chr(34)}' for t in types)
    try:
        cursor.execute(f"SELECT format('%%s', v), v IS NULL FROM (SELECT pg_catalog.\"{name}\"({parts}) v) q", [str(a) for a in args])
        text, is_null = cursor.fetchone()
        return "\\N" if is_null else text
    except psycopg2.Error as error:
        return f"!{error.pgcode} {error.diag.message_primary}"


def main():
    connection = psycopg2.connect(user=os.environ.get("PGUSER", "postgres"), dbname="postgres")
    connection.autocommit = True
    cursor = connection.cursor()
    cursor.execute("SELECT oid, proname, prosrc, prolang, (SELECT array_agg(t::regtype::text ORDER BY i) FROM unnest(proargtypes::oid[]) "
                   "WITH ORDINALITY u(t, i)), prorettype::regtype::text FROM pg_proc WHERE prokind = 'f' AND NOT proretset AND pronargs > 0 "
                   "AND pronamespace = 'pg_catalog'::regnamespace ORDER BY oid")
    known = bodies()
    lines = []
    used = set()
    seen = set()
    for oid, name, source, language, types, result in cursor.fetchall():
        kernel = pascal(name) + str(oid) if language == 14 else pascal(source)
        if kernel not in known or result not in TYPES or any(t not in TYPES for t in types):
            continue
        names = tuple(TYPES[t] for t in types)
        argument_lists = [args for case, case_types, calls in CASES if case == name and case_types == names for args in calls]
        if (kernel, names) not in seen:  # a second name of the same function adds nothing
            argument_lists += [tuple(argument(t, name, i) for i, t in enumerate(names)) for _ in range(COUNT)]
        seen.add((kernel, names))
        used.add(kernel)
        for args in argument_lists:
            fields = [kernel, ",".join(names), TYPES[result], *map(str, args), call(cursor, name, names, args, result)]
            lines.append("\t".join(fields))
    lines.sort(key=lambda line: line.split("\t")[:2])
    open(os.path.join(HERE, "number_functions.golden"), "w").write("\n".join(lines) + "\n")
    with open(os.path.join(HERE, "number_kernels.inc"), "w") as file:
        file.write("// Kernels that number_functions.golden calls; written by make_number_golden.py.\n")
        file.writelines(f"KERNEL({kernel})\n" for kernel in sorted(used))
    print(len(lines), "calls of", len(used), "kernels; without a call:", sorted(known - used))


main()
