"""Runs programs and says what became of them."""

import json
import os
import random
import re
import subprocess

from fuzzing.buffers import BufferGenerator, BufferInterpreter, BufferPrinter
from fuzzing.generator import Generator
from fuzzing.interpreter import Interpreter
from fuzzing.passes import ON_BUFFERS, REORDERING, STOCK
from fuzzing.printer import Printer

# The programs lose futures on purpose, which the verifiers refuse by design.
VERIFY = "dist-verify-spmd"
LOST = re.compile(r" of type .* is not waited for( on every path)?$")


class Outcome:
    def __init__(self, kind, text="", values=None, traces=None):
        self.kind, self.text = kind, text
        self.values, self.traces = values, traces


class Case:
    """A program with its passes and its world, all made from a seed, unless the
    passes are given."""

    def __init__(self, seed, passes=None):
        self.seed = seed
        self.buffers = random.Random(f"form {seed}").random() < 0.25
        generator, self.interpreter, self.printer = (
            (BufferGenerator, BufferInterpreter, BufferPrinter)
            if self.buffers
            else (Generator, Interpreter, Printer)
        )
        self.program = generator(seed).program()
        rng = random.Random(f"passes {seed}")
        self.ranks = self.program.ranks
        self.scalar = rng.randrange(64)
        count = rng.choice([0, 0, 1, 2, 4, 6])
        self.passes = rng.sample(
            STOCK + (ON_BUFFERS if self.buffers else []) + REORDERING, count
        )
        if rng.random() < 0.15:
            self.passes.insert(0, VERIFY)  # what it must accept
        if passes is not None:
            self.passes = list(passes)
        self.delay = rng.random() < 0.3
        # Each rank is compiled for itself, with its number as a constant.
        self.specialised = self.ranks < 5 and rng.random() < 0.15
        self.reorders = any(p in REORDERING for p in self.passes)
        self.expect()

    def expect(self):
        """The values and traces that the ranks must have; None if it runs too
        long."""
        shard, ranks = self.program.shard, list(range(self.ranks))
        arguments = {}
        for r in ranks:
            sizes = [shard, 2 * shard]
            arguments[r] = [[r * n + i for i in range(n)] for n in sizes]
            arguments[r].append(self.scalar)
        interpreter = self.interpreter(self.program)
        self.values = self.traces = None
        try:
            result = interpreter.call(self.program.functions[-1], arguments, ranks)
        except TimeoutError:
            return
        self.values = [result[r] for r in ranks]
        self.traces = interpreter.traces

    def texts(self, synchronous=False):
        """One program, or one for each rank."""
        ranks = range(self.ranks) if self.specialised else [None]
        return [self.printer(synchronous, r).module(self.program) for r in ranks]

    def options(self):
        options = [f"--ranks={self.ranks}", f"--arg=2={self.scalar}", "--entry=main"]
        options += ["--group=g=" + ",".join(map(str, range(self.ranks)))]
        return options + self.delay * ["--link-delay=200us"]

    def judge(self, got):
        """What is wrong with the outcome of a run, or "passed"."""
        if got.kind != "values":
            return got.kind
        if got.values != self.values:
            return "wrong values"
        if not self.reorders and got.traces != self.traces:
            return "wrong trace"
        return "passed" if agree(got.traces) else "ranks disagree"


def agree(traces):
    """Whether the members of each group saw one sequence on it."""
    seen = {}
    for rank, trace in enumerate(traces):
        own = {}
        for kind, group in trace:
            own.setdefault(group, []).append(kind)
        for group, kinds in own.items():
            seen.setdefault(group, {})[rank] = kinds
    for group, by_rank in seen.items():
        members = json.loads(group.split("]")[0] + "]")
        if any(by_rank.get(m) != by_rank[min(by_rank)] for m in members):
            return False
    return True


def read_traces(path, ranks):
    """Per rank the kinds and groups of its starts on groups of more than one."""
    traces = [[] for _ in range(ranks)]
    with open(path) as file:
        events = json.load(file)["traceEvents"]
    starts = [e for e in events if e.get("cat") == "start"]
    for event in sorted(starts, key=lambda e: e["ts"]):
        group = event["args"]["group"]
        if "," in group.split("]")[0]:
            kind = event["name"].removeprefix("start ")
            traces[event["pid"]].append((kind, group))
    return traces


class Runner:
    def __init__(self, bin_folder, folder, passes=None):
        self.bin, self.folder, self.passes = bin_folder, folder, passes
        self.deadline = "20s"

    def case(self, seed):
        return Case(seed, self.passes)

    def tool(self, name):
        return os.path.join(self.bin, name) if self.bin else name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, case, text, number):
        name = f"p{case.seed}.{number}"
        with open(self.path(name + ".mlir"), "w") as file:
            file.write(text)
        return name

    def execute(self, case, texts, fault=None):
        """What the ranks print and record, or why there is nothing. A fault
        changes the program of all ranks, or of rank 0 alone."""
        faults = [fault] * len(texts)
        if fault and fault.one_rank and case.ranks > 1:
            texts = texts if len(texts) > 1 else texts * case.ranks
            faults = [fault] + [None] * (len(texts) - 1)
        programs = []
        for number, (text, faulty) in enumerate(zip(texts, faults)):
            done, program = self.compile(case, self.write(case, text, number), faulty)
            if done.returncode:
                return self.failure(done, "rejected")
            programs.append(program)
        modules = [f"--rank-module={r}={p}" for r, p in enumerate(programs) if r]
        return self.run(case, programs[0], modules, "2s" if fault else self.deadline)

    def compile(self, case, name, fault):
        passes = list(case.passes)
        lowered = self.path(f"{name}.passes.mlir")
        if fault:
            passes += fault.passes
        tool = "dist-test-opt" if any("test-" in p for p in passes) else "dist-opt"
        if not passes:
            return subprocess.CompletedProcess([], 0), self.path(name + ".mlir")
        command = [self.tool(tool), self.path(name + ".mlir"), "-o", lowered]
        command.append(f"--pass-pipeline=builtin.module({','.join(passes)})")
        done = self.call(command)
        errors = re.findall(": error: (.*)", done.stderr)
        if VERIFY in passes and errors and all(LOST.search(e) for e in errors):
            passes = [p for p in passes if p != VERIFY]
            command[-1] = f"--pass-pipeline=builtin.module({','.join(passes)})"
            done = self.call(command)
        return done, lowered

    def run(self, case, program, modules, deadline):
        trace = self.path(f"p{case.seed}.trace.json")
        command = [self.tool("dist-run"), program, "--schedule=false", "--checked"]
        command += ["--print", "--counters", f"--trace={trace}"]
        command += case.options() + modules + [f"--deadline={deadline}"]
        done = self.call(command)
        if done.returncode:
            return self.failure(done, "failed")
        if '"liveBytes": 0,' not in done.stdout:
            return Outcome("leak", done.stdout)
        per_rank = [[] for _ in range(case.ranks)]
        printed = re.findall(r"rank (\d+): result \d+: \S+ = (.*)", done.stdout)
        for rank, value in printed:
            value = json.loads(value)
            if isinstance(value, list) and value and isinstance(value[0], list):
                value = [x for row in value for x in row]
            per_rank[int(rank)].append(value)
        return Outcome("values", "", per_rank, read_traces(trace, case.ranks))

    def failure(self, done, kind):
        return Outcome(kind if done.returncode == 1 else "crash", done.stderr)

    def call(self, command):
        try:
            return subprocess.run(command, capture_output=True, text=True, timeout=120)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(command, -1, "", "timeout")

    def seed(self, seed):
        """The outcome of one program: passed, long, stock (the synchronous form
        fails as well) or a failure."""
        case = self.case(seed)
        if case.values is None:
            return Outcome("long")
        got = self.execute(case, case.texts())
        kind = case.judge(got)
        if kind == "passed":
            return Outcome(kind)
        report = f"seed {seed}: {kind}, passes: {','.join(case.passes) or 'none'}\n"
        if kind == "wrong values":
            report += f"  got      {got.values}\n  expected {case.values}\n"
        elif got.kind == "values":
            report += f"  got      {got.traces}\n  expected {case.traces}\n"
        else:
            errors = re.findall(".*error: .*|.*LLVM ERROR.*|.*Assert.*", str(got.text))
            report += "".join(f"  {line}\n" for line in errors[:5])
        # A sequence that changes is never the fault of stock passes alone: the
        # effects of collectives should have kept them from it.
        if kind not in ("wrong trace", "ranks disagree"):
            stock = self.execute(case, case.texts(synchronous=True))
            if case.judge(stock) == kind:
                return Outcome("stock " + kind, report)
        return Outcome(kind, report)
