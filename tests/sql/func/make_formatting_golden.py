#!/usr/bin/env python3
"""Writes formatting.golden: what PostgreSQL 15 makes of random templates of to_char, to_date, to_timestamp and to_number.

    PGHOST=... PGPORT=... python3 tests/sql/func/make_formatting_golden.py > tests/sql/func/formatting.golden

Lines are those of date_time_functions.golden.
"""
import random

import psycopg2

R = random.Random(20260103)
zones=["UTC","America/New_York","Europe/Paris","Asia/Kolkata","Australia/Lord_Howe","America/St_Johns"]
def date():
    k=R.random()
    if k<.04: return R.choice(["infinity","-infinity","5874897-12-31","4714-11-24 BC","294276-12-31","294277-01-01"])
    if k<.1: return "%04d-%02d-%02d BC"%(R.randint(1,4000),R.randint(1,12),R.randint(1,28))
    if k<.3: return "%04d-%02d-%02d"%(R.randint(1,9999),R.randint(1,12),R.randint(1,28))
    return "%04d-%02d-%02d"%(R.randint(1995,2030),R.randint(1,12),R.randint(1,28)) if R.random()<.8 else R.choice(["2024-02-29","2023-12-31","2024-12-30","2000-01-01","2024-03-31","2024-03-10","2024-11-03"])
def time():
    k=R.random()
    if k<.1: return R.choice(["00:00:00","24:00:00","23:59:59.999999","12:00:00"])
    return "%02d:%02d:%02d"%(R.randint(0,23),R.randint(0,59),R.randint(0,59))+R.choice(["",".%06d"%R.randint(0,999999),".%d"%R.randint(0,999)])
def ts():
    d=date()
    if 'infinity' in d or d.startswith(('5874','294277')): return R.choice(["infinity","-infinity","294276-12-31 23:59:59.999999","4714-11-24 00:00:00 BC"])
    if d.endswith(" BC"): return d[:-3]+" "+time()+" BC"
    return d+" "+time()
def interval():
    k=R.random()
    if k<.05: return R.choice(["0","178956970 years 7 mons","-178956970 years","30 days","1 mon","24:00"])
    p=[]
    if R.random()<.4: p.append("%d mon"%R.randint(-300,300))
    if R.random()<.6: p.append("%d day"%R.randint(-400,400))
    if R.random()<.7: p.append(R.choice(["","-"])+"%d:%02d:%02d.%06d"%(R.randint(0,100),R.randint(0,59),R.randint(0,59),R.choice([0,R.randint(0,999999)])))
    return " ".join(p) or "1 hour"
to_char_patterns="A.D. AD A.M. AM a.d. bc pm p.m. CC DAY Day day DDD DD DY Dy dy D FF1 FF3 FF6 HH24 HH12 HH hh24 IDDD ID IW IYYY IYY IY I J MI MM MONTH Month month MON Mon mon MS OF Q RM rm SSSSS SSSS SS TZH TZM TZ tz US WW W Y,YYY YYYY YYY YY Y yyyy mi ss".split()
def to_char_template():
    o=""
    for _ in range(R.randint(1,6)):
        if R.random()<.2:o+="FM"
        if R.random()<.05:o+="TM"
        o+=R.choice(to_char_patterns)
        if R.random()<.15:o+=R.choice(["TH","th","SP"])
        o+=R.choice(["-"," ",":","/","","\"x d\"","é","\\\"",",","foo"])
    return o
input_patterns="AD BC A.D. AM PM p.m. CC DAY Day DDD DD DD DD Dy D FF3 FF6 HH24 HH12 HH IDDD ID IW IYYY IYY IY I J MI MM MM MONTH Month Mon MS Q RM SSSS SS TZH TZM US WW W Y,YYY YYYY YYYY YYYY YYY YY Y yyyy mi ss mon FX".split()
seps=["-"," ",":","/","","\"T\"",",","  ","."]
def input_template():
    if R.random()<.4:
        p=R.choice([["YYYY","MM","DD"],["DD","Mon","YYYY"],["YYYY","MM","DD","HH24","MI","SS"],["IYYY","IW","ID"],["YYYY","DDD"],["DD","MM","YY"],["YYYY","MM","DD","HH12","MI","AM"],["YYYY","Month","DD"],["IYYY","IDDD"],["YYYY","WW"],["YYYY","MM","DD","HH24","MI","SS","MS"],["YYYY","MM","DD","HH24","MI","TZH","TZM"],["DD","RM","YYYY"],["J"],["CC","YY"],["YYYY","MM","W"]])
    else: p=[R.choice(input_patterns) for _ in range(R.randint(1,5))]
    o=""
    if R.random()<.08:o="FX"
    for x in p:
        if R.random()<.06:o+="FM"
        o+=x
        if R.random()<.04:o+=R.choice(["TH","th"])
        o+=R.choice(seps)
    return o
def number_template():
    k=R.random()
    if k<.6:
        o=R.choice(["","","FM","S","MI","SG","PL","L","B"])
        o+="".join(R.choice("99990,G") for _ in range(R.randint(1,6)))
        if R.random()<.6:o+=R.choice([".","D"])+"".join(R.choice("990") for _ in range(R.randint(0,4)))
        o+=R.choice(["","","","","MI","PR","S","TH","th","SG","PL"])
        return o
    if k<.68: return R.choice(["RN","rn","FMRN","9.99EEEE","9.9999EEEE","999V99","99V9","FM9.99","FM0.00","FM990.099","0.9","FM999.999","9","0","FM9","FM","\"x\"999","999\"\\\"y\"","FMRNth","S9.99","9.99S"])
    return "".join(R.choice(["9","9","0",",",".","FM","S","PR","MI","PL","SG","TH","V","RN","EEEE","x","\"ab\"","G","D","L","B"," "]) for _ in range(R.randint(1,6)))


def quote(text):
    return "'" + text.replace("'", "''") + "'"


def value_of(cursor, sql):
    try:
        cursor.execute("SELECT " + sql)
        answer = cursor.fetchone()[0]
        return "\\N" if answer is None else answer
    except psycopg2.Error as error:
        return error.pgcode + " " + error.diag.message_primary


def spoil(text):
    at = R.randrange(len(text) + 1)
    return text[:at] + R.choice(["", "9", "x", " ", "-", "0", "13", "+", "."]) + text[at + R.randint(0, 1):]


def print_time(cursor):
    name = R.choice(["timestamp", "timestamptz", "interval"])
    kernel = {"timestamp": "TimestampToChar", "timestamptz": "TimestamptzToChar", "interval": "IntervalToChar"}[name]
    value, template = (interval() if name == "interval" else ts()), to_char_template()
    return kernel, name + ",text", "text", [value, template], "to_char(%s::%s, %s)" % (quote(value), name, quote(template))


def read_time(cursor):
    kernel, function, result = R.choice([("ToTimestamp", "to_timestamp", "timestamptz"), ("ToDate", "to_date", "date")])
    template = input_template()
    when = "%04d-%02d-%02d %02d:%02d:%02d.%06d" % (R.randint(1990, 2030), R.randint(1, 12), R.randint(1, 28), R.randint(0, 23),
                                                     R.randint(0, 59), R.randint(0, 59), R.randint(0, 999999))
    text = value_of(cursor, "to_char(%s::timestamptz, %s)" % (quote(when), quote(template)))
    if R.random() < .35:
        text = spoil(text)
    return kernel, "text,text", result, [text, template], "%s(%s, %s)::text" % (function, quote(text), quote(template))


def print_number(cursor):
    name = R.choice(["numeric", "int4", "float8"])
    kernel = {"numeric": "NumericToChar", "int4": "Int4ToChar", "float8": "Float8ToChar"}[name]
    value = str(R.choice([0, 1, 2, 3, 11, 12, -1, R.randint(-99, 99), R.randint(-99999, 99999), R.randint(1, 3999)]))
    if name != "int4" and R.random() < .7:
        value = R.choice(["0.1", "-0.1", "0.05", "NaN", "Infinity", "-Infinity", "%.3f" % R.uniform(-1000, 1000),
                          "%.2f" % R.uniform(-10, 10), "%.8f" % R.uniform(-1, 1), "9.999", "99.95", "-0.004", "1e20"])
    template = number_template()
    if name == "float8" and "rn" in template.lower():
        template = "999.9"
    if name == "numeric":
        return kernel, "numeric,text", "text", [value, template], "to_char(%s::numeric, %s)" % (quote(value), quote(template))
    return kernel, name + ",text", "text", [value, template], "to_char(%s::%s, %s)" % (quote(value), name, quote(template))


def read_number(cursor):
    template = number_template()
    value = R.choice([str(R.randint(-99999, 99999)), "%.3f" % R.uniform(-999, 999)])
    text = value_of(cursor, "to_char(%s::numeric, %s)" % (value, quote(template)))
    if R.random() < .4:
        text = spoil(text)
    return "NumericToNumber", "text,text", "numeric", [text, template], "to_number(%s, %s)::text" % (quote(text), quote(template))


def main():
    connection = psycopg2.connect("dbname=postgres user=postgres")
    connection.autocommit = True
    cursor = connection.cursor()
    for i in range(2400):
        if i % 40 == 0:
            zone = R.choice(zones)
            cursor.execute("SET timezone = " + quote(zone))
        kernel, arguments, result, values, sql = R.choice([print_time, read_time, print_number, read_number])(cursor)
        if any(v.strip() == "" or v == "\\N" or "\n" in v or "\0" in v for v in values):
            continue
        answer = value_of(cursor, sql)
        if answer != "":
            print("\t".join([kernel, zone, arguments, result, *values, answer]))


main()
