#!/usr/bin/env python3
"""Writes date_time_functions.golden and date_time_kernels.inc: what PostgreSQL 15 answers for random calls of date/time functions.

    PGHOST=... PGPORT=... python3 tests/sql/func/make_date_time_golden.py tests/sql/func

A line is: kernel, TimeZone, argument types, result type, arguments (\\N for NULL), and last the result as text or "SQLSTATE message".
Only functions whose body stands in sql/func are called. Values at the ends of the ranges, where PostgreSQL 15 wraps around and we
do not, are left out.
"""
import glob
import os
import random
import re
import sys

import psycopg2

R = random.Random(20260102)
zones=["UTC","America/New_York","Europe/Paris","Asia/Kolkata","Australia/Lord_Howe","America/St_Johns"]
def date():
    k=R.random()
    if k<.04: return R.choice(["infinity","-infinity","5874897-12-31","4714-11-24 BC","99999-12-31"])
    if k<.1: return "%04d-%02d-%02d BC"%(R.randint(1,4000),R.randint(1,12),R.randint(1,28))
    if k<.3: return "%04d-%02d-%02d"%(R.randint(1,9999),R.randint(1,12),R.randint(1,28))
    return "%04d-%02d-%02d"%(R.randint(1995,2030),R.randint(1,12),R.randint(1,28)) if R.random()<.8 else R.choice(["2024-02-29","2023-12-31","2024-12-30","2000-01-01","2024-03-31","2024-03-10","2024-11-03"])
def time():
    k=R.random()
    if k<.1: return R.choice(["00:00:00","24:00:00","23:59:59.999999","12:00:00"])
    return "%02d:%02d:%02d"%(R.randint(0,23),R.randint(0,59),R.randint(0,59))+R.choice(["",".%06d"%R.randint(0,999999),".%d"%R.randint(0,999)])
def ts():
    d=date()
    if 'infinity' in d or d.startswith(('5874')): return R.choice(["infinity","-infinity","99999-12-31 23:59:59.999999","4714-11-24 00:00:00 BC"])
    if d.endswith(" BC"): return d[:-3]+" "+time()+" BC"
    return d+" "+time()
def interval():
    k=R.random()
    if k<.05: return R.choice(["0","2147483647 days","178956970 years 7 mons","-178956970 years","-2147483648 days","30 days","1 mon","24:00"])
    p=[]
    if R.random()<.4: p.append("%d mon"%R.randint(-300,300))
    if R.random()<.6: p.append("%d day"%R.randint(-400,400))
    if R.random()<.7: p.append(R.choice(["","-"])+"%d:%02d:%02d.%06d"%(R.randint(0,100),R.randint(0,59),R.randint(0,59),R.choice([0,R.randint(0,999999)])))
    return " ".join(p) or "1 hour"
units="microseconds milliseconds second minute hour day week month quarter year decade century millennium julian isoyear dow isodow doy epoch timezone timezone_hour timezone_minute us ms Y MON qtr foo infinity now jan".split()
tz=["UTC","est","MSK","america/new_york","+05:30","FOO5","PST8PDT","nope","Europe/Paris","-3","acst","5"]
last=[None]
def val(t,p):
    if t=='text':
        n=p[1]
        if n in('date_part','extract') or n=='date_trunc' and last[0]!='u': last[0]='u'; return R.choice(units)
        return R.choice(tz)
    if t=='date': return date()
    if t=='time': return time()
    if t in('timestamp','timestamptz'): return ts()
    if t=='interval':
        if p[1]=='timezone': return R.choice(["05:30","-3:00","1 day","15:59:59.5","0"])
        if p[1]=='date_bin': return R.choice(["1 day","15 min","00:00:01.5","1 mon","0","-1 h","3 days 4:05","7 days"])
        return interval()
    if t=='int4':
        if 'make' in p[1]: return str(R.choice([0,1,2,5,10,12,13,28,31,59,60,2024,-44,1999,24,R.randint(-5,70),R.randint(1,12)]))
        if len(p[3].split(','))==2 and p[1] in('timestamp','timestamptz','time','interval'): return str(R.choice([0,1,2,3,4,5,6])) if p[1]!='interval' else str(R.choice([(4<<16)|65535,(2<<16)|65535,(6<<16)|65535,(8<<16)|65535,(1024<<16)|65535,(1032<<16)|65535,(3072<<16)|65535,(7176<<16)|2,(0x7fff<<16)|3,-1]))
        return str(R.choice([0,1,-1,30,365,R.randint(-100000,100000),2147483647,-2147483648]))
    if t=='float8': return R.choice(["0","1","-1","0.5","2","3.7","1.5","7","1e9","0.3333333","59.9999999",str(R.uniform(-60,60)),str(R.uniform(0,60)),str(R.uniform(-4e9,4e9))])
    if t=='bool': return R.choice("tf")


TYPES = {"date": "date", "time without time zone": "time", "timestamp without time zone": "timestamp",
         "timestamp with time zone": "timestamptz", "interval": "interval", "integer": "int4", "double precision": "float8",
         "boolean": "bool", "text": "text", "numeric": "numeric"}
# Of the present, or with hazardous arguments.
SKIPPED = {"now", "transaction_timestamp", "statement_timestamp", "clock_timestamp", "timeofday", "pg_sleep", "to_char", "to_date",
           "to_number"}


def functions(cursor):
    """(name, kernel, argument types, result type, strict) of what is implemented here."""
    sources = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../sql/func/*.cc")
    bodies = set()
    for path in glob.glob(sources):
        bodies |= set(re.findall(r"^void (\w+)\(const KernelCall& call\)", open(path).read(), re.M))
    cursor.execute("""SELECT proname, prosrc, oid, ARRAY(SELECT format_type(t, NULL) FROM unnest(proargtypes) t), format_type(prorettype, NULL),
        proisstrict FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND prokind = 'f' AND NOT proretset AND
        ARRAY['date', 'time', 'timestamp', 'timestamptz', 'interval']::regtype[]::oid[] && (proargtypes::oid[] || prorettype) ORDER BY oid""")
    for name, source, oid, arguments, result, strict in cursor.fetchall():
        kernel = "".join(part[:1].upper() + part[1:] for part in (source or name).split("_")) + ("" if source else str(oid))
        known = result in TYPES and all(a in TYPES for a in arguments)
        if kernel in bodies and known and name not in SKIPPED and not (name == "age" and len(arguments) == 1) and \
                not (name == "to_timestamp" and arguments[0] == "text"):
            yield name, kernel, [TYPES[a] for a in arguments], TYPES[result], strict


def quote(text):
    return "'" + text.replace("'", "''") + "'"


def literal(value, type_name):
    return "NULL::" + type_name if value is None else quote(value) + "::" + type_name


def call(cursor, function):
    name, kernel, arguments, result, strict = function
    last[0] = None
    values = [val(t, (None, name, kernel, ",".join(arguments))) for t in arguments]
    if not strict:
        values = [v if R.random() < .85 else None for v in values]
    if any(v is not None and "infinity" in v for v in values) and name == "age":
        return None
    sql = 'pg_catalog."%s"(%s)' % (name, ", ".join(literal(v, t) for v, t in zip(values, arguments)))
    if name == "extract":
        sql = 'extract("%s" FROM %s)' % (values[0], literal(values[1], arguments[1]))
    try:
        for value, type_name in zip(values, arguments):
            if value is not None:
                cursor.execute("SELECT " + literal(value, type_name))
    except psycopg2.Error:
        return None
    try:
        cursor.execute("SELECT (%s)::text" % sql)
        answer = cursor.fetchone()[0]
        answer = "\\N" if answer is None else answer
    except psycopg2.Error as error:
        answer = error.pgcode + " " + error.diag.message_primary
    return values, answer


def main():
    folder = sys.argv[1]
    connection = psycopg2.connect("dbname=postgres user=postgres")
    connection.autocommit = True
    cursor = connection.cursor()
    known = list(functions(cursor))
    lines = []
    for i in range(200):
        zone = R.choice(zones)
        cursor.execute("SET timezone = " + quote(zone))
        for function in R.sample(known, 18):
            done = call(cursor, function)
            if done is not None:
                values, answer = done
                shown = ["\\N" if v is None else v for v in values]
                lines.append("\t".join([function[1], zone, ",".join(function[2]), function[3], *shown, answer]))
    with open(os.path.join(folder, "date_time_functions.golden"), "w") as out:
        out.write("\n".join(lines) + "\n")
    with open(os.path.join(folder, "date_time_kernels.inc"), "w") as out:
        out.write("// Kernels that date_time_functions.golden calls; written by make_date_time_golden.py.\n")
        for kernel in sorted({f[1] for f in known}):
            out.write("KERNEL(%s)\n" % kernel)


main()
