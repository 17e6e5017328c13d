// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A softmax that upstream decomposes agrees with PyTorch on rows of infinities
// and NaN.
// RUN: %python -c "import struct; n, i = float('nan'), float('inf'); open('%t.in', 'wb').write(struct.pack('10f', -i, -i, n, 1, 1e38, 0, i, 1, 1, n))"
// RUN: egg-opt %s --transform-interpreter --egg-run-on-cpu="inputs=%t.in elements=10" -o /dev/null 2>&1 | FileCheck %s
// CHECK: result 0 [{{-?}}nan, {{-?}}nan, {{-?}}nan, {{-?}}nan, 1, 0, {{-?}}nan, {{-?}}nan, {{-?}}nan, {{-?}}nan]
func.func @main(%x: tensor<5x2xf32>) -> tensor<5x2xf32> {
  %e = tensor.empty() : tensor<5x2xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<5x2xf32>) outs(%e : tensor<5x2xf32>) -> tensor<5x2xf32>
  return %r : tensor<5x2xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.softmax"]} in %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.decompose_interface %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
