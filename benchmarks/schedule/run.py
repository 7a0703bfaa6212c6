#!/usr/bin/env python3
# Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Time and memory of dist-schedule against the size of the program, and what the
schedule of a real graph is predicted to take.

usage: run.py [--dist-opt PATH] [--sizes N,N,...] [--repeat R] [GRAPH.json ...]

Synthetic programs have sharded layers (gather, wait, product, two cheap
operations, reduction, wait); GRAPH.json are dumps as dist_mlir.graph_import
reads them. Each row is the least CPU time of R whole processes, parse and print
included; `ratio` is to the same process without the pass, in the same run.
`growth` compares the pass's own time per operation with that of the row above.

A second table has for each GRAPH.json the predicted step over the bound of
dist_mlir.graph_cost, and the peak memory over that of the graph's own order.
"""
import argparse
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "python"))
from dist_mlir.graph_cost import StepGraph, report  # noqa: E402
from dist_mlir.graph_import import (import_graph, load_graph,  # noqa: E402
                                    read_order)

MODES = [
    ("no bound", ["--dist-schedule"]),
    ("8 in flight", ["--dist-schedule=max-in-flight=8"]),
    ("checked", ["--dist-overlap"]),
]


def synthetic(num_ops):
    """A program of about `num_ops` operations and their number."""
    layers = max(1, num_ops // 8)
    args = ", ".join("%%w%d: tensor<4xf32>" % i for i in range(layers))
    out = ["dist.process_group @g ranks [[0, 1]]",
           "func.func @f(%%h0: tensor<8xf32>, %s) -> tensor<8xf32> {" % args]
    for i in range(layers):
        out.append("""\
  %c{0} = dist.opaque "cast"(%w{0}) : (tensor<4xf32>) -> tensor<4xf32>
  %a{0} = dist.all_gather %c{0} dim 0 on <@g> : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %g{0} = dist.wait %a{0} : !dist.future<tensor<8xf32>>
  %m{0} = dist.opaque "mm"(%h{0}, %g{0}) {{flops = 8 : i64}} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %d{0} = dist.opaque "dW"(%h{0}, %m{0}) {{flops = 8 : i64}} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %r{0} = dist.reduce_scatter avg %d{0} dim 0 on <@g> : (tensor<8xf32>) -> !dist.future<tensor<4xf32>>
  %s{0} = dist.wait %r{0} : !dist.future<tensor<4xf32>>
  %h{1} = dist.opaque "add"(%m{0}) : (tensor<8xf32>) -> tensor<8xf32>""".format(i, i + 1))
    out.append("  return %%h%d : tensor<8xf32>\n}\n" % layers)
    return "\n".join(out), layers * 8


def measure(command, repeat):
    """-> least CPU seconds, greatest peak memory in MiB"""
    seconds, peak = float("inf"), 0
    for _ in range(repeat):
        pid = os.posix_spawn(command[0], command, os.environ)
        _, status, usage = os.wait4(pid, 0)
        if status != 0:
            sys.exit("failed: " + " ".join(command))
        seconds = min(seconds, usage.ru_utime + usage.ru_stime)
        peak = max(peak, usage.ru_maxrss / 1024)
    return seconds, peak


def print_predictions(dist_opt, paths):
    print("\n| graph | order | step ms | bound ms | step / bound | peak MiB | "
          "peak / input |\n|---|---|---|---|---|---|---|")
    for path in paths:
        graph = load_graph(path)
        step_graph = StepGraph(graph)
        orders = [("input", None)]
        for mode, flags in MODES[:-1]:
            text = subprocess.run(
                [dist_opt, "-", "--mlir-print-debuginfo"] + flags,
                input=import_graph(graph, bind=True), text=True,
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                check=True).stdout
            orders.append((mode, read_order(text)))
        for mode, names in orders:
            row = report(step_graph, names)
            print("| %s | %s | %.1f | %.1f | %.3f | %.0f | %.3f |" % (
                graph["name"], mode, row["step_ms"], row["bound_ms"],
                row["ratio"], row["peak_bytes"] / 2**20, row["peak_ratio"]),
                flush=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", nargs="*")
    parser.add_argument("--dist-opt",
                        default=os.path.join(ROOT, "build/dev/bin/dist-opt"))
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    programs = []
    for size in map(int, filter(None, options.sizes.split(","))):
        text, num_ops = synthetic(size)
        programs.append(("synthetic", text, num_ops))
    for path in options.graphs:
        graph = load_graph(path)
        programs.append((graph["name"], import_graph(graph, bind=True),
                         len(graph["nodes"])))
    print("| program | operations | mode | CPU s | without s | ratio | "
          "us per operation | growth | MiB | without |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    last = {}
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "program.mlir")
        for name, text, num_ops in programs:
            with open(source, "w") as file:
                file.write(text)
            base = [options.dist_opt, source, "-o", os.devnull]
            without, memory = measure(base, options.repeat)
            for mode, flags in MODES:
                seconds, peak = measure(
                    base + flags + ["--mlir-disable-threading"], options.repeat)
                each = (seconds - without) / num_ops * 1e6
                growth = "%.2f" % (each / last[name, mode]) \
                    if last.get((name, mode), 0) > 0 else "-"
                last[name, mode] = each
                print("| %s | %d | %s | %.3f | %.3f | %.2f | %.1f | %s | %.0f | %.0f |"
                      % (name, num_ops, mode, seconds, without,
                         seconds / without, each, growth, peak, memory),
                      flush=True)
    if options.graphs:
        print_predictions(options.dist_opt, options.graphs)


if __name__ == "__main__":
    main()
