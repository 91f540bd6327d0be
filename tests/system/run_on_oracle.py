#!/usr/bin/env python3
"""usage: run_on_oracle.py SLT CASES: runs the cases without TTL on the PostgreSQL that ORACLE_HOST, ORACLE_PORT and ORACLE_USER name.

Exits 77, which ctest counts as skipped, where they are unset.
"""
import os
import pathlib
import subprocess
import sys

if not os.environ.get("ORACLE_HOST"):
    print("skipped: ORACLE_HOST is unset; ./dev test starts a PostgreSQL 15 and sets it")
    sys.exit(77)
environment = dict(os.environ, PGHOST=os.environ["ORACLE_HOST"], PGPORT=os.environ["ORACLE_PORT"], PGUSER=os.environ["ORACLE_USER"],
                   PGDATABASE="postgres")
folders = [str(p) for p in sorted(pathlib.Path(sys.argv[2]).iterdir()) if p.is_dir() and p.name != "ttl"]
sys.exit(subprocess.run([sys.argv[1], "-j", "2", "--quiet", *folders], env=environment, check=False).returncode)
