//===- DistDeviceOps.td - Operations of device programs ----*- tablegen -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the lowering for a device puts between the host program and the memory
// of the device, and what a program says about streams.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_DEVICE_OPS_TD
#define DIST_DEVICE_OPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "Dialect/Dist/IR/DistBase.td"

// The gpu dialect's definitions would bring its enumerations with them.
def Dist_GpuToken : Type<
    CPred<"::llvm::isa<::mlir::gpu::AsyncTokenType>($_self)">,
    "token of the gpu dialect", "::mlir::gpu::AsyncTokenType">,
  BuildableType<"::mlir::gpu::AsyncTokenType::get($_builder.getContext())">;

//===----------------------------------------------------------------------===//
// What a program says
//===----------------------------------------------------------------------===//

def Dist_SynchronizeOp : Dist_Op<"synchronize", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Lets the host wait for the device";
  let description = [{
    The host waits until everything that its program has put on the compute
    stream is done. Waits for futures before it are included: they make the
    compute stream wait. On a host target there is nothing to wait for.

    ```mlir
    func.func @f() {
      dist.synchronize
      return
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Dist_AfterOp : Dist_Op<"after", [
    Pure, AllTypesMatch<["value", "result"]>,
    DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "A value that is there when tokens of the gpu dialect are";
  let description = [{
    The same tensor or buffer, for operations that must come after what the
    tokens stand for: the way in which a start depends on work of the gpu
    dialect.

    ```mlir
    func.func @f(%x: memref<4xf32>, %t: !gpu.async.token) {
      %y = dist.after %t of %x : memref<4xf32>
      %f = dist.all_reduce sum %y into %y on <[[0, 1]]>
          : (memref<4xf32>) into (memref<4xf32>) -> !dist.future<memref<4xf32>>
      %r = dist.wait %f keeps(%y : memref<4xf32>) into(%y : memref<4xf32>)
          : !dist.future<memref<4xf32>>
      return
    }
    ```
  }];
  let arguments = (ins Variadic<Dist_GpuToken>:$tokens, Dist_Shaped:$value);
  let results = (outs Dist_Shaped:$result);
  let assemblyFormat = "$tokens `of` $value attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Dist_TokenOp : Dist_Op<"token", [Pure]> {
  let summary = "The token of the gpu dialect for waited values";
  let description = [{
    A token for operations of the gpu dialect that must come after the values
    are there: the way in which such work depends on a wait.

    ```mlir
    func.func @f(%f: !dist.future<memref<4xf32>>) -> !gpu.async.token {
      %r = dist.wait %f : !dist.future<memref<4xf32>>
      %t = dist.token %r : memref<4xf32>
      return %t : !gpu.async.token
    }
    ```
  }];
  let arguments = (ins Variadic<Dist_Shaped>:$values);
  let results = (outs Dist_GpuToken:$token);
  let assemblyFormat = "$values attr-dict `:` type($values)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// What the lowering makes
//===----------------------------------------------------------------------===//

class Dist_AccessOp<string mnemonic>
    : Dist_Op<mnemonic, [
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
        TypesMatchWith<"value type matches the element type of the buffer",
                       "buffer", "value",
                       "::llvm::cast<MemRefType>($_self).getElementType()">]> {
  let hasVerifier = 1;
}

def Dist_DeviceReadOp : Dist_AccessOp<"device_read"> {
  let summary = "The host reads an element of device memory";
  let description = [{
    Waits for the compute stream: the element is what the operations before it
    leave there. Made by `dist-device-accesses`.

    ```mlir
    func.func @f(%m: memref<4xf32>, %i: index) -> f32 {
      %x = dist.device_read %m[%i] : memref<4xf32>
      return %x : f32
    }
    ```
  }];
  let arguments = (ins AnyMemRef:$buffer, Variadic<Index>:$indices);
  let results = (outs AnyType:$value);
  let assemblyFormat = "$buffer `[` $indices `]` attr-dict `:` type($buffer)";
}

def Dist_DeviceWriteOp : Dist_AccessOp<"device_write"> {
  let summary = "The host writes an element of device memory";
  let description = [{
    In the order of the compute stream; the host does not wait. Made by
    `dist-device-accesses`.

    ```mlir
    func.func @f(%m: memref<4xf32>, %i: index, %x: f32) {
      dist.device_write %x, %m[%i] : memref<4xf32>
      return
    }
    ```
  }];
  let arguments = (ins AnyType:$value, AnyMemRef:$buffer,
                       Variadic<Index>:$indices);
  let assemblyFormat = [{
    $value `,` $buffer `[` $indices `]` attr-dict `:` type($buffer)
  }];
}

def Dist_DeviceConstantOp : Dist_Op<"device_constant", [
    Pure, AllTypesMatch<["constant", "result"]>]> {
  let summary = "The device's copy of constant host memory";
  let description = [{
    Copied once per rank and constant; never written, never freed by the
    program. Made by `dist-device-accesses`.

    ```mlir
    memref.global "private" constant @c : memref<2xf32> = dense<[1.0, 2.0]>
    func.func @f() -> memref<2xf32> {
      %c = memref.get_global @c : memref<2xf32>
      %d = dist.device_constant %c : memref<2xf32>
      return %d : memref<2xf32>
    }
    ```
  }];
  let arguments = (ins AnyMemRef:$constant);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = "$constant attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Dist_LaunchOp : Dist_Op<"launch", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Puts a kernel on the compute stream";
  let description = [{
    `name` is the kernel's in the `image`, which is the symbol of a gpu.module,
    gpu.binary or constant. `host` is a function that does the same on the host:
    it takes the arguments and then the three grid and three block sizes.
    `access` says per argument how the kernel uses it: 0 a value, 1 a buffer
    that it reads, 2 writes, 3 both. Made by `dist-host-kernels`.

    ```mlir
    func.func private @k_host(memref<4xf32>, f32, index, index, index, index,
                              index, index)
    func.func @f(%m: memref<4xf32>, %x: f32, %n: index) {
      dist.launch "k" host @k_host grid(%n, %n, %n) block(%n, %n, %n)
          args(%m, %x : memref<4xf32>, f32) access [2, 0]
      return
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, OptionalAttr<FlatSymbolRefAttr>:$image,
                       OptionalAttr<FlatSymbolRefAttr>:$host,
                       Variadic<Index>:$grid, Variadic<Index>:$block,
                       Variadic<AnyType>:$arguments,
                       DenseI32ArrayAttr:$access);
  let assemblyFormat = [{
    $name (`image` $image^)? (`host` $host^)? `grid` `(` $grid `)`
    `block` `(` $block `)` (`args` `(` $arguments^ `:` type($arguments) `)`)?
    `access` $access attr-dict
  }];
  let hasVerifier = 1;
}

#endif // DIST_DEVICE_OPS_TD
