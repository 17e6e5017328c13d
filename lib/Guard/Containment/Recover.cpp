//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Recover.h"
#include "Forward.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <mutex>

using namespace mlir;

namespace egg {

namespace {
struct Work {
  std::optional<Location> place;
  std::string what, fatalError;
};
} // namespace

static thread_local Work *current = nullptr;

/// LLVM's fatal errors end the process without a signal, so they never reach
/// the recovery by themselves.
static void onFatalError(void *, const char *reason, bool crash) {
  auto *context = llvm::CrashRecoveryContext::GetCurrent();
  if (current && context) {
    current->fatalError = reason;
    context->HandleExit(1);
  }
  llvm::errs() << "LLVM ERROR: " << reason << "\n";
  if (crash)
    abort();
}

void setRecoveryPlace(Location place, StringRef what) {
  noteProgress(what, place);
  if (!current)
    return;
  current->place = place;
  current->what = what.str();
}

/// Gives `root` the regions of `copy`. Destroying half-built operations could
/// crash again, so they are leaked.
static void putBack(Operation *root, Operation *copy) {
  for (auto [mine, saved] : llvm::zip(root->getRegions(), copy->getRegions())) {
    auto *leaked = new Region();
    leaked->getBlocks().splice(leaked->end(), mine.getBlocks());
    mine.takeBody(saved);
  }
}

LogicalResult runRecovering(Operation *root, StringRef what,
                            function_ref<LogicalResult()> work) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::CrashRecoveryContext::Enable();
    llvm::install_fatal_error_handler(onFatalError);
  });
  Work mine{root->getLoc(), what.str(), ""};
  Work *outer = std::exchange(current, &mine);
  Operation *copy = root->clone();
  LogicalResult result = failure();
  llvm::CrashRecoveryContext context;
  bool finished = context.RunSafely([&] { result = work(); });
  current = outer;
  if (finished) {
    copy->destroy();
    return result;
  }
  putBack(root, copy);
  copy->destroy();
  InFlightDiagnostic diagnostic = emitError(*mine.place) << mine.what;
  if (mine.fatalError.empty())
    diagnostic
        << " crashed in MLIR or LLVM; nothing was changed. Its "
           "precondition is not known here: leave it out, or try another "
           "form of it";
  else
    diagnostic << " was given up by LLVM: " << mine.fatalError
               << "; nothing was changed";
  return diagnostic;
}

} // namespace egg
