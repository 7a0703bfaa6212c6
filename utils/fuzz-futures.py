#!/usr/bin/env python3
"""Random SPMD programs with futures, run through the whole lowering.

Every program is made from a seed. It has collectives on several groups whose
futures go through branches, loops, blocks, calls and returns while tensors are
written in place around them. The values that it must return are computed here,
in Python. A program whose values differ, or that checked mode finds a race or
a leak in, is a failure, unless the same program in synchronous form (each start
followed by its wait, tensors instead of futures) differs as well: then the
fault lies in the stock passes, and it is counted apart.

    utils/fuzz-futures.py --bin build/dev/bin --seeds 0:100
"""

import argparse
import concurrent.futures
import os
import random
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

from fuzz_futures.generator import Generator
from fuzz_futures.interpreter import Interpreter
from fuzz_futures.printer import Printer
from fuzz_futures.program import SHARD

# Stock passes that run before the lowering, in random choice and order.
PASSES = """canonicalize cse sccp inline symbol-dce topological-sort
func.func(loop-invariant-code-motion) func.func(control-flow-sink)
func.func(scf-for-to-while) func.func(scf-for-loop-peeling)
func.func(scf-for-loop-canonicalization) func.func(lift-cf-to-scf)
func.func(scf-for-loop-range-folding) int-range-optimizations
duplicate-function-elimination func.func(linalg-generalize-named-ops)
func.func(linalg-fuse-elementwise-ops) convert-scf-to-cf
func.func(loop-invariant-subset-hoisting) loop-invariant-code-motion
dist-functionalize dist-reinplace dist-schedule""".split()


class Outcome:
    def __init__(self, kind, text=""):
        self.kind, self.text = kind, text


class Runner:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder

    def tool(self, name):
        return os.path.join(self.options.bin, name) if self.options.bin else name

    def execute(self, text, name, ranks, scalar, passes, delay):
        """What the ranks print, or why there is nothing."""
        source = os.path.join(self.folder, name + ".mlir")
        lowered = os.path.join(self.folder, name + ".lowered.mlir")
        with open(source, "w") as file:
            file.write(text)
        pipeline = ",".join(passes + ["dist-to-llvm"])
        command = [self.tool("dist-opt"), source, "-o", lowered]
        command += [f"--pass-pipeline=builtin.module({pipeline})"]
        done = self.call(command)
        if done.returncode:
            return Outcome("rejected" if done.returncode == 1 else "crash", done.stderr)
        command = [self.tool("dist-run"), lowered, "--checked", "--print"]
        command += [f"--ranks={ranks}", f"--arg=2={scalar}", "--deadline=20s"]
        command += ["--entry=main", "--counters"]
        command += ["--group=g=" + ",".join(map(str, range(ranks)))]
        if delay:
            command += ["--link-delay=200us"]
        done = self.call(command)
        if done.returncode:
            return Outcome("failed" if done.returncode == 1 else "crash", done.stderr)
        values = re.findall(r"rank (\d+): result \d+: \S+ = (.*)", done.stdout)
        if '"liveBytes": 0,' not in done.stdout:
            return Outcome("leak", done.stdout)
        per_rank = [[] for _ in range(ranks)]
        for rank, value in values:
            per_rank[int(rank)].append(eval(value, {}))
        return Outcome("values", per_rank)

    def call(self, command):
        try:
            return subprocess.run(command, capture_output=True, text=True, timeout=120)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(command, -1, "", "timeout")

    def seed(self, seed):
        program = Generator(seed).program()
        rng = random.Random(f"passes {seed}")
        scalar = rng.randrange(64)
        passes = rng.sample(PASSES, rng.choice([0, 0, 1, 2, 4, 6]))
        ranks = list(range(program.ranks))
        arguments = {}
        for r in ranks:
            sizes = [SHARD, 2 * SHARD]
            arguments[r] = [[r * n + i for i in range(n)] for n in sizes] + [scalar]
        try:
            result = Interpreter(program).call(program.functions[-1], arguments, ranks)
        except TimeoutError:
            return Outcome("long")
        expected = [result[r] for r in ranks]
        delay = rng.random() < 0.3
        facts = (program.ranks, scalar, passes, delay)
        text = Printer(False).module(program)
        got = self.execute(text, f"p{seed}", *facts)
        if got.kind == "values" and got.text == expected:
            return Outcome("passed")
        # The same program without futures tells whose fault it is.
        synchronous = Printer(True).module(program)
        stock = self.execute(synchronous, f"p{seed}.sync", *facts)
        report = f"seed {seed}: {got.kind}, passes: {','.join(passes) or 'none'}\n"
        if got.kind == "values":
            report += f"  got      {got.text}\n  expected {expected}\n"
        else:
            errors = re.findall(".*error: .*|.*LLVM ERROR.*|.*Assert.*", str(got.text))
            report += "".join(f"  {line}\n" for line in errors[:5])
        if stock.kind == got.kind and (got.kind != "values" or stock.text != expected):
            return Outcome("stock " + got.kind, report)
        kind = "wrong values" if got.kind == "values" else got.kind
        return Outcome(kind, report)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default="", help="folder of dist-opt and dist-run")
    parser.add_argument("--seeds", default="0:60", help="first:end")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", help="folder that the programs are written to")
    parser.add_argument("--print", action="store_true", help="print the programs only")
    parser.add_argument("--sync", action="store_true", help="with --print")
    options = parser.parse_args()
    first, end = map(int, options.seeds.split(":"))
    seeds = range(first, end)
    if options.print:
        for seed in seeds:
            print(Printer(options.sync).module(Generator(seed).program()))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(options, options.keep or folder)
        os.makedirs(runner.folder, exist_ok=True)
        counts, failed = {}, False
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for outcome in pool.map(runner.seed, seeds):
                counts[outcome.kind] = counts.get(outcome.kind, 0) + 1
                if outcome.kind in ("passed", "long"):
                    continue
                failed |= not outcome.kind.startswith("stock")
                print(f"{outcome.kind}: {outcome.text}", flush=True)
    print(", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
