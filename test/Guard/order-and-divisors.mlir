// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of reductions whose result depends on it, and numbers that upstream
// divides by.
// RUN: egg-opt %s -split-input-file -verify-diagnostics --transform-interpreter -o /dev/null

func.func @f(%in: tensor<8x6xf32>, %out: tensor<f32>) -> tensor<f32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]}
    ins(%in : tensor<8x6xf32>) outs(%out : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{transform.structured.tile_using_for is refused: it changes the order of its reductions, and result 0 is combined by arith.divf, which is not known to be associative; cut the outermost reduction only, and keep their order}}
    %a, %b:2 = transform.structured.tile_using_for %0 tile_sizes [2, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%in: tensor<8x6xf32>, %out: tensor<f32>) -> tensor<f32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]}
    ins(%in : tensor<8x6xf32>) outs(%out : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{transform.structured.interchange is refused: it changes the order of its reductions, and result 0 is combined by arith.divf, which is not known to be associative; cut the outermost reduction only, and keep their order}}
    %a = transform.structured.interchange %0 iterator_interchange = [1, 0] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @f(%in: tensor<8x6xf32>, %out: tensor<f32>) -> tensor<f32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]}
    ins(%in : tensor<8x6xf32>) outs(%out : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %d = arith.mulf %a, %a : f32
    linalg.yield %d : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{it changes the order of its reductions}}
    %a, %b = transform.structured.tile_using_for %0 tile_sizes [0, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%in: tensor<8x6xf32>, %out: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]}
    ins(%in : tensor<8x6xf32>) outs(%out : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // Its own order.
    %a, %b = transform.structured.tile_using_for %0 tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%in: tensor<8x6xf32>, %out: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]}
    ins(%in : tensor<8x6xf32>) outs(%out : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %d = arith.addf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    %a, %b:2 = transform.structured.tile_using_for %0 tile_sizes [2, 3] interchange = [1, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%A: tensor<4x4xf32>, %B: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.matmul ins(%A, %B : tensor<4x4xf32>, tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{target_size 0 is none; give it 1 or more}}
    %a, %b, %c = transform.structured.multitile_sizes %0 {dimension = 0, target_size = 0} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @f(%A: tensor<4x4xf32>, %B: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.matmul ins(%A, %B : tensor<4x4xf32>, tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{divisor 0 is none; give it 1 or more}}
    %a, %b, %c = transform.structured.multitile_sizes %0 {dimension = 0, target_size = 2, divisor = 0} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @f(%A: tensor<4x0xf32>) -> tensor<4x0xf32> {
  %e = tensor.empty() : tensor<4x0xf32>
  // expected-note @below {{this is its payload}}
  %0 = linalg.copy ins(%A : tensor<4x0xf32>) outs(%e : tensor<4x0xf32>) -> tensor<4x0xf32>
  return %0 : tensor<4x0xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.copy"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{loop 1 of its payload has extent 0}}
    %a, %b = transform.structured.gpu.map_copy_to_threads %0 total_num_threads = 4 desired_bit_alignment = 128 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%A: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  // expected-note @below {{this is its payload}}
  %0 = linalg.copy ins(%A : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.copy"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{total_num_threads 0 is none; give it 1 or more}}
    %a, %b = transform.structured.gpu.map_copy_to_threads %0 total_num_threads = 0 desired_bit_alignment = 128 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%A: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  // expected-note @below {{this is its payload}}
  %0 = linalg.copy ins(%A : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.copy"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{desired_bit_alignment 0 is none; give it 1 or more}}
    %a, %b = transform.structured.gpu.map_copy_to_threads %0 total_num_threads = 4 desired_bit_alignment = 0 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
