// RUN: egg-opt %s --split-input-file --verify-diagnostics

func.func @dim_out_of_range(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{dim 2 is out of range for rank 2}}
  %0 = egg.scan <add> %x dim = 2 : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @scalar(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{dim 0 is out of range for rank 0}}
  %0 = egg.scan <add> %x dim = 0 : tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @bool(%x: tensor<4xi1>) -> tensor<4xi1> {
  // expected-error @+1 {{needs float or integer elements, got 'i1'}}
  %0 = egg.scan <add> %x dim = 0 : tensor<4xi1>
  return %0 : tensor<4xi1>
}

// -----

func.func @kind(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+2 {{expected ::egg::ScanKind to be one of: add, mul, max, min}}
  // expected-error @+1 {{failed to parse}}
  %0 = egg.scan <average> %x dim = 0 : tensor<4xf32>
  return %0 : tensor<4xf32>
}
