/*===- dist.c - test of the C API -----------------------------------------===*\
|*
|* Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
|* See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#include "dist-c/Dist.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);  \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

static MlirStringRef str(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

/* Keeps the beginning of the last diagnostic. */
static char lastMessage[512];

static void append(MlirStringRef text, void *user) {
  (void)user;
  size_t used = strlen(lastMessage);
  size_t room = sizeof(lastMessage) - 1 - used;
  size_t length = text.length < room ? text.length : room;
  memcpy(lastMessage + used, text.data, length);
  lastMessage[used + length] = '\0';
}

static MlirLogicalResult onDiagnostic(MlirDiagnostic diagnostic, void *user) {
  (void)user;
  lastMessage[0] = '\0';
  mlirLocationPrint(mlirDiagnosticGetLocation(diagnostic), append, NULL);
  append(str(": "), NULL);
  mlirDiagnosticPrint(diagnostic, append, NULL);
  return mlirLogicalResultSuccess();
}

static void print(MlirStringRef text, void *user) {
  (void)user;
  fwrite(text.data, 1, text.length, stdout);
}

static void printAttribute(MlirAttribute attribute) {
  mlirAttributePrint(attribute, print, NULL);
  printf("\n");
}

static void testTypes(MlirContext context) {
  int64_t shape[] = {4, 2};
  MlirType tensor = mlirRankedTensorTypeGet(2, shape, mlirF32TypeGet(context),
                                            (MlirAttribute){NULL});
  MlirType future = distFutureTypeGet(tensor);
  CHECK(distTypeIsAFuture(future) && !distTypeIsAFuture(tensor));
  CHECK(mlirTypeEqual(distFutureTypeGetPayload(future), tensor));
  mlirTypePrint(future, print, NULL);
  printf("\n");
  CHECK(mlirTypeIsNull(distFutureTypeGet(mlirF32TypeGet(context))));
  CHECK(strstr(lastMessage, "expected a ranked tensor or memref"));
}

static void testGroups(MlirContext context) {
  int64_t ranks[] = {0, 2, 1, 3};
  MlirAttribute table = distGroupAttrGetTable(context, 2, 2, ranks, str(""));
  CHECK(distAttributeIsAGroup(table));
  printAttribute(table);
  MlirStringRef axes[] = {str("tp"), str("dp")};
  printAttribute(distGroupAttrGetMesh(context, str("m"), 2, axes, str("t")));
  printAttribute(distGroupAttrGetProcessGroup(context, str("g"), str("")));
  int64_t twice[] = {0, 0};
  CHECK(mlirAttributeIsNull(
      distGroupAttrGetTable(context, 1, 2, twice, str(""))));
  CHECK(strstr(lastMessage, "rank 0"));
  CHECK(mlirAttributeIsNull(
      distGroupAttrGetTable(context, 0, 2, ranks, str(""))));

  MlirAttribute sum = distReductionAttrGet(context, str("sum"));
  CHECK(distAttributeIsAReduction(sum) && !distAttributeIsAReduction(table));
  CHECK(mlirAttributeIsNull(distReductionAttrGet(context, str("median"))));
  CHECK(strstr(lastMessage, "unknown reduction 'median'"));
}

static void testModules(MlirContext context) {
  const char *source =
      "func.func @f(%x: tensor<2xf32>) -> tensor<4xf32> {\n"
      "  %f = dist.all_gather %x dim 0 on <[[0, 1]]>\n"
      "      : (tensor<2xf32>) -> !dist.future<tensor<4xf32>>\n"
      "  %y = dist.wait %f : !dist.future<tensor<4xf32>>\n"
      "  return %y : tensor<4xf32>\n"
      "}\n";
  MlirModule module = distModuleParse(context, str(source), str("gather.mlir"));
  CHECK(!mlirModuleIsNull(module));
  CHECK(mlirLogicalResultIsFailure(
      distModuleRunPipeline(module, str("dist-to-the-moon"))));
  CHECK(strstr(lastMessage, "dist-to-the-moon"));
  CHECK(mlirLogicalResultIsSuccess(
      distModuleRunPipeline(module, str("dist-to-llvm"))));
  mlirOperationPrint(mlirModuleGetOperation(module), print, NULL);
  mlirModuleDestroy(module);

  CHECK(mlirModuleIsNull(
      distModuleParse(context, str("\n  dist.what"), str("broken.mlir"))));
  CHECK(strstr(lastMessage, "broken.mlir\":2:3"));
}

int main(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  distRegisterAllDialects(registry);
  distRegisterAllPasses();
  MlirContext context =
      mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirContextGetOrLoadDialect(
      context, mlirDialectHandleGetNamespace(mlirGetDialectHandle__dist__()));
  mlirContextAttachDiagnosticHandler(context, onDiagnostic, NULL, NULL);
  testTypes(context);
  testGroups(context);
  testModules(context);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  return 0;
}
