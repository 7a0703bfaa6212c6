#!/usr/bin/env python3
"""Parses and round-trips every ```mlir block of documents and .td files.

Usage: check_blocks.py DIST_OPT FILE...
       check_blocks.py --print N FILE       prints block N, counted from 1

A block is a whole program: what it refers to stands in it. Prints the place of
each block that does not parse and what dist-opt says about it.
"""

import concurrent.futures
import os
import re
import subprocess
import sys
import textwrap


def blocks(path):
    with open(path) as file:
        text = file.read()
    for match in re.finditer(r"^([ \t]*)```mlir\n(.*?)^\1```", text, re.M | re.S):
        line = text.count("\n", 0, match.start(2)) + 1
        yield f"{path}:{line}", textwrap.dedent(match.group(2))


def check(dist_opt, place, block):
    result = subprocess.run(
        [dist_opt, "--verify-roundtrip", "-o", os.devnull],
        input=block,
        capture_output=True,
        text=True,
    )
    return None if result.returncode == 0 else f"{place}:\n{result.stderr}"


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    if sys.argv[1] == "--print":
        print(list(blocks(sys.argv[3]))[int(sys.argv[2]) - 1][1], end="")
        return 0
    found = [block for path in sys.argv[2:] for block in blocks(path)]
    if not found:
        sys.exit("no block was found")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = [
            failure
            for failure in pool.map(lambda b: check(sys.argv[1], *b), found)
            if failure
        ]
    for failure in failures:
        print(failure)
    print(f"{len(found) - len(failures)} of {len(found)} blocks are programs")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
