"""Writes the arguments of elements.mlir, or checks the files of its results."""
import sys

import numpy as np

# Per argument: what each of the two ranks puts in.
ARGUMENTS = [
    [np.array([0x7E, 0x7F], np.uint8), np.array([-128, 1], np.int8)],
    [np.array([-8, 7], np.int8), np.array([0xFF, 0xF1], np.uint8)],
    [np.array([1.5 - 2j]), np.array([3j])],
    [np.array([0xFFFFFF], np.uint32), np.array([0x12 << 24 | 0x1234], np.int32)],
    # 1.0 and -2.0 with rubbish in the six bytes behind them.
    [np.frombuffer(bytes.fromhex("0000000000000080ff3fffffffffffff"), "V16"),
     np.frombuffer(bytes.fromhex("000000000000008000c0000000000000"), "V16")],
    [np.array([0x40003C00], np.uint32), np.array([0x80003800], np.uint32)],
    [np.array([1, 7], np.uint8), np.array([15, 0], np.uint8)],
    [np.array([15], np.uint8), np.array([1], np.int8)],
    [np.array([-1], np.int8), np.array([1], np.int8)],
]  # fmt: skip
RESULTS = [
    np.array([0x7E, 0x7F, 0x80, 1], np.uint8),
    np.array([8, 7, 15, 1], np.uint8),
    np.array([1.5 - 2j, 3j]),
    np.array([0xFFFFFF, 0x1234], np.uint32),
    np.frombuffer(bytes.fromhex("0000000000000080ff3f000000000000"
                                "000000000000008000c0000000000000"), "V16"),
    np.array([0x40003C00, 0x80003800], np.uint32),
    np.array([1, 7, 15, 0], np.uint8),
    np.array([15, 1], np.uint8),
    np.array([-1, 1], np.int8),
]  # fmt: skip

what, folder = sys.argv[1:]
if what == "make":
    for index, ranks in enumerate(ARGUMENTS):
        for rank, array in enumerate(ranks):
            np.save(f"{folder}/arg{index}.rank{rank}.npy", array)
else:
    for index, expected in enumerate(RESULTS):
        for rank in range(2):
            got = np.load(f"{folder}/out/result{index}.rank{rank}.npy")
            assert got.dtype == expected.dtype, (index, got.dtype)
            assert got.tobytes() == expected.tobytes(), (index, got, expected)
