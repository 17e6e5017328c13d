//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/InitAll.h"
#include "Upstream.h"
#include "egg/Dialect/EggDialect.h"
#include "egg/Dialect/Passes.h"
#include "egg/Emulator/Passes.h"
#include "egg/Fuzz/Passes.h"
#include "egg/Guard/GuardOps.h"
#include "egg/Guard/Passes.h"
#include "egg/Import/Passes.h"
#include "egg/Kernel/Passes.h"
#include "egg/Legality/Passes.h"
#include "egg/Lowering/Passes.h"
#include "egg/Proof/Passes.h"
#include "egg/Schedule/Passes.h"
#include "egg/SelfCheck/Passes.h"
#include "egg/Session/Passes.h"
#include "egg/TransformOps/TransformOps.h"
#include "egg/Verify/Passes.h"

void egg::registerAllDialects(mlir::DialectRegistry &registry) {
  registerUpstreamDialects(registry);
  registerUpstreamExtensions(registry);
  registry.insert<EggDialect>();
  registerTransformOps(registry);
  registerGuardOps(registry);
}

void egg::registerAllPasses() {
  registerUpstreamPasses();
  registerEGGGuardPasses();
  registerEGGDialectPasses();
  registerKernelPasses();
  registerSchedulePasses();
  registerEGGImportPasses();
  registerSelfCheckPasses();
  registerFuzzPasses();
  registerSessionPasses();
  registerEGGLegalityPasses();
  registerEGGProofPasses();
  registerLoweringPasses();
  registerEGGEmulatorPasses();
  registerEGGVerifyPasses();
}
