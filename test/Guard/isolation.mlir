// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The script runs in a child process: what it prints arrives, what it does too,
// and its limits end it.
// RUN: egg-opt %s --transform-interpreter=entry-point=print | FileCheck %s
// RUN: egg-opt %s --transform-interpreter="entry-point=print isolate=false" | FileCheck %s
// CHECK: IR printer: just this
// CHECK: scf.for
// CHECK-NOT: check_next
// RUN: not egg-opt %s --transform-interpreter="entry-point=print time-limit=0" 2>&1 | FileCheck %s --check-prefix=TIME
// TIME: error: transform-interpreter was stopped after {{.*}}; raise time-limit if it has to take so much
// RUN: not egg-opt %s --transform-interpreter="entry-point=crash disable-expensive-checks" 2>&1 | FileCheck %s --check-prefix=CRASH --implicit-check-not="Stack dump"
// CRASH: isolation.mlir:[[#@LINE+17]]:5: error: transform.annotate crashed

func.func @f(%A: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.exp ins(%A : tensor<8xf32>) outs(%o : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @print(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.structured.tile_using_for %0 tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.print %a {name = "just this"} : !transform.any_op
    transform.yield
  }
  // A handle after its end, where nothing looks for that.
  transform.named_sequence @crash(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.structured.tile_using_for %0 tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %0 "twice" : !transform.any_op
    transform.yield
  }
}
