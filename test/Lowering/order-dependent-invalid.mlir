// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that could differ from run to run is refused, whatever its results on
// the CPU are.
// RUN: egg-opt %s -split-input-file -verify-diagnostics --egg-run-on-cpu

// expected-error @below {{the kernels do not lower; the diagnostics say why}}
module attributes {gpu.container_module} {
  func.func private @sum(tensor<64xf32>) -> tensor<1xf32> attributes {egg.launch = {kernel = @kernels::@sum, grid = array<i64: 1, 1, 1>, block = array<i64: 64, 1, 1>, dynamic_shared_memory = 0 : i64}}
  func.func @main(%x: tensor<64xf32> {egg.kind = "input", egg.name = "x"}) -> (tensor<1xf32> {egg.kind = "output", egg.name = "y"}) {
    %0 = call @sum(%x) : (tensor<64xf32>) -> tensor<1xf32>
    return %0 : tensor<1xf32>
  }
  gpu.module @kernels {
    // expected-note @below {{in kernel 'sum'}}
    gpu.func @sum(%x: memref<64xf32>, %y: memref<1xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %t = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %v = memref.load %x[%t] : memref<64xf32>
      // expected-error @below {{'memref.atomic_rmw' must not be in a kernel: threads come to it in another order in each run, and so do the last bits of its result; combine floats in a fixed order, with gpu.shuffle or shared memory}}
      %a = memref.atomic_rmw addf %v, %y[%c0] : (f32, memref<1xf32>) -> f32
      gpu.return
    }
  }
}

// -----

// expected-error @below {{the kernels do not lower; the diagnostics say why}}
module attributes {gpu.container_module} {
  func.func private @sum(tensor<64xf32>) -> tensor<1xf32> attributes {egg.launch = {kernel = @kernels::@sum, grid = array<i64: 1, 1, 1>, block = array<i64: 64, 1, 1>, dynamic_shared_memory = 0 : i64}}
  func.func @main(%x: tensor<64xf32> {egg.kind = "input", egg.name = "x"}) -> (tensor<1xf32> {egg.kind = "output", egg.name = "y"}) {
    %0 = call @sum(%x) : (tensor<64xf32>) -> tensor<1xf32>
    return %0 : tensor<1xf32>
  }
  gpu.module @kernels {
    // expected-note @below {{in kernel 'sum'}}
    gpu.func @sum(%x: memref<64xf32>, %y: memref<1xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %t = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %v = memref.load %x[%t] : memref<64xf32>
      // expected-error @below {{'memref.generic_atomic_rmw' must not be in a kernel}}
      %a = memref.generic_atomic_rmw %y[%c0] : memref<1xf32> {
      ^bb0(%old: f32):
        %new = arith.maximumf %old, %v : f32
        memref.atomic_yield %new : f32
      }
      gpu.return
    }
  }
}
