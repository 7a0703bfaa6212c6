//===- RuntimeCalls.cpp ---------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//


#include "RuntimeCalls.h"
#include "Dialect/Dist/Utils/Collectives.h"
#include "Dialect/Dist/Utils/Groups.h"
#include "dist-rt/distrt.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mlir::dist;

static constexpr StringLiteral kContextCurrent = "distrtContextCurrent";
static constexpr StringLiteral kRaise = "distrtRaise";
/// Weights of a branch that a program in order always takes.
static constexpr std::pair<int32_t, int32_t> kExpected(1 << 20, 1);

/// The number of a type whose values the runtime knows; nullopt for others.
static std::optional<int32_t> getKnownDataType(Type type) {
  if (type.isF16())
    return DISTRT_F16;
  if (type.isBF16())
    return DISTRT_BF16;
  if (type.isF32())
    return DISTRT_F32;
  if (type.isF64())
    return DISTRT_F64;
  if (isa<Float8E4M3FNType>(type))
    return DISTRT_F8E4M3FN;
  if (isa<Float8E5M2Type>(type))
    return DISTRT_F8E5M2;
  if (auto complex = dyn_cast<ComplexType>(type)) {
    if (complex.getElementType().isF32())
      return DISTRT_C64;
    if (complex.getElementType().isF64())
      return DISTRT_C128;
  }
  return std::nullopt;
}

/// Integers of the width of `bytes`; nullopt when there are none.
static std::optional<int32_t> getIntegerDataType(int64_t bytes,
                                                 bool isUnsigned) {
  switch (bytes) {
  case 1:
    return isUnsigned ? DISTRT_UI8 : DISTRT_I8;
  case 2:
    return isUnsigned ? DISTRT_UI16 : DISTRT_I16;
  case 4:
    return isUnsigned ? DISTRT_UI32 : DISTRT_I32;
  case 8:
    return isUnsigned ? DISTRT_UI64 : DISTRT_I64;
  default:
    return std::nullopt;
  }
}

std::optional<int32_t>
mlir::dist::getRuntimeDataType(Type type, std::optional<Reduction> reduction) {
  if (std::optional<int32_t> known = getKnownDataType(type))
    return known;
  if (type.isInteger(1))
    return DISTRT_I1;
  // An index is signed. What else is no number to the runtime is only moved,
  // and all that counts is how many bytes that are.
  std::optional<int64_t> bytes = getElementBytes(type);
  if (!bytes)
    return std::nullopt;
  bool isUnsigned = type.isUnsignedInteger() || reduction == Reduction::Umin ||
                    reduction == Reduction::Umax;
  if (std::optional<int32_t> integer = getIntegerDataType(*bytes, isUnsigned))
    return integer;
  return DISTRT_C128;
}

int32_t mlir::dist::getRuntimeReduction(std::optional<Reduction> reduction) {
  if (!reduction)
    return DISTRT_NO_REDUCTION;
  switch (*reduction) {
  // The data type says that they are unsigned.
  case Reduction::Umin:
    return DISTRT_MIN;
  case Reduction::Umax:
    return DISTRT_MAX;
  // The other reductions have one numbering here and there.
  default:
    return static_cast<int32_t>(*reduction);
  }
}

/// "file:line:column" of the first source position in `loc`, "" without one.
static std::string getLocationText(Location loc) {
  std::string text;
  loc->walk([&](Location inner) {
    auto file = dyn_cast<FileLineColLoc>(inner);
    if (!file)
      return WalkResult::advance();
    text = (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" +
            Twine(file.getColumn()))
               .str();
    return WalkResult::interrupt();
  });
  return text;
}

RuntimeCalls::RuntimeCalls(Operation *op, RewriterBase &rewriter)
    : op(op), loc(op->getLoc()), rewriter(rewriter),
      module(op->getParentOfType<ModuleOp>()),
      pointerType(LLVM::LLVMPointerType::get(op->getContext())) {}

Block &RuntimeCalls::getEntry() {
  return op->getParentOfType<FunctionOpInterface>().getFunctionBody().front();
}

static bool isCallOf(Operation &op, StringRef callee) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  return call && call.getCallee() == callee;
}

Value RuntimeCalls::getContext() {
  Block &entry = getEntry();
  if (!entry.empty() && isCallOf(entry.front(), kContextCurrent))
    return entry.front().getResult(0);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(&entry);
  return call(kContextCurrent, pointerType, {}).getResult();
}

Value RuntimeCalls::getSlot(Type type, int64_t count) {
  Value context = getContext();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfterValue(context);
  return LLVM::AllocaOp::create(rewriter, loc, pointerType, type,
                                getInt(getI64(), count));
}

LLVM::CallOp RuntimeCalls::call(StringRef name, TypeRange results,
                                ValueRange arguments) {
  Type result = results.empty()
                    ? Type(LLVM::LLVMVoidType::get(rewriter.getContext()))
                    : results.front();
  auto callee = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!callee) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(module.getBody());
    callee = LLVM::LLVMFuncOp::create(
        rewriter, module.getLoc(), name,
        LLVM::LLVMFunctionType::get(result,
                                    llvm::to_vector(arguments.getTypes())));
  }
  return LLVM::CallOp::create(rewriter, loc, callee, arguments);
}

Block *RuntimeCalls::getRaiseBlock() {
  Region &body =
      op->getParentOfType<FunctionOpInterface>().getFunctionBody();
  if (!body.back().empty() && isCallOf(body.back().front(), kRaise))
    return &body.back();
  Value context = getContext();
  OpBuilder::InsertionGuard guard(rewriter);
  Block *raise = rewriter.createBlock(&body, body.end(), getI32(), loc);
  call(kRaise, {}, {context, raise->getArgument(0)});
  LLVM::UnreachableOp::create(rewriter, loc);
  return raise;
}

void RuntimeCalls::callChecked(StringRef name, ValueRange arguments) {
  Value status = call(name, getI32(), arguments).getResult();
  Value isOk = LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::eq,
                                    status, getInt(getI32(), DISTRT_OK));
  Block *block = rewriter.getInsertionBlock();
  Block *next = rewriter.splitBlock(block, rewriter.getInsertionPoint());
  Block *raise = getRaiseBlock();
  rewriter.setInsertionPointToEnd(block);
  LLVM::CondBrOp::create(rewriter, loc, isOk, next, ValueRange(), raise,
                         ValueRange(status), kExpected);
  rewriter.setInsertionPointToStart(next);
}

void RuntimeCalls::callCheckedUnless(
    Value condition, StringRef name,
    function_ref<SmallVector<Value>()> arguments) {
  Block *block = rewriter.getInsertionBlock();
  Block *next = rewriter.splitBlock(block, rewriter.getInsertionPoint());
  Block *raise = getRaiseBlock();
  Block *failed = rewriter.createBlock(next);
  Value status = call(name, getI32(), arguments()).getResult();
  LLVM::BrOp::create(rewriter, loc, ValueRange(status), raise);
  rewriter.setInsertionPointToEnd(block);
  LLVM::CondBrOp::create(rewriter, loc, condition, next, ValueRange(), failed,
                         ValueRange(), kExpected);
  rewriter.setInsertionPointToStart(next);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Value RuntimeCalls::getInt(Type type, int64_t value) {
  return LLVM::ConstantOp::create(rewriter, loc, type,
                                  rewriter.getIntegerAttr(type, value));
}

Value RuntimeCalls::getFloat(double value) {
  return LLVM::ConstantOp::create(rewriter, loc, getF64(),
                                  rewriter.getF64FloatAttr(value));
}

Value RuntimeCalls::getNull() {
  return LLVM::ZeroOp::create(rewriter, loc, pointerType);
}

Value RuntimeCalls::getAddress(LLVM::GlobalOp global) {
  return LLVM::AddressOfOp::create(rewriter, loc, pointerType,
                                   global.getSymName());
}

LLVM::GlobalOp
RuntimeCalls::getConstant(StringRef prefix, StringRef content, Type type,
                          function_ref<Value(RuntimeCalls &)> build) {
  std::string name =
      (prefix + "_" + llvm::utohexstr(llvm::xxh3_64bits(content), true)).str();
  if (auto global = module.lookupSymbol<LLVM::GlobalOp>(name))
    return global;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(module.getBody());
  auto global = LLVM::GlobalOp::create(
      rewriter, module.getLoc(), type, /*isConstant=*/true,
      LLVM::Linkage::Private, name, Attribute(), /*alignment=*/8);
  Block *block = rewriter.createBlock(&global.getInitializerRegion());
  Value value = build(*this);
  rewriter.setInsertionPointToEnd(block);
  LLVM::ReturnOp::create(rewriter, loc, value);
  return global;
}

LLVM::GlobalOp RuntimeCalls::getStringGlobal(StringRef text) {
  std::string terminated = text.str() + '\0';
  Type type = LLVM::LLVMArrayType::get(rewriter.getI8Type(), terminated.size());
  return getConstant("dist_string", text, type, [&](RuntimeCalls &) -> Value {
    return LLVM::ConstantOp::create(rewriter, loc, type,
                                    rewriter.getStringAttr(terminated));
  });
}

LLVM::GlobalOp RuntimeCalls::getIntegersGlobal(ArrayRef<int64_t> values) {
  auto size = static_cast<int64_t>(values.size());
  Type type = LLVM::LLVMArrayType::get(getI64(), size);
  StringRef content(reinterpret_cast<const char *>(values.data()),
                    values.size() * sizeof(int64_t));
  return getConstant("dist_integers", content, type,
                     [&](RuntimeCalls &) -> Value {
                       return LLVM::ConstantOp::create(
                           rewriter, loc, type,
                           DenseIntElementsAttr::get(
                               RankedTensorType::get(size, getI64()), values));
                     });
}

Value RuntimeCalls::buildStruct(Type type, ValueRange fields) {
  Value value = LLVM::ZeroOp::create(rewriter, loc, type);
  for (auto [index, field] : llvm::enumerate(fields))
    value = LLVM::InsertValueOp::create(rewriter, loc, value, field, index);
  return value;
}

Value RuntimeCalls::getString(StringRef text) {
  return getAddress(getStringGlobal(text));
}

Value RuntimeCalls::getIntegers(ArrayRef<int64_t> values) {
  return values.empty() ? getNull() : getAddress(getIntegersGlobal(values));
}

Value RuntimeCalls::getLocationString() {
  return getString(getLocationText(loc));
}

LLVM::GlobalOp RuntimeCalls::getGroupGlobal(GroupAttr group) {
  RankTable table = *expandGroups(group, op);
  auto type = LLVM::LLVMStructType::getLiteral(
      rewriter.getContext(),
      {getI64(), getI32(), getI32(), pointerType, pointerType, pointerType,
       getI64(), getI64(), getI64()});
  std::string name;
  llvm::raw_string_ostream(name) << group;
  std::string content = name;
  for (int64_t rank : table.ranks)
    content += "," + std::to_string(rank);
  bool isNamed = !table.isBound();
  // Messages put a '@' in front of the name of a mesh or process group.
  std::string text;
  llvm::raw_string_ostream os(text);
  group.printStripped(os);
  StringRef inner = StringRef(text).split('<').second.drop_back();
  StringRef key = isNamed ? group.getSymbol().getValue() : inner.ltrim('@');
  LLVM::GlobalOp nameGlobal = getStringGlobal(key);
  LLVM::GlobalOp tagGlobal = getStringGlobal(group.getTagOrEmpty());
  LLVM::GlobalOp ranksGlobal;
  if (!isNamed)
    ranksGlobal = getIntegersGlobal(table.ranks);
  return getConstant("dist_group", content, type, [&](RuntimeCalls &) {
    Value kind = getInt(getI32(), isNamed ? DISTRT_GROUP_NAMED
                                          : DISTRT_GROUP_TABLE);
    Value ranks = isNamed ? getNull() : getAddress(ranksGlobal);
    return buildStruct(
        type, {getInt(getI64(), sizeof(distrtGroupDesc)), kind,
               getInt(getI32(), 0), getAddress(nameGlobal),
               getAddress(tagGlobal), ranks,
               getInt(getI64(), isNamed ? 0 : table.getNumGroups()),
               getInt(getI64(), table.groupSize),
               getInt(getI64(), table.worldSize)});
  });
}

Value RuntimeCalls::getGroup(GroupAttr group) {
  return getAddress(getGroupGlobal(group));
}

Value RuntimeCalls::getCallSite(CollectiveOpInterface collective) {
  auto type = LLVM::LLVMStructType::getLiteral(
      rewriter.getContext(),
      {getI64(), pointerType, pointerType, getI32(), getI32(), getI64(),
       getI64(), pointerType, getI64()});
  LLVM::GlobalOp group = getGroupGlobal(collective.getGroup());
  std::string location = getLocationText(loc);
  LLVM::GlobalOp locationGlobal = getStringGlobal(location);
  int32_t reduction = getRuntimeReduction(collective.getCollectiveReduction());
  int64_t root = collective.getCollectiveRoot().value_or(0);
  int64_t dim = collective.getCollectiveDim().value_or(0);
  int64_t concatDim = collective.getCollectiveConcatDim().value_or(0);
  ArrayRef<int64_t> pairs = collective.getCollectivePairs();
  LLVM::GlobalOp pairsGlobal;
  if (!pairs.empty())
    pairsGlobal = getIntegersGlobal(pairs);
  std::string content;
  llvm::raw_string_ostream os(content);
  os << group.getSymName() << ' ' << location << ' ' << reduction << ' ' << root
     << ' ' << dim << ' ' << concatDim << ' ';
  llvm::interleave(pairs, os, ",");
  return getAddress(
      getConstant("dist_site", content, type, [&](RuntimeCalls &) {
        return buildStruct(
            type, {getInt(getI64(), sizeof(distrtCallSite)), getAddress(group),
                   getAddress(locationGlobal), getInt(getI32(), reduction),
                   getInt(getI32(), root), getInt(getI64(), dim),
                   getInt(getI64(), concatDim),
                   pairsGlobal ? getAddress(pairsGlobal) : getNull(),
                   getInt(getI64(), static_cast<int64_t>(pairs.size() / 2))});
      }));
}

LLVM::GlobalOp
RuntimeCalls::getParametersGlobal(ArrayRef<distrtParameter> parameters) {
  auto element = LLVM::LLVMStructType::getLiteral(
      rewriter.getContext(), {getI32(), getI32(), getI64(), getI64()});
  Type type = LLVM::LLVMArrayType::get(element, parameters.size());
  StringRef content(reinterpret_cast<const char *>(parameters.data()),
                    parameters.size() * sizeof(distrtParameter));
  return getConstant("dist_parameters", content, type, [&](RuntimeCalls &) {
    Value array = LLVM::ZeroOp::create(rewriter, loc, type);
    for (auto [index, parameter] : llvm::enumerate(parameters)) {
      Value fields = buildStruct(element, {getInt(getI32(), parameter.kind),
                                           getInt(getI32(), parameter.rank),
                                           getInt(getI64(), parameter.bytes),
                                           getInt(getI64(),
                                                  parameter.elementBytes)});
      array = LLVM::InsertValueOp::create(rewriter, loc, array, fields, index);
    }
    return array;
  });
}

Value RuntimeCalls::getKernel(StringRef name, LLVM::GlobalOp image,
                              LLVM::LLVMFuncOp host,
                              ArrayRef<distrtParameter> parameters) {
  auto type = LLVM::LLVMStructType::getLiteral(
      rewriter.getContext(), {getI64(), pointerType, pointerType, getI64(),
                              pointerType, pointerType, getI64(), getI64()});
  LLVM::GlobalOp nameGlobal = getStringGlobal(name);
  LLVM::GlobalOp parametersGlobal;
  if (!parameters.empty())
    parametersGlobal = getParametersGlobal(parameters);
  std::string content;
  llvm::raw_string_ostream(content)
      << name << ' ' << (image ? image.getSymName() : "") << ' '
      << (host ? host.getSymName() : "") << ' '
      << (parametersGlobal ? parametersGlobal.getSymName() : "");
  return getAddress(
      getConstant("dist_kernel", content, type, [&](RuntimeCalls &) {
        int64_t imageBytes =
            image ? cast<LLVM::LLVMArrayType>(image.getGlobalType())
                        .getNumElements()
                  : 0;
        Value function =
            host ? Value(LLVM::AddressOfOp::create(rewriter, loc, pointerType,
                                                   host.getSymName()))
                 : getNull();
        return buildStruct(
            type,
            {getInt(getI64(), sizeof(distrtKernel)), getAddress(nameGlobal),
             image ? getAddress(image) : getNull(),
             getInt(getI64(), imageBytes), function,
             parametersGlobal ? getAddress(parametersGlobal) : getNull(),
             getInt(getI64(), parameters.size()), getInt(getI64(), 0)});
      }));
}
