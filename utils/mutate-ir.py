#!/usr/bin/env python3
"""Feeds dist-opt with broken operations and reports crashes.

Takes each operation of the dialect that a file has, in generic form, and breaks
one thing at a time: a property that is missing or odd, an operand or a result
of another type, one too few or too many. Every mutant must be refused with an
error or accepted; dist-opt must not abort.

usage: mutate-ir.py DIST_OPT FILE
"""

import re
import subprocess
import sys

ODD_ATTRIBUTES = [
    "unit", "-1 : i64", "9223372036854775807 : i64", "4 : i8", '"s"', '""',
    "[]", "[1]", "i32", "1.0 : f32", "array<i32>", "array<i32: 1>",
    "array<i32: -1, 1, 1>", "array<i32: 9, 9, 9>",
    "array<i32: 2147483647, 2147483647, 2>", "array<i64: -1, 0>",
    "#dist.group<[[0]]>", "#dist.group<[[5, 4, 3]]>", "#dist.group<@nope>",
    '#dist.group<@nope["x"]>', '#dist.group<@m["none"]>', "#dist.group<@f>",
    "#dist.group<@g>", '#dist.group<@m["x":(3)2]>', "#dist.reduction<band>",
    "#dist.source<donate>", "[#dist.source<donate>]", '[#dist.axis<"x" = 0>]',
    '[#dist.axis<"x" = -3>, #dist.axis<"x" = 4611686018427387904>]',
]
ODD_TYPES = [
    "f32", "index", "tensor<f32>", "tensor<*xf32>", "tensor<?x?xf32>",
    "tensor<0xf32>", "tensor<4xi1>", "tensor<4xindex>", 'tensor<4xf32, "e">',
    "tensor<4611686018427387904x4xf32>", "memref<f32>", "memref<*xf32>",
    "memref<4xf32, 1>", "memref<4xf32, strided<[0], offset: ?>>",
    "memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>",
    "vector<4xf32>", "!dist.future<tensor<f32>>", "!dist.future<tensor<?xi8>>",
    "!dist.future<memref<4xf32>>",
]
PRELUDE = ('dist.mesh @m ["x" = 4, "dp" = 2, "tp" = 8]\ndist.process_group @g\n'
           "dist.process_group @sized size 2\n"
           "dist.process_group @bound ranks [[0, 1], [3, 2]]\n"
           "func.func private @seed() -> tensor<4xf32>\n")
# Besides the verifier: what asks operations for effects, shapes and folds.
PASSES = ["-canonicalize", "-cse", "-int-range-optimizations",
          "-resolve-ranked-shaped-type-result-dims",
          "-loop-invariant-code-motion"]

OP = re.compile(r'^\s*(?:%[^=]*= )?"(dist\.\w+)"\((.*?)\)'
                r"(?: <\{(.*)\}>)?(?: (\{[^}]*\}))? : \((.*)\) -> (.*)$")


def split(text):
    """Splits at the commas outside of brackets and strings."""
    parts, depth, quoted, part = [], 0, False, ""
    for index, char in enumerate(text):
        if char == '"':
            quoted = not quoted
        if not quoted:
            arrow = char == ">" and text[index - 1] == "-"
            depth += char in "<([{"
            depth -= char in ">)]}" and not arrow
        if char == "," and depth == 0 and not quoted:
            parts.append(part.strip())
            part = ""
        else:
            part += char
    return parts + [part.strip()] if part.strip() else parts


class Op:
    def __init__(self, name, properties, operands, results):
        self.name, self.properties = name, properties
        self.operands, self.results = operands, results

    def program(self):
        arguments = ", ".join(f"%a{index}: {type}"
                              for index, type in enumerate(self.operands))
        values = ", ".join(f"%a{i}" for i in range(len(self.operands)))
        properties = (" <{" + ", ".join(self.properties) + "}>"
                      if self.properties else "")
        op = (f'"{self.name}"({values}){properties} : '
              f'({", ".join(self.operands)}) -> ({", ".join(self.results)})')
        if self.name in ("dist.mesh", "dist.process_group"):
            user = 'func.func @f() -> index {\n  %n = dist.group_size on ' \
                   '<@new["x"]> : index\n  return %n : index\n}\n'
            return f"{op}\n{PRELUDE}{user}"
        result = f"%r:{len(self.results)} = " if self.results else ""
        return (f"{PRELUDE}func.func @f({arguments}) {{\n  {result}{op}\n"
                "  return\n}\n")


def read_ops(dist_opt, file):
    printed = subprocess.run(
        [dist_opt, "--mlir-print-op-generic", "--mlir-print-local-scope", file],
        capture_output=True, text=True, check=True).stdout
    ops = {}
    for line in printed.splitlines():
        match = OP.match(line)
        if not match:
            continue
        name, _, properties, _, operands, results = match.groups()
        results = results[1:-1] if results.startswith("(") else results
        op = Op(name, split(properties or ""), split(operands), split(results))
        op.properties = [each.replace('sym_name = "m"', 'sym_name = "new"')
                         for each in op.properties]
        ops.setdefault(op.program(), op)
    return list(ops.values())


def mutants(op):
    def with_(properties=None, operands=None, results=None):
        return Op(op.name,
                  op.properties if properties is None else properties,
                  op.operands if operands is None else operands,
                  op.results if results is None else results)

    def edits(values, odd):
        for index in range(len(values)):
            yield values[:index] + values[index + 1:]
            yield values[:index] + [values[index]] + values[index:]
            for other in odd:
                yield values[:index] + [other] + values[index + 1:]

    for index, each in enumerate(op.properties):
        key = each.split(" = ")[0]
        yield with_(op.properties[:index] + op.properties[index + 1:])
        for odd in ODD_ATTRIBUTES:
            new = key if odd == "unit" else f"{key} = {odd}"
            yield with_(op.properties[:index] + [new] +
                        op.properties[index + 1:])
    for operands in edits(op.operands, ODD_TYPES):
        yield with_(operands=operands)
    for results in edits(op.results, ODD_TYPES):
        yield with_(results=results)
    if op.operands and op.results:
        for odd in ODD_TYPES:
            yield with_(operands=[odd] * len(op.operands),
                        results=[odd] * len(op.results))


def crashes(dist_opt, programs):
    """The programs that abort dist-opt."""
    text = "// -----\n".join(programs)
    done = subprocess.run([dist_opt, "-split-input-file", *PASSES, "-"],
                          input=text.encode(), capture_output=True)
    if done.returncode in (0, 1):
        return []
    if len(programs) == 1:
        return [(programs[0], done.stderr.decode(errors="replace"))]
    half = len(programs) // 2
    return (crashes(dist_opt, programs[:half]) +
            crashes(dist_opt, programs[half:]))


def main():
    dist_opt, file = sys.argv[1:3]
    programs = []
    ops = read_ops(dist_opt, file)
    for op in ops:
        programs += [op.program()] + [each.program() for each in mutants(op)]
    found = []
    for start in range(0, len(programs), 500):
        found += crashes(dist_opt, programs[start:start + 500])
    for program, message in found:
        print(f"error: dist-opt crashes on\n{program}\n{message}",
              file=sys.stderr)
    print(f"{len(ops)} operations, {len(programs)} mutants, "
          f"{len(found)} crashes")
    return 1 if found or not ops else 0


if __name__ == "__main__":
    sys.exit(main())
