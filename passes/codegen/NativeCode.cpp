//===- NativeCode.cpp - machine code of generated kernels -----------------===//

#include "passes/codegen/NativeCode.h"

#include "passes/codegen/ExpandMath.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;

namespace vescale {
namespace {

/// The suffix of the function with one pointer an argument that the entry function calls.
constexpr llvm::StringLiteral bodySuffix = "_body";

struct KernelSignature {
  std::string name;
  unsigned numMemrefs = 0;
  unsigned numParameters = 0;
};

/// Gives arguments without elements one in each dim: memrefs of size 0 have no strides, so the conversion to LLVM
/// refuses them. No loop of the kernel reaches an element of them.
void widenEmptyArguments(func::FuncOp kernel) {
  for (BlockArgument argument : kernel.getArguments())
    if (auto memref = dyn_cast<MemRefType>(argument.getType()); memref && llvm::is_contained(memref.getShape(), 0)) {
      SmallVector<int64_t> shape;
      for (int64_t size : memref.getShape())
        shape.push_back(std::max<int64_t>(size, 1));
      argument.setType(MemRefType::get(shape, memref.getElementType()));
    }
  kernel.setType(FunctionType::get(kernel.getContext(), kernel.getBody().getArgumentTypes(), {}));
}

/// Renames each kernel `k` to `k_body`, marks its memrefs as not aliasing, and returns the signatures.
FailureOr<SmallVector<KernelSignature>> prepareKernels(ModuleOp module) {
  SmallVector<KernelSignature> signatures;
  for (auto kernel : module.getOps<func::FuncOp>()) {
    if (!kernel->hasAttr(kernelAttributeName))
      continue;
    KernelSignature signature;
    signature.name = kernel.getName().str();
    widenEmptyArguments(kernel);
    for (auto [number, type] : llvm::enumerate(kernel.getArgumentTypes())) {
      if (auto memref = dyn_cast<MemRefType>(type)) {
        if (!memref.getLayout().isIdentity())
          return kernel.emitOpError("argument ") << number << " is strided: " << memref;
        kernel.setArgAttr(number, LLVM::LLVMDialect::getNoAliasAttrName(),
                          UnitAttr::get(module.getContext()));
        ++signature.numMemrefs;
      } else if (!type.isIndex()) {
        return kernel.emitOpError("argument ") << number << " is neither a memref nor an index: " << type;
      }
    }
    unsigned numIndices = kernel.getNumArguments() - signature.numMemrefs;
    if (numIndices < 2)
      return kernel.emitOpError("has no bounds of its outer parallel loop as last two arguments");
    signature.numParameters = numIndices - 2;
    signatures.push_back(signature);
    kernel.setName((kernel.getName() + bodySuffix).str());
    kernel.setPrivate();
  }
  return signatures;
}

LogicalResult lowerToLLVMDialect(ModuleOp module) {
  PassManager manager(module.getContext());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createExpandMathPass());
  manager.addPass(createLoopInvariantCodeMotionPass());
  manager.addPass(createConvertSCFToCFPass());
  manager.addPass(memref::createExpandStridedMetadataPass());
  manager.addPass(createLowerAffinePass());
  manager.addPass(createConvertMathToLLVMPass());
  manager.addPass(createConvertMathToLibmPass());
  manager.addPass(createConvertIndexToLLVMPass());
  manager.addPass(createArithToLLVMConversionPass());
  manager.addPass(createFinalizeMemRefToLLVMConversionPass());
  ConvertFuncToLLVMPassOptions functions;
  functions.useBarePtrCallConv = true;
  manager.addPass(createConvertFuncToLLVMPass(functions));
  manager.addPass(createConvertControlFlowToLLVMPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
  return manager.run(module);
}

/// Adds the entry function of one kernel, which unpacks the arguments and calls the body.
void addEntry(llvm::Module &module, const KernelSignature &signature) {
  llvm::LLVMContext &context = module.getContext();
  llvm::Function *body = module.getFunction(signature.name + bodySuffix.str());
  body->setLinkage(llvm::GlobalValue::InternalLinkage);
  auto *pointer = llvm::PointerType::getUnqual(context);
  auto *i64 = llvm::Type::getInt64Ty(context);
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer, pointer, i64, i64}, false);
  auto *entry =
      llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, signature.name, module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", entry));
  SmallVector<llvm::Value *> arguments;
  for (unsigned k = 0; k < signature.numMemrefs; ++k)
    arguments.push_back(builder.CreateLoad(
        pointer, builder.CreateConstInBoundsGEP1_64(pointer, entry->getArg(0), k)));
  for (unsigned k = 0; k < signature.numParameters; ++k)
    arguments.push_back(
        builder.CreateLoad(i64, builder.CreateConstInBoundsGEP1_64(i64, entry->getArg(1), k)));
  arguments.push_back(entry->getArg(2));
  arguments.push_back(entry->getArg(3));
  builder.CreateCall(body, arguments);
  builder.CreateRetVoid();
}

LogicalResult emitObject(llvm::Module &module, const NativeTarget &target, Location location,
                         SmallVectorImpl<char> &object) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  std::string triple = "x86_64-pc-linux-gnu";
  std::string message;
  const llvm::Target *backend = llvm::TargetRegistry::lookupTarget(triple, message);
  if (!backend)
    return emitError(location) << "no code generator for " << triple << ": " << message;
  // A machine for an unknown CPU would be made too, with a warning on the error stream.
  std::unique_ptr<llvm::MCSubtargetInfo> cpus(backend->createMCSubtargetInfo(triple, "", ""));
  if (!cpus || !cpus->isCPUStringValid(target.cpu))
    return emitError(location) << "unknown CPU '" << target.cpu << "'";
  std::unique_ptr<llvm::TargetMachine> machine(backend->createTargetMachine(
      triple, target.cpu, "", llvm::TargetOptions(), llvm::Reloc::PIC_, std::nullopt,
      target.optimizationLevel >= 2 ? llvm::CodeGenOptLevel::Aggressive : llvm::CodeGenOptLevel::None));
  module.setTargetTriple(triple);
  module.setDataLayout(machine->createDataLayout());
  for (llvm::Function &function : module) {
    function.addFnAttr("target-cpu", target.cpu);
    function.addFnAttr("prefer-vector-width", "256");
  }

  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  tuning.LoopInterleaving = true;
  tuning.SLPVectorization = true;
  llvm::PassBuilder passes(machine.get(), tuning);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(callGraph);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, callGraph, modules);
  const llvm::OptimizationLevel levels[] = {llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1,
                                            llvm::OptimizationLevel::O2, llvm::OptimizationLevel::O3};
  llvm::OptimizationLevel level = levels[std::min(target.optimizationLevel, 3u)];
  auto optimize = level == llvm::OptimizationLevel::O0 ? passes.buildO0DefaultPipeline(level)
                                                       : passes.buildPerModuleDefaultPipeline(level);
  optimize.run(module, modules);

  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager emission;
  if (machine->addPassesToEmitFile(emission, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    return emitError(location) << triple << " cannot emit object files";
  emission.run(module);
  return success();
}

} // namespace

LogicalResult generateNativeCode(ModuleOp module, const NativeTarget &target,
                                 SmallVectorImpl<char> &object) {
  FailureOr<SmallVector<KernelSignature>> signatures = prepareKernels(module);
  if (failed(signatures) || failed(lowerToLLVMDialect(module)))
    return failure();
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> native = translateModuleToLLVMIR(module, context);
  if (!native)
    return failure();
  for (const KernelSignature &signature : *signatures)
    addEntry(*native, signature);
  return emitObject(*native, target, module.getLoc(), object);
}

} // namespace vescale
