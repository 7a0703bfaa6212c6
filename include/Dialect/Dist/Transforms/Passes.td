//===- Passes.td - Passes of the dist dialect --------------*- tablegen -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One entry per pass, in alphabetical order; `dist-bucket` is `def BucketPass`,
// implemented in lib/Dialect/Dist/Transforms/Bucket.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_TRANSFORMS_PASSES_TD
#define DIST_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// dist-bind-process-groups
//===----------------------------------------------------------------------===//

def BindProcessGroupsPass : Pass<"dist-bind-process-groups", "ModuleOp"> {
  let summary = "Gives process groups their ranks";
  let description = [{
    Sets `ranks` of the `dist.process_group` operations that the option `groups`
    names, and checks every collective on them again, for now a static gathered
    or scattered size can be compared with the size of the group.

    The option is a list of bindings, separated by blanks or semicolons:

    ```
    groups = binding*      binding = ["@"] name "=" (table | "world:" size)
    table  = "[" list ("," list)* "]"      list = "[" rank ("," rank)* "]"
    ```

    `g=[[0,1],[2,3]]` binds @g to an explicit table and `g=world:4` to
    `[[0, 1, 2, 3]]`. On a command line the braces keep the list together:
    `--dist-bind-process-groups="groups={g=[[0,1],[2,3]] h=world:4}"`.

    A name that no process group of the module has, a name that occurs twice, a
    malformed binding, a size other than the declared one and a group that
    already has other ranks are errors; the module is then unchanged. A process
    group that stays without ranks gets a remark: the runtime has to bind it.
  }];
  let options = [
    Option<"groups", "groups", "std::string", /*default=*/"\"\"",
           "Bindings, for example g=[[0,1],[2,3]] h=world:4">
  ];
}

#endif // DIST_TRANSFORMS_PASSES_TD
