#!/usr/bin/env python3
"""Writes date_time_io.golden: what PostgreSQL 15 makes of date/time literals.

    PGHOST=... PGPORT=... python3 tests/sql/types/make_date_time_golden.py > tests/sql/types/date_time_io.golden

A line is: type, typmod, TimeZone, DateStyle, its order, IntervalStyle, literal, binary form in hex (empty for an error), text or
"SQLSTATE message". Literals are random, by a fixed seed; most are nearly right, since that is where readers differ.
"""
import random
import sys

import psycopg2

R = random.Random(20260101)

months="jan january feb march apr may june jul aug sept sep oct nov december dec".split()
zones=["UTC","America/New_York","Europe/Paris","Asia/Kolkata","Australia/Lord_Howe","FOO5BAR,M3.2.0,M11.1.0","Asia/Tokyo","America/St_Johns","Europe/Moscow","Africa/Monrovia"]
abbr="EST EDT PST8PDT MSK z utc GMT+5 met dst bst ist Europe/Paris america/new_york +05 -0530 +05:30 -08:00:30 +16 -1559 FOO5 x5y acst lhdt brt NZDT cet".split()
words="am pm bc ad t at on now? today? monday tue wed noon z j jd julian y m d h s mm dow epoch infinity -infinity allballs foo ; , / . : - + @".replace("now? ","").replace("today? ","").split()
def num():
    return R.choice([str(R.randint(0,99)),"%02d"%R.randint(0,99),str(R.randint(1,12)),str(R.randint(1,31)),str(R.randint(1900,2100)),"%04d"%R.randint(0,9999),str(R.randint(0,999999)),"%06d"%R.randint(0,235959),"%08d"%R.randint(19000101,20991231),str(R.randint(0,400)),str(R.randint(10000,300000)),"%d.%d"%(R.randint(0,60),R.randint(0,9999999)), "%06d.%d"%(R.randint(0,235959),R.randint(0,99999)),"2147483648","99999999999"])
def date():
    y=R.choice(["%04d"%R.randint(1,9999),"%04d"%R.randint(1900,2100),"%02d"%R.randint(0,99),str(R.randint(10000,6000000)),"%04d"%R.randint(4000,5000)])
    m=R.choice(["%02d"%R.randint(1,12),"%02d"%R.randint(1,12),str(R.randint(0,13)),R.choice(months)])
    d=R.choice(["%02d"%R.randint(1,28),"%02d"%R.randint(1,31),str(R.randint(0,32))])
    s=R.choice("---/. ")
    p=[y,m,d] if R.random()<.6 else R.choice([[m,d,y],[d,m,y]])
    t=s.join(p)
    if R.random()<.05: t=y+m+d
    if R.random()<.05: t=y+s+str(R.randint(1,370))
    return t
def time():
    t="%02d:%02d"%(R.randint(0,24),R.randint(0,60))
    if R.random()<.7: t+=":%02d"%R.randint(0,60)
    if R.random()<.4: t+="."+str(R.randint(0,10**R.randint(0,8)))
    if R.random()<.2: t+=R.choice([" am"," pm","AM","pm"])
    if R.random()<.05: t=t.replace(":","")
    return t
def dtlit():
    k=R.random()
    if k<.55:
        t=date()
        if R.random()<.75: t+=R.choice([" "," "," ","T","t","  "," t"])+time()
        if R.random()<.4: t+=R.choice([""," "])+R.choice(abbr)
        if R.random()<.1: t+=R.choice([" BC"," bc"," AD"])
        if R.random()<.1: t=R.choice(["mon ","Friday, ","sat "])+t
        return t
    if k<.65: return R.choice([time()+" "+date(), time()+" "+R.choice(abbr), time()])
    if k<.72: return R.choice(["J"+str(R.randint(0,3000000)),"jd %d"%R.randint(2400000,2500000),"J%d.%d"%(R.randint(2400000,2500000),R.randint(0,9999)),"j2451187-08","y2001m02d04","y2001 m2 d4 h5 mm6 s7.5","j2451187 04:05","y%dm%dd%d"%(R.randint(1900,2100),R.randint(1,12),R.randint(1,28)),"infinity","-infinity","epoch","- infinity", "epoch 1", "infinity bc"])
    parts=[]
    for _ in range(R.randint(1,6)):
        parts.append(R.choice([num,num,date,time,lambda:R.choice(words),lambda:R.choice(abbr),lambda:R.choice(months)])())
    return R.choice([" "," "," ",""]).join(parts)
units="us usec microsecond microseconds microsecondsxyz ms msec millisecond milliseconds s sec seconds secs second m min minute mins h hr hour hours d day days w week weeks mon month months y yr year years decade decades dec c century centuries mil millennium millennia qtr quarter ago @ foo t".split()
def ivlit():
    k=R.random()
    def n():
        return R.choice(["","","-","+"])+R.choice([str(R.randint(0,100)),"%d.%d"%(R.randint(0,100),R.randint(0,9999)),".%d"%R.randint(0,999999),str(R.randint(0,3000000000)),"%d."%R.randint(0,9),str(R.randint(0,10**19)),"%d-%d"%(R.randint(0,30),R.randint(0,13))])
    if k<.5:
        t=" ".join(n()+R.choice([""," "])+R.choice(units) for _ in range(R.randint(1,4)))
        if R.random()<.3: t+=R.choice([" "," -"," +"])+time()
        if R.random()<.15: t+=" ago"
        if R.random()<.1: t="@ "+t
        return t
    if k<.7:
        return R.choice(["%s"%n(), "%s %s"%(n(),time()), "%s %s %s"%(n(),n(),time()), "-%d-%d -%d %s"%(R.randint(0,9),R.randint(0,11),R.randint(0,99),time()), "-"+time(),"+"+time(), "-1 12:00", "1 -12:00:05.5", time()])
    if k<.9:
        t="P"
        for u in "YMWD":
            if R.random()<.4: t+=R.choice(["","","-"])+R.choice([str(R.randint(0,99)),"%d.%d"%(R.randint(0,9),R.randint(0,999))])+u
        if R.random()<.6:
            t+="T"
            for u in "HMS":
                if R.random()<.6: t+=R.choice(["","","-"])+R.choice([str(R.randint(0,99)),"%d.%d"%(R.randint(0,9),R.randint(0,9999999)),"1e3"])+u
        if R.random()<.2: t=R.choice(["P0001-02-03T04:05:06","P00010203T040506","P1-2","P1","PT1","P2001-10-15T","PT12:30","P-1-2T-3:4:5","PT040506.5","P00021015T1H","P1Y-2","P12345678","p1y","P1e10Y","P1e16D"])
        return t
    return " ".join(R.choice([n,time,lambda:R.choice(units)])() for _ in range(R.randint(1,5)))
ranges={"year":4,"month":2,"day":8,"hour":1024,"minute":2048,"second":4096,"year to month":6,"day to hour":1032,"day to minute":3080,"day to second":7176,"hour to minute":3072,"hour to second":7168,"minute to second":6144}


def quote(text):
    return "'" + text.replace("'", "''") + "'"


def cases(count):
    zone = style = order = interval_style = None
    for i in range(count):
        if i % 40 == 0:
            zone = R.choice(zones)
            style = R.choice(["iso", "iso", "iso", "postgres", "sql", "german"])
            order = R.choice(["mdy", "mdy", "dmy", "ymd"])
            interval_style = R.choice(["postgres", "postgres", "postgres_verbose", "sql_standard", "iso_8601"])
        name = R.choice(["date", "time", "timestamp", "timestamptz", "timestamptz", "interval", "interval"])
        literal = ivlit() if name == "interval" else dtlit()
        typmod, sql_type = -1, name
        if name in ("time", "timestamp", "timestamptz") and R.random() < .2:
            typmod = R.randint(0, 6)
            sql_type = "%s(%d)" % (name, typmod)
        if name == "interval" and R.random() < .3:
            field = R.choice(list(ranges))
            precision = 0xffff
            sql_type = "interval " + field
            if field.endswith("second") and R.random() < .4:
                precision = R.randint(0, 6)
                sql_type += "(%d)" % precision
            typmod = (ranges[field] << 16) | precision
        # A day of the year before 4714 BC is a documented difference.
        if "." in literal and "bc" in literal.lower():
            continue
        yield name, typmod, sql_type, (zone, style, order, interval_style), literal


def main():
    connection = psycopg2.connect("dbname=postgres user=postgres")
    connection.autocommit = True
    cursor = connection.cursor()
    current = None
    for name, typmod, sql_type, settings, literal in cases(int(sys.argv[1]) if len(sys.argv) > 1 else 2500):
        if settings != current:
            zone, style, order, interval_style = current = settings
            cursor.execute("SET timezone = " + quote(zone))
            cursor.execute("SET datestyle = %s, %s" % (style, order))
            cursor.execute("SET intervalstyle = " + interval_style)
        try:
            value = "CAST(%s AS %s)" % (quote(literal), sql_type)
            cursor.execute("SELECT encode(%s_send(%s), 'hex'), (%s)::text" % (name, value, value))
            binary, text = cursor.fetchone()
        except psycopg2.Error as error:
            binary, text = "", error.pgcode + " " + error.diag.message_primary
        print("\t".join([name, str(typmod), *settings, literal, binary, text]))


main()
