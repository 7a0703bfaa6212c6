#!/usr/bin/env python3
"""Compares the calls of CUDA and NCCL that programs make with golden logs.

usage: call_logs.py --dist-run TOOL FILE.mlir GOLDEN [--update] [--filter REGEX]

Scenarios are each collective in each form in which it can be written, and the
programs of FILE, separated by `// -----`, each with comments:

  // SCENARIO: NAME   its golden log is GOLDEN/NAME.log
  // RANKS: N         2 without it
  // FLAGS: ...       further arguments of dist-run
  // FAILS: TEXT      the run fails with TEXT in its message

The log is that of the fake device. `--update` writes the golden logs.
"""

import argparse
import difflib
import pathlib
import re
import subprocess
import sys
import tempfile

# The collectives on [[0, 1]]: attributes, and the sizes of source and result.
COLLECTIVES = {
    "all_gather": ("", "dim 0", 4, 8),
    "all_reduce": ("sum", "", 4, 4),
    "reduce_scatter": ("sum", "dim 0", 8, 4),
    "broadcast": ("", "root 1", 4, 4),
    "all_to_all": ("", "split_dim 0 concat_dim 0", 4, 4),
    "permute": ("", "pairs [[0, 1], [1, 0]]", 4, 4),
    "reduce": ("sum", "root 1", 4, 4),
}
SAME_BUFFER = ("all_reduce", "broadcast", "permute", "reduce")


class Scenario:
    def __init__(self, name, text, ranks=2, flags=(), fails=None):
        self.name, self.text, self.ranks = name, text, ranks
        self.flags, self.fails = list(flags), fails


def collective(name, form):
    """One program of one collective."""
    reduction, attributes, source, result = COLLECTIVES[name]
    count = 2 if form == "coalesced" else 1
    head = f"{name}_into" if form in ("sync", "in-place") else name
    head = f"dist.{head} {reduction}".strip()
    tail = f"{attributes} on <[[0, 1]]>".strip()
    x, y = f"memref<{source}xf32>", f"memref<{result}xf32>"
    if form == "in-place":
        if name not in SAME_BUFFER:
            # This rank's slot of the gathered, or of the scattered, buffer.
            if name not in ("all_gather", "reduce_scatter"):
                return None
            whole = max(source, result)
            slot = f"memref<4xf32, strided<[1], offset: ?>>"
            operands, types = {
                "all_gather": ("%s into %m", f"({slot}) into (memref<8xf32>)"),
                "reduce_scatter": ("%m into %s", f"(memref<8xf32>) into ({slot})"),
            }[name]
            return f"""func.func @f(%m: memref<{whole}xf32>) {{
  %c4 = arith.constant 4 : index
  %rank = dist.rank : index
  %begin = arith.muli %rank, %c4 : index
  %s = memref.subview %m[%begin] [4] [1] : memref<{whole}xf32> to {slot}
  {head} {operands} {tail} : {types}
  return
}}
"""
        return f"""func.func @f(%x: {x}) {{
  {head} %x into %x {tail} : ({x}) into ({x})
  return
}}
"""
    if form == "sync":
        return f"""func.func @f(%x: {x}, %y: {y}) {{
  {head} %x into %y {tail} : ({x}) into ({y})
  return
}}
"""
    x, y = f"tensor<{source}xf32>", f"tensor<{result}xf32>"
    sources = ", ".join(f"%x{i}" for i in range(count))
    arguments = ", ".join(f"%x{i}: {x}" for i in range(count))
    futures = ", ".join([f"!dist.future<{y}>"] * count)
    results = ", ".join([y] * count)
    values = ", ".join(f"%y#{i}" for i in range(count)) if count > 1 else "%y"
    pack = f":{count}" if count > 1 else ""
    future = ", ".join(f"%f#{i}" for i in range(count)) if count > 1 else "%f"
    return f"""func.func @f({arguments}) -> ({results}) {{
  %f{pack} = {head} {sources} {tail} : ({', '.join([x] * count)}) -> {futures}
  %y{pack} = dist.wait {future} : {futures}
  return {values} : {results}
}}
"""


def load(path):
    scenarios = []
    for name in COLLECTIVES:
        for form in ("sync", "async", "in-place", "coalesced"):
            text = collective(name, form)
            if text:
                scenarios.append(Scenario(f"{name}-{form}", text))
    for part in re.split(r"(?m)^// -----\n", path.read_text()):
        values = dict(re.findall(r"(?m)^// (SCENARIO|RANKS|FLAGS|FAILS): (.*)$", part))
        if "SCENARIO" not in values:
            continue
        scenarios.append(
            Scenario(values["SCENARIO"], part, int(values.get("RANKS", 2)),
                     values.get("FLAGS", "").split(), values.get("FAILS"))
        )  # fmt: skip
    return scenarios


def run(scenario, dist_run, folder):
    """The log, or an exception."""
    program, log = folder / "program.mlir", folder / "calls.log"
    program.write_text(scenario.text)
    log.unlink(missing_ok=True)
    command = [dist_run, str(program), "--backend=nccl", "--fake-device",
               f"--ranks={scenario.ranks}", f"--call-log={log}", "--fill=iota",
               *scenario.flags]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True)
    if scenario.fails is None and done.returncode:
        raise RuntimeError(f"exit code {done.returncode}\n{done.stderr}")
    if scenario.fails is not None and (
        done.returncode != 1 or scenario.fails not in done.stderr
    ):
        raise RuntimeError(f"expected '{scenario.fails}', found exit code "
                           f"{done.returncode}\n{done.stderr}")  # fmt: skip
    return log.read_text() if log.exists() else ""


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("golden", type=pathlib.Path)
    parser.add_argument("--dist-run", required=True)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--filter", default="")
    options = parser.parse_args()
    failed, scenarios = 0, load(options.file)
    expected = {f"{scenario.name}.log" for scenario in scenarios}
    for stray in sorted(path.name for path in options.golden.glob("*.log")):
        if stray not in expected:
            failed += 1
            print(f"FAIL {stray}: no scenario has this log")
    with tempfile.TemporaryDirectory() as folder:
        for scenario in scenarios:
            if not re.search(options.filter, scenario.name):
                continue
            golden = options.golden / f"{scenario.name}.log"
            try:
                found = run(scenario, options.dist_run, pathlib.Path(folder))
            except RuntimeError as error:
                failed += 1
                print(f"FAIL {scenario.name}: {error}")
                continue
            if options.update:
                golden.write_text(found)
                continue
            old = golden.read_text() if golden.exists() else ""
            if found != old or not found:
                failed += 1
                print(f"FAIL {scenario.name}: the calls differ, or there are none")
                sys.stdout.writelines(
                    difflib.unified_diff(old.splitlines(True),
                                         found.splitlines(True), "golden", "found")
                )  # fmt: skip
    print(f"{len(scenarios)} scenarios, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
