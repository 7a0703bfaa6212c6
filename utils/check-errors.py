#!/usr/bin/env python3
"""Holds docs/errors.md to the messages of the sources.

Each message of the index is a row's first cell, in backquotes, with `…` between
the parts that are always the same. Every part must stand in a string of lib/ or
include/, with strings that C++ puts together put together.

usage: check-errors.py ROOT
"""

import pathlib
import re
import sys

COMMENT = re.compile(r"^\s*(//|#include).*$", re.M)
JOINED = re.compile(r'"\s*\n\s*"')
STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
ROW = re.compile(r"^\| `(.*?)` \|", re.M)


def literals(root):
    """All strings of the sources, one a line."""
    found = []
    for folder in ("lib", "include"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".cpp", ".h", ".td"):
                text = JOINED.sub("", COMMENT.sub("", path.read_text()))
                found += STRING.findall(text)
    return "\n".join(found).replace('\\"', '"')


def parts(message):
    """What is always the same; a format's own places end a part."""
    for part in message.split("…"):
        part = part.strip(" ,:'")
        if part:
            yield part


def main():
    root = pathlib.Path(sys.argv[1])
    page = root / "docs" / "errors.md"
    strings = literals(root)
    messages = ROW.findall(page.read_text())
    problems = 0
    for message in messages:
        for part in parts(message):
            if part not in strings:
                problems += 1
                print(f"{page}: error: no source says '{part}' of '{message}'",
                      file=sys.stderr)
    print(f"{len(messages)} messages, {problems} problems")
    return 1 if problems or not messages else 0


if __name__ == "__main__":
    sys.exit(main())
