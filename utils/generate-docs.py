#!/usr/bin/env python3
"""Writes docs/generated from the definitions, or checks that it is fresh.

usage: generate-docs.py ROOT [--check]

mlir-tblgen is taken from PATH.
"""

import difflib
import pathlib
import shutil
import subprocess
import sys

PAGES = {
    "DistDialect.md": ("include/Dialect/Dist/IR/DistOps.td",
                       ["-gen-dialect-doc", "-dialect=dist"]),
    "DistDeviceOps.md": ("include/Dialect/Dist/IR/DistDeviceOps.td",
                         ["-gen-op-doc"]),
    "DistPasses.md": ("include/Dialect/Dist/Transforms/Passes.td",
                      ["-gen-pass-doc"]),
    "ConversionPasses.md": ("include/Conversion/Passes.td",
                            ["-gen-pass-doc"]),
}


def generate(tblgen, root, source, options):
    upstream = pathlib.Path(tblgen).resolve().parent.parent / "include"
    page = subprocess.run(
        [tblgen, *options, f"-I{root / 'include'}", f"-I{upstream}",
         str(root / source)], capture_output=True, text=True, check=True).stdout
    lines = [line.rstrip() for line in page.splitlines()]
    return "\n".join(lines).rstrip("\n") + "\n"


def main():
    root = pathlib.Path(sys.argv[1])
    check = "--check" in sys.argv[2:]
    tblgen = shutil.which("mlir-tblgen")
    if not tblgen:
        sys.exit("error: mlir-tblgen is not on PATH")
    folder = root / "docs/generated"
    stale = 0
    for name, (source, options) in PAGES.items():
        text = generate(tblgen, root, source, options)
        path = folder / name
        old = path.read_text() if path.is_file() else ""
        if text == old:
            continue
        if not check:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            continue
        stale += 1
        print(f"error: docs/generated/{name} is stale: build the target "
              "dist-docs", file=sys.stderr)
        sys.stderr.writelines(list(difflib.unified_diff(
            old.splitlines(True), text.splitlines(True), "committed",
            "generated"))[:40])
    print(f"{len(PAGES)} pages, {stale} stale")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
