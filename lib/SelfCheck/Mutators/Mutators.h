//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the kinds of mutations share: a kernel's arguments, its stores and
// loads.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_SELFCHECK_MUTATORS_H
#define EGG_LIB_SELFCHECK_MUTATORS_H

#include "egg/SelfCheck/Mutation.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"

namespace egg::selfcheck {

using Sites = llvm::SmallVector<MutationSite>;

/// A buffer of a kernel, with the type of the tensor it holds.
struct Argument {
  size_t number;
  mlir::RankedTensorType type;
};

struct Kernel {
  mlir::gpu::GPUFuncOp function;
  std::vector<Argument> arguments;
  size_t inputCount = 0;

  llvm::ArrayRef<Argument> inputs() const {
    return llvm::ArrayRef(arguments).take_front(inputCount);
  }
  llvm::ArrayRef<Argument> results() const {
    return llvm::ArrayRef(arguments).drop_front(inputCount);
  }
  const Argument *find(size_t number) const { return &arguments[number]; }
  mlir::Value value(const Argument &argument) const {
    return mlir::gpu::GPUFuncOp(function).getArgument(argument.number);
  }
  std::string name() const {
    return mlir::gpu::GPUFuncOp(function).getName().str();
  }
};
std::vector<Kernel> findKernels(mlir::ModuleOp module);

/// A memref.store or vector.store to an argument.
struct Store {
  mlir::Operation *op;
  size_t argument;
  mlir::Value value() const { return op->getOperand(0); }
  /// The index of its first element.
  mlir::Value index() const { return op->getOperand(2); }
  /// How many elements it stores.
  int64_t width() const;
};
std::vector<Store> findStores(const Kernel &kernel, const Argument &result);

/// The memref.loads and vector.loads of an argument.
std::vector<mlir::Operation *> findLoads(const Kernel &kernel,
                                         const Argument &input);

/// The constant, splat for vectors.
mlir::Value constant(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Type type, int64_t value);

/// `width` elements from the index on, one by one, as a value of the type.
mlir::Value loadElements(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value memref, mlir::Value index, int64_t width,
                         mlir::Type type);

/// The floats or integers of a constant, if the value is one with equal
/// elements.
std::optional<double> getSplat(mlir::Value value);

// Each finds the places of one kind; Mutation.cpp says what they are.
Sites findZeros(mlir::ModuleOp module);
Sites findConstants(mlir::ModuleOp module);
Sites findInputReturned(mlir::ModuleOp module);
Sites findIdentities(mlir::ModuleOp module);
Sites findDroppedTails(mlir::ModuleOp module);
Sites findDroppedRemainders(mlir::ModuleOp module);
Sites findDoubledTerms(mlir::ModuleOp module);
Sites findSwappedOperands(mlir::ModuleOp module);
Sites findTransposedOperands(mlir::ModuleOp module);
Sites findOffByOnes(mlir::ModuleOp module);
Sites findWrongPaddings(mlir::ModuleOp module);
Sites findWrongInits(mlir::ModuleOp module);
Sites findMissingBarriers(mlir::ModuleOp module);
Sites findStaleBuffers(mlir::ModuleOp module);
Sites findWrongBuffers(mlir::ModuleOp module);
Sites findShiftedReads(mlir::ModuleOp module);
Sites findLowerPrecision(mlir::ModuleOp module);
Sites findWrongCombines(mlir::ModuleOp module);
Sites findWrongWaitCounts(mlir::ModuleOp module);
Sites findDroppedWaits(mlir::ModuleOp module);
Sites findDroppedCommits(mlir::ModuleOp module);
Sites findWrongByteCounts(mlir::ModuleOp module);
Sites findWrongParities(mlir::ModuleOp module);
Sites findWrongArrivals(mlir::ModuleOp module);
Sites findMissingFences(mlir::ModuleOp module);

/// The barriers of kernels that are lowered.
void addLoweredBarriers(mlir::ModuleOp module, Sites &sites);

} // namespace egg::selfcheck

#endif // EGG_LIB_SELFCHECK_MUTATORS_H
