#!/usr/bin/env python3
"""Runs the programs of test/Integration on devices: the same values are expected.

usage: programs.py --tools DIR [--run-arg ARG]... [--filter REGEX] ROOT

ROOT is test/Integration. Every file there that run_program.py checks is run once
more with the given arguments of dist-run, without its further modes.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

# What these programs show exists on hosts alone; why.
HOST_ONLY = {
}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--tools", required=True)
    parser.add_argument("--run-arg", action="append", default=[])
    parser.add_argument("--filter", default="")
    options = parser.parse_args()
    files = [
        path
        for path in sorted(options.root.rglob("*.mlir"))
        if "run_program.py" in path.read_text()
    ]
    names = [str(path.relative_to(options.root)) for path in files]
    for stale in sorted(set(HOST_ONLY) - set(names)):
        sys.exit(f"programs.py: error: no file {stale}")
    selected = [
        (name, path)
        for name, path in zip(names, files)
        if name not in HOST_ONLY and re.search(options.filter, name)
    ]

    def run(item):
        name, path = item
        command = [sys.executable, str(options.root / "run_program.py"), str(path),
                   f"--tools={options.tools}", "--modes=plain"]  # fmt: skip
        command += [f"--run-arg={argument}" for argument in options.run_arg]
        return name, subprocess.run(command, capture_output=True, text=True)

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for name, done in pool.map(run, selected):
            if done.returncode:
                failed += 1
                print(f"FAIL {name}\n{done.stdout}{done.stderr}")
            else:
                print(f"{name}: {done.stdout.strip()}")
    print(f"{len(selected)} files, {failed} failed, {len(HOST_ONLY)} for hosts only")
    return 1 if failed or not selected else 0


if __name__ == "__main__":
    sys.exit(main())
