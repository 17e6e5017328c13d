// RUN: egg-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect --egg-shrink-payload=max-work=1000
// RUN: not egg-opt %s --split-input-file --allow-unregistered-dialect --egg-shrink-payload=variant=tiny 2>&1 | FileCheck %s --check-prefix=VARIANT
// RUN: not egg-opt %s --split-input-file --allow-unregistered-dialect --egg-shrink-payload=multiples=0 2>&1 | FileCheck %s --check-prefix=MULTIPLE
// RUN: not egg-opt %s --split-input-file --allow-unregistered-dialect --egg-shrink-payload=max-work=0 2>&1 | FileCheck %s --check-prefix=WORK

// WORK: max-work is 0; use at least 1
// VARIANT: unknown variant 'tiny': use aligned, odd or least
// MULTIPLE: a multiple or step is 0; they are positive

// expected-error @below {{cannot be shrunk: it has no function @main of one block}}
module {
  func.func @other() {
    return
  }
}

// -----

// A constant of this shape does not shrink.
// expected-error @below {{cannot be shrunk: the smallest program found takes 10000 loop iterations, the limit is 1000}}
func.func @main(%x: tensor<2000xf32>) -> tensor<2000xf32> {
  %0 = "test.unknown"(%x) : (tensor<2000xf32>) -> tensor<2000xf32>
  %e = tensor.empty() : tensor<2000xf32>
  %1 = linalg.exp ins(%0 : tensor<2000xf32>) outs(%e : tensor<2000xf32>) -> tensor<2000xf32>
  return %1 : tensor<2000xf32>
}

// -----

// expected-error @below {{argument 0 is not a tensor of static shape}}
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'tensor<?xf32>' is not of static shape}}
  %0 = tensor.cast %x : tensor<4xf32> to tensor<?xf32>
  %1 = tensor.cast %0 : tensor<?xf32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}
