#!/usr/bin/env python3
"""Writes string_functions.golden and string_kernels.inc: what PostgreSQL 15 answers for calls of functions on strings, arrays and JSON.

    PGHOST=... PGPORT=... python3 tests/sql/func/make_string_golden.py [SEED [COUNT]]

A line is: kernel, argument types, result type, arguments, and last the result as text or "!SQLSTATE message|detail|hint". NULL is \\N; tab,
newline and backslash are escaped. Calls are random but for those in CASES. Only functions whose body stands in sql/func are called.
"""
import glob
import os
import random
import re
import sys

import psycopg2

HERE = os.path.dirname(os.path.abspath(__file__))
R = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 20260104)
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 14
# Bodies in these files are tested here.
FILES = ["text_*", "letter_case", "like", "regex_*", "digest", "bytea", "array_*", "json*", "type_info", "parse_ident", "size_pretty"]
TYPES = {"text": "text", "character varying": "varchar", "character": "bpchar", "name": "name", '"char"': "char", "bytea": "bytea",
         "uuid": "uuid", "json": "json", "jsonb": "jsonb", "integer": "int4", "boolean": "bool", "text[]": "_text", "integer[]": "_int4",
         "bigint": "int8", "smallint": "int2", "real": "float4", "double precision": "float8", "numeric": "numeric"}
POLYMORPHIC = {"anyarray": "_E", "anyelement": "E", "anynonarray": "E", "anycompatible": "E", "anycompatiblearray": "_E", '"any"': "ANY"}
SKIPPED = {"FormatType", "PgTypeof", "TextRegclass", "ToRegclass", "ToRegtype", "ToRegproc", "ToRegprocedure", "ToRegoper", "ToRegoperator",
           "ToRegnamespace", "ToRegrole", "GenRandomUuid", "JsonbFloat4"}
REGEX = ["a", "b+", "(a)(b)?", "a|ab", "[a-c]+", "^a", "c$", "", ".", "\\d+", "\\w+", "\\s", "(?i)A", "a.*?c", "[[:alpha:]]+", "[^a]", "x*", "(b|bc)(c|d)?",
         "é", "\\.", "a{2}", "a{1,3}", "(?:ab)+", "\\Aa", "c\\Z", "\\ya", "[\\w]+", "***=a.", "(?x)a b", "a\\x62", "\\u00e9", "[]a]", "[a\\]]+", "^$",
         "(", "[", "a**", "a{3,1}", "[b-a]", "\\", "[[:foo:]]", "*a", "a{", "a{1", ")", "]", "\\q", "\\1", "(a)|b", "(?n)^b", "\\m", "b\\M"]
LIKES = ["a", "a%", "%c", "%b%", "_", "__", "a_c", "%", "", "\\%", "a\\_b", "%\\", "\\", "é%", "%_", "A%", "a%c%", "%%", "_%_", "\\a%"]
FLAGS = ["", "g", "i", "gi", "x", "n", "c", "z", "q", "gq"]


def word():
    pieces = ["a", "b", "c", "A", "B", " ", "é", "É", "ß", "漢", "😀", "1", "0", "_", "%", "'", '"', "\\", ",", "ab", "abc", "x y", "\n", "-", ".", "null"]
    return "".join(R.choice(pieces) for _ in range(R.choice([0, 1, 2, 3, 4, 6, 10, 20])))


def json(depth=0):
    k = R.random()
    if k < .35 and depth < 3:
        return "{" + ", ".join('"%s": %s' % (R.choice(["a", "b", "c", "aa", "é", "1"]), json(depth + 1)) for _ in range(R.choice([0, 1, 2, 3]))) + "}"
    if k < .6 and depth < 3:
        return "[" + ", ".join(json(depth + 1) for _ in range(R.choice([0, 1, 2, 3]))) + "]"
    return R.choice(["1", "2", "1.50", "-3e2", "null", "true", "false", '"a"', '"b"', '"é\\n"', '"x y"', '"1"'])


def array(kind):
    def item():
        if R.random() < .12:
            return "NULL"
        return str(R.randint(0, 4)) if kind == "int4" else '"%s"' % R.choice(["a", "b", "c", "", "abc", "1", "0", "-1", "null", "a b", "é"])

    k = R.random()
    if k < .12:
        return "{}"
    if k < .22:
        n = R.choice([1, 2, 3])
        return "{%s}" % ",".join("{%s}" % ",".join(item() for _ in range(n)) for _ in range(R.choice([1, 2])))
    items = [item() for _ in range(R.choice([1, 2, 3, 5]))]
    text = "{%s}" % ",".join(items)
    return "[%d:%d]=%s" % (-1, len(items) - 2, text) if R.random() < .1 else text


def value(kind, kernel, position, names):
    """A random argument. `names` are the types of all arguments."""
    if kind == "int4":
        if kernel in ("Varchar", "Bpchar"):
            return str(R.choice([-1, 5, 6, 7, 9, 14]))
        if kernel == "Chr":
            return str(R.choice([65, 233, 28450, 128512, 0, -1, 55296, 1114112, 127, 1]))
        if kernel.startswith("Repeat"):
            return str(R.choice([0, 1, 3, -1, 10]))
        return str(R.choice([0, 1, 2, 3, 4, 5, -1, -2, -5, 7, 20]))
    if kind == "bool":
        return R.choice("tf")
    if kind in ("int8", "int2", "float4", "float8", "numeric"):
        if kernel == "PgSizePretty":
            return str(R.choice([0, 10239, 10240, -1000000, 20480000, 9223372036854775807, -9223372036854775808, 10485248, 10484735, 10737418240, R.randint(-2**60, 2**60)]))
        return R.choice(["0", "1", "8", "9", "-7", "42"] if kernel in ("ByteaGetBit", "ByteaSetBit") else ["0", "1", "-7", "42"])
    if kind == "bytea":
        return "\\x" + "".join(R.choice(["00", "ff", "61", "62", "5c", "20", "c3a9"]) for _ in range(R.choice([0, 1, 2, 4, 9])))
    if kind == "uuid":
        return "00000000-0000-0000-0000-%012d" % R.randint(0, 2)
    if kind in ("json", "jsonb"):
        return json()
    if kind in ("_text", "_int4"):
        return array(kind[1:])
    if kind == "char":
        return R.choice(["a", "b", "Z"] if kernel == "CharBpchar" else ["a", "b", "", "\\303", "Z"])
    if "like" in kernel.lower() and not kernel.startswith("Regexp"):
        if position == 1:
            return R.choice(["", "\\", "#", "%", "ab"]) if kernel.startswith("LikeEscape") else R.choice(LIKES)
    if kernel.startswith(("Regexp", "Textregex", "Textic", "Nameregex", "Nameic")):
        if position == 1:
            return R.choice(REGEX)
        if position == len(names) - 1 and position > 1 and not kernel.endswith("Noopt"):
            if kernel == "Textregexreplace" and position == 3 or not kernel.startswith("Textregexreplace"):
                return R.choice(FLAGS)
            if position == 5:
                return R.choice(FLAGS)
        if kernel.startswith("Textregexreplace") and position == 2:
            return R.choice(["", "x", "[\\1]", "\\&\\&", "\\\\", "\\q", "\\2\\1", "é"])
        return "".join(R.choice(["a", "b", "c", "d", "ab", "abc", "é", "1", " ", "."]) for _ in range(R.choice([0, 1, 3, 6])))
    if kernel in ("BinaryEncode", "BinaryDecode") and position == 1:
        return R.choice(["hex", "base64", "escape", "HEX", "foo"])
    if kernel == "BinaryDecode":
        return R.choice(["", "00ff", "0", "zz", "YWJj", "YQ==", "YQ=", "Y", "a*", "\\000a", "\\\\", "a\\", "61 62", "YW\nJj", "=", "Y=Q="])
    if kernel.startswith("TextFormat") and position == 0:
        return R.choice(["%s", "%I %L", "%2$s-%1$s", "%%", "%", "%5s|", "%-5s|", "%*s|", "%z", "%1$*2$s", "a", "%3$s", "%0$s", "%-*s|", "%s %s %s %s"])
    if kernel == "SplitPart" and position == 1 or kernel.startswith("TextToArray") and position == 1 or kernel.startswith("ReplaceText") and position == 1:
        return R.choice(["a", ",", "", "ab", "é", "b"])
    if kernel == "ParseIdent":
        return R.choice(['"A".b.C', "a.b[]", "a..b", "1a", 'a"b', '"a', '""', ".a", "a.", " a . b ", "é$1._x", "a b", "", '"x y".Z'])
    if kernel == "JsonbSetLax":
        return R.choice(["use_json_null", "raise_exception", "delete_key", "return_target", "foo"])
    if kernel == "Unistr":
        return R.choice(["\\0441\\+00006f\\u006f\\U0000006f\\\\", "\\q", "a\\d83d\\de00", "\\d83d", "\\de00", "\\d83dx", "\\0000", "abc", "\\"])
    if kind == "name" and kernel in ("PgConvertFrom", "PgConvertTo", "PgConvert", "LengthInEncoding"):
        return R.choice(["UTF8", "utf-8", "LATIN1", "nope"])
    if kernel.startswith("Similar") or kernel == "Substring2074":
        return R.choice(["%a_", "a\\b", "(a|b)%", "[a-c]+", "a#\"b#\"c", "#", "\\", "", "a.^$", "ab", "%#\"b%#\"c"])
    return word()


# (function call as SQL source, kernel, argument types, arguments): what chance would hardly find.
CASES = [
    ("Lpad", ["text", "int4", "text"], ["ab", "7", "xyz"]), ("Lpad", ["text", "int4", "text"], ["é", "5", "ü漢"]),
    ("Rpad", ["text", "int4", "text"], ["abcdef", "3", "x"]), ("Translate", ["text", "text", "text"], ["12345", "143", "ax"]),
    ("Initcap", ["text"], ["hello WORLD é-été o'neil 1st"]), ("Upper", ["text"], ["straße éàǆ ﬁ"]), ("Lower", ["text"], ["ÀÉİΣ"]),
    ("Md5Text", ["text"], [""]), ("Sha256Bytea", ["bytea"], ["\\x616263"]), ("SplitPart", ["text", "text", "int4"], ["a~@~b~@~c", "~@~", "-2"]),
    ("TextOverlay", ["text", "text", "int4", "int4"], ["Txxxxas", "hom", "2", "4"]),
    ("QuoteIdent", ["text"], ["select"]), ("QuoteIdent", ["text"], ["begin"]), ("QuoteIdent", ["text"], ["x\"y"]),
    ("QuoteLiteral", ["text"], ["a\\b'c"]), ("QuoteNullable", ["text"], [None]),
    ("RegexpMatchNoFlags", ["text", "text"], ["foobarbequebaz", "(bar)(beque)"]),
    ("RegexpMatchNoFlags", ["text", "text"], ["abcd", "(a|ab)(c|bcd)"]),
    ("Textregexsubstr", ["text", "text"], ["foobar", "o(.)b"]),
    ("JsonbSet", ["jsonb", "_text", "jsonb", "bool"], ['[{"f1":1,"f2":null},2,null,3]', "{0,f1}", "[2,3,4]", "f"]),
    ("JsonbSet", ["jsonb", "_text", "jsonb", "bool"], ['[{"f1":1}]', "{0,f3}", "[2,3,4]", "t"]),
    ("JsonbInsert", ["jsonb", "_text", "jsonb", "bool"], ['{"a": [0,1,2]}', "{a,1}", '"new"', "t"]),
    ("ArrayFill", ["int4", "_int4"], ["7", "{2,3}"]), ("ArrayFill", ["int4", "_int4"], ["7", "{{1}}"]), ("ArrayFill", ["int4", "_int4"], ["7", None]),
    ("ArrayFillWithLowerBounds", ["int4", "_int4", "_int4"], ["7", "{3}", "{2}"]), ("ArrayFillWithLowerBounds", ["int4", "_int4", "_int4"], ["7", "{3}", "{2,3}"]),
    ("ArrayCat", ["_int4", "_int4"], ["{{1,2},{3,4}}", "{5,6}"]), ("ArrayCat", ["_int4", "_int4"], ["{5,6}", "{{1,2},{3,4}}"]),
    ("ArrayCat", ["_int4", "_int4"], ["{1}", "{{{1}}}"]), ("ArrayPositionStart", ["_int4", "int4", "int4"], ["{1,2,1}", "1", "2"]),
    ("ArrayPositionStart", ["_int4", "int4", "int4"], ["{1,2,1}", "1", None]),
    ("SimilarToEscape2", ["text", "text"], ["a#\"%#\"c", "#"]), ("SimilarToEscape2", ["text", "text"], ["#\"a#\"b#\"", "#"]),
    ("Substring2074", ["text", "text", "text"], ["abcdef", "%#\"cd#\"%", "#"]),
]


def pascal(name):
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def bodies():
    found = set()
    for pattern in FILES:
        for path in glob.glob(os.path.join(HERE, "../../../sql/func", pattern + ".cc")):
            found |= set(re.findall(r"^void (\w+)\(const KernelCall& call\)", open(path).read(), re.M))
    return found


def functions(cursor, kernels):
    """(SQL name, kernel, argument types, result type, strict), polymorphic ones for integer and text."""
    cursor.execute("""SELECT proname, prosrc, oid, ARRAY(SELECT format_type(t, NULL) FROM unnest(proargtypes) t), format_type(prorettype, NULL),
                             proisstrict, prolang = 14, provariadic <> 0 AND provariadic <> 2276 FROM pg_proc WHERE prokind = 'f' AND NOT proretset ORDER BY oid""")
    for name, source, oid, args, result, strict, is_sql, variadic in cursor.fetchall():
        kernel = pascal(name) + str(oid) if is_sql else pascal(source)
        if kernel not in kernels or kernel in SKIPPED:
            continue
        if any(t not in TYPES and t not in POLYMORPHIC for t in args) or result not in TYPES and result not in POLYMORPHIC:
            continue
        polymorphic = any(t in POLYMORPHIC for t in args)
        for element in ["int4", "text"] if polymorphic else [""]:
            def concrete(t):
                if t in TYPES:
                    return TYPES[t]
                return {"_E": "_" + element, "E": element, "ANY": element}[POLYMORPHIC[t]]
            types = [concrete(t) for t in args]
            if args and args[-1] == '"any"':
                types = types[:-1] + R.choice([["int4", "text"], ["text", "bool", "_int4"], ["json", "int4"], [element], ["text", "numeric", "text", "jsonb"]])
            yield name, kernel, types, concrete(result), strict, variadic


def escape(text):
    if text is None:
        return "\\N"
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")


def sql_type(kind):
    return 'pg_catalog."%s"[]' % kind[1:] if kind.startswith("_") else 'pg_catalog."%s"' % kind


def call(cursor, name, types, result, arguments, variadic=False):
    parameters = ", ".join("%%s::%s" % sql_type(t) for t in types)
    if variadic:
        parameters = "VARIADIC ".join(parameters.rsplit("%s", 1)) if len(types) == 1 else ", VARIADIC ".join(parameters.rsplit(", ", 1))
        parameters = parameters.replace("VARIADIC ::", "VARIADIC %s::")
    statement = 'SELECT r, octet_length(r::text) FROM (SELECT pg_catalog."%s"(%s) AS r) s' % (name, parameters)
    if name.startswith("bt") and name.endswith("cmp") and name != "btcharcmp" or name.endswith("_cmp") or name in ("byteacmp", "bpcharcmp"):
        statement = statement.replace("(SELECT pg_catalog.", "(SELECT pg_catalog.sign(pg_catalog.").replace(") AS r)", "))::int4 AS r)")
    # bpchar's text form as its output function has it, blanks kept.
    statement = statement.replace("SELECT r,", "SELECT format('%%s', r)," if result != "bpchar" else "SELECT convert_from(bpcharsend(r), 'UTF8'),")
    try:
        cursor.execute(statement, arguments)
        shown, length = cursor.fetchone()
        return None if length is None else shown
    except psycopg2.Error as error:
        return "!%s %s|%s|%s" % (error.pgcode, error.diag.message_primary, error.diag.message_detail or "", error.diag.message_hint or "")


def main():
    connection = psycopg2.connect(dbname=os.environ.get("PGDATABASE", "postgres"), user=os.environ.get("PGUSER", "postgres"))
    connection.autocommit = True
    cursor = connection.cursor()
    cursor.execute("SET timezone = 'UTC'; SET statement_timeout = '2s'")
    lines = []
    used = set()
    by_kernel = {}
    for name, kernel, types, result, strict, variadic in functions(cursor, bodies()):
        by_kernel.setdefault((kernel, tuple(types)), (name, result))
        for _ in range(COUNT if types else 1):
            arguments = [None if not strict and R.random() < .06 else value(t, kernel, i, types) for i, t in enumerate(types)]
            lines.append((kernel, types, result, arguments, call(cursor, name, types, result, arguments, variadic)))
            used.add(kernel)
    for kernel, types, arguments in CASES:
        if (kernel, tuple(types)) not in by_kernel:
            continue
        name, result = by_kernel[(kernel, tuple(types))]
        lines.append((kernel, types, result, arguments, call(cursor, name, types, result, arguments)))
    # An error of an argument's own input is no answer of the function.
    with open(os.path.join(HERE, "string_functions.golden"), "w") as out:
        text = ["\t".join([k, ",".join(t), r] + [escape(a) for a in args] + [escape(answer)]) for k, t, r, args, answer in lines]
        out.write("\n".join(dict.fromkeys(text)) + "\n")
    with open(os.path.join(HERE, "string_kernels.inc"), "w") as out:
        out.write("// Kernels that string_functions.golden calls; written by make_string_golden.py.\n")
        out.write("".join("KERNEL(%s)\n" % kernel for kernel in sorted(used)))


main()
