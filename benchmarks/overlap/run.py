#!/usr/bin/env python3
# Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How much of the link's time dist-schedule hides behind computation.

usage: run.py [--dist-run PATH] [--layers N] [--size N] [--delay-ms D] [--repeat R]

Each layer gathers its weights from two ranks and multiplies by them, written as
start, wait, product. The local backend adds a delay to each collective. Link time
is delay times collectives; what of it a rank spent blocked in waits is exposed,
the rest is hidden. The first gather has nothing to hide behind. A rank that waits
for one that is late is blocked too, which is not the link's doing: exposed is the
time of the rank that was blocked least, the least of R runs. The size is for a
product that takes longer than the delay.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MODES = [
    ("off", ["--schedule=false"]),
    ("on", ["--schedule"]),
]


def program(layers, size):
    """`layers` gathers and products of `size` x `size` matrices."""
    full, part = f"tensor<{size}x{size}xf32>", f"tensor<{size // 2}x{size}xf32>"
    weights = ", ".join(f"%w{i}: {part}" for i in range(layers))
    out = [f"func.func @layers(%h0: {full}, {weights}) -> {full} {{",
           "  %zero = arith.constant 0.0 : f32",
           f"  %empty = tensor.empty() : {full}",
           f"  %init = linalg.fill ins(%zero : f32) outs(%empty : {full}) -> {full}"]
    for i in range(layers):
        out.append(f"""\
  %f{i} = dist.all_gather %w{i} dim 0 on <[[0, 1]]> : ({part}) -> !dist.future<{full}>
  %g{i} = dist.wait %f{i} : !dist.future<{full}>
  %h{i + 1} = linalg.matmul ins(%h{i}, %g{i} : {full}, {full}) outs(%init : {full}) -> {full}""")
    out.append(f"  return %h{layers} : {full}\n}}\n")
    return "\n".join(out)


def measure(command):
    """-> the counters of each rank and the seconds of the process"""
    begin = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("failed: " + " ".join(command) + "\n" + done.stderr)
    return json.loads(done.stdout)["ranks"], time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--dist-run", default=os.path.join(ROOT, "build/dev/bin/dist-run"))
    parser.add_argument("--layers", type=int, default=8)
    parser.add_argument("--size", type=int, default=384)
    parser.add_argument("--delay-ms", type=float, default=5)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    if options.layers < 1 or options.size < 2 or options.size % 2:
        parser.error("expected at least one layer and an even size")

    print(f"{options.layers} layers, {options.size} x {options.size}, link delay "
          f"{options.delay_ms:g} ms, 2 ranks")
    print(f"{'scheduling':<12}{'link ms':>9}{'exposed ms':>12}{'hidden':>9}{'process s':>11}")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "layers.mlir")
        with open(path, "w") as file:
            file.write(program(options.layers, options.size))
        for name, flags in MODES:
            exposed, seconds = [], []
            for _ in range(options.repeat):
                ranks, spent = measure([options.dist_run, path, "--ranks=2", "--counters",
                                        f"--link-delay={options.delay_ms:g}ms", *flags])
                exposed.append(min(rank["blockedNs"] for rank in ranks) / 1e6)
                seconds.append(spent)
            link = ranks[0]["collectives"] * options.delay_ms
            least = min(exposed)
            print(f"{name:<12}{link:>9.1f}{least:>12.1f}{1 - least / link:>9.0%}"
                  f"{statistics.median(seconds):>11.2f}")


if __name__ == "__main__":
    main()
