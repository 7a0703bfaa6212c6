#!/usr/bin/env python3
"""Runs the programs of a file on several ranks and compares every value.

Usage: run_program.py FILE.mlir [--tools DIR] [--modes NAME,...] [--run-arg ARG]...

FILE holds one program, or several separated by `// -----`, each with one public
function. Comments say what goes in and what must come out:

  // CASE: programs ID     facts come from test/cases/programs.json, entry ID
  // RANKS: 2              number of ranks (default: `world` of the case, or 2)
  // FLAGS: --link-delay=5ms
  // LET: NAME = EXPR      a value for the expressions below
  // ARG: EXPR             the next argument; ARG 3: EXPR for argument 3
  // RESULT: EXPR          the next result
  // AFTER 0: EXPR         argument 0 after the run (memrefs and writable ones)
  // ERROR: TEXT           the run fails and its messages contain TEXT; @{CODE} in
                           it is the location of the first line with CODE
  // HOSTS: WHY            the program is skipped with --backend=nccl
  // TRACE: EXPR           names of the collectives, in the order of their starts;
                           after scheduling in another order, but the same on
                           all ranks that expect the same
  // COPIES: 1             copies of the lowered program: memref.copy, and on any
                           rank packs, unpacks, copies of sources and of results.
                           COPIES: 1 0 when scheduling changes the number
  // REMARK: TEXT          lowering says TEXT (COPIES: 0 says: of a copy nothing)
  // MODE: --workers=1     run once more, with these flags
  // PASSES: --cse --sccp  run once more, after these passes of dist-opt
  // SPECIALIZE: dist.rank run once more each time, with a module per rank in which
                           `dist.rank : index` is a constant
  // FOR T: i8 i16         one program per word, which stands for each $T

An EXPR is Python, evaluated once per rank. It sees `rank`, `ranks`, `np`, the
inputs of the case by name (the part of this rank), `inputs` and `expected` as
they stand in the file, and element types as functions: i32([1, 2]) is an array
of that type. Without one an argument is f32 and a result has the type that the
program returned. bf16 has no type in numpy: bf16(x) rounds and makes the bits.

Each program runs once per mode: `plain` lowers it as it is, `scheduled` makes
waits visible and moves starts and waits first. Comparison is exact, any nan equals any nan. Every result and, where AFTER names one, every argument of every
rank is compared; a result that no RESULT names is a failure.
"""

import argparse
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = os.path.join(HERE, "..", "cases")
MODES = {
    "plain": "",
    "scheduled": "--dist-overlap",
}
DIRECTIVE = re.compile(
    r"^\s*// (CASE|RANKS|FLAGS|MODE|LET|ARG|RESULT|AFTER|ERROR|TRACE|COPIES|REMARK|PASSES|SPECIALIZE|HOSTS)(?: (\d+))?:\s*(.*)$"
)


class Failure(Exception):
    """The program did not do what its comments say."""


class Refused(Failure):
    """A pass refused the program."""

    def __init__(self, done):
        super().__init__(f"{' '.join(done.args)}\n{done.stderr}")
        self.done = done


class Typed(np.ndarray):
    """Numbers whose element type the file names."""


class Bf16(Typed):
    """Bits of bf16 numbers."""


def bf16(values):
    """Rounds to nearest even; nan keeps its sign and becomes quiet."""
    single = np.asarray(values, np.float32)
    bits = np.atleast_1d(single).view(np.uint32).astype(np.int64)
    rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
    chosen = np.where(np.isnan(np.atleast_1d(single)), bits >> 16 | 0x40, rounded)
    return chosen.astype(np.uint16).reshape(single.shape).view(Bf16)


def bf16_values(bits):
    """The numbers behind bf16 bits, as f32."""
    words = np.atleast_1d(bits).astype(np.uint32) << np.uint32(16)
    return words.view(np.float32).reshape(np.shape(bits))


def element_types():
    types = {
        "i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32,
        "i64": np.int64, "ui8": np.uint8, "ui16": np.uint16,
        "ui32": np.uint32, "ui64": np.uint64, "f16": np.float16,
        "f32": np.float32, "f64": np.float64, "index": np.int64,
    }  # fmt: skip

    def maker(dtype):
        return lambda values: np.asarray(values).astype(dtype).view(Typed)

    return {name: maker(dtype) for name, dtype in types.items()}


class Program:
    def __init__(self, text, first_line):
        # Locations in messages are those of the whole file.
        self.text = "\n" * (first_line - 1) + text
        self.line = first_line
        self.case = {}
        self.ranks = None
        self.flags, self.modes = [], []
        self.lets, self.errors = [], []
        self.hosts_only = False
        self.trace, self.passes, self.specialize = None, [""], [False]
        self.copies, self.remarks = [], []
        self.arguments, self.results, self.after = {}, {}, {}
        for line in text.splitlines():
            match = DIRECTIVE.match(line)
            if match:
                self.read(*match.groups())
        if self.ranks is None:
            self.ranks = self.case.get("world", 2)

    def read(self, kind, index, value):
        if kind == "CASE":
            file, name = value.split()
            self.case = find_case(file, name)
        elif kind == "RANKS":
            self.ranks = int(value)
        elif kind == "FLAGS":
            self.flags += value.split()
        elif kind == "MODE":
            self.modes.append(value)
        elif kind == "ERROR":
            self.errors.append(re.sub(r"@\{(.*?)\}", self.locate, value))
        elif kind == "TRACE":
            self.trace = value
        elif kind == "COPIES":
            self.copies = [int(number) for number in value.split()]
        elif kind == "REMARK":
            self.remarks.append(value)
        elif kind == "HOSTS":
            self.hosts_only = True
        elif kind == "PASSES":
            self.passes.append(value)
        elif kind == "SPECIALIZE":
            self.specialize = [False, True]
        elif kind == "LET":
            name, _, expression = value.partition("=")
            self.lets.append((name.strip(), expression.strip()))
        else:
            table = {
                "ARG": self.arguments, "RESULT": self.results,
                "AFTER": self.after,
            }[kind]  # fmt: skip
            table[int(index) if index else len(table)] = value

    def locate(self, match):
        for number, line in enumerate(self.text.splitlines(), 1):
            if match.group(1) in line and not line.startswith("//"):
                return f"program.mlir:{number}:"
        raise Failure(f"no line contains '{match.group(1)}'")

    def scope(self, rank):
        """What the expressions see on a rank."""
        scope = dict(element_types(), bf16=bf16, bf16_values=bf16_values)
        scope.update(np=np, rank=rank, ranks=self.ranks)
        inputs = self.case.get("inputs", {})
        same = self.case.get("same_on_every_rank", [])
        for name, value in inputs.items():
            if name in same:
                scope[name] = value
            elif isinstance(value, list) and len(value) == self.ranks:
                scope[name] = value[rank]
        scope.update(inputs=inputs, expected=self.case.get("expected"))
        for name, expression in self.lets:
            scope[name] = evaluate(expression, scope)
        return scope


def evaluate(expression, scope):
    try:
        # One namespace: a comprehension does not see locals of eval.
        return eval(expression, dict(scope))
    except Exception as error:
        raise Failure(f"expression '{expression}': {error!r}") from None


def find_case(file, name):
    with open(os.path.join(CASES, file + ".json")) as stream:
        cases = json.load(stream)["cases"]
    found = [case for case in cases if case["id"] == name]
    if len(found) != 1:
        raise Failure(f"expected one case '{name}' in {file}.json, found "
                      f"{len(found)}")  # fmt: skip
    return found[0]


def instances(text):
    """The text once per combination of the words of its FOR comments."""
    loops = re.findall(r"(?m)^// FOR (\w+): (.*)$", text)
    for words in itertools.product(*(words.split() for _, words in loops)):
        instance = text
        for (name, _), word in zip(loops, words):
            instance = instance.replace("$" + name, word)
        yield instance


def split(text):
    """The programs of a file, with the number of their first line."""
    programs, line = [], 1
    for part in re.split(r"(?m)^// -----\n", text):
        programs += [Program(instance, line) for instance in instances(part)]
        line += part.count("\n") + 1
    # Comments before the first program stand alone.
    return [p for p in programs if p.results or p.after or p.errors]


def same(expected, found):
    if expected.shape != found.shape or expected.dtype != found.dtype:
        return False
    if isinstance(expected, Bf16):
        expected, found = bf16_values(expected), bf16_values(found)
    if expected.dtype.kind == "f":
        nan = np.isnan(expected)
        return bool(
            np.array_equal(nan, np.isnan(found))
            and np.array_equal(np.signbit(expected[~nan]),
                               np.signbit(found[~nan]))
            and np.array_equal(expected[~nan], found[~nan])
        )  # fmt: skip
    return bool(np.array_equal(expected, found))


def compare(what, expression, scope, path):
    if not os.path.exists(path):
        raise Failure(f"{what}: the program did not produce it")
    found = np.load(path)
    expected = evaluate(expression, scope)
    if not isinstance(expected, Typed):
        plain = np.asarray(expected)
        expected = plain.astype(found.dtype)
        if found.dtype.kind != "f" and not np.array_equal(plain, expected):
            raise Failure(f"{what}: {found.dtype} cannot hold {plain.tolist()}")
    if not same(expected, found):
        shown = found
        if isinstance(expected, Bf16):
            shown, expected = bf16_values(found), bf16_values(expected)
        raise Failure(
            f"{what}: expected {expected.dtype}{list(expected.shape)} "
            f"{expected.tolist()}, found {found.dtype}{list(found.shape)} "
            f"{shown.tolist()}"
        )


def write_arguments(program, folder):
    for rank in range(program.ranks):
        scope = program.scope(rank)
        for index, expression in program.arguments.items():
            value = evaluate(expression, scope)
            if not isinstance(value, Typed):
                value = np.asarray(value, np.float32)
            path = os.path.join(folder, f"arg{index}.rank{rank}.npy")
            np.save(path, np.array(value, order="C").view(np.ndarray))


def check_errors(program, done):
    if done.returncode == 0:
        raise Failure(f"expected a failure, found none\n{done.stdout}")
    # A signal or the code of an abort is a crash, not an error.
    if done.returncode != 1:
        raise Failure(f"exit code {done.returncode}\n{done.stderr}")
    for text in program.errors:
        if text not in done.stderr:
            raise Failure(f"expected the message '{text}', found\n{done.stderr}")


def write_module(program, passes, rank, tools, folder):
    """The module, for one rank only when `rank` is a number."""
    text = program.text
    name = "program.mlir"
    if rank is not None:
        name = f"program.{rank}.mlir"
        text = re.sub(r"\bdist\.rank : index", f"arith.constant {rank} : index",
                      text)  # fmt: skip
    path = os.path.join(folder, name)
    with open(path, "w") as stream:
        stream.write(text)
    if passes:
        # In place, so that locations in messages keep the name of the file.
        command = [os.path.join(tools, "dist-opt"), path, "-o", path]
        command.append("--mlir-print-debuginfo")
        done = subprocess.run(command + passes.split(), capture_output=True,
                              text=True)  # fmt: skip
        if done.returncode:
            raise Refused(done)
    return path


def check_trace(program, path, is_scheduled):
    with open(path) as stream:
        events = json.load(stream)["traceEvents"]
    starts = [event for event in events if event.get("cat") == "start"]
    starts.sort(key=lambda event: event["ts"])
    orders = {}
    for rank in range(program.ranks):
        found = [event["name"].removeprefix("start ") for event in starts
                 if event["pid"] == rank]  # fmt: skip
        expected = evaluate(program.trace, program.scope(rank))
        if is_scheduled and sorted(found) == sorted(expected):
            expected = orders.setdefault(tuple(expected), found)
        if found != expected:
            raise Failure(f"rank {rank}: expected the collectives {expected}, "
                          f"found {found}")  # fmt: skip


COPY = re.compile(r"\bmemref\.copy\b|\blinalg\.copy\b")
COPY_REMARK = re.compile(r"remark: (copies |keeps a buffer of its own and a copy)")


def check_copies(program, path, passes, output, tools):
    """Those in the lowered program, each of which runs once, and the runtime's."""
    command = [os.path.join(tools, "dist-opt"), path, "--dist-bufferize"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise Failure(f"{' '.join(command)}\n{done.stderr}")
    found = len(COPY.findall(done.stdout))
    is_compiled = found > 0
    for counter in "packs", "unpacks", "sourceCopies", "resultCopies":
        copies = max(map(int, re.findall(rf'"{counter}": (\d+)', output)))
        is_compiled |= counter == "sourceCopies" and copies > 0
        found += copies
    expected = program.copies[-1 if MODES["scheduled"] in passes else 0]
    if found != expected:
        raise Failure(f"expected {expected} copies, found {found}\n"
                      f"{done.stdout}{done.stderr}")  # fmt: skip
    # What only the runtime sees has no remark.
    if is_compiled != bool(COPY_REMARK.search(done.stderr)):
        raise Failure(f"{expected} copies, but remarks\n{done.stderr}")
    for text in program.remarks if expected else []:
        if text not in done.stderr:
            raise Failure(f"expected the remark '{text}', found\n{done.stderr}")


def check_values(program, outputs):
    found = {name for name in os.listdir(outputs) if name.startswith("result")}
    for rank in range(program.ranks):
        scope = program.scope(rank)
        for index, expression in program.results.items():
            name = f"result{index}.rank{rank}.npy"
            found.discard(name)
            compare(f"rank {rank}: result {index}", expression, scope,
                    os.path.join(outputs, name))  # fmt: skip
        for index, expression in program.after.items():
            compare(f"rank {rank}: argument {index} after the run", expression,
                    scope, os.path.join(outputs, f"arg{index}.rank{rank}.npy"))  # fmt: skip
    if found:
        raise Failure(f"no RESULT for {', '.join(sorted(found))}")


def run(program, variant, tools, run_args, folder):
    mode, passes, specialize = variant
    inputs = os.path.join(folder, "in")
    outputs = os.path.join(folder, "out")
    trace = os.path.join(folder, "trace.json")
    os.makedirs(inputs)
    write_arguments(program, inputs)
    command = [os.path.join(tools, "dist-run")]
    module = write_module(program, passes, None, tools, folder)
    command.append(module)
    for rank in range(program.ranks if specialize else 0):
        path = write_module(program, passes, rank, tools, folder)
        command += ["--rank-module", f"{rank}={path}"]
    command += ["--ranks", str(program.ranks), "--checked"]
    command += ["--input-dir", inputs, "--output-dir", outputs]
    command += ["--print-args"] if program.after else []
    command += ["--trace", trace] if program.trace else []
    command += ["--counters"] if program.copies else []
    command += ["--schedule=false"] + mode.split() + program.flags + run_args
    done = subprocess.run(command, capture_output=True, text=True)
    if program.errors:
        return check_errors(program, done)
    if done.returncode:
        raise Failure(f"{' '.join(command)}\nexit code {done.returncode}\n"
                      f"{done.stdout}{done.stderr}")  # fmt: skip
    check_values(program, outputs)
    if program.copies:
        check_copies(program, module, passes, done.stdout, tools)
    if program.trace:
        check_trace(program, trace, MODES["scheduled"] in passes)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("file")
    parser.add_argument("--tools", default="", help="folder of the tools")
    parser.add_argument("--modes", default="plain,scheduled")
    parser.add_argument("--run-arg", action="append", default=[],
                        help="further argument of dist-run")  # fmt: skip
    options = parser.parse_args()
    with open(options.file) as stream:
        programs = split(stream.read())
    if "--backend=nccl" in options.run_arg:
        programs = [program for program in programs if not program.hosts_only]
    if not programs:
        sys.exit(f"{options.file}: no program with a RESULT, AFTER or ERROR")

    failures = runs = 0
    for number, program in enumerate(programs):
        schedules = [MODES[name] for name in options.modes.split(",")]
        for flags, schedule, passes, specialize in itertools.product(
            [""] + program.modes, schedules, program.passes, program.specialize
        ):
            variant = flags, f"{passes} {schedule}".strip(), specialize
            runs += 1
            with tempfile.TemporaryDirectory() as folder:
                try:
                    try:
                        run(program, variant, options.tools, options.run_arg,
                            folder)  # fmt: skip
                    except Refused as refused:
                        if not program.errors:
                            raise
                        check_errors(program, refused.done)
                except Failure as failure:
                    failures += 1
                    print(f"{options.file}:{program.line}: program {number} "
                          f"with {variant}: {failure}")  # fmt: skip
    print(f"{len(programs)} programs, {runs} runs, {failures} failures")
    return 1 if failures or not runs else 0


if __name__ == "__main__":
    sys.exit(main())
