// RUN: egg-opt %s --transform-interpreter --split-input-file --verify-diagnostics

module attributes {transform.with_named_sequence} {
func.func @f(%x: tensor<16xf32>, %init: tensor<f32>) -> tensor<f32> {
  // expected-note @below {{the reduction}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<16xf32>) outs(%init : tensor<f32>) attrs = {egg.name = "op_0"} {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %i32 = arith.index_cast %i : index to i32
    %if = arith.sitofp %i32 : i32 to f32
    %m = arith.mulf %a, %if : f32
    %s = arith.addf %m, %o : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %op = transform.egg.select %f ["op_0"] : (!transform.any_op) -> !transform.any_op
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{cannot split this reduction: its body uses the index, which splitting would change}}
  %a, %b = transform.egg.split_reduction %op parts(%p) : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @f(%x: tensor<16xf32>, %init: tensor<f32>) -> tensor<f32> {
  // expected-note @below {{the reduction}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<16xf32>) outs(%init : tensor<f32>) attrs = {egg.name = "op_0"} {
  ^bb0(%a: f32, %o: f32):
    %m = arith.mulf %a, %o : f32
    %s = arith.addf %m, %a : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %op = transform.egg.select %f ["op_0"] : (!transform.any_op) -> !transform.any_op
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{cannot split this reduction: its partial results cannot be combined}}
  %a, %b = transform.egg.split_reduction %op parts(%p) : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @f(%x: tensor<4099xf32>, %init: tensor<f32>) -> tensor<f32> {
  // expected-note @below {{the reduction}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<4099xf32>) outs(%init : tensor<f32>) attrs = {egg.name = "op_0"} {
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
  // expected-error @below {{cannot split this reduction: no reduction dimension has a divisor between 2 and 8, or at most 4096 elements, and reaches the operands unmixed}}
  %a, %b = transform.egg.split_reduction %op parts(%p) : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @f(%x: tensor<16xf32>, %init: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<16xf32>) outs(%init : tensor<f32>) attrs = {egg.name = "op_0"} {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %op = transform.egg.select %f ["op_0"] : (!transform.any_op) -> !transform.any_op
  %p = transform.param.constant 1 : i64 -> !transform.param<i64>
  // expected-error @below {{split_reduction needs at least 2 parts}}
  %a, %b = transform.egg.split_reduction %op parts(%p) : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @f(%x: tensor<16xf32>, %init: tensor<16xf32>) -> tensor<16xf32> {
  // expected-note @below {{the reduction}}
  %0 = linalg.exp {egg.name = "op_0"} ins(%x : tensor<16xf32>) outs(%init : tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %op = transform.egg.select %f ["op_0"] : (!transform.any_op) -> !transform.any_op
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{cannot split this reduction: it is no reduction on tensors of static shape}}
  %a, %b = transform.egg.split_reduction %op parts(%p) : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @f(%x: tensor<16xf32>) -> tensor<4x4xf32> {
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [4, 4] {egg.name = "op_0"} : tensor<16xf32> into tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %op = transform.egg.select %f ["op_0"] : (!transform.any_op) -> !transform.any_op
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  // expected-error @below {{split_reduction expects a handle to one linalg op; select it by its name}}
  %a, %b = transform.egg.split_reduction %op parts(%p) : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}
