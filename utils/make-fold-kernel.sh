#!/usr/bin/env bash
# Makes lib/Runtime/NCCL/FoldKernel.cpp, the PTX of the kernel in FoldKernel.cl,
# with clang. Run it when the kernel changes. `--check` only says whether the
# file is what the kernel gives.
set -euo pipefail
cd "$(dirname "$0")/.."
clang=${CLANG:-clang-22}
source=lib/Runtime/NCCL/FoldKernel.cl
target=lib/Runtime/NCCL/FoldKernel.cpp
made=$(mktemp)
trap 'rm -f "$made"' EXIT
{
  cat <<'HEADER'
//===- FoldKernel.cpp - FoldKernel.cl as PTX ------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Made by utils/make-fold-kernel.sh; do not edit.
//
//===----------------------------------------------------------------------===//

#include "NCCL/Fold.h"

const char dist::rt::foldKernelPtx[] = R"ptx(
HEADER
  # Nothing in it needs a younger PTX than 7.0.
  "$clang" -x cl -cl-std=CL2.0 --target=nvptx64-nvidia-cuda -march=sm_75 -O2 \
    -S -ffp-contract=off -cl-fp32-correctly-rounded-divide-sqrt -fno-unroll-loops -o - "$source" |
    sed -e 's/[ \t]*\/\/.*$//' -e '/^$/d' -e 's/^\.version .*/.version 7.0/'
  echo ')ptx";'
} > "$made"
if [ "${1:-}" = --check ]; then
  cmp -s "$made" "$target" || { echo "$target is not what $source gives"; exit 1; }
else
  cp "$made" "$target"
fi
