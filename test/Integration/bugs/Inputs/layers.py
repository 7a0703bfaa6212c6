#!/usr/bin/env python3
"""Prints a program of sharded layers: start, wait, compute.

Usage: layers.py LAYERS SHARD_SIZE

Layer l gathers its weight from 4 ranks and computes y = 3 * y + first + last
element of it. The comments are those of run_program.py: shard element k of layer
l on rank r is 1000 * l + 10 * r + k.
"""

import sys


def main():
    layers, shard = int(sys.argv[1]), int(sys.argv[2])
    part, full = f"tensor<{shard}xi32>", f"tensor<{4 * shard}xi32>"
    print("// RANKS: 4\n// FLAGS: --link-delay=5ms\n// ARG: i32([rank])")
    for i in range(layers):
        print(f"// ARG: i32({1000 * i} + 10 * rank + np.arange({shard}))")
    # What the layers add up to, in wrapping arithmetic.
    terms = " + ".join(f"{3 ** (layers - 1 - i)} * {2000 * i + 30 + shard - 1}"
                       for i in range(layers))
    print(f"// LET: y = {3 ** layers} * rank + {terms}")
    print("// RESULT: i32([(y + 2**31) % 2**32 - 2**31])")
    args = ", ".join(f"%w{i}: {part}" for i in range(layers))
    print(f"func.func @layers(%y0: tensor<1xi32>, {args}) -> tensor<1xi32> {{")
    for i in range(layers):
        print(f"""\
  %f{i} = dist.all_gather %w{i} dim 0 on <[[0, 1, 2, 3]]> : ({part}) -> !dist.future<{full}>
  %g{i} = dist.wait %f{i} : !dist.future<{full}>
  %y{i + 1} = dist.opaque "layer{i}"(%y{i}, %g{i}) calls @layer {{nanoseconds = 1000000}} : (tensor<1xi32>, {full}) -> tensor<1xi32>""")
    print(f"""\
  return %y{layers} : tensor<1xi32>
}}
func.func private @layer(%y: tensor<1xi32>, %w: {full}) -> tensor<1xi32> {{
  %three = arith.constant dense<3> : tensor<1xi32>
  %first = tensor.extract_slice %w[0] [1] [1] : {full} to tensor<1xi32>
  %last = tensor.extract_slice %w[{4 * shard - 1}] [1] [1] : {full} to tensor<1xi32>
  %0 = arith.muli %y, %three : tensor<1xi32>
  %1 = arith.addi %0, %first : tensor<1xi32>
  %2 = arith.addi %1, %last : tensor<1xi32>
  return %2 : tensor<1xi32>
}}""")


if __name__ == "__main__":
    main()
