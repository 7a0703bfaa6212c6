#!/usr/bin/env python3
"""Writes random cases in the schema of test/cases/collectives.json.

usage: generate_cases.py SPEC UTILS SEED COUNT > CASES.json

Elements are extreme on purpose: signed zeros, nan, infinities, denormals, the ends
of integers. Groups are of 1 to 8 ranks in any order, several at once, and may leave
ranks of the world out, whose results are zeros.
"""
import json
import random
import re
import sys

import numpy as np

SPEC, UTILS, SEED, COUNT = sys.argv[1:]
sys.path.insert(0, UTILS)
import elements  # noqa: E402
import numeric_model  # noqa: E402

choice = random.Random(int(SEED))
# Elements that are only moved.
MOVED_ONLY = ["i4", "ui2", "i7", "i24", "i48", "f8E4M3", "f8E5M2FNUZ", "f8E4M3B11FNUZ",
              "f4E2M1FN", "f6E2M3FN"]  # fmt: skip


def read_table():
    rows = re.findall(r"^  \| ([^|]+) \| ([^|]+) \|$", open(SPEC).read(), re.M)
    return {
        name.strip(): [word.strip() for word in reductions.split(",")]
        for names, reductions in rows if "band" in reductions or "sum" in reductions
        for name in names.split(",")
    }  # fmt: skip


def float_element(name):
    if name in elements.SMALL_FLOATS:
        values = elements.small_float_values(name)
        return numeric_model.as_json(float(values[choice.randrange(len(values))]))
    kind = {"f16": np.float16, "f64": np.float64}.get(name, np.float32)
    draw = choice.random()
    if draw < 0.2:
        tiny = float(np.finfo(kind).tiny)
        special = [0.0, -0.0, "nan", "inf", "-inf", tiny, -tiny, float(np.finfo(kind).max)]
        if name != "bf16":
            special += [float(np.nextafter(kind(0), kind(1))), -float(np.finfo(kind).max)]
        value = choice.choice(special)
    elif draw < 0.6:
        value = float(choice.randint(-40, 40)) / choice.choice([1, 2, 4, 8])
    else:
        value = float(kind(choice.uniform(-1, 1) * 2.0 ** choice.randint(-12, 12)))
    if name == "bf16" and not isinstance(value, str):
        value = numeric_model.round_to(value, "bf16")
    return numeric_model.as_json(value)


def element(name):
    dtype = elements.dtype(name)
    if dtype.is_boolean:
        return choice.random() < 0.5
    if dtype.is_complex:
        part = "f32" if "f32" in name else "f64"
        return [choice.choice([float_element(part), float(choice.randint(-9, 9))])
                for _ in range(2)]  # fmt: skip
    if dtype.limits:
        low, high = dtype.limits
        return choice.choice([low, high, low + 1, high - 1, 0,
                              choice.randint(low, high),
                              max(low, min(high, choice.randint(-9, 9)))])  # fmt: skip
    return float_element(name)


def nested(array):
    return array.tolist() if array.ndim else array[()]


def make_groups():
    """(number of ranks, groups)."""
    size = choice.randint(1, 8)
    count = choice.randint(1, 8 // size)
    world = choice.randint(size * count, 8)
    ranks = choice.sample(range(world), size * count)
    return world, [ranks[i * size : (i + 1) * size] for i in range(count)]


def fold(arrays, reduction, name, factor):
    result = np.empty(arrays[0].shape, object)
    for index in np.ndindex(result.shape):
        result[index] = numeric_model.fold([array[index] for array in arrays], reduction,
                                           name, factor)  # fmt: skip
    return result


def zeros(shape, name):
    result = np.empty(shape, object)
    for index in np.ndindex(result.shape):
        is_complex = elements.dtype(name).is_complex
        result[index] = [0, 0] if is_complex else elements.dtype(name).is_boolean and False
        if not is_complex and not elements.dtype(name).is_boolean:
            result[index] = 0
    return result


def make_case(number, table):
    op = choice.choice(["all_reduce", "all_reduce", "reduce_scatter", "all_gather",
                        "broadcast", "all_to_all", "permute", "reduce"])  # fmt: skip
    reduces = "reduce" in op
    name = choice.choice(list(table) + ([] if reduces else MOVED_ONLY))
    world, groups = make_groups()
    if op == "permute":
        groups = [list(range(world))]
    size = len(groups[0])
    has_dim = op in ("reduce_scatter", "all_gather", "all_to_all")
    rank = choice.randint(1, 3) if has_dim else choice.randint(0, 3)
    shape = [choice.choice([0, 1, 2, 3, 5]) if choice.random() < 0.5 else 2
             for _ in range(rank)]  # fmt: skip
    attrs, result_shape, process_groups = {}, list(shape), groups
    if has_dim:
        dim = choice.randrange(rank)
        if op != "all_gather":
            shape[dim] *= size
        if op == "all_to_all":
            attrs = {"split_dim": dim, "concat_dim": choice.randrange(rank)}
            result_shape = list(shape)
            result_shape[dim] //= size
            result_shape[attrs["concat_dim"]] *= size
        else:
            attrs["dim"] = dim
            result_shape[dim] = shape[dim] * size if op == "all_gather" else shape[dim] // size
    factor = 1.0
    if reduces:
        attrs["reduction"] = choice.choice(table[name])
        if attrs["reduction"] == "premul_sum":
            factor = attrs["factor"] = choice.choice([0.5, 1 / 3, -2.0, 1e-3, 0.0])
    if op in ("broadcast", "reduce"):
        attrs["root"] = choice.randrange(size)
    inputs = []
    for _ in range(world):
        array = np.empty(shape, object)
        for index in np.ndindex(array.shape):
            array[index] = element(name)
        inputs.append(array)
    expected = [zeros(result_shape, name) for _ in range(world)]
    if op == "permute":
        targets = choice.sample(range(world), world)
        process_groups = [list(pair) for pair in enumerate(targets) if choice.random() < 0.8]
        for source, target in process_groups:
            expected[target] = inputs[source]
        groups = []
    for group in groups:
        arrays = [inputs[member] for member in group]
        whole = fold(arrays, attrs["reduction"], name, factor) if reduces else None
        for position, member in enumerate(group):
            if op == "all_gather":
                expected[member] = np.concatenate(arrays, attrs["dim"])
            elif op == "broadcast":
                expected[member] = arrays[attrs["root"]]
            elif op == "all_to_all":
                pieces = [np.split(array, size, attrs["split_dim"])[position] for array in arrays]
                expected[member] = np.concatenate(pieces, attrs["concat_dim"])
            elif op == "reduce_scatter":
                expected[member] = np.split(whole, size, attrs["dim"])[position]
            elif op == "all_reduce" or position == attrs["root"]:
                expected[member] = whole
    return {
        "id": f"{number}/{op}/{name}/{attrs.get('reduction', '')}", "op": op,
        "num_replicas": world, "num_partitions": 1, "attrs": attrs,
        "process_groups": process_groups,
        "operand_dtypes": [name], "operand_shapes": [shape],
        "result_dtypes": [name], "result_shapes": [result_shape],
        "inputs": [[nested(array)] for array in inputs],
        "expected": [[nested(array)] for array in expected],
    }  # fmt: skip


if __name__ == "__main__":
    the_table = read_table()
    cases = [make_case(number, the_table) for number in range(int(COUNT))]
    json.dump({"about": f"random cases of seed {SEED}", "cases": cases}, sys.stdout)
