#!/usr/bin/env python3
#===- runtime-numeric-cases.py - numeric cases for the runtime's tests -------===#
#
# Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Turns numeric cases (JSON) into the text that NumericCasesTest.cpp reads.

usage: runtime-numeric-cases.py CASES.json... > test/Runtime/Inputs/numeric.txt

Kept are the cases whose op and data types the runtime ABI knows. A case is

  case ID
  op KIND REDUCTION DIM ROOT RANKS OPERANDS CONCAT-DIM FACTOR
  group R R R ...                      one line per group
  pairs S T S T ...                    permute only: source, target
  operand DTYPE SOURCE-SIZES : RESULT-SIZES
  in RANK OPERAND HEX HEX ...          bit patterns of the elements; of a
                                       complex one its two parts
  out RANK OPERAND HEX HEX ...
  end

Element values are exact decimals in the input; "nan" stays "nan" in `out`,
where any nan is right. Left out are broadcasts whose root is computed at run
time (StableHLO's dynamic root), which the runtime does not have.
"""
import json
import struct
import sys

DTYPES = {
    "i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "ui8": 1, "ui16": 2,
    "ui32": 4, "ui64": 8, "f16": 2, "bf16": 2, "f32": 4, "f64": 8,
    "f8E4M3FN": 1, "f8E5M2": 1,
}
PARTS = {"complex<f32>": "f32", "complex<f64>": "f64"}
KINDS = {
    "all_gather": "all_gather", "all_reduce": "all_reduce",
    "reduce_scatter": "reduce_scatter", "broadcast": "broadcast",
    "collective_broadcast": "broadcast", "all_to_all": "all_to_all",
    "collective_permute": "permute", "collective_reduce": "reduce",
}
REDUCTIONS = {
    "sum": "sum", "product": "product", "prod": "product", "min": "min",
    "max": "max", "avg": "avg", "band": "band", "bor": "bor", "bxor": "bxor",
    "and": "band", "or": "bor", "xor": "bxor", "premul_sum": "premul_sum",
}


def float8_values(exponent_bits, infinities):
    """Element value, with sign, to bit pattern; nan and infinity apart."""
    mantissa_bits = 7 - exponent_bits
    bias = (1 << (exponent_bits - 1)) - 1
    table = {}
    for pattern in range(128):
        exponent = pattern >> mantissa_bits
        mantissa = pattern & ((1 << mantissa_bits) - 1)
        if infinities and exponent == (1 << exponent_bits) - 1:
            continue
        if not infinities and pattern == 0x7F:
            continue
        scale = 2.0 ** (max(exponent, 1) - bias - mantissa_bits)
        implicit = (1 << mantissa_bits) if exponent else 0
        table[(mantissa + implicit) * scale] = pattern
    if infinities:
        table[float("inf")] = 0x7C
    return table


FLOAT8 = {"f8E4M3FN": float8_values(4, False),
          "f8E5M2": float8_values(5, True)}


def bits(value, dtype):
    """The element as hexadecimal, or None when it is not exact in dtype."""
    size = DTYPES[dtype]
    if dtype in FLOAT8:
        number = float(value)
        if number != number:
            return "7f"
        negative = struct.pack("<d", number)[7] & 0x80
        return f"{FLOAT8[dtype][abs(number)] | negative:02x}"
    if dtype in ("f16", "f32", "f64", "bf16"):
        number = float(value)
        if number != number:
            return {"f16": "7e00", "bf16": "7fc0", "f32": "7fc00000",
                    "f64": "7ff8000000000000"}[dtype]
        if dtype == "bf16":
            pattern = struct.unpack("<I", struct.pack("<f", number))[0]
            back = struct.unpack("<f", struct.pack("<f", number))[0]
            if pattern & 0xFFFF or back != number:
                raise ValueError(f"{value} is not exact in bf16")
            return f"{pattern >> 16:04x}"
        code = {"f16": "e", "f32": "f", "f64": "d"}[dtype]
        data = struct.pack("<" + code, number)
        if struct.unpack("<" + code, data)[0] != number:
            raise ValueError(f"{value} is not exact in {dtype}")
        return data[::-1].hex()
    return f"{int(value) & ((1 << (8 * size)) - 1):0{2 * size}x}"


def flatten(value):
    if isinstance(value, list):
        return [x for item in value for x in flatten(item)]
    return [value]


def group_lists(case, kind):
    """The groups; pairs of a permute are positions in all processes."""
    if kind != "permute":
        return case["process_groups"], []
    if case["num_replicas"] != 1 and case["num_partitions"] != 1:
        raise ValueError(f"{case['id']}: pairs in several groups")
    count = case["num_replicas"] * case["num_partitions"]
    return [list(range(count))], flatten(case["process_groups"])


def convert(case, out):
    kind = KINDS.get(case["op"])
    attrs = case["attrs"]
    dtypes = case["operand_dtypes"]
    if (kind is None or attrs.get("has_dynamic_root")
            or any(d not in DTYPES and d not in PARTS for d in dtypes)):
        return False
    reduction = "none"
    if kind in ("all_reduce", "reduce_scatter", "reduce"):
        name = attrs.get("reduction", attrs.get("computation", "sum"))
        reduction = REDUCTIONS.get(name)
        if reduction is None:
            return False
        # The ABI spells logical operations on i1 as bitwise ones.
        if dtypes[0] == "i1" and reduction not in ("band", "bor", "bxor"):
            return False
    dim = attrs.get("dim", attrs.get("all_gather_dim",
                                     attrs.get("scatter_dimension", 0)))
    dim = attrs.get("split_dim", dim)
    groups, pairs = group_lists(case, kind)
    if len({len(group) for group in groups}) != 1:
        return False
    ranks = case["num_replicas"] * case["num_partitions"]
    shapes, results = case["operand_shapes"], case["result_shapes"]
    lines = [f"case {case['id']}",
             f"op {kind} {reduction} {dim} {attrs.get('root', 0)} {ranks} "
             f"{len(dtypes)} {attrs.get('concat_dim', 0)} "
             f"{attrs.get('factor', 1)}"]
    lines += ["group " + " ".join(map(str, group)) for group in groups]
    if kind == "permute":
        lines.append("pairs " + " ".join(map(str, pairs)))
    for dtype, shape, result in zip(dtypes, shapes, results):
        lines.append("operand " + " ".join([dtype, *map(str, shape), ":",
                                            *map(str, result)]))
    for word, table in (("in", case["inputs"]), ("out", case["expected"])):
        for rank, operands in enumerate(table):
            for index, value in enumerate(operands):
                words = []
                part = PARTS.get(dtypes[index], dtypes[index])
                for x in flatten(value):
                    nan = isinstance(x, str) and "nan" in x
                    words.append("nan" if nan and word == "out"
                                 else bits(x, part))
                lines.append(" ".join([word, str(rank), str(index), *words]))
    lines.append("end")
    out.write("\n".join(lines) + "\n")
    return True


def main():
    kept = 0
    skipped = []
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            cases = json.load(file)["cases"]
        for case in cases:
            if convert(case, sys.stdout):
                kept += 1
            else:
                skipped.append(case["id"])
    print(f"{kept} cases; not in the ABI: {', '.join(skipped)}",
          file=sys.stderr)


if __name__ == "__main__":
    main()
