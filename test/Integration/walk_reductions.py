#!/usr/bin/env python3
"""Walks the table element type x reduction of docs/spec.md (C4).

usage: walk_reductions.py SPEC UTILS BIN FOLDER

Each legal cell runs on three ranks, as all_reduce, reduce_scatter and reduce, and has
to give what a model in numpy gives, to the bit; each other cell has to be refused
with one located error, in each of the ops that reduce. The types that are only
moved are gathered. The table itself is read from the specification.
"""
import itertools
import json
import os
import re
import subprocess
import sys

SPEC, UTILS, BIN, FOLDER = sys.argv[1:]
sys.path.insert(0, UTILS)
import elements  # noqa: E402
import numeric_model  # noqa: E402

REDUCTIONS = ["sum", "product", "min", "max", "avg", "band", "bor", "bxor",
              "premul_sum", "umin", "umax"]  # fmt: skip
MOVED_ONLY = ["i4", "ui2", "i7", "i24", "i48", "f8E4M3", "f8E5M2FNUZ", "f4E2M1FN",
              "f6E2M3FN", "i128", "f80", "complex<f16>", "complex<i32>"]  # fmt: skip
RANKS = 3
FACTOR = 0.25


def read_table():
    """{type: reductions} in the order of the specification."""
    text = open(SPEC).read()
    rows = re.findall(r"^  \| ([^|]+) \| ([^|]+) \|$", text, re.M)
    table = {}
    for types, reductions in rows:
        names = [name.strip() for name in reductions.split(",")]
        if set(names) <= set(REDUCTIONS):
            table.update({name.strip(): names for name in types.split(",")})
    assert len(table) >= 20, "no table in the specification"
    return table


def inputs_of(name):
    """Six values for each rank, exact in the type."""
    if name.endswith("i1"):
        return [[True, False, True, False, True, False],
                [True, True, False, False, True, False],
                [True, False, False, True, True, False]]  # fmt: skip
    if name.startswith("complex"):
        return [[[1, 2], [-3, 0], [0.5, -0.25], [7, 1], [5, 2], [-8, 3]],
                [[2, -1], [4, 4], [1, 1], [3, -6], [-1, 2], [2, 2]],
                [[-5, 3], [1, -9], [2, 0], [-2, 8], [1, 1], [0, 1]]]  # fmt: skip
    if elements.dtype(name).limits:
        low, high = elements.dtype(name).limits
        return [[low, high, 3, 100 % (high + 1), 7, high - 1],
                [1, high, low, 50, 1, low + 5],
                [high, 2, 5, high - 7, 3, 77]]  # fmt: skip
    return [[1.0, -2.0, 0.5, -0.0, "nan", 3.5],
            [1.5, 1.25, -1.0, 0.0, 1.0, 1.25],
            [2.0, 0.75, 0.25, -0.0, 2.0, 1.0]]  # fmt: skip


def fold(name, reduction):
    columns = list(zip(*inputs_of(name)))
    return [numeric_model.fold(list(column), reduction, name, FACTOR) for column in columns]


def case(name, op, reduction):
    inputs = inputs_of(name)
    attrs = {"replica_groups": [[0, 1, 2]]}
    if op == "all_gather":
        attrs["dim"] = 0
        expected = [sum(inputs, [])] * RANKS
    else:
        attrs["reduction"] = reduction
        if reduction == "premul_sum":
            attrs["factor"] = FACTOR
        whole = fold(name, reduction)
        expected = [whole] * RANKS
        if op == "reduce_scatter":
            attrs["dim"] = 0
            expected = [whole[2 * rank : 2 * rank + 2] for rank in range(RANKS)]
        elif op == "reduce":
            attrs["root"] = 1
            zeros = [[0, 0] if name.startswith("complex") else 0] * len(whole)
            expected = [zeros, whole, zeros]
    return {
        "id": f"{op}/{name}/{reduction}", "op": op, "num_replicas": RANKS,
        "num_partitions": 1, "attrs": attrs, "process_groups": [[0, 1, 2]],
        "operand_dtypes": [name], "operand_shapes": [[6]],
        "result_dtypes": [name], "result_shapes": [[len(expected[0])]],
        "inputs": [[values] for values in inputs],
        "expected": [[values] for values in expected],
    }  # fmt: skip


def check_values(table):
    cases = [case(name, op, reduction) for name, legal in table.items()
             for reduction in legal for op in ("all_reduce", "reduce_scatter", "reduce")]  # fmt: skip
    cases += [case(name, "all_gather", "") for name in table]
    path = os.path.join(FOLDER, "cells.json")
    with open(path, "w") as file:
        json.dump({"about": "the legal cells", "cases": cases}, file)
    command = [sys.executable, os.path.join(UTILS, "run-cases"),
               f"--dist-run={os.path.join(BIN, 'dist-run')}", path]  # fmt: skip
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    print(done.stdout, end="")
    wanted = f"{len(cases)} passed, 0 failed, 0 skipped"
    return done.returncode == 0 and done.stdout.splitlines()[-1] == wanted


OPS = {
    "all_reduce": "%f = dist.all_reduce {r} %x{f} on <[[0, 1, 2]]> : (tensor<6x{t}>)"
                  " -> !dist.future<tensor<6x{t}>>",
    "reduce_scatter": "%f = dist.reduce_scatter {r} %x{f} dim 0 on <[[0, 1, 2]]> :"
                      " (tensor<6x{t}>) -> !dist.future<tensor<2x{t}>>",
    "reduce": "%f = dist.reduce {r} %x{f} root 0 on <[[0, 1, 2]]> : (tensor<6x{t}>)"
              " -> !dist.future<tensor<6x{t}>>",
    "reduce_into": "%f = dist.reduce_into {r} %x into %x{f} root 0 on <[[0, 1, 2]]> :"
                   " (tensor<6x{t}>) into (tensor<6x{t}>) -> tensor<6x{t}>",
    "all_reduce_into": "%f = dist.all_reduce_into {r} %x into %x{f} on <[[0, 1, 2]]> :"
                       " (tensor<6x{t}>) into (tensor<6x{t}>) -> tensor<6x{t}>",
    "reduce_scatter_into": "%f = dist.reduce_scatter_into {r} %x into %out{f} dim 0 on"
                           " <[[0, 1, 2]]> : (tensor<6x{t}>) into (tensor<2x{t}>)"
                           " -> tensor<2x{t}>",
}  # fmt: skip


def check_errors(table):
    """One program per illegal cell; each has exactly one error."""
    programs = []
    for name, reduction, op in itertools.product(
        list(table) + MOVED_ONLY, REDUCTIONS, OPS
    ):
        legal = table.get(name, [])
        if reduction in legal:
            continue
        factors = " factors(%s)" if reduction == "premul_sum" else ""
        expected = ", ".join(legal) or "another type: these are only moved"
        programs.append(
            f"func.func @f(%x: tensor<6x{name}>, %out: tensor<2x{name}>, %s: f64) {{\n"
            f"  // expected-error @+1 {{{{'dist.{op}' op cannot combine elements of "
            f"type '{name}' by {reduction}, expected {expected}}}}}\n"
            f"  {OPS[op].format(r=reduction, f=factors, t=name)}\n  return\n}}\n"
        )
    path = os.path.join(FOLDER, "refused.mlir")
    with open(path, "w") as file:
        file.write("// -----\n".join(programs))
    command = [os.path.join(BIN, "dist-opt"), path, "--split-input-file",
               "--verify-diagnostics", "-o", os.devnull]  # fmt: skip
    status = subprocess.run(command).returncode
    print(f"{len(programs)} cells refused" if status == 0 else "cells are not refused")
    return status == 0


if __name__ == "__main__":
    os.makedirs(FOLDER, exist_ok=True)
    the_table = read_table()
    outcomes = [check_values(the_table), check_errors(the_table)]
    sys.exit(not all(outcomes))
