# Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the reductions give, in numpy and independent of the runtime: the rules of
docs/spec.md under #dist.reduction, element by element. Values are those of the case
files: numbers, "nan" and "inf" as strings, complex numbers as pairs, i1 as booleans.
"""
import numpy as np

import elements


def round_small(value, name):
    """Nearest value of a small float, ties to the even pattern."""
    values = elements.small_float_values(name)
    half = len(values) // 2
    finite = [p for p in range(half) if np.isfinite(values[p])]
    size = abs(value)
    if np.isnan(value):
        return float("nan")
    largest = finite[-1]
    step = values[largest] - values[largest - 1]
    beyond = values[largest] + step / 2
    if size > beyond or (size == beyond and largest % 2 == 1):
        has_infinity = np.isinf(values[largest + 1])
        return float(np.copysign(np.inf, value)) if has_infinity else float("nan")
    best = min(finite, key=lambda p: (abs(values[p] - size), p & 1))
    return float(np.copysign(values[best], value))


def round_to(value, name):
    if name in elements.SMALL_FLOATS:
        return round_small(value, name)
    if name == "bf16":
        if np.isnan(value):
            return float("nan")
        bits = int(np.float32(value).view(np.uint32))
        bits = (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000
        return float(np.uint32(bits).view(np.float32))
    with np.errstate(over="ignore"):
        return float({"f16": np.float16}.get(name, np.float64)(value))


def wrap(value, name):
    low, high = elements.dtype(name).limits
    return (value - low) % (high - low + 1) + low


def fold_integers(values, reduction, name):
    low, high = elements.dtype(name).limits
    if reduction in ("umin", "umax"):
        unsigned = [value & (high - low) for value in values]
        return wrap((min if reduction == "umin" else max)(unsigned), name)
    combine = {
        "sum": lambda a, b: a + b, "avg": lambda a, b: a + b,
        "product": lambda a, b: a * b, "min": min, "max": max,
        "band": lambda a, b: a & b, "bor": lambda a, b: a | b,
        "bxor": lambda a, b: a ^ b,
    }[reduction]  # fmt: skip
    result = values[0]
    for value in values[1:]:
        result = wrap(combine(result, value), name)
    if reduction == "avg":
        quotient = abs(result) // len(values)
        result = quotient if result >= 0 else -quotient
    return result


def choose(a, b, reduction):
    if np.isnan(a) or np.isnan(b):
        return a if np.isnan(a) else b
    if a == b:
        return a if np.signbit(a) == (reduction == "min") else b
    return (min if reduction == "min" else max)(a, b)


def fold_floats(values, reduction, name, factor):
    kind = np.float64 if name == "f64" else np.float32
    values = [kind(value) for value in values]
    if reduction == "premul_sum":
        values = [value * kind(factor) for value in values]
    result = values[0]
    for value in values[1:]:
        if reduction in ("min", "max"):
            result = choose(result, value, reduction)
        else:
            result = result * value if reduction == "product" else result + value
    if reduction == "avg":
        result = result / kind(len(values))
    return round_to(result, name)


def fold_complex(values, reduction, name):
    kind = np.float32 if "f32" in name else np.float64
    (real, imaginary), *rest = [(kind(a), kind(b)) for a, b in values]
    for a, b in rest:
        if reduction == "product":
            real, imaginary = real * a - imaginary * b, real * b + imaginary * a
        else:
            real, imaginary = real + a, imaginary + b
    if reduction == "avg":
        scale = kind(1) / kind(len(values))
        real, imaginary = real * scale, imaginary * scale
    return [as_json(float(real)), as_json(float(imaginary))]


def as_json(value):
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    return value


def fold(values, reduction, name, factor=1.0):
    """One element of the result from one element of each member, in group order."""
    dtype = elements.dtype(name)
    if dtype.is_boolean:
        return {"band": all, "bor": any, "bxor": lambda v: sum(v) % 2 == 1}[reduction](values)
    if dtype.limits:
        return fold_integers(values, reduction, name)
    with np.errstate(all="ignore"):
        if dtype.is_complex:
            return fold_complex(values, reduction, name)
        return as_json(fold_floats(values, reduction, name, factor))
