#!/usr/bin/env python3
"""Checks that docs/cases.md accounts for every case of test/cases.

Usage: check_cases.py SOURCE_DIR

Each id of programs.json and bugs.json must stand in a row that names an existing
test which names the id, or says what the case waits for. Each case of reject.json
about an operation of dist must be named in Integration/reject.mlir.
"""

import json
import os
import re
import sys

OF_DIST = {"all_gather", "all_reduce", "reduce_scatter", "any",
           "collective_broadcast", "all_to_all", "collective_permute"}  # fmt: skip


def read(*path):
    with open(os.path.join(*path)) as file:
        return file.read()


def check_row(case, row, tests):
    """What is wrong with the row of a case."""
    named = re.findall(r"`([\w/.-]+\.(?:mlir|test))`", row)
    if not named:
        # The last cell gives the reason.
        reason = row.strip().strip("|").split("|")[-1].strip()
        return None if reason else "names neither a test nor a reason"
    for test in named:
        if not os.path.exists(os.path.join(tests, test)):
            return f"names {test}, which does not exist"
    key = re.match(r"bug\d+", case)
    if not any((key.group() if key else case) in read(tests, test)
               for test in named):  # fmt: skip
        return "names no test that names the case"
    return None


def main():
    source = sys.argv[1]
    tests = os.path.join(source, "test")
    rows = [line for line in read(source, "docs", "cases.md").splitlines()
            if line.startswith("|")]  # fmt: skip
    problems, count = [], 0
    for file in ("programs", "bugs"):
        for case in json.loads(read(tests, "cases", file + ".json"))["cases"]:
            count += 1
            found = [row for row in rows
                     if case["id"] in re.split(r"[\s|,]+", row)]  # fmt: skip
            if len(found) != 1:
                problems.append(f"{file}.json: {case['id']}: expected one row, "
                                f"found {len(found)}")  # fmt: skip
                continue
            problem = check_row(case["id"], found[0], tests)
            if problem:
                problems.append(f"{file}.json: {case['id']}: {problem}")
    rejected = read(tests, "Integration", "reject.mlir")
    for case in json.loads(read(tests, "cases", "reject.json"))["cases"]:
        if not case["applies_to"].startswith("dist") or case["op"] not in OF_DIST:
            continue
        count += 1
        name = f"// {case['op']} {case['rule']}: {case['situation']}\n"
        if name not in rejected:
            problems.append(f"reject.json: no test '{name.strip()}'")
    print("\n".join(problems + [f"{count} cases, {len(problems)} problems"]))
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main())
