// RUN: egg-opt %s --transform-interpreter --split-input-file | FileCheck %s

// A whole dimension becomes parallel: no reshape.
// CHECK-LABEL: func.func @whole
// CHECK: %[[PARTIAL:.*]] = linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "reduction"]
// CHECK-SAME: outs(%{{.*}} : tensor<16xf32>)
// CHECK-SAME: egg.name = "sum_0_partial"
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["reduction"]
// CHECK-SAME: ins(%[[PARTIAL]] : tensor<16xf32>)
// CHECK-SAME: egg.name = "sum_0"
module attributes {transform.with_named_sequence} {
func.func @whole(%x: tensor<16x100xf32>, %init: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<16x100xf32>) outs(%init : tensor<f32>) attrs = {egg.name = "sum_0"} {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %op = transform.egg.select %f ["sum_0"] : (!transform.any_op) -> !transform.any_op
  %p = transform.param.constant 64 : i64 -> !transform.param<i64>
  %a, %b = transform.egg.split_reduction %op parts(%p) : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

// 1000 = 50 shares of 20; the maximum starts from its neutral element, the
// combination from the payload's own start. Overflow flags do not survive.
// CHECK-LABEL: func.func @divided
// CHECK: tensor.expand_shape %{{.*}} {{\[}}[0], [1, 2]] output_shape [8, 50, 20]
// CHECK: arith.constant -2147483648 : i32
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-SAME: outs(%{{.*}} : tensor<50x8xi32>)
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["reduction", "parallel"]
// CHECK-SAME: outs(%{{.*}} : tensor<8xi32>)
module attributes {transform.with_named_sequence} {
func.func @divided(%x: tensor<8x1000xi32>, %init: tensor<8xi32>) -> tensor<8xi32> {
  %0 = linalg.reduce { arith.maxsi } ins(%x : tensor<8x1000xi32>) outs(%init : tensor<8xi32>) dimensions = [1] {egg.name = "max_0"}
  return %0 : tensor<8xi32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %op = transform.egg.select %f ["max_0"] : (!transform.any_op) -> !transform.any_op
  %p = transform.param.constant 64 : i64 -> !transform.param<i64>
  %a, %b = transform.egg.split_reduction %op parts(%p) : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

// CHECK-LABEL: func.func @flags
// CHECK: arith.addi %{{.*}}, %{{.*}} : i32
// CHECK: arith.addi %{{.*}}, %{{.*}} : i32
// CHECK-NOT: overflow
module attributes {transform.with_named_sequence} {
func.func @flags(%x: tensor<16x8xi32>, %init: tensor<i32>) -> tensor<i32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<16x8xi32>) outs(%init : tensor<i32>) attrs = {egg.name = "sum_0"} {
  ^bb0(%a: i32, %o: i32):
    %s = arith.addi %a, %o overflow<nsw> : i32
    linalg.yield %s : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %op = transform.egg.select %f ["sum_0"] : (!transform.any_op) -> !transform.any_op
  %p = transform.param.constant 64 : i64 -> !transform.param<i64>
  %a, %b = transform.egg.split_reduction %op parts(%p) : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

// A prime has no divisor: it stays one share, and both reductions remain.

// CHECK-LABEL: func.func @prime
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]{{.*}} ins(%{{.+}} : tensor<1x17xf32>) outs(%{{.+}} : tensor<1xf32>) attrs = {{.*}}egg.name = "op_0_partial"
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction"]{{.*}} ins(%{{.+}} : tensor<1xf32>) {{.*}}egg.name = "op_0"
module attributes {transform.with_named_sequence} {
func.func @prime(%x: tensor<17xf32>, %init: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<17xf32>) outs(%init : tensor<f32>) attrs = {egg.name = "op_0"} {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %op = transform.egg.select %f ["op_0"] : (!transform.any_op) -> !transform.any_op
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  %a, %b = transform.egg.split_reduction %op parts(%p) : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}
