#!/usr/bin/env python3
"""Counts gathered values in printed IR, line by line.

Usage: dist-opt ... | count_gathers.py

A gathered value is alive from the line of its gather to the last line that names
its future, the waited value or what is made of that by a tensor or memref view.
Prints how many gathers there are, how many values are alive at once at most, how
many gathers have the product of another one between start and wait, and whether
the layers stand in the order of their numbers.
"""

import re
import sys

GATHER = re.compile(r"(?:(%\w+) = )?dist\.all_gather(_into)? ")
FOLLOWED = re.compile(r"(%\w+) = (dist\.wait|tensor\.cast|tensor\.expand_shape|"
                      r"tensor\.collapse_shape|bufferization\.\w+) (.*)")
LAYER = re.compile(r'dist\.opaque "layer(\d+)"')


def main():
    lines = [line.strip() for line in sys.stdin]
    owner, first, last, waits, layers = {}, {}, {}, {}, []
    for number, line in enumerate(lines):
        if line.startswith("func.func"):
            owner.clear()  # Names start anew.
        body = line.split(" = ", 1)[-1]
        used = {owner[name] for name in re.findall(r"%\w+", body) if name in owner}
        for gather in used:
            last[gather] = number
        match = GATHER.match(line)
        if match:
            gather = match[1]
            if gather is None:
                sys.exit(f"a gather without a result: {line}")
            owner[gather] = gather
            first[gather] = last[gather] = number
        match = FOLLOWED.match(line)
        if match and used:
            owner[match[1]] = min(used)
            if match[2] == "dist.wait":
                waits[min(used)] = number
        match = LAYER.search(line)
        if match:
            layers.append((number, int(match[1])))
    peak = max((sum(first[g] <= n <= last[g] for g in first)
                for n in range(len(lines))), default=0)
    overlapped = sum(any(first[g] < n < waits[g] for n, _ in layers)
                     for g in first if g in waits)
    inOrder = [layer for _, layer in layers] == sorted(layer for _, layer in layers)
    print(f"{len(first)} gathers, at most {peak} alive, {overlapped} overlap a layer, "
          f"{'in order' if inOrder else 'out of order'}")


if __name__ == "__main__":
    main()
