#!/usr/bin/env python3
"""Writes the fact tables catalog/data/*.def from the catalogs of a PostgreSQL 15 server.

    python3 catalog/data/generate.py [--host 127.0.0.1] [--port 5432] [--user postgres]

The rows are PostgreSQL's own (names, OIDs, argument lists, descriptions). A function's row names its body where one stands in sql/func/*.cc
at the start of a line:

    void Int4pl(const KernelCall& call)                                          -> PROC
    std::unique_ptr<SetFunction> GenerateSeriesInt4(const SetFunctionCall& call) -> PROC_SET
    const AggregateOps AggSumInt4                                                -> PROC_AGGREGATE

A body's name is prosrc in PascalCase; where prosrc is SQL text, proname in PascalCase and the OID; for an aggregate, Agg, proname and the
argument types. All others are PROC_UNSUPPORTED. The output depends on the server's version and the bodies only. proc_mayfly.def holds the functions
that PostgreSQL does not have, and is written by hand.
"""
import argparse
import json
import pathlib
import re
import subprocess

DATA = pathlib.Path(__file__).resolve().parent
ROOT = DATA.parent.parent
# Types whose values are only ever shown: system tables have columns of them.
OPAQUE = ["pg_node_tree", "aclitem", "anyarray", "pg_lsn"]
HAVE_OPS = """bool int2 int4 int8 oid float4 float8 numeric text varchar bpchar name char bytea unknown cstring date time timestamp timestamptz
interval uuid json jsonb record void regclass regtype regproc regprocedure regoper regoperator regnamespace regrole oidvector int2vector xid""".split()
# information_schema's domains, as the base types that clients see.
DOMAINS = {"cardinal_number": (23, -1), "character_data": (1043, -1), "sql_identifier": (19, -1), "time_stamp": (1184, 2), "yes_or_no": (1043, 7)}


def query(args, sql):
    command = ["psql", "-XAtq", "-h", args.host, "-p", str(args.port), "-U", args.user, "-d", "postgres", "-c",
               f"SELECT coalesce(json_agg(q), '[]') FROM ({sql}) q"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def pascal(name):
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def write(name, head, lines):
    text = "".join(f"// {line}\n" for line in head) + "//\n// Written by catalog/data/generate.py from PostgreSQL 15; do not edit.\n"
    path = DATA / name
    text += "\n".join(lines) + "\n"
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
        print("wrote", name)


class Types:
    def __init__(self, rows):
        self.rows = rows
        self.oids = {row["oid"]: row for row in rows}

    def constant(self, oid):
        """The constant of namespace type_oid (catalog/facts.cc) for an OID, or the number."""
        row = self.oids.get(oid)
        if row is None:
            return str(oid)
        name = row["typname"]
        return (name[1:] + "_ARRAY" if name.startswith("_") else name).upper()

    def args(self, oids):
        return "ARGS(" + ", ".join(self.constant(oid) for oid in oids) + ")"


def load_types(args):
    rows = query(args, """
        SELECT t.oid::int, typname, typtype, typlen, typbyval, typcategory, typispreferred, typdelim, typalign, typstorage,
               typelem::int, typarray::int, typcollation::int, typinput::oid::int, typoutput::oid::int, typreceive::oid::int, typsend::oid::int,
               typmodin::oid::int, typmodout::oid::int, coalesce(obj_description(t.oid, 'pg_type'), '') AS description
        FROM pg_type t WHERE t.oid < 10000 AND typtype IN ('b', 'p', 'r', 'm') ORDER BY t.oid""")
    known = {row["oid"] for row in rows}
    kept = [row for row in rows if not (row["typcategory"] == "A" and row["typelem"] and row["typelem"] not in known)]
    return Types(kept)


def type_ops(types, row):
    name = row["typname"]
    if name in OPAQUE:
        return "&kOpaqueOps"
    if name in HAVE_OPS:
        return f"&types::k{pascal(name)}Ops"
    if row["typcategory"] in "AP" and row["typelem"] and types.oids[row["typelem"]]["typname"] in HAVE_OPS + OPAQUE:
        return "&types::kArrayOps"
    return "nullptr"


def write_types(types):
    lines = []
    for row in types.rows:
        functions = ", ".join(str(row[key]) for key in ("typinput", "typoutput", "typreceive", "typsend", "typmodin", "typmodout"))
        description = row["description"]
        if not description:
            description = (f"array of {types.oids[row['typelem']]['typname']}" if row["typcategory"] == "A" and row["typelem"]
                           else f"the pseudo-type {row['typname']}" if row["typtype"] == "p" else row["typname"])
        lines.append(
            f"TYPE({row['oid']}, {types.constant(row['oid'])}, {quoted(row['typname'])}, {type_ops(types, row)}, '{row['typtype']}', {row['typlen']}, "
            f"{str(row['typbyval']).lower()}, '{row['typcategory']}', {str(row['typispreferred']).lower()}, '{row['typdelim']}', "
            f"{row['typelem']}, {row['typarray']}, '{row['typalign']}', '{row['typstorage']}', {row['typcollation']}, {functions}, {quoted(description)})")
    write("type.def", ["pg_type without row types and domains:",
                       "TYPE(oid, CONSTANT, name, ops, typtype, length, by value, category, preferred, delimiter, element, array, align, storage,",
                       "     collation, input, output, receive, send, typmodin, typmodout, description)"], lines)


def find_bodies():
    kernels, sets, aggregates = set(), set(), set()
    for path in sorted((ROOT / "sql/func").glob("*.cc")):
        text = path.read_text()
        kernels.update(re.findall(r"^void (\w+)\(const KernelCall& ?\w*\)", text, re.M))
        sets.update(re.findall(r"^std::unique_ptr<SetFunction> (\w+)\(const SetFunctionCall& ?\w*\)", text, re.M))
        aggregates.update(re.findall(r"^const AggregateOps (\w+)", text, re.M))
    return kernels, sets, aggregates


def proc_rows(args):
    return query(args, """
        SELECT p.oid::int, proname, prokind, proisstrict, proretset, provolatile, prorettype::int, proargtypes::int[] AS args,
               provariadic::int, pronargdefaults, proallargtypes::int[] AS all_args, proargmodes, proargnames, prolang::int, prosrc,
               coalesce(obj_description(p.oid, 'pg_proc'), '') AS description,
               (SELECT array_agg(pg_get_function_arg_default(p.oid, n) ORDER BY n)
                FROM generate_series(1, coalesce(array_length(proallargtypes, 1), pronargs)) n
                WHERE pg_get_function_arg_default(p.oid, n) IS NOT NULL) AS default_sql
        FROM pg_proc p WHERE p.oid < 10000 ORDER BY p.oid""")


def proc_body(row, types, bodies):
    """Macro and body name of the row."""
    kernels, sets, aggregates = bodies
    if row["prokind"] == "a":
        name = "Agg" + pascal(row["proname"]) + "".join(
            pascal(types.oids[oid]["typname"].removeprefix("_") + ("Array" if types.oids[oid]["typname"].startswith("_") else ""))
            for oid in row["args"])
        return ("PROC_AGGREGATE", name) if name in aggregates else ("PROC_UNSUPPORTED", None)
    name = pascal(row["prosrc"]) if row["prolang"] == 12 else pascal(row["proname"]) + str(row["oid"])
    if row["proretset"]:
        return ("PROC_SET", name) if name in sets else ("PROC_UNSUPPORTED", None)
    return ("PROC", name) if name in kernels else ("PROC_UNSUPPORTED", None)


def proc_names(row):
    """Names of the input arguments, and (type, name) of the result columns."""
    names = row["proargnames"] or []
    modes = row["proargmodes"] or ["i"] * len(row["args"])
    kinds = row["all_args"] or row["args"]
    inputs = [name for name, mode in zip(names, modes) if mode in "ibv"]
    outputs = [(kind, name) for kind, name, mode in zip(kinds, names, modes) if mode in "obt"]
    return (inputs if any(inputs) else []), outputs


def write_procs(args, types):
    bodies = find_bodies()
    lines = []
    implemented = 0
    for row in proc_rows(args):
        macro, body = proc_body(row, types, bodies)
        implemented += macro != "PROC_UNSUPPORTED"
        flags = [{"i": "kImmutable", "s": "kStable", "v": "kVolatile"}[row["provolatile"]]]
        flags += ["kStrict"] * row["proisstrict"] + ["kSet"] * row["proretset"]
        flags += {"a": ["kAggregate"], "w": ["kWindow"], "p": ["kProcedure"]}.get(row["prokind"], [])
        inputs, outputs = proc_names(row)
        extra = ""
        if row["provariadic"]:
            extra += f", .variadic = Oid{{{types.constant(row['provariadic'])}}}"
        if row["pronargdefaults"]:
            extra += f", .defaults = {row['pronargdefaults']}"
        for field, macro_name, strings in (("out_names", "OUT_NAMES", [name for _, name in outputs]), ("arg_names", "ARG_NAMES", inputs),
                                           ("default_sql", "DEFAULT_SQL", row["default_sql"] or [])):
            if not strings:
                continue
            if field == "out_names":
                extra += f", .out_types = {types.args([kind for kind, _ in outputs])}"
            lines.append(f"PROC_STRINGS({macro_name}, {row['oid']}, {', '.join(map(quoted, strings))})")
            extra += f", .{field} = k{macro_name}{row['oid']}"
        source = row["prosrc"] if row["prolang"] == 12 else row["proname"] if len(row["prosrc"]) > 60 else row["prosrc"]
        description = row["description"] or f"{row['proname']} of PostgreSQL"
        lines.append(f"{macro}({row['oid']}, {quoted(row['proname'])}, {types.constant(row['prorettype'])}, {types.args(row['args'])}, "
                     f"{' | '.join(flags)}, {body + ', ' if body else ''}{quoted(source)}, {quoted(description)}{extra})")
    write("proc.def", ["pg_proc: PROC, PROC_SET, PROC_AGGREGATE(oid, name, result, arguments, flags, body, prosrc, description, further fields)",
                       "and PROC_UNSUPPORTED, the same without body. PROC_STRINGS stands before the row that uses it."], lines)
    print(implemented, "functions have a body")


def write_operators(args, types):
    rows = query(args, """
        SELECT o.oid::int, oprname, oprleft::int, oprright::int, oprresult::int, oprcode::oid::int, oprcom::int, oprnegate::int,
               oprcanmerge, oprcanhash, oprrest::oid::int, oprjoin::oid::int, coalesce(obj_description(o.oid, 'pg_operator'), '') AS description
        FROM pg_operator o WHERE o.oid < 10000 ORDER BY o.oid""")
    lines = []
    for row in rows:
        flags = ["kMerge"] * row["oprcanmerge"] + ["kHash"] * row["oprcanhash"] or ["0"]
        description = row["description"] or f"{row['oprname']} of PostgreSQL"
        left = types.constant(row["oprleft"]) if row["oprleft"] else "0"
        lines.append(f"OPERATOR({row['oid']}, {quoted(row['oprname'])}, {left}, {types.constant(row['oprright'])}, "
                     f"{types.constant(row['oprresult'])}, {row['oprcode']}, {row['oprcom']}, {row['oprnegate']}, {' | '.join(flags)}, "
                     f"{row['oprrest']}, {row['oprjoin']}, {quoted(description)})")
    write("operator.def", ["pg_operator: OPERATOR(oid, name, left, right, result, function, commutator, negator, flags, restriction and join",
                           "selectivity functions, description)"], lines)


def write_casts(args, types):
    rows = query(args, """
        SELECT castsource::int, casttarget::int, castfunc::int, castcontext, castmethod
        FROM pg_cast WHERE castsource < 10000 AND casttarget < 10000 ORDER BY castsource, casttarget""")
    lines = [f"CAST({types.constant(row['castsource'])}, {types.constant(row['casttarget'])}, {row['castfunc']}, '{row['castcontext']}', "
             f"'{row['castmethod']}')" for row in rows]
    write("cast.def", ["pg_cast: CAST(source, target, function, context, method)"], lines)
    return rows


def write_btree(args, types, casts):
    classes = query(args, """
        SELECT c.oid::int, opcname, opcfamily::int, f.opfname, opcintype::int, opckeytype::int, opcdefault,
               (SELECT array_agg(amopopr::int ORDER BY amopstrategy) FROM pg_amop
                WHERE amopfamily = opcfamily AND amoplefttype = opcintype AND amoprighttype = opcintype) AS operators
        FROM pg_opclass c JOIN pg_opfamily f ON f.oid = opcfamily WHERE opcmethod = 403 AND c.oid < 16384 ORDER BY opcintype, NOT opcdefault, c.oid""")
    default = {row["opcintype"]: row["operators"] for row in classes if row["opcdefault"]}
    binary = [(cast["castsource"], cast["casttarget"]) for cast in casts if cast["castmethod"] == "b" and cast["castcontext"] == "i"]
    for row in types.rows:
        if row["oid"] in default:
            continue
        targets = [target for source, target in binary if source == row["oid"] and target in default]
        targets.sort(key=lambda oid: not types.oids[oid]["typispreferred"])
        if targets:
            default[row["oid"]] = default[targets[0]]
    lines = [f"BTREE({types.constant(oid)}, {operators[0]}, {operators[2]}, {operators[4]})" for oid, operators in sorted(default.items())]
    lines += [f"OPCLASS({row['oid']}, {quoted(row['opcname'])}, {row['opcfamily']}, {quoted(row['opfname'])}, {types.constant(row['opcintype'])}, "
              f"{types.constant(row['opckeytype']) if row['opckeytype'] else 0}, {str(row['opcdefault']).lower()})"
              for row in sorted(classes, key=lambda row: row["oid"])]
    write("opclass.def", ["The default btree operators of each type, those that are binary coercible included: BTREE(type, <, =, >)",
                          "and pg_opclass of btree: OPCLASS(oid, name, family, family name, input type, key type, default)"], lines)


def write_aggregates(args, types):
    functions = ["aggtransfn", "aggfinalfn", "aggcombinefn", "aggserialfn", "aggdeserialfn", "aggmtransfn", "aggminvtransfn", "aggmfinalfn"]
    rows = query(args, f"""
        SELECT aggfnoid::oid::int AS oid, aggkind, aggnumdirectargs, {', '.join(f'{name}::oid::int' for name in functions)}, aggfinalextra,
               aggmfinalextra, aggfinalmodify, aggmfinalmodify, aggsortop::int, aggtranstype::int, aggtransspace, aggmtranstype::int,
               aggmtransspace, coalesce(agginitval, '') AS initial, coalesce(aggminitval, '') AS moving_initial
        FROM pg_aggregate WHERE aggfnoid::oid < 10000 ORDER BY aggfnoid::oid""")
    lines = []
    for row in rows:
        spaces = f"{types.constant(row['aggtranstype'])}, {row['aggtransspace']}, "
        spaces += f"{types.constant(row['aggmtranstype']) if row['aggmtranstype'] else 0}, {row['aggmtransspace']}"
        lines.append(f"AGGREGATE({row['oid']}, '{row['aggkind']}', {row['aggnumdirectargs']}, ARGS({', '.join(str(row[name]) for name in functions)}), "
                     f"{str(row['aggfinalextra']).lower()}, {str(row['aggmfinalextra']).lower()}, '{row['aggfinalmodify']}', "
                     f"'{row['aggmfinalmodify']}', {row['aggsortop']}, {spaces}, {quoted(row['initial'])}, {quoted(row['moving_initial'])})")
    write("aggregate.def", ["pg_aggregate, for show (what runs is AggregateOps): AGGREGATE(function, kind, direct arguments, ARGS(transition, final,",
                            "combine, serial, deserial, moving transition, moving inverse, moving final function), final extra, moving final extra,",
                            "final modify, moving final modify, sort operator, state type, state space, moving state type, its space, initial value,",
                            "moving initial value)"], lines)


def write_system_columns(args, types):
    rows = query(args, """
        SELECT c.oid::int, relname, nspname, relkind, reltype::int, attname, atttypid::int, typname, typtype, atttypmod, attnotnull, attcollation::int,
               coalesce(obj_description(c.oid, 'pg_class'), '') AS description, attnum
        FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace JOIN pg_attribute a ON attrelid = c.oid JOIN pg_type t ON t.oid = atttypid
        WHERE c.oid < 16384 AND nspname IN ('pg_catalog', 'information_schema') AND relkind IN ('r', 'v') AND attnum > 0 AND NOT attisdropped
        ORDER BY c.oid, attnum""")
    lines = []
    table = 0
    for row in rows:
        if row["oid"] != table:
            table = row["oid"]
            lines.append(f"SYSTEM_TABLE({table}, {quoted(row['nspname'])}, {quoted(row['relname'])}, '{row['relkind']}', {row['reltype']})")
        oid, typmod = (row["atttypid"], row["atttypmod"])
        if row["typtype"] == "d":
            oid, typmod = DOMAINS[row["typname"]]
        lines.append(f"SYSTEM_COLUMN({table}, {quoted(row['attname'])}, {types.constant(oid)}, {typmod}, "
                     f"{str(row['attnotnull']).lower()}, {row['attcollation']})")
    write("system_columns.def", ["The columns of PostgreSQL's system tables and views, in order; domains as their base types:",
                                 "SYSTEM_TABLE(oid, schema, name, relkind, row type), SYSTEM_COLUMN(table, name, type, typmod, not null, collation)"], lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=5432)
    parser.add_argument("--user", default="postgres")
    args = parser.parse_args()
    types = load_types(args)
    write_types(types)
    write_procs(args, types)
    write_operators(args, types)
    write_btree(args, types, write_casts(args, types))
    write_aggregates(args, types)
    write_system_columns(args, types)


main()
