"""Makes a failing program smaller."""

import os
import re
import shlex
import subprocess
import sys


def complaint(outcome):
    """What the first error says, without names, numbers and places."""
    errors = re.findall("(?:error|ERROR): (.*)|(Assertion.*)", str(outcome.text))
    errors = [left or right for left, right in errors if "aborted" not in left]
    if not errors:
        return None
    text = re.sub(r" at \S+|\[[^]]*\]|%\w+|\d+", "", errors[0])
    return text.split(": ")[-1]


def run(runner, seed, text, passes=None):
    case = runner.case(seed)
    if passes is not None:
        case.passes = passes
    return runner.execute(case, [text])


def still_fails(runner, seed, kind, original, text):
    """Whether `text` fails as the program of the seed did. What a changed program
    must return nobody computes: its values and traces without the passes are the
    ones to reach."""
    got = run(runner, seed, text)
    if kind in ("rejected", "failed", "crash"):
        return got.kind == kind and complaint(got) == complaint(original)
    if kind == "leak" or got.kind != "values":
        return got.kind == kind
    plain = run(runner, seed, text, [])
    if plain.kind != "values":
        return False
    if kind == "wrong values":
        return got.values != plain.values
    return got.traces != plain.traces


def check(options, runner, path):
    """What dist-reduce asks: the exit code is 1 while the program still fails."""
    seed, kind = options.still.split(":")
    original = run(runner, int(seed), runner.case(int(seed)).texts()[0])
    with open(path) as file:
        text = file.read()
    return int(still_fails(runner, int(seed), kind, original, text))


def reduce(options, runner, seed):
    """Writes the program of the seed and its reduced form."""
    case = runner.case(seed)
    outcome = runner.seed(seed)
    if outcome.kind in ("passed", "long"):
        print(f"program {seed} does not fail: {outcome.kind}")
        return 1
    text = case.texts()[0]
    kind = outcome.kind.removeprefix("stock ")
    original = run(runner, seed, text)
    if not still_fails(runner, seed, kind, original, text):
        print(f"program {seed} fails in a way that its text alone does not show: {kind}")
        return 1
    os.makedirs(options.failures, exist_ok=True)
    path, script, reduced = (
        os.path.abspath(os.path.join(options.failures, f"{seed}{suffix}"))
        for suffix in (".mlir", ".sh", ".reduced.mlir")
    )
    with open(path, "w") as file:
        file.write(text)
    command = [sys.executable, os.path.abspath(sys.argv[0])]
    command += ["--bin", os.path.abspath(options.bin), "--still", f"{seed}:{kind}"]
    if options.passes is not None:
        command += ["--passes", options.passes]
    with open(script, "w") as file:
        file.write(f'#!/bin/sh\nexec {shlex.join(command)} --file "$1"\n')
    os.chmod(script, 0o755)
    command = [runner.tool("dist-reduce"), path, f"--dist-reduction=test={script}"]
    done = subprocess.run(command + ["-o", reduced])
    print(f"written to {reduced}")
    return done.returncode
