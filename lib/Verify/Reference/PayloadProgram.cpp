//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Verify/PayloadProgram.h"
#include "KeepDecisions.h"
#include "OtherOrders.h"
#include "PerturbRounding.h"
#include "egg/Dialect/Passes.h"
#include "egg/Host/HostProgram.h"
#include "egg/Host/MachineArithmetic.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace egg;

static std::string printType(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  type.print(os);
  return text;
}

static llvm::Expected<TensorSpec> describe(Type type, DictionaryAttr attrs) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  std::string dtype = tensor ? printType(tensor.getElementType()) : "";
  if (!tensor || !tensor.hasStaticShape() || !getDtypeBytes(dtype))
    return llvm::createStringError(
        llvm::formatv("@main takes or returns {0}; a payload has tensors of "
                      "static shape of f64, f32, f16, bf16, i64, i32, i16, i8 "
                      "or i1",
                      printType(type)));
  TensorSpec spec;
  spec.shape = tensor.getShape().vec();
  spec.dtype = std::move(dtype);
  if (attrs) {
    if (auto name = attrs.getAs<StringAttr>("egg.name"))
      spec.name = name.str();
    if (auto kind = attrs.getAs<StringAttr>("egg.kind"))
      spec.kind = kind.str();
  }
  return spec;
}

llvm::Expected<PayloadSignature> egg::getPayloadSignature(ModuleOp payload) {
  auto main = payload.lookupSymbol<func::FuncOp>("main");
  if (!main || main.isDeclaration())
    return llvm::createStringError("the payload has no function @main");
  PayloadSignature signature;
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    auto spec = describe(main.getArgumentTypes()[i], main.getArgAttrDict(i));
    if (!spec)
      return spec.takeError();
    signature.arguments.push_back(std::move(*spec));
  }
  for (unsigned i = 0; i < main.getNumResults(); ++i) {
    auto spec = describe(main.getResultTypes()[i], main.getResultAttrDict(i));
    if (!spec)
      return spec.takeError();
    signature.results.push_back(std::move(*spec));
  }
  return signature;
}

PayloadProgram::PayloadProgram() = default;
PayloadProgram::~PayloadProgram() = default;

/// Takes arguments and results without elements out of the signature: their
/// buffers have no form on the host, and nothing is read or written there.
static void dropEmptyTensors(func::FuncOp main) {
  auto isEmpty = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getNumElements() == 0;
  };
  Block &body = main.getBody().front();
  OpBuilder b = OpBuilder::atBlockBegin(&body);
  llvm::BitVector arguments(main.getNumArguments()),
      results(main.getNumResults());
  for (BlockArgument argument : body.getArguments())
    if (isEmpty(argument)) {
      arguments.set(argument.getArgNumber());
      auto type = cast<RankedTensorType>(argument.getType());
      argument.replaceAllUsesWith(tensor::EmptyOp::create(
          b, argument.getLoc(), type.getShape(), type.getElementType()));
    }
  Operation *ret = body.getTerminator();
  for (OpOperand &operand : ret->getOpOperands())
    if (isEmpty(operand.get()))
      results.set(operand.getOperandNumber());
  ret->eraseOperands(results);
  // Neither can fail on a function of this dialect.
  (void)main.eraseArguments(arguments);
  (void)main.eraseResults(results);
}

/// Gives a result that is another result, or a reshape of one, a copy: each has
/// a buffer of its own.
static void separateResults(func::FuncOp main) {
  auto returnOp = cast<func::ReturnOp>(main.getBody().front().getTerminator());
  OpBuilder b(returnOp);
  llvm::DenseSet<Value> seen;
  for (OpOperand &operand : returnOp->getOpOperands()) {
    Value root = operand.get();
    while (auto *op = root.getDefiningOp()) {
      if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(
              op))
        break;
      root = op->getOperand(0);
    }
    if (seen.insert(root).second)
      continue;
    auto type = cast<RankedTensorType>(operand.get().getType());
    Value empty = tensor::EmptyOp::create(b, returnOp.getLoc(), type.getShape(),
                                          type.getElementType());
    operand.set(
        linalg::CopyOp::create(b, returnOp.getLoc(), operand.get(), empty)
            .getResult(0));
  }
}

/// Tensors to buffers to loops: @main takes its results as further arguments.
static LogicalResult lowerToLoops(ModuleOp module, bool reorders) {
  PassManager bufferize(module.getContext());
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  bufferization::BufferResultsToOutParamsPassOptions outParams;
  outParams.modifyPublicFunctions = true;
  outParams.hoistStaticAllocs = true;
  bufferize.addPass(createLowerScan());
  bufferize.addPass(bufferization::createOneShotBufferizePass(options));
  bufferize.addPass(
      bufferization::createBufferResultsToOutParamsPass(outParams));
  if (failed(bufferize.run(module)))
    return failure();
  // A copy between layouts would become a library call.
  IRRewriter rewriter(module.getContext());
  module.walk([&](memref::CopyOp copy) {
    rewriter.setInsertionPoint(copy);
    rewriter.replaceOpWithNewOp<linalg::CopyOp>(copy, copy.getSource(),
                                                copy.getTarget());
  });
  if (reorders && failed(lowerReductionsReordered(module)))
    return failure();
  PassManager loops(module.getContext());
  loops.addPass(createConvertBufferizationToMemRefPass());
  loops.addPass(createConvertLinalgToLoopsPass());
  return loops.run(module);
}

/// What would reach the memory of the process, or is no formula.
static llvm::Error refuseMachineOps(ModuleOp payload) {
  WalkResult result = payload.walk([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    if (dialect != "llvm" && dialect != "nvvm")
      return WalkResult::advance();
    op->emitError() << "a payload has no '" << op->getName()
                    << "'; write it in linalg, tensor, arith and math";
    return WalkResult::interrupt();
  });
  if (!result.wasInterrupted())
    return llvm::Error::success();
  return llvm::createStringError("the payload is more than a formula of "
                                 "tensors; the diagnostics name the operation");
}

llvm::Expected<std::unique_ptr<PayloadProgram>>
PayloadProgram::compile(ModuleOp payload, Precision precision,
                        ExactOn exactOn) {
  auto signature = getPayloadSignature(payload);
  if (!signature)
    return signature.takeError();
  if (llvm::Error error = refuseMachineOps(payload))
    return std::move(error);
  OwningOpRef<ModuleOp> module = payload.clone();
  // A payload without compute has loaded no dialect that copies.
  payload.getContext()
      ->loadDialect<linalg::LinalgDialect, tensor::TensorDialect>();
  // What LLVM does not know it would warn about.
  auto main = module->lookupSymbol<func::FuncOp>("main");
  main.removeArgAttrsAttr();
  main.removeResAttrsAttr();
  bool isDouble =
      precision == Precision::Double || precision == Precision::Perturbed;
  if (precision == Precision::Perturbed && mayIndexByFloats(payload))
    return llvm::createStringError(
        "the payload computes indices from floats, which must not be "
        "perturbed");
  if (precision == Precision::Perturbed)
    recomputeReductions(*module);
  markNarrowConversions(*module);
  if (isDouble) {
    markDecisions(*module, exactOn);
    if (precision == Precision::Double)
      markConversions(*module);
  }
  if (isDouble && failed(widenToDouble(*module)))
    return llvm::createStringError(
        "the payload cannot be run in double precision; the diagnostics say "
        "why");
  dropEmptyTensors(main);
  separateResults(main);
  if (failed(lowerToLoops(*module, precision == Precision::Reordered)))
    return llvm::createStringError(
        "the payload cannot be lowered to loops for the CPU; the diagnostics "
        "name the operation");
  HostProgram::Symbols symbols = getOrderSymbols();
  bool decides = false;
  if (isDouble) {
    if (precision == Precision::Perturbed)
      perturbRoundings(*module);
    else
      perturbConversions(*module);
    decides = keepDecisions(*module);
    llvm::append_range(symbols, getPerturbationSymbols());
    llvm::append_range(symbols, getDecisionSymbols());
  }
  auto program = HostProgram::compile(*module, symbols,
                                      precision == Precision::Exact
                                          ? HostArithmetic::Exact
                                          : HostArithmetic::Native);
  if (!program)
    return program.takeError();
  std::unique_ptr<PayloadProgram> result(new PayloadProgram());
  result->program = std::move(*program);
  result->decides = decides;
  result->arguments = std::move(signature->arguments);
  result->results = std::move(signature->results);
  if (isDouble)
    for (auto *specs : {&result->arguments, &result->results})
      for (TensorSpec &spec : *specs)
        if (spec.dtype[0] == 'f' || spec.dtype[0] == 'b')
          spec.dtype = "f64";
  return std::move(result);
}

llvm::Expected<std::vector<HostTensor>>
PayloadProgram::run(llvm::ArrayRef<HostTensor> given) {
  if (given.size() != arguments.size())
    return llvm::createStringError(
        llvm::formatv("{0} arguments given, the payload takes {1}",
                      given.size(), arguments.size()));
  std::vector<HostTensor> inputs, outputs;
  for (auto [tensor, spec] : llvm::zip_equal(given, arguments)) {
    if (tensor.shape != spec.shape)
      return llvm::createStringError(llvm::formatv(
          "argument '{0}' has another shape than the payload says", spec.name));
    inputs.push_back(tensor.convertTo(spec.dtype));
  }
  for (const TensorSpec &spec : results)
    outputs.push_back(HostTensor::zeros(spec.shape, spec.dtype));
  std::vector<void *> pointers;
  for (auto *tensors : {&inputs, &outputs})
    for (HostTensor &tensor : *tensors)
      if (tensor.getNumElements() != 0)
        pointers.push_back(tensor.bytes.data());
  std::vector<void *> array;
  for (void *&pointer : pointers)
    array.push_back(static_cast<void *>(&pointer));
  auto function = program->lookup("main");
  if (!function)
    return function.takeError();
  (*function)(array.data());
  HostProgram::releaseAllocations();
  return outputs;
}

const ExactUses &PayloadProgram::getExactUses() const {
  return program->getExactUses();
}
