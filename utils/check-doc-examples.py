#!/usr/bin/env python3
"""Parses, verifies and round-trips every ```mlir block of .td and .md files.

A block is a program of its own. It goes through dist-opt as text, in generic
form and as bytecode, and must print the same each time.

usage: check-doc-examples.py DIST_OPT ROOT
"""

import pathlib
import re
import subprocess
import sys
import textwrap

FOLDERS = ["docs", "include", "README.md"]


def blocks(path):
    """(line, text) of each block of a file."""
    text = path.read_text()
    for match in re.finditer(r"^[ \t]*```mlir\n(.*?)^[ \t]*```", text,
                             re.M | re.S):
        line = text.count("\n", 0, match.start()) + 2
        yield line, textwrap.dedent(match[1])


def run(dist_opt, program, *options):
    return subprocess.run([dist_opt, *options, "-"], input=program,
                          capture_output=True)


def check(dist_opt, program):
    """What is wrong with a program, or None."""
    first = run(dist_opt, program)
    if first.returncode != 0:
        return first.stderr.decode(errors="replace")
    for form in (["--mlir-print-op-generic"], ["--emit-bytecode"]):
        other = run(dist_opt, first.stdout, *form)
        back = run(dist_opt, other.stdout)
        if other.returncode != 0 or back.returncode != 0:
            return (other.stderr + back.stderr).decode(errors="replace")
        if back.stdout != first.stdout:
            return f"does not round-trip with options {form}"
    return None


def main():
    dist_opt, root = sys.argv[1], pathlib.Path(sys.argv[2])
    files = []
    for name in FOLDERS:
        path = root / name
        files += [path] if path.is_file() else sorted(
            file for file in path.rglob("*") if file.suffix in (".td", ".md"))
    # The generated pages repeat the examples of the definitions.
    examples = {}
    for file in files:
        for line, program in blocks(file):
            examples.setdefault(program, f"{file}:{line}")
    # All at once, a module each; one by one only to say which is wrong.
    together = "".join(f"module {{\n{text}}}\n" for text in examples)
    failures = 0
    if check(dist_opt, together.encode()):
        for program, where in examples.items():
            problem = check(dist_opt, program.encode())
            if problem:
                failures += 1
                print(f"{where}: error: {problem}", file=sys.stderr)
        failures = failures or 1
    print(f"{len(examples)} examples, {failures} failures")
    return 1 if failures or not examples else 0


if __name__ == "__main__":
    sys.exit(main())
