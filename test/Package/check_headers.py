#!/usr/bin/env python3
"""Compiles each header alone, those of the C folders as C11.

Usage: check_headers.py INCLUDE GENERATED_INCLUDE MLIR_DIR CC CXX
"""

import concurrent.futures
import glob
import os
import subprocess
import sys


def main():
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    include, generated, mlir_dir, cc, cxx = sys.argv[1:]
    upstream = os.path.join(mlir_dir, "..", "..", "..", "include")
    headers = sorted(glob.glob(os.path.join(include, "**", "*.h"), recursive=True))
    if not headers:
        sys.exit(f"no header below {include}")

    def check(header):
        name = os.path.relpath(header, include)
        if name.startswith(("dist-rt/", "dist-c/")):
            command = [cc, "-std=c11", "-pedantic-errors", "-x", "c"]
        else:
            command = [cxx, "-std=c++17", "-x", "c++"]
        result = subprocess.run(
            command
            + ["-fsyntax-only", "-Wall", "-Wextra", "-Wno-unused-parameter"]
            + ["-I", include, "-I", generated, "-isystem", upstream, "-"],
            input=f'#include "{name}"\n',
            capture_output=True,
            text=True,
        )
        return None if result.returncode == 0 else f"{name}:\n{result.stderr}"

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = [failure for failure in pool.map(check, headers) if failure]
    for failure in failures:
        print(failure)
    print(f"{len(headers) - len(failures)} of {len(headers)} headers compile alone")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
