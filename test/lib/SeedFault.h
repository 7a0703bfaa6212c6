//===- SeedFault.h - Breaks modules on purpose ------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Does to a module what a wrong pass would do, to show that the fuzzer would
// notice.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_TEST_LIB_SEEDFAULT_H
#define DIST_TEST_LIB_SEEDFAULT_H

namespace mlir::dist::test {

/// Registers `test-seed-fault`.
void registerSeedFault();

} // namespace mlir::dist::test

#endif // DIST_TEST_LIB_SEEDFAULT_H
