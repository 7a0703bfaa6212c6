/*===- dist-c/Dist.h - C API of the dist dialect ------------------*- C -*-===*\
|*
|* Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
|* See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
/*
   Beside MLIR's own C API, which libdist-c.so carries too. Constructors return a
   null object (mlirAttributeIsNull, mlirTypeIsNull) and emit a diagnostic to the
   context when their arguments make no sense; nothing here aborts.
*/

#ifndef DIST_C_DIST_H
#define DIST_C_DIST_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Dist, dist);

/*===----------------------------------------------------------------------===*/
/* Registration                                                               */
/*===----------------------------------------------------------------------===*/

/* The dialect with what its bufferization and lowering need. */
MLIR_CAPI_EXPORTED void distRegisterDialects(MlirDialectRegistry registry);

/* That and all of MLIR's dialects. */
MLIR_CAPI_EXPORTED void distRegisterAllDialects(MlirDialectRegistry registry);

/* The passes and pipelines of dist; with All, those of MLIR too. Once per
   process. */
MLIR_CAPI_EXPORTED void distRegisterPasses(void);
MLIR_CAPI_EXPORTED void distRegisterAllPasses(void);

/*===----------------------------------------------------------------------===*/
/* Types and attributes                                                       */
/*===----------------------------------------------------------------------===*/

/* !dist.future<payload>; the payload is a ranked tensor or a memref. */
MLIR_CAPI_EXPORTED bool distTypeIsAFuture(MlirType type);
MLIR_CAPI_EXPORTED MlirType distFutureTypeGet(MlirType payload);
MLIR_CAPI_EXPORTED MlirType distFutureTypeGetPayload(MlirType future);

/* Groups. An empty tag is no tag. */
MLIR_CAPI_EXPORTED bool distAttributeIsAGroup(MlirAttribute attribute);

/* `numGroups` lists of `groupSize` ranks, list after list. */
MLIR_CAPI_EXPORTED MlirAttribute distGroupAttrGetTable(MlirContext context,
                                                       intptr_t numGroups,
                                                       intptr_t groupSize,
                                                       const int64_t *ranks,
                                                       MlirStringRef tag);
/* The ranks of a dist.mesh along axes, the first one outermost. */
MLIR_CAPI_EXPORTED MlirAttribute
distGroupAttrGetMesh(MlirContext context, MlirStringRef mesh, intptr_t numAxes,
                     const MlirStringRef *axes, MlirStringRef tag);
/* A dist.process_group. */
MLIR_CAPI_EXPORTED MlirAttribute distGroupAttrGetProcessGroup(
    MlirContext context, MlirStringRef name, MlirStringRef tag);

/* "sum", "product", "min", "max", "avg", "band", "bor", "bxor". */
MLIR_CAPI_EXPORTED bool distAttributeIsAReduction(MlirAttribute attribute);
MLIR_CAPI_EXPORTED MlirAttribute distReductionAttrGet(MlirContext context,
                                                      MlirStringRef name);

/*===----------------------------------------------------------------------===*/
/* Modules                                                                    */
/*===----------------------------------------------------------------------===*/

/* Parses text or bytecode, whose locations name `fileName`. Null on failure. */
MLIR_CAPI_EXPORTED MlirModule distModuleParse(MlirContext context,
                                              MlirStringRef source,
                                              MlirStringRef fileName);

/* Runs a pipeline such as "dist-overlap{max-in-flight=2},dist-to-llvm". A text
   that cannot be parsed is a diagnostic too. */
MLIR_CAPI_EXPORTED MlirLogicalResult distModuleRunPipeline(MlirModule module,
                                                           MlirStringRef text);

#ifdef __cplusplus
}
#endif

#endif /* DIST_C_DIST_H */
