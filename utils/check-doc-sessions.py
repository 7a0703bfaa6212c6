#!/usr/bin/env python3
"""Runs the commands that the documents show and compares what they print.

A line that is nothing but a file name in backquotes and a colon gives the code
block below it that name. In a ```console block a line that begins with `$ ` is
a command (a backslash at its end continues it), the lines below are what it
prints, stdout and stderr together; `...` stands for any lines. A document is
one session in a folder of its own.

usage: check-doc-sessions.py BIN_FOLDER ROOT
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"(?:^`([\w.-]+)`:\n\n)?^```(\w+)\n(.*?)^```$", re.M | re.S)


def commands(text):
    """(command, expected lines) of a console block."""
    found = []
    lines = iter(text.splitlines())
    for line in lines:
        if not line.startswith("$ "):
            found[-1][1].append(line)
            continue
        while line.endswith("\\"):
            line = line[:-1] + next(lines).lstrip()
        found.append((line[2:], []))
    return found


def matches(expected, printed):
    pattern = "".join(
        r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n"
        for line in expected)
    return re.fullmatch(pattern, printed)


def run_session(path, bin_folder, folder):
    """(number of commands, problems) of one document."""
    environment = dict(os.environ,
                       PATH=f"{bin_folder}:/usr/bin:{os.environ['PATH']}")
    count, problems = 0, []
    text = path.read_text()
    for match in BLOCK.finditer(text):
        name, language, block = match.groups()
        if name:
            pathlib.Path(folder, name).write_text(block)
        if language != "console":
            continue
        line = text.count("\n", 0, match.start()) + 1
        for command, expected in commands(block):
            count += 1
            printed = subprocess.run(
                ["bash", "-c", command], cwd=folder, env=environment, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
            # A blank line at the end belongs to no printer of ours.
            printed = printed.rstrip("\n") + "\n" if printed.strip() else ""
            if not matches(expected, printed):
                problems.append(f"{path}:{line}: error: '{command}' prints\n"
                                f"{printed}but the document shows\n" +
                                "\n".join(expected))
    return count, problems


def main():
    bin_folder = os.path.abspath(sys.argv[1])
    count, problems = 0, []
    for path in sorted(pathlib.Path(sys.argv[2], "docs").glob("*.md")):
        with tempfile.TemporaryDirectory() as folder:
            ran, wrong = run_session(path, bin_folder, folder)
        count += ran
        problems += wrong
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{count} commands, {len(problems)} problems")
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main())
