#!/usr/bin/env python3
"""Runs lit and closes with the line `N passed, N failed`.

Usage: run-lit.py LIT [lit argument...]

The line counts every test of the run, each GoogleTest case for itself. Exits
with a failure when a test failed or when there was none.
"""

import collections
import json
import os
import subprocess
import sys
import tempfile

PASSED = {"PASS", "XFAIL", "FLAKYPASS"}
NOT_RUN = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        command = [sys.executable, sys.argv[1], "-s", "-v", "--output", report]
        status = subprocess.run(command + sys.argv[2:]).returncode
        try:
            with open(report) as file:
                tests = json.load(file)["tests"]
        except OSError:
            print(f"lit wrote no report, its exit status was {status}")
            tests = []

    codes = collections.Counter(test["code"] for test in tests)
    passed = sum(codes[code] for code in PASSED)
    not_run = sum(codes[code] for code in NOT_RUN)
    failed = sum(codes.values()) - passed - not_run
    for test in sorted(tests, key=lambda test: test["name"]):
        if test["code"] not in PASSED | NOT_RUN:
            print(f"{test['code']}: {test['name']}")
    if not_run:
        names = sorted(t["name"] for t in tests if t["code"] in NOT_RUN)
        print(f"{not_run} not run here: {', '.join(names)}")
    if not passed + failed:
        print("no test was found")
    print(f"{passed} passed, {failed} failed", flush=True)
    return 1 if failed or status or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
