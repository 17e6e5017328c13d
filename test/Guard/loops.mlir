// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that are fused or whose iterations overlap must not depend on each other.
// RUN: egg-opt %s -split-input-file -verify-diagnostics --transform-interpreter -o /dev/null

func.func @f(%y: memref<16xf32>, %o: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  // expected-note @below {{this is its payload}}
  scf.for %i = %c0 to %c15 step %c1 {
    %v = memref.load %o[%i] : memref<16xf32>
    memref.store %v, %y[%i] : memref<16xf32>
  }
  scf.for %i = %c0 to %c15 step %c1 {
    %j = arith.addi %i, %c1 : index
    %v = memref.load %y[%j] : memref<16xf32>
    memref.store %v, %o[%i] : memref<16xf32>
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["scf.for"]} in %m : (!transform.any_op) -> !transform.any_op
    %l:2 = transform.split_handle %0 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // expected-error @below {{transform.loop.fuse_sibling is refused: one loop writes a buffer that the other reads or writes at other elements, and in one loop an iteration would come before what it needs; keep the loops as they are}}
    %a = transform.loop.fuse_sibling %l#1 into %l#0 : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @f(%y: memref<16xf32>, %o: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  // expected-note @below {{this is its payload}}
  scf.for %i = %c0 to %c15 step %c1 {
    %v = memref.load %o[%i] : memref<16xf32>
    memref.store %v, %y[%c0] : memref<16xf32>
  }
  scf.for %i = %c0 to %c15 step %c1 {
    %v = memref.load %y[%c0] : memref<16xf32>
    memref.store %v, %o[%i] : memref<16xf32>
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["scf.for"]} in %m : (!transform.any_op) -> !transform.any_op
    %l:2 = transform.split_handle %0 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // expected-error @below {{fuse_sibling is refused: one loop writes a buffer}}
    %a = transform.loop.fuse_sibling %l#1 into %l#0 : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @f(%y: memref<16xf32>, %o: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  scf.for %i = %c0 to %c15 step %c1 {
    %v = memref.load %o[%i] : memref<16xf32>
    memref.store %v, %y[%i] : memref<16xf32>
  }
  scf.for %i = %c0 to %c15 step %c1 {
    %v = memref.load %y[%i] : memref<16xf32>
    memref.store %v, %o[%i] : memref<16xf32>
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["scf.for"]} in %m : (!transform.any_op) -> !transform.any_op
    %l:2 = transform.split_handle %0 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // Equal elements in equal iterations.
    %a = transform.loop.fuse_sibling %l#1 into %l#0 : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @f(%y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  // expected-note @below {{this is its payload}}
  scf.for %i = %c0 to %c15 step %c1 {
    %j = arith.addi %i, %c1 : index
    %v = memref.load %y[%i] : memref<16xf32>
    memref.store %v, %y[%j] : memref<16xf32>
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["scf.for"]} in %m : (!transform.any_op) -> !transform.any_op
    %l = transform.cast %0 : !transform.any_op to !transform.op<"scf.for">
    // expected-error @below {{transform.loop.pipeline is refused: the loop writes a buffer that other iterations of it read or write, and iterations would overlap; keep the loops as they are}}
    %a = transform.loop.pipeline %l : (!transform.op<"scf.for">) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @f(%y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  // expected-note @below {{this is its payload}}
  scf.for %i = %c0 to %c15 step %c1 {
    %j = arith.addi %i, %c1 : index
    %v = memref.load %y[%i] : memref<16xf32>
    memref.store %v, %y[%j] : memref<16xf32>
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["scf.for"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{transform.loop.unroll_and_jam is refused: the loop writes a buffer that other iterations of it read or write, and iterations would overlap; keep the loops as they are}}
    transform.loop.unroll_and_jam %0 {factor = 2} : !transform.any_op
    transform.yield
  }
}

// -----

func.func @f(%y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c14 = arith.constant 14 : index
  scf.for %i = %c0 to %c14 step %c1 {
    %j = arith.addi %i, %c1 : index
    %v = memref.load %y[%i] : memref<16xf32>
    memref.store %v, %y[%i] : memref<16xf32>
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["scf.for"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll_and_jam %0 {factor = 2} : !transform.any_op
    transform.yield
  }
}

// -----

func.func @f(%y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  // expected-note @below {{this is its payload}}
  scf.for %i = %c0 to %c15 step %c1 {
    %j = arith.addi %i, %c1 : index
    %v = memref.load %y[%i] : memref<16xf32>
    memref.store %v, %y[%i] : memref<16xf32>
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["scf.for"]} in %m : (!transform.any_op) -> !transform.any_op
    %l = transform.cast %0 : !transform.any_op to !transform.op<"scf.for">
    // expected-error @below {{iteration_interval 0 is none, and upstream divides by it; give it 1 or more}}
    %a = transform.loop.pipeline %l {iteration_interval = 0} : (!transform.op<"scf.for">) -> !transform.any_op
    transform.yield
  }
}
