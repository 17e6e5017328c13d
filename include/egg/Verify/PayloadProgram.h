//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PayloadProgram: a payload run on the CPU as it is written, op by op in plain
// loops, in its own precision, in double or in exact arithmetic.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_VERIFY_PAYLOADPROGRAM_H
#define EGG_VERIFY_PAYLOADPROGRAM_H

#include "egg/Core/Plan.h"
#include "egg/Host/HostArithmetic.h"
#include "egg/Host/HostTensor.h"
#include "mlir/IR/BuiltinOps.h"
#include <memory>

namespace egg {

class HostProgram;

enum class Precision {
  /// The dtypes of the payload.
  Native,
  /// Every float is f64 and conversions between floats do nothing; constants
  /// keep the value they are written with. Inside a PerturbationScope, what
  /// integers are rounded to has a relative error.
  Double,
  /// Double, with a relative error in each result of arithmetic: `run` must be
  /// inside a PerturbationScope (PerturbRounding.h in lib/Verify/Reference),
  /// or it is as Double. What turns floats into indices has no such form.
  Perturbed,
  /// Native, with the rounds of reductions in the order that runInOtherOrders
  /// (OtherOrders.h in lib/Verify/Reference) asks for.
  Reordered,
  /// The dtypes of the payload, with residues for values (see Residue.h);
  /// `run` must be inside an ExactScope.
  Exact
};

/// On which inputs values that nothing rounds (ExactValues.h in
/// lib/Verify/Reference) have one right value.
enum class ExactOn {
  /// None: the program compared with may round where the payload does not.
  Nothing,
  /// All that its arguments hold.
  AnyInputs,
  /// Those of Distribution::Ties, on which sums and products are exact too.
  SmallIntegers
};

class PayloadProgram {
public:
  /// Compiles @main of the payload, which is left as it is. Errors: an
  /// operation that has no CPU form or, for Double, that depends on the width
  /// of a float; the diagnostics say which. A program for Double or Perturbed
  /// can keep its decisions on values that are exact (KeepDecisions.h).
  static llvm::Expected<std::unique_ptr<PayloadProgram>>
  compile(mlir::ModuleOp payload, Precision precision,
          ExactOn exactOn = ExactOn::Nothing);
  ~PayloadProgram();

  /// Arguments have the payload's shapes and dtypes; they are widened here.
  /// Results have the payload's dtypes for Native and f64 in place of floats
  /// for Double.
  llvm::Expected<std::vector<HostTensor>>
  run(llvm::ArrayRef<HostTensor> arguments);

  /// Whether there are decisions to keep.
  bool hasDecisions() const { return decides; }

  /// What the program uses, when it was compiled for Exact.
  const ExactUses &getExactUses() const;

private:
  PayloadProgram();
  std::unique_ptr<HostProgram> program;
  bool decides = false;
  std::vector<TensorSpec> arguments, results;
};

/// Specs of the arguments and results of @main, from its types and egg.kind
/// and egg.name attributes.
struct PayloadSignature {
  std::vector<TensorSpec> arguments, results;
};
llvm::Expected<PayloadSignature> getPayloadSignature(mlir::ModuleOp payload);

/// Rewrites every float type of the module to f64 in place. Fails with a
/// diagnostic on an op that depends on the width of its floats.
mlir::LogicalResult widenToDouble(mlir::ModuleOp module);

} // namespace egg

#endif // EGG_VERIFY_PAYLOADPROGRAM_H
