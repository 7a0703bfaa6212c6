//===- Program.cpp --------------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tools/Run/Program.h"
#include "Dialect/Dist/IR/Dist.h"
#include "Sanitizer.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/CRunnerUtils.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::dist;
using namespace mlir::dist::run;
using llvm::Error;
using llvm::Expected;

static Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

Program::~Program() = default;

/// Writes the input of the pipelines as stage 0 and makes the folder for it.
static LogicalResult beginStages(ModuleOp module, const std::string &folder) {
  llvm::SmallString<128> path(folder);
  std::error_code code = llvm::sys::fs::create_directories(path);
  llvm::sys::path::append(path, "000-input.mlir");
  if (!code) {
    llvm::raw_fd_ostream os(path, code);
    if (!code) {
      module.print(os);
      return success();
    }
  }
  return module.emitError()
         << "cannot write '" << path << "': " << code.message();
}

LogicalResult Program::lower(ModuleOp module, const RunOptions &options) {
  auto withOptions = [](StringRef name, StringRef arguments) {
    arguments = arguments.trim();
    return arguments.empty() ? name.str()
                             : (name + "{" + arguments + "}").str();
  };
  // A device that is not real has no use for its code.
  std::string lowerOptions;
  if (options.hasDevice())
    lowerOptions = options.fakeDevice ? "target=cuda kernels=none "
                                      : "target=cuda ";
  lowerOptions += options.lowerOptions;
  unsigned stage = 1;
  if (!options.dumpStages.empty() &&
      failed(beginStages(module, options.dumpStages)))
    return failure();
  if (options.schedule &&
      failed(runPipeline(module,
                         withOptions("dist-overlap", options.overlapOptions),
                         options.dumpStages, stage)))
    return failure();
  if (options.printScheduled) {
    module.print(llvm::outs());
    llvm::outs() << '\n';
    llvm::outs().flush();
  }
  if (failed(runPipeline(module,
                         withOptions("dist-to-llvm", lowerOptions),
                         options.dumpStages, stage)))
    return failure();
  if (isLowered(module))
    return success();
  return module.emitError("operations are left after dist-to-llvm");
}

/// Adds to `error` the functions that `module` uses and nothing in this process
/// defines. The JIT itself names them on stderr only.
static Error explainUndefined(Error error, ModuleOp module) {
  SmallVector<std::string> undefined;
  SymbolTable symbols(module);
  llvm::SetVector<StringRef> called;
  module.walk([&](Operation *op) {
    op->getAttrDictionary().walk(
        [&](FlatSymbolRefAttr symbol) { called.insert(symbol.getValue()); });
  });
  for (StringRef name : called) {
    auto function = symbols.lookup<LLVM::LLVMFuncOp>(name);
    if (function && function.isExternal() && !name.starts_with("llvm.") &&
        !llvm::sys::DynamicLibrary::SearchForAddressOfSymbol(name.str()))
      undefined.push_back("'" + name.str() + "'");
  }
  if (undefined.empty())
    return error;
  return makeError(llvm::toString(std::move(error)) + ": nothing defines " +
                   llvm::join(undefined, ", ") +
                   "; name its library with --shared-libs");
}

Error Program::jit(ModuleOp module, const RunOptions &options) {
  static bool initialized = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialized;

  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  auto level = static_cast<llvm::CodeGenOptLevel>(options.optLevel);
  builder->setCodeGenOptLevel(level);
  auto machine = builder->createTargetMachine();
  if (!machine)
    return machine.takeError();

  // The engine keeps references to both, until it has compiled the module.
  auto optimize = makeOptimizingTransformer(options.optLevel,
                                            /*sizeLevel=*/0, machine->get());
  auto transformer = [&](llvm::Module *llvmModule) {
    instrument(*llvmModule);
    return optimize(llvmModule);
  };
  SmallVector<StringRef> libraries(options.sharedLibs.begin(),
                                   options.sharedLibs.end());
  ExecutionEngineOptions engineOptions;
  engineOptions.transformer = transformer;
  engineOptions.jitCodeGenOptLevel = level;
  engineOptions.sharedLibPaths = libraries;
  engineOptions.enableGDBNotificationListener = false;
  engineOptions.enablePerfNotificationListener = false;
  for (StringRef library : libraries)
    if (!llvm::sys::fs::exists(library))
      return makeError("--shared-libs: cannot find '" + library + "'");
  auto created = ExecutionEngine::create(module, engineOptions);
  if (!created)
    return created.takeError();
  engine = std::move(*created);
  // The runtime's functions are found in this process; memrefCopy lies in a
  // library that nothing else here needs.
  engine->registerSymbols([](llvm::orc::MangleAndInterner interner) {
    llvm::orc::SymbolMap symbols;
    symbols[interner("memrefCopy")] = {
        llvm::orc::ExecutorAddr::fromPtr(&memrefCopy),
        llvm::JITSymbolFlags::Exported};
    return symbols;
  });
  engine->initialize();
  auto function = engine->lookupPacked("_mlir_ciface_" + signature.entry);
  if (!function)
    return explainUndefined(function.takeError(), module);
  packed = *function;
  return Error::success();
}

static Expected<OwningOpRef<ModuleOp>>
parse(llvm::SourceMgr &sources, MLIRContext &context, StringRef path) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(path, &message);
  if (!buffer)
    return makeError(message);
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  auto module = parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
  if (!module)
    return makeError("cannot parse '" + path + "'");
  return module;
}

/// The function type of --signature; null without one.
static Expected<FunctionType> parseFallback(MLIRContext &context,
                                            StringRef text) {
  if (text.empty())
    return FunctionType();
  auto type = dyn_cast_or_null<FunctionType>(parseType(text, &context));
  if (!type)
    return makeError("--signature: expected a function type, found '" + text +
                     "'");
  return type;
}

Expected<std::unique_ptr<Program>> Program::compile(MLIRContext &context,
                                                    StringRef path,
                                                    const RunOptions &options) {
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  Expected<OwningOpRef<ModuleOp>> parsed = parse(sources, context, path);
  if (!parsed)
    return parsed.takeError();
  ModuleOp module = parsed->get();
  Expected<FunctionType> fallback = parseFallback(context, options.signature);
  if (!fallback)
    return fallback.takeError();

  std::unique_ptr<Program> program(new Program);
  FailureOr<FunctionOpInterface> entry = findEntry(module, options.entry);
  if (failed(entry))
    return makeError("no entry in '" + path + "'");
  std::string name = entry->getName().str();
  if (isLowered(module)) {
    program->needs.isKnown = false;
  } else {
    // Refuse what cannot be passed before the pipelines change the types.
    FailureOr<Signature> source = run::getSignature(*entry);
    if (failed(source))
      return makeError("unsupported entry in '" + path + "'");
    program->needs = collectNeeds(module, *entry);
    if (failed(program->lower(module, options)))
      return makeError("cannot lower '" + path + "'");
    entry = findEntry(module, name);
    if (failed(entry))
      return makeError("the lowering lost the entry of '" + path + "'");
  }
  FailureOr<Signature> signature = getLoweredSignature(*entry, *fallback);
  if (failed(signature) || failed(readInterface(module, *signature)))
    return makeError("unsupported entry in '" + path + "'");
  program->signature = std::move(*signature);
  if (Error error = program->jit(module, options))
    return makeError("cannot compile '" + path +
                     "': " + llvm::toString(std::move(error)));
  return program;
}
