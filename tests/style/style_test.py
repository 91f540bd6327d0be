#!/usr/bin/env python3
"""The rules of style that a program can check: who may include whom, names that are banned, lengths, READMEs that name their files.

usage: style_test.py ROOT. Prints file:line: what, one a line; exits 1 if there is any.
"""
import pathlib
import re
import subprocess
import sys

FOLDERS = ("base", "catalog", "server", "sql", "storage", "wire", "sqllogictest", "tests", "bench")

# A folder may include itself, base, and what stands here.
MAY_INCLUDE = {
    "base": set(),
    "storage": set(),
    "sql/types": set(),
    "sql/func": {"sql/types"},
    "catalog": {"sql/func", "sql/types", "storage"},
    "sql/parse": set(),
    "sql/analyze": {"sql/parse", "catalog", "sql/func", "sql/types"},
    "sql/store": {"catalog", "storage", "sql/func", "sql/types"},
    "sql/plan": {"sql/analyze", "sql/parse", "catalog", "sql/func", "sql/types"},
    "sql/exec": {"sql/plan", "sql/store", "sql/analyze", "sql/parse", "catalog", "sql/func", "sql/types", "storage"},
    "sql/command": {"sql/exec", "sql/plan", "sql/analyze", "sql/store", "sql/parse", "catalog", "sql/func", "sql/types", "storage"},
    "sql/session": {"sql/command", "sql/exec", "sql/plan", "sql/analyze", "sql/store", "sql/parse", "catalog", "sql/func", "sql/types",
                    "storage"},
    "wire": {"sql/session", "sql/types"},
    "sqllogictest": set(),
}
LIBRARIES = (  # header pattern, the only folders that may include it
    (re.compile(r"rocksdb/"), ("storage/rocksdb/", "tests/")),
    (re.compile(r"(boost/)?asio"), ("wire/", "tests/")),
    (re.compile(r"pg_query|postgres\.h|nodes/|protobuf-c"), ("sql/parse/", "tests/")),
)
BANNED = (
    (re.compile(r"std::endl"), "std::endl flushes; write '\\n'"),
    (re.compile(r"\bato[ifl]\("), "ato* hides errors; use std::from_chars"),
    (re.compile(r"\bvolatile\b"), "volatile is no synchronization"),
)
PATH_OF_A_MACHINE = re.compile(r"(?<![\w.])/(?:work|home|Users)/\w+|/tmp/b-\w+")
LINES_MAX = 600


def folder_of(path):
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "sql" else parts[0]


def check_source(path, lines, problems):
    folder = folder_of(path)
    is_test = folder == "tests"
    if path.endswith(".h") and "#pragma once" not in lines:
        problems.append(f"{path}:1: a header without #pragma once")
    if len(lines) > LINES_MAX and not any("lines" in line or "length" in line for line in lines[:15]):
        problems.append(f"{path}:1: {len(lines)} lines, and its head does not say why")
    for number, line in enumerate(lines, 1):
        where = f"{path}:{number}"
        include = re.match(r'#include [<"]([^>"]+)[>"]', line)
        if include:
            check_include(where, path, folder, include.group(1), line, problems)
            continue
        code = re.sub(r'"(\\.|[^"\\])*"', '""', line.split("//")[0])
        if path.endswith(".h") and re.match(r"\s*using namespace", code):
            problems.append(f"{where}: using namespace in a header")
        if not is_test:
            problems.extend(f"{where}: {why}" for pattern, why in BANNED if pattern.search(code))


def check_include(where, path, folder, header, line, problems):
    for pattern, allowed in LIBRARIES:
        if pattern.match(header) and not path.startswith(allowed):
            problems.append(f"{where}: <{header}> may be included in {allowed[0]} only")
    if '"' not in line or folder not in MAY_INCLUDE or header.split("/")[0] not in FOLDERS:
        return
    target = folder_of(header)
    if target != folder and target != "base" and target not in MAY_INCLUDE[folder]:
        problems.append(f"{where}: {folder} may not include {header}")


def check_readmes(root, files, problems):
    by_folder = {}
    for path in files:
        by_folder.setdefault(path.rpartition("/")[0], []).append(path)
    for folder, paths in by_folder.items():
        sources = [p for p in paths if p.endswith((".cc", ".h")) and not p.startswith("tests/")]
        if not sources:
            continue
        readme = root / folder / "README.md"
        if not readme.exists():
            problems.append(f"{folder}: no README.md")
            continue
        text = readme.read_text()
        families = tuple(re.findall(r"(\w+_)\*", text)) + tuple(re.findall(r"(\w+)[*{]", text))  # expr_*.cc, copy{,_in}.cc
        for path in sources:
            stem = pathlib.Path(path).stem
            if stem not in text and not (families and stem.startswith(families)):
                problems.append(f"{folder}/README.md: does not name {pathlib.Path(path).name}")


def main():
    root = pathlib.Path(sys.argv[1])
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=False).stdout.split("\0")
    files = [f for f in listed if f and (root / f).is_file()] or [
        str(p.relative_to(root)) for folder in FOLDERS for p in (root / folder).rglob("*") if p.is_file()]
    problems = []
    for path in files:
        if not path.endswith((".h", ".cc", ".py", ".md", ".def", ".sh", ".txt", ".slt", ".cmake")) or path.endswith("style_test.py"):
            continue
        lines = (root / path).read_text(errors="replace").splitlines()
        problems.extend(f"{path}:{n}: a path of one machine" for n, line in enumerate(lines, 1) if PATH_OF_A_MACHINE.search(line))
        if path.endswith((".h", ".cc")):
            check_source(path, lines, problems)
    check_readmes(root, files, problems)
    print("\n".join(problems) if problems else f"{len(files)} files keep the rules")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
