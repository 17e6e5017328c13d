//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/LLM/HttpTransport.h"

using namespace llvm;

namespace egg {

char HttpFailure::ID = 0;

void HttpFailure::log(raw_ostream &os) const { os << reason; }

HttpTransport::~HttpTransport() = default;

#ifndef EGG_WITH_CURL
Expected<std::unique_ptr<HttpTransport>> createCurlTransport() {
  return createStringError(
      inconvertibleErrorCode(),
      "this build has no HTTP client (EGG_WITH_CURL=OFF); use a mailbox, a "
      "command or a recording, or build with the dev preset");
}
#endif

} // namespace egg
