// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A script that allocates without end, or takes too long, ends with its child.
// AddressSanitizer needs an address space without a limit.
// UNSUPPORTED: asan
// RUN: not egg-opt %s --transform-interpreter=memory-limit=1024 2>&1 | FileCheck %s --check-prefix=MEMORY
// MEMORY: limits.mlir:[[#@LINE+17]]:5: error: transform-interpreter ran out of memory in transform.loop.unroll; raise memory-limit if it has to take so much
// RUN: not egg-opt %s --transform-interpreter="time-limit=0.5 memory-limit=65536" 2>&1 | FileCheck %s --check-prefix=TIME
// TIME: error: transform-interpreter was stopped after {{.*}} s{{.*}}; raise time-limit if it has to take so much

func.func @f(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100000000 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%c0] : memref<4xf32>
    memref.store %v, %x[%c1] : memref<4xf32>
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["scf.for"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %0 {factor = 100000000} : !transform.any_op
    transform.yield
  }
}
