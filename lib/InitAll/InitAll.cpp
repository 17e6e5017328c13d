//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/InitAll.h"
#include "egg/Dialect/EggDialect.h"
#include "egg/Dialect/Passes.h"
#include "egg/Import/Passes.h"
#include "egg/Kernel/Passes.h"
#include "egg/Schedule/Passes.h"
#include "egg/TransformOps/TransformOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "llvm/Support/TargetSelect.h"

void egg::registerAllDialects(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
  registry.insert<EggDialect>();
  registerTransformOps(registry);
}

void egg::registerAllPasses() {
  mlir::registerAllPasses();
  registerEGGDialectPasses();
  registerKernelPasses();
  registerSchedulePasses();
  registerEGGImportPasses();
}
