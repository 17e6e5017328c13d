// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An init that a loop reads in every iteration stays what it was: bufferization
// gives what is written over it a buffer of its own.
// RUN: egg-opt %s --pass-pipeline="builtin.module(one-shot-bufferize{bufferize-function-boundaries=true allow-return-allocs-from-loops=true},func.func(convert-linalg-to-loops),expand-strided-metadata,lower-affine,convert-scf-to-cf,convert-to-llvm,reconcile-unrealized-casts)" | mlir-runner -e main -entry-point-result=f32 | FileCheck %s
// CHECK: 2.0
func.func @main() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x1xf32>
  %zero = linalg.fill ins(%z : f32) outs(%e : tensor<32x1xf32>) -> tensor<32x1xf32>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%acc = %zero) -> tensor<32x1xf32> {
    %m = linalg.map ins(%zero : tensor<32x1xf32>) outs(%zero : tensor<32x1xf32>)
      (%in: f32, %init: f32) {
        %one = arith.constant 1.0 : f32
        %s = arith.addf %in, %one : f32
        linalg.yield %s : f32
      }
    %q = linalg.add ins(%m, %acc : tensor<32x1xf32>, tensor<32x1xf32>) outs(%e : tensor<32x1xf32>) -> tensor<32x1xf32>
    scf.yield %q : tensor<32x1xf32>
  }
  %v = tensor.extract %r[%c1, %c0] : tensor<32x1xf32>
  return %v : f32
}
