// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Padding contributes indices where the body reads them.
// RUN: egg-opt %s -verify-diagnostics --transform-interpreter

func.func @f(%in: tensor<8xi32>, %out: tensor<i32>) -> tensor<i32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
    ins(%in : tensor<8xi32>) outs(%out : tensor<i32>) {
  ^bb0(%a: i32, %b: i32):
    %i = linalg.index 0 : index
    %ic = arith.index_cast %i : index to i32
    %d = arith.addi %b, %ic : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{transform.structured.pad is refused: its body reads linalg.index 0, so padding of that reduction would contribute indices that the payload does not have; leave it unpadded}}
    %a, %b, %c = transform.structured.pad %0 pad_to_multiple_of [3] {padding_values = [0 : i32, 0 : i32], padding_dimensions = [0]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
