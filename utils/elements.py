# Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types in numpy: values to the bits that dist-run reads and back.

An element type that numpy has no type for lies in an array of unsigned integers
of its size, as in the .npy files of dist-run.
"""
import functools
import re

import numpy as np

# Small floats: bits of exponent and mantissa, bias, and what takes the place of
# IEEE's infinities and nans: "ieee", "fn" (only all ones is nan), "fnuz" (only
# the pattern of -0 is nan), "finite" (neither).
SMALL_FLOATS = {
    "f8E5M2": (5, 2, 15, "ieee"), "f8E4M3": (4, 3, 7, "ieee"),
    "f8E3M4": (3, 4, 3, "ieee"), "f8E4M3FN": (4, 3, 7, "fn"),
    "f8E5M2FNUZ": (5, 2, 16, "fnuz"), "f8E4M3FNUZ": (4, 3, 8, "fnuz"),
    "f8E4M3B11FNUZ": (4, 3, 11, "fnuz"), "f4E2M1FN": (2, 1, 1, "finite"),
    "f6E2M3FN": (2, 3, 1, "finite"), "f6E3M2FN": (3, 2, 3, "finite"),
}  # fmt: skip
NATIVE = {
    "index": np.int64, "f16": np.float16, "f32": np.float32,
    "f64": np.float64, "complex<f32>": np.complex64, "complex<f64>": np.complex128,
}  # fmt: skip


@functools.lru_cache(maxsize=None)
def small_float_values(name):
    """The values of all bit patterns of a small float."""
    exponent_bits, mantissa_bits, bias, kind = SMALL_FLOATS[name]
    width = 1 + exponent_bits + mantissa_bits
    values = np.zeros(1 << width)
    for bits in range(1 << width):
        mantissa = bits & ((1 << mantissa_bits) - 1)
        exponent = bits >> mantissa_bits & ((1 << exponent_bits) - 1)
        sign = -1.0 if bits >> (width - 1) else 1.0
        top = exponent == (1 << exponent_bits) - 1
        if kind == "ieee" and top:
            value = np.nan if mantissa else np.inf
        elif kind == "fn" and top and mantissa == (1 << mantissa_bits) - 1:
            value = np.nan
        elif kind == "fnuz" and bits == 1 << (width - 1):
            value = np.nan
        elif exponent == 0:
            value = mantissa * 2.0 ** (1 - bias - mantissa_bits)
        else:
            value = (1 + mantissa / (1 << mantissa_bits)) * 2.0 ** (exponent - bias)
        values[bits] = sign * value
    return values


def float_bits(value):
    return np.float64(value).tobytes()


class Dtype:
    """One element type. `stored` is the numpy type of its arrays."""

    def __init__(self, name):
        self.name = name
        integer = re.fullmatch(r"([us]?)i([1-9]\d*)", name)
        self.is_complex = name.startswith("complex<")
        self.is_float = name in SMALL_FLOATS or name in ("f16", "bf16", "f32", "f64")
        self.limits = None  # Of an integer: the least and the greatest.
        self.is_boolean = bool(integer) and integer[2] == "1"
        if self.is_boolean:
            self.stored = np.dtype(np.bool_)
        elif integer:
            width = int(integer[2])
            is_unsigned = integer[1] == "u"
            self.limits = (
                (0, (1 << width) - 1) if is_unsigned
                else (-(1 << (width - 1)), (1 << (width - 1)) - 1)
            )  # fmt: skip
            self.mask = (1 << width) - 1
            size = max(1, 1 << (max(width, 8) - 1).bit_length() >> 3)
            if size > 8:
                raise ValueError(f"unknown dtype {name!r}")
            kind = "i" if width == 8 * size and not is_unsigned else "u"
            self.stored = np.dtype(f"{kind}{size}")
        elif name in NATIVE:
            self.stored = np.dtype(NATIVE[name])
            if name == "index":
                self.limits = (-(1 << 63), (1 << 63) - 1)
        elif name in SMALL_FLOATS:
            self.stored = np.dtype(np.uint8)
        elif name == "bf16":
            self.stored = np.dtype(np.uint16)
        else:
            raise ValueError(f"unknown dtype {name!r}")

    def make(self, values, shape):
        """The array of `values`, which must be elements exactly."""
        encode = self.encode_complex if self.is_complex else self.encode
        return np.array([encode(value) for value in values], self.stored).reshape(shape)

    def encode(self, value):
        if self.is_boolean:
            if value not in (False, True):
                raise ValueError(f"{value!r} is no {self.name}")
            return bool(value)
        if self.limits:
            if isinstance(value, bool) or int(value) != value:
                raise ValueError(f"{value!r} is no integer")
            if not self.limits[0] <= value <= self.limits[1]:
                raise ValueError(f"{value} does not fit into {self.name}")
            return int(value) & self.mask if self.stored.kind == "u" else int(value)
        return self.encode_float(float(value))

    def encode_float(self, value):
        if self.name in SMALL_FLOATS:
            table = small_float_values(self.name)
            same = np.isnan(table) if np.isnan(value) else (
                (table == value) & (np.signbit(table) == np.signbit(value))
            )  # fmt: skip
            if not same.any():
                raise ValueError(f"{value!r} is no {self.name}")
            return int(np.flatnonzero(same)[0])
        if self.name == "bf16":
            if np.isnan(value):
                return 0x7FC0
            with np.errstate(over="ignore"):
                bits = int(np.float32(value).view(np.uint32))
            back, result = np.uint32(bits & 0xFFFF0000).view(np.float32), bits >> 16
        else:
            with np.errstate(over="ignore"):
                back = result = self.stored.type(value)
        if not np.isnan(value) and float_bits(back) != float_bits(value):
            raise ValueError(f"{value!r} is no {self.name}")
        return result

    def encode_complex(self, value):
        real, imaginary = (float(part) for part in value)
        part = np.dtype(f"f{self.stored.itemsize // 2}")
        result = np.empty((), self.stored)
        with np.errstate(over="ignore"):
            parts = np.array([real, imaginary], np.float64).astype(part)
        for given, kept in zip((real, imaginary), parts):
            if not np.isnan(given) and float_bits(kept) != float_bits(given):
                raise ValueError(f"{given!r} is no {part.name}")
        result[()] = parts.view(self.stored)[0]
        return result[()]

    def values(self, array):
        """The numbers behind an array, for comparison and print."""
        if self.name in SMALL_FLOATS:
            table = small_float_values(self.name)
            return table[array & (len(table) - 1)]
        if self.name == "bf16":
            words = np.atleast_1d(array).astype(np.uint32) << np.uint32(16)
            return words.view(np.float32).reshape(np.shape(array))
        if self.limits and self.stored.kind == "u" and self.limits[0] < 0:
            return np.where(array > self.limits[1],
                            array.astype(np.int64) - self.mask - 1, array)  # fmt: skip
        return array

    def differing(self, expected, got, units=0):
        """Where two arrays differ in their bits, or by more than `units` in the
        last place of the larger part of a complex number; nan equals nan."""
        if self.is_complex:
            part = np.dtype(f"f{self.stored.itemsize // 2}")
            first, second = (np.ascontiguousarray(array).reshape(array.shape + (1,)).view(part)
                             for array in (expected, got))  # fmt: skip
            bits = np.dtype(f"u{part.itemsize}")
            differ = first.view(bits) != second.view(bits)
            differ &= ~(np.isnan(first) & np.isnan(second))
            if units:
                with np.errstate(invalid="ignore", over="ignore"):
                    largest = np.abs(first).max(axis=-1, keepdims=True)
                    differ &= ~(np.abs(first - second) <= units * np.spacing(largest))
            return differ.any(axis=-1)
        bits = np.dtype(f"u{expected.dtype.itemsize}")
        differ = expected.view(bits) != got.view(bits)
        if self.is_float:
            differ &= ~(np.isnan(self.values(expected)) & np.isnan(self.values(got)))
        return differ

    def describe(self, array, limit=16):
        values = self.values(np.asarray(array)).ravel()
        text = ", ".join(str(x) for x in values[:limit])
        return f"[{text}{', ...' if values.size > limit else ''}]"


@functools.lru_cache(maxsize=None)
def dtype(name):
    """The element type called `name`; ValueError for one that is not known."""
    return Dtype(name)
