#!/usr/bin/env python3
# Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Time and memory of dist-schedule against the size of the program.

usage: run.py [--dist-opt PATH] [--sizes N,N,...] [--repeat R] [GRAPH.json ...]

Synthetic programs have sharded layers (gather, wait, product, two cheap
operations, reduction, wait); GRAPH.json are dumps as dist_mlir.graph_import
reads them. Each row is the least CPU time of R whole processes, parse and print
included; `ratio` is to the same process without the pass, in the same run.
`growth` compares the pass's own time per operation with that of the row above.
"""
import argparse
import os
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "python"))
from dist_mlir.graph_import import import_graph  # noqa: E402

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
        import json
        with open(path) as file:
            graph = json.load(file)
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


if __name__ == "__main__":
    main()
