#!/usr/bin/env python3
"""usage: readme_tour.py MAYFLY README: runs the ```sql blocks of the README's tour on a fresh server and compares with its ```text answers.

An answer may write * for a run of characters that differs each time.
"""
import fnmatch
import re
import subprocess
import sys

from server import Server


def main():
    tour = open(sys.argv[2]).read().partition("## A five-minute tour")[2].partition("\n## ")[0]
    steps = re.findall(r"```sql\n(.*?)```\n(?:\n```text\n(.*?)```)?", tour, re.S)
    if not steps:
        print("the README has no tour")
        return 1
    with Server(sys.argv[1]) as server:
        for sql, expected in steps:
            done = subprocess.run(["psql", "-X", "-v", "ON_ERROR_STOP=1", "-P", "pager=off"], input=sql, env=server.environment(),
                                  capture_output=True, text=True, check=False)
            actual = done.stdout + done.stderr
            lines, wanted = ([line.rstrip() for line in text.strip().splitlines()] for text in (actual, expected))
            same = len(lines) == len(wanted) and all(fnmatch.fnmatchcase(a, w.replace("[", "[[]")) for a, w in zip(lines, wanted))
            if done.returncode != 0 or not same:
                print(f"{sql}expected:\n{expected}\nactual:\n{actual}")
                return 1
    print(len(steps), "steps agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
