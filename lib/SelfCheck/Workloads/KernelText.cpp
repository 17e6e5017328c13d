//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelText.h"
#include "llvm/ADT/StringExtras.h"

using namespace egg;
using namespace egg::selfcheck;

std::string egg::selfcheck::fillTemplate(llvm::StringRef text,
                                         const Numbers &numbers) {
  std::string filled;
  while (!text.empty()) {
    auto [before, rest] = text.split('$');
    filled += before;
    llvm::StringRef name = rest.take_while(llvm::isAlpha);
    if (!name.empty())
      filled += std::to_string(numbers.at(name));
    text = rest.drop_front(name.size());
  }
  return filled;
}

std::string egg::selfcheck::productPayload(PayloadText &text, int64_t m,
                                           int64_t n, int64_t k,
                                           llvm::StringRef dtype) {
  PayloadText::Tensor a = text.input({m, k}, dtype);
  PayloadText::Tensor b = text.input({k, n}, dtype);
  std::string body;
  llvm::StringRef x = "%in0", y = "%in1";
  if (dtype != "f32") {
    body += ("      %x = arith.extf %in0 : " + dtype + " to f32\n").str() +
            ("      %y = arith.extf %in1 : " + dtype + " to f32\n").str();
    x = "%x";
    y = "%y";
  }
  body += ("      %p = arith.mulf " + x + ", " + y + " : f32\n").str() +
          "      %r = arith.addf %out, %p : f32\n"
          "      linalg.yield %r : f32\n";
  return text.finish({text.generic({m, n, k}, "ppr", {{a, {0, 2}}, {b, {2, 1}}},
                                   text.filled({m, n}, "0.0"), {0, 1}, body)});
}

static constexpr KernelClass kClasses[] = {
    {"copy-groups", generateCopyGroups},
    {"tensor-copies", generateTensorCopies},
    {"warp-specialized", generateWarpSpecialized},
};

llvm::ArrayRef<KernelClass> egg::getKernelClasses() { return kClasses; }
