//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Kernel/ThreadWork.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace egg;

static double countRounds(scf::ForOp loop) {
  auto end = getConstantIntValue(loop.getUpperBound());
  auto step = getConstantIntValue(loop.getStep());
  if (!end || !step || *step < 1)
    return 1;
  int64_t start = getConstantIntValue(loop.getLowerBound()).value_or(0);
  return start < *end ? double(llvm::divideCeil(*end - start, *step)) : 0;
}

static double countOperations(Region &region) {
  double count = 0;
  for (Operation &op : region.getOps()) {
    ++count;
    auto loop = dyn_cast<scf::ForOp>(op);
    double rounds = loop ? countRounds(loop) : 1;
    for (Region &inner : op.getRegions())
      count += rounds * countOperations(inner);
  }
  return count;
}

ThreadWork egg::measureThreadWork(ModuleOp materialized) {
  ThreadWork work;
  materialized.walk([&](gpu::GPUFuncOp kernel) {
    DenseI32ArrayAttr block = kernel.getKnownBlockSizeAttr(),
                      grid = kernel.getKnownGridSizeAttr();
    if (!kernel.isKernel() || !block || !grid)
      return;
    int64_t threads = 1;
    for (DenseI32ArrayAttr extents : {block, grid})
      for (int32_t extent : extents.asArrayRef())
        threads *= extent;
    work.threads += threads;
    work.operations += double(threads) * countOperations(kernel.getBody());
  });
  return work;
}
