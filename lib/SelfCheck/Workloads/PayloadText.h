//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PayloadText: writes a payload as text, op by op.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_SELFCHECK_PAYLOADTEXT_H
#define EGG_LIB_SELFCHECK_PAYLOADTEXT_H

#include "egg/Support/Random.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdint>
#include <string>
#include <vector>

namespace egg::selfcheck {

class PayloadText {
public:
  using Shape = std::vector<int64_t>;
  using Dims = std::vector<int64_t>;

  struct Tensor {
    std::string name;
    Shape shape;
    std::string dtype = "f32";
  };
  /// A tensor and the loop dimension that each of its dimensions follows.
  struct Operand {
    Tensor tensor;
    Dims dims;
  };

  explicit PayloadText(uint64_t seed) : random(seed) {}

  /// A number from low to high, both included.
  int64_t draw(int64_t low, int64_t high);

  Tensor input(const Shape &shape, llvm::StringRef dtype = "f32");
  /// A tensor of one float, written as MLIR writes it.
  Tensor filled(const Shape &shape, llvm::StringRef value);
  /// linalg.generic; `iterators` has a p or r for each loop, the body reads
  /// %in0, %in1, ... and %out.
  Tensor generic(const Shape &loops, llvm::StringRef iterators,
                 llvm::ArrayRef<Operand> operands, const Tensor &init,
                 const Dims &resultDims, llvm::StringRef body);
  /// A generic without reductions.
  Tensor map(const Shape &loops, llvm::ArrayRef<Operand> operands,
             llvm::StringRef body);
  /// A reduction of one dimension with an op such as arith.addf.
  Tensor reduce(const Tensor &from, int64_t dim, llvm::StringRef init,
                llvm::StringRef combiner);
  /// Any other operation; returns the name of its result.
  std::string line(const std::string &operation);

  std::string finish(llvm::ArrayRef<Tensor> results) const;

  static std::string type(const Shape &shape, llvm::StringRef dtype = "f32");

private:
  std::string fresh();

  Random random;
  int64_t counter = 0;
  std::vector<std::string> inputs;
  std::string body;
};

} // namespace egg::selfcheck

#endif // EGG_LIB_SELFCHECK_PAYLOADTEXT_H
