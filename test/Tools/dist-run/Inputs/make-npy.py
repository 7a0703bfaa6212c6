"""Writes the .npy files of the tests of dist-run into a folder: good ones, and
ones that are broken in one way each."""
import os
import struct
import sys

import numpy as np

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)


def path(name):
    return os.path.join(folder, name + ".npy")


def save(name, array):
    np.save(path(name), array)


def raw(name, data):
    with open(path(name), "wb") as file:
        file.write(data)


def header(text, data=b"", version=1):
    text = text.encode()
    length = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + length + text + data


# Good: the same 2x3 matrix in many ways, and a scalar.
matrix = np.arange(6, dtype=np.float32).reshape(2, 3) + 0.5
save("c-order", matrix)
save("fortran-order", np.asfortranarray(matrix))
raw("version-2", header("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}",
                        matrix.tobytes(), version=2))  # fmt: skip
raw("reordered", header("{\"shape\":(2,3),\"fortran_order\":False,\"descr\":\"<f4\",}",
                        matrix.tobytes()))  # fmt: skip
for rank in range(2):
    save(f"ranked.{rank}", matrix + 10 * rank)
    save(f"arg0.rank{rank}", matrix + 100 * rank)
save("scalar-7", np.int64(7))
save("bf16-bits", np.array([0x3F80, 0xC000, 0x7F80], np.uint16))
save("bool", np.array([True, False, True]))

# Wrong for a tensor<2x3xf32>.
save("wrong-dtype", matrix.astype(np.float64))
save("wrong-shape", matrix.T.copy())
save("wrong-rank", matrix.ravel())
save("big-endian", matrix.astype(">f4"))
save("structured", np.zeros(2, dtype=[("a", "<f4")]))

# Not trustworthy.
good = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"
raw("empty", b"")
raw("not-npy", b"PK\x03\x04 something else")
raw("magic-only", b"\x93NUMPY")
raw("version-9", header(good, version=9))
raw("header-too-long", b"\x93NUMPY\x02\x00\xff\xff\xff\xff{'descr'")
raw("no-data", header(good))
raw("short-data", header(good, matrix.tobytes()[:-1]))
raw("long-data", header(good, matrix.tobytes() + b"x"))
raw("huge-shape", header("{'descr': '<f4', 'fortran_order': False, "
                         "'shape': (9223372036854775807, 9223372036854775807)}"))  # fmt: skip
raw("overflowing-size", header("{'descr': '<f4', 'fortran_order': False, "
                               "'shape': (99999999999999999999999,)}"))  # fmt: skip
raw("negative-size", header("{'descr': '<f4', 'fortran_order': False, 'shape': (-2, 3)}"))
raw("many-dims", header("{'descr': '<f4', 'fortran_order': False, 'shape': ("
                        + "1," * 1000 + ")}", b"\0" * 4))  # fmt: skip
raw("no-shape", header("{'descr': '<f4', 'fortran_order': False}"))
raw("twice", header("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': ()}"))
raw("unknown-key", header("{'descr': '<f4', 'order': False, 'shape': ()}"))
raw("code", header("__import__('os').system('true')"))
raw("unclosed", header("{'descr': '<f4"))
raw("trailing", header(good + " + 1", matrix.tobytes()))
