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

//===----------------------------------------------------------------------===//
// dist-deallocate-buffers
//===----------------------------------------------------------------------===//

def DeallocateBuffersPass : Pass<"dist-deallocate-buffers", "ModuleOp"> {
  let summary = "Frees buffers, but in functions that do it themselves";
  let description = [{
    Ownership-based deallocation, as `ownership-based-buffer-deallocation` does
    it, of every function in which nothing frees memory. A function that has a
    `memref.dealloc` (or anything else that frees) manages all its memory itself
    and stays as it is, with a remark. The rules at calls are the same for both
    kinds: a caller owns what it gets back, a callee never owns what it takes.
  }];
  let dependentDialects = ["arith::ArithDialect",
                           "bufferization::BufferizationDialect",
                           "func::FuncDialect", "memref::MemRefDialect",
                           "scf::SCFDialect"];
}

//===----------------------------------------------------------------------===//
// dist-functionalize
//===----------------------------------------------------------------------===//

def FunctionalizePass : Pass<"dist-functionalize"> {
  let summary = "Takes synchronous in-place collectives apart";
  let description = [{
    Makes waits visible to the scheduler. On tensors a collective with a
    destination becomes a start, a wait and a materialisation in the
    destination:

    ```mlir
    func.func @before(%x: tensor<4xf32>, %out: tensor<8xf32>) -> tensor<8xf32> {
      %r = dist.all_gather_into %x into %out dim 0 on <[[0, 1]]>
          : (tensor<4xf32>) into (tensor<8xf32>) -> tensor<8xf32>
      return %r : tensor<8xf32>
    }
    func.func @after(%x: tensor<4xf32>, %out: tensor<8xf32>) -> tensor<8xf32> {
      %f = dist.all_gather %x dim 0 on <[[0, 1]]>
          : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
      %y = dist.wait %f : !dist.future<tensor<8xf32>>
      %r = bufferization.materialize_in_destination %y in %out
          : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
      return %r : tensor<8xf32>
    }
    ```

    On memrefs it becomes a start with a named destination and a wait that names
    source and destination. Starts are asynchronous already and stay as they
    are.
  }];
  let dependentDialects = ["bufferization::BufferizationDialect",
                           "tensor::TensorDialect"];
}

//===----------------------------------------------------------------------===//
// dist-lower-clones
//===----------------------------------------------------------------------===//

def LowerClonesPass : Pass<"dist-lower-clones"> {
  let summary = "Clones of buffers with gaps become allocations and copies";
  let description = [{
    `bufferization.clone` of a buffer that is not contiguous, and whose type says
    so, becomes an allocation that is large enough, a view of it with the same
    strides, and a copy. Every other clone is left to
    `convert-bufferization-to-memref`.
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "memref::MemRefDialect"];
}

//===----------------------------------------------------------------------===//
// dist-lower-opaque
//===----------------------------------------------------------------------===//

def LowerOpaquePass : Pass<"dist-lower-opaque", "ModuleOp"> {
  let summary = "Calls the functions behind opaque computations";
  let description = [{
    `dist.opaque "mm"(...) calls @f` becomes a call of @f. An opaque computation
    without a callee can be scheduled but not executed: an error.
  }];
  let dependentDialects = ["func::FuncDialect"];
}

//===----------------------------------------------------------------------===//
// dist-prepare-entry
//===----------------------------------------------------------------------===//

def PrepareEntryPass : Pass<"dist-prepare-entry", "ModuleOp"> {
  let summary = "Fixes the contract of public functions before bufferization";
  let description = [{
    For each public function with a body:

    - records its type as `dist.signature`, so that a runner knows the tensors
      behind the buffers;
    - asks for a C interface;
    - makes tensor arguments read-only for bufferization, but for those that the
      program names as a destination (of an in-place collective or of
      `bufferization.materialize_in_destination`) or marks `dist.writable`;
    - gives tensor arguments contiguous buffers.

    In all functions it copies returned slices, so that results are contiguous.

    A `memref.global` that is no constant is an error: ranks that are threads of
    one process would share it.
  }];
}

//===----------------------------------------------------------------------===//
// dist-relax-destinations
//===----------------------------------------------------------------------===//

def RelaxDestinationsPass : Pass<"dist-relax-destinations", "ModuleOp"> {
  let summary = "Leaves One-Shot a choice about the destinations of collectives";
  let description = [{
    Directly before `dist-prepare-bufferization`:

    - `bufferization.materialize_in_destination` of a waited tensor, which must
      be written in place or not at all, becomes a `linalg.copy`: in place where
      that is right, else into a buffer of its own, as the synchronous form of
      the collective would do it;
    - an elementwise operation that names a destination as its init although it
      does not read it gets an init of its own. One-Shot would take it for a
      writer of the destination.
  }];
  let dependentDialects = ["linalg::LinalgDialect", "tensor::TensorDialect"];
}

//===----------------------------------------------------------------------===//
// dist-prepare-bufferization
//===----------------------------------------------------------------------===//

def PrepareBufferizationPass
    : Pass<"dist-prepare-bufferization", "ModuleOp"> {
  let summary = "Makes futures safe to bufferize";
  let description = [{
    Afterwards every future is consumed exactly once on every path, and every
    source is alive and unchanged until its collective has completed:

    1. waits of several futures become waits of one; `arith.select` of futures
       becomes `scf.if`; a wait that another wait of the same future dominates is
       replaced by its result; tensors that `scf.index_switch`, `scf.while` and
       the `return` of a called function hand on in a way that One-Shot of MLIR
       22 gets wrong go through `scf.if`, or become copies that are nobody else's;
    2. `dist.dup` where a future has several uses on one path, `dist.drop` on the
       paths that do not wait;
    3. each source is borrowed: the waits keep it (`keeps`), `dist.keep` stands
       for them where the future goes through a call or a return. A source that
       does not outlive its future is donated to it when this is its last use,
       else the start copies it and a remark says why.

    Must run directly before One-Shot bufferization. Functions with several
    blocks are an error; `lift-cf-to-scf` makes one block of them.

    A collective that some path does not wait for gets a warning.

    A future that a public function takes or returns, or that a function without
    a body does, is a pointer to a `distrtFuture` that carries one reference with
    it: the callee consumes what it takes, the caller what it gets. The source of
    one that is handed out is copied or donated; the source of one that comes in
    is the caller's to keep. Collectives, waits and calls that communicate in
    other regions than those of functions, `scf.if`, `scf.for`, `scf.while`,
    `scf.index_switch`, `scf.execute_region` and `memref.alloca_scope`, and
    futures that meet operations of other dialects, are an error.
  }];
  let dependentDialects = ["arith::ArithDialect",
                           "bufferization::BufferizationDialect",
                           "scf::SCFDialect", "tensor::TensorDialect"];
}

//===----------------------------------------------------------------------===//
// dist-verify-bufferization
//===----------------------------------------------------------------------===//

def VerifyBufferizationPass : Pass<"dist-verify-bufferization", "ModuleOp"> {
  let summary = "Checks that no buffer of a collective in flight can be lost";
  let description = [{
    After One-Shot bufferization, and as well after deallocation:

    - whatever a start borrows is kept by every wait and drop that its futures
      can reach;
    - every future is consumed exactly once on every path;
    - a donated source is not used after the start;
    - between a start and the wait in the same block nothing writes or frees the
      source, and nothing touches the destination, under their own names or those
      of their views.

    Independent of who wrote the IR; makes no change. Buffers that only may be
    the same are not reported.
  }];
}

//===----------------------------------------------------------------------===//
// dist-reinplace
//===----------------------------------------------------------------------===//

def ReinplacePass : Pass<"dist-reinplace"> {
  let summary = "Puts start, wait and materialisation together again";
  let description = [{
    The way back from `dist-functionalize` on tensors. A start whose results are
    waited for once, are read by nothing but a materialisation in a destination,
    and with nothing but views between the start and that materialisation becomes
    the synchronous in-place form. On a program that was not scheduled in between
    the two passes are inverse.

    A start whose result materialises in a destination but does not fulfil the
    rest stays asynchronous, with a remark that says why.
  }];
}

//===----------------------------------------------------------------------===//
// dist-reinplace-buffers
//===----------------------------------------------------------------------===//

def ReinplaceBuffersPass : Pass<"dist-reinplace-buffers", "ModuleOp"> {
  let summary = "Gathers straight into the buffer that the result is copied to";
  let description = [{
    After bufferization a wait whose result is only copied into another buffer
    makes way for a collective that writes this buffer: start + wait + copy
    becomes a start with a named destination and its wait. Only where nothing
    between start and copy can touch the destination; otherwise a remark names
    what does. The source may be in the destination where the runtime allows it:
    the same buffer for the collectives that keep the shape, this rank's own slot
    of the destination for a gather, and the other way round for a scatter. The
    own slot is one whose offset is the rank's position in the group, as
    `dist.rank` says it, times the static size of the slot.

    A collective that keeps the shape works in the buffer of its source when this
    was allocated in the same block and nothing but the start and what comes
    before it uses it.

    Each copy that stays between buffers of collectives gets a remark with the
    reason: a later reader, a collective in flight that still reads the buffer, an
    argument that the program does not name as a destination.
  }];
}

//===----------------------------------------------------------------------===//
// dist-schedule
//===----------------------------------------------------------------------===//

def SchedulePass : Pass<"dist-schedule", "ModuleOp"> {
  let summary = "Starts collectives early and waits for them late";
  let description = [{
    Reorders the operations of each block. What computes keeps its order.

    - A start moves up to the operations that produce its operands.
    - A wait, and the views and materialisations of what it returns, moves down
      to directly before the first operation that reads the data. A wait for
      several futures is split where different operations read them first.
    - Gathers start in the order in which their results are read; all other
      collectives of a communicator keep their order. Cheap operations that only
      feed a gather move up with it.
    - A start whose operand was itself waited for in this block stays below what
      it stood below.

    What limits the motion is the dependence graph: SSA, memory effects with
    aliases, and the order of collectives. An operation whose effects are
    unknown, such as a call of an external function without `dist.no_effects`,
    is a barrier for communication; a remark names it when it stopped a start.
    Loops, branches and calls of known functions are operations with summarised
    effects, and are scheduled inside too.

    The order of collectives changes only where all ranks take the same decision:
    in a block that every call of its function executes unconditionally, or
    anywhere in a module with `dist.spmd`. Elsewhere, and as soon as a block uses
    an unbound process group beside another communicator, all starts of the block
    keep their order.

    `max-in-flight` and `max-in-flight-bytes` bound what is in flight on each
    communicator. A start counts from its issue to the first wait for it in its
    block, a gather to the last reader of the gathered value; its size is that of
    the gathered, the scattered or the reduced tensor, and a size that is not
    known at compile time counts as all that is allowed. A future that is handed
    on counts where it arrives: as an argument of a loop from the beginning of
    the body, as a result of a loop, a branch or a call from there on, as an
    argument of a function at its entry. Its communicator and size are those of
    the starts that it can come from; when some of them are out of sight, as for
    an argument of a public function, it counts on every communicator. What a
    callee has in flight at once counts at each call; functions are scheduled
    before their callers.

    Under a bound, a start waits for room, and a collective that is not a gather
    is waited for early to make room. Before a loop or a branch that
    communicates everything that can makes room, before a call as much as that
    needs. `limits`
    overrides the two bounds for single groups:

    ```
    limits = limit*       limit = name ":" ("count=" n | "bytes=" n) ("," ...)*
    ```

    separated by blanks or semicolons; the name is that of the process group or
    of the mesh, with axes as in `m[dp,tp]`, or a table as in `[[0,1],[2,3]]`, each
    followed by `#tag` where it has a tag. 0 means no bound. A name of no group of
    the module, or one given twice, is an error.

    When the program cannot keep a bound in its order of computation, the result
    is the schedule that exceeds it least where it must, with one warning that
    names the collective, what else is in flight and the excess.

    The pass is deterministic and running it again changes nothing.
  }];
  let options = [
    Option<"maxInFlight", "max-in-flight", "int64_t", /*default=*/"0",
           "Collectives in flight per communicator, 0 for no bound">,
    Option<"maxInFlightBytes", "max-in-flight-bytes", "int64_t",
           /*default=*/"0",
           "Bytes in flight per communicator, 0 for no bound">,
    Option<"limits", "limits", "std::string", /*default=*/"\"\"",
           "Bounds of single groups, for example g:count=2,bytes=1048576">
  ];
}

//===----------------------------------------------------------------------===//
// dist-tie-results
//===----------------------------------------------------------------------===//

def TieResultsPass : Pass<"dist-tie-results", "ModuleOp"> {
  let summary = "Drops results that are arguments";
  let description = [{
    A public function that returns the buffer of an argument does not return it
    any more; `dist.tied_results` says which argument each result of
    `dist.signature` is, or -1. Functions that are called in the module stay.
  }];
}

//===----------------------------------------------------------------------===//
// dist-verify-schedule
//===----------------------------------------------------------------------===//

def VerifySchedulePass : Pass<"dist-verify-schedule", "ModuleOp"> {
  let summary = "Checks that futures are used as they must be";
  let description = [{
    Changes nothing and trusts no pass. Errors:

    - a future that is not consumed (waited for, dropped, handed on or returned)
      on some path;
    - a wait for a future that can only be the null future `ub.poison`;
    - an operation that writes the source, or touches the destination, of a
      collective that is in flight;
    - more in flight than `max-in-flight`, `max-in-flight-bytes` or `limits`
      allow, counted as `dist-schedule` does.

    There are no false alarms: of buffers that only may be the same nothing is
    said. A remark says where two views of one buffer only may overlap, or where
    `arith.select` only may choose a buffer in flight. All `memref.get_global` of
    one symbol are one buffer, and so are a buffer and what `to_buffer` makes of a
    tensor that `to_tensor` made of it. In functions of several blocks buffers are
    checked within each block.

    Loops that carry futures are followed for their first iterations, 8 to 16 of
    them or all 32 of a short loop, through private functions and with what is
    constant, so that buffers used in turn by the iterations are told apart. A
    buffer that depends on other values gets a remark.
  }];
  let options = [
    Option<"maxInFlight", "max-in-flight", "int64_t", /*default=*/"0",
           "Collectives in flight per communicator, 0 for no bound">,
    Option<"maxInFlightBytes", "max-in-flight-bytes", "int64_t",
           /*default=*/"0",
           "Bytes in flight per communicator, 0 for no bound">,
    Option<"limits", "limits", "std::string", /*default=*/"\"\"",
           "Bounds of single groups, for example g:count=2,bytes=1048576">
  ];
}

//===----------------------------------------------------------------------===//
// dist-verify-spmd
//===----------------------------------------------------------------------===//

def VerifySpmdPass : Pass<"dist-verify-spmd", "ModuleOp"> {
  let summary = "Checks that the members of a group issue the same collectives";
  let description = [{
    Changes nothing and trusts no pass, not even the module attribute
    `dist.spmd`. What ranks agree on is followed through values, memory, regions,
    branches and calls: `dist.rank` differs between ranks, and so do arguments of
    functions that may be called from elsewhere, unless they are `dist.uniform`;
    the results of all_gather, all_reduce and broadcast agree within their group
    again. Errors:

    - a collective in a branch that some members of its group take and others do
      not, unless all ways issue the same collectives in the same order;
    - a collective in a loop that members may execute a different number of times;
    - what `dist-verify-schedule` finds: a future that is lost on some path, a
      buffer of a collective in flight that is written, read too early or freed.

    A note at the other side says where the ways part, and another one where the
    value comes from by which they do. `dist.uniform` on a branch or on an
    operation with regions asserts that all members of the groups inside decide
    alike.

    ```mlir
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %rank = dist.rank : index
      %two = arith.constant 2 : index
      %is_low = arith.cmpi ult, %rank, %two : index
      %y = scf.if %is_low -> tensor<4xf32> {
        %f = dist.all_reduce sum %x on <[[0, 1]]>
            : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
        %z = dist.wait %f : !dist.future<tensor<4xf32>>
        scf.yield %z : tensor<4xf32>
      } else {
        scf.yield %x : tensor<4xf32>
      } {dist.uniform}
      return %y : tensor<4xf32>
    }
    ```

    Functions of several blocks are checked by the blocks that a branch decides
    about. Sizes that differ between ranks are left to the runtime, which reports
    them on every rank.
  }];
}

#endif // DIST_TRANSFORMS_PASSES_TD
