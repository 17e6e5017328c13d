// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The guard stands before operations wherever the script holds them, and no
// suppression, alternative or matcher hides what it says.
// RUN: not egg-opt %s -split-input-file --transform-preload-library=transform-library-paths=%S/Inputs/library.mlir --transform-interpreter 2>&1 | FileCheck %s

func.func @f(%A: tensor<4x4xf32>, %B: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%A, %B : tensor<4x4xf32>, tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// CHECK: scripts.mlir:[[#@LINE+3]]:14: error: transform.structured.tile_using_forall is refused: loop 2 is a reduction, and its parallel workers
module attributes {transform.with_named_sequence} {
  transform.named_sequence @cut(%op: !transform.any_op {transform.consumed}) {
    %a, %b = transform.structured.tile_using_forall %op tile_sizes [0, 0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.include @cut failures(suppress) (%0) : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

func.func @f(%A: tensor<4x4xf32>, %B: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%A, %B : tensor<4x4xf32>, tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// CHECK: scripts.mlir:[[#@LINE+6]]:16: error: transform.structured.tile_using_forall is refused: loop 2 is a reduction, and its parallel workers
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.foreach %0 : !transform.any_op {
    ^bb0(%op: !transform.any_op):
      %a, %b = transform.structured.tile_using_forall %op tile_sizes [0, 0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    }
    transform.yield
  }
}

// -----

func.func @f(%A: tensor<4x4xf32>, %B: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%A, %B : tensor<4x4xf32>, tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// CHECK: scripts.mlir:[[#@LINE+6]]:16: error: transform.structured.tile_using_forall is refused: loop 2 is a reduction, and its parallel workers
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    transform.sequence %m : !transform.any_op failures(suppress) {
    ^bb0(%root: !transform.any_op):
      %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
      %a, %b = transform.structured.tile_using_forall %0 tile_sizes [0, 0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    }
    transform.yield
  }
}

// -----

func.func @f(%A: tensor<4x4xf32>, %B: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%A, %B : tensor<4x4xf32>, tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// CHECK: scripts.mlir:[[#@LINE+7]]:16: error: transform.structured.tile_using_forall is refused: loop 2 is a reduction, and its parallel workers
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.alternatives %f : !transform.any_op {
    ^bb0(%scope: !transform.any_op):
      %0 = transform.structured.match ops{["linalg.matmul"]} in %scope : (!transform.any_op) -> !transform.any_op
      %a, %b = transform.structured.tile_using_forall %0 tile_sizes [0, 0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    }, {
    ^bb0(%scope: !transform.any_op):
    }
    transform.yield
  }
}

// -----

func.func @f(%A: tensor<4x4xf32>, %B: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%A, %B : tensor<4x4xf32>, tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// CHECK: scripts.mlir:[[#@LINE+7]]:14: error: transform.structured.tile_using_forall is refused: loop 2 is a reduction, and its parallel workers
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_matmul(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["linalg.matmul"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @act(%op: !transform.any_op {transform.consumed}) {
    %a, %b = transform.structured.tile_using_forall %op tile_sizes [0, 0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    transform.foreach_match in %m @is_matmul -> @act : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @f(%A: tensor<4x4xf32>, %B: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%A, %B : tensor<4x4xf32>, tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// CHECK: library.mlir:5:14: error: transform.structured.tile_using_forall is refused: loop 2 is a reduction, and its parallel workers
module attributes {transform.with_named_sequence} {
  transform.named_sequence private @tile(%op: !transform.any_op {transform.consumed})
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.include @tile failures(propagate) (%0) : (!transform.any_op) -> ()
    transform.yield
  }
}
