//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Emulator/SimtFault.h"
#include "llvm/Support/raw_ostream.h"

using namespace egg;

char SimtFault::ID = 0;

llvm::StringRef egg::stringifyFaultKind(SimtFault::Kind kind) {
  switch (kind) {
  case SimtFault::Kind::OutOfBounds:
    return "out-of-bounds";
  case SimtFault::Kind::UninitializedRead:
    return "uninitialized-read";
  case SimtFault::Kind::UnwrittenOutput:
    return "unwritten-output";
  case SimtFault::Kind::WriteToInput:
    return "write-to-input";
  case SimtFault::Kind::DataRace:
    return "data-race";
  case SimtFault::Kind::DivergentBarrier:
    return "divergent-barrier";
  case SimtFault::Kind::DivergentShuffle:
    return "divergent-shuffle";
  case SimtFault::Kind::WrongSpace:
    return "wrong-space";
  case SimtFault::Kind::Misaligned:
    return "misaligned-access";
  case SimtFault::Kind::Deadlock:
    return "deadlock";
  case SimtFault::Kind::MissingWait:
    return "missing-wait";
  case SimtFault::Kind::MissingFence:
    return "missing-fence";
  case SimtFault::Kind::InvalidOperation:
    return "invalid-operation";
  }
  llvm_unreachable("all kinds are listed");
}

void SimtFault::log(llvm::raw_ostream &os) const {
  os << stringifyFaultKind(kind) << " in kernel '" << kernel << "'";
  if (hasThread)
    os << ", block (" << block[0] << ", " << block[1] << ", " << block[2]
       << "), thread (" << thread[0] << ", " << thread[1] << ", " << thread[2]
       << ")";
  os << ": " << reason;
  if (!op.empty())
    os << " [" << op << " at " << location << "]";
}
