// RUN: egg-opt %s --split-input-file --transform-interpreter | FileCheck %s

// The bias add moves with the product; the fill is copied; the reshape between
// them goes along, and the value used outside becomes a second result.

// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[A:.+]]: tensor<8x4xf32>, %[[B:.+]]: tensor<4x6xf32>, %[[C:.+]]: tensor<48xf32>)
// CHECK: %[[K:.+]]:2 = call @product_bias(%[[A]], %[[B]], %[[C]])
// CHECK-NEXT: %[[X:.+]] = linalg.exp {egg.name = "exp_2"} ins(%[[K]]#0
// CHECK-NEXT: return %[[K]]#1, %[[X]]
// CHECK: func.func private @product_bias(%[[PA:.+]]: tensor<8x4xf32>, %[[PB:.+]]: tensor<4x6xf32>, %[[PC:.+]]: tensor<48xf32>)
// CHECK-SAME: attributes {egg.kernel}
// CHECK: linalg.fill
// CHECK: %[[M:.+]] = linalg.matmul {egg.name = "matmul_0"} ins(%[[PA]], %[[PB]]
// CHECK: %[[R:.+]] = tensor.collapse_shape %[[M]]
// CHECK: %[[S:.+]] = linalg.add {egg.name = "add_1"} ins(%[[R]], %[[PC]]
// CHECK: return %[[M]], %[[S]]
func.func @main(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>, %c: tensor<48xf32>)
    -> (tensor<48xf32>, tensor<8x6xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %0 = linalg.matmul {egg.name = "matmul_0"}
    ins(%a, %b : tensor<8x4xf32>, tensor<4x6xf32>) outs(%f : tensor<8x6xf32>) -> tensor<8x6xf32>
  %2 = linalg.exp {egg.name = "exp_2"} ins(%0 : tensor<8x6xf32>) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %r = tensor.collapse_shape %0 [[0, 1]] : tensor<8x6xf32> into tensor<48xf32>
  %e1 = tensor.empty() : tensor<48xf32>
  %1 = linalg.add {egg.name = "add_1"} ins(%r, %c : tensor<48xf32>, tensor<48xf32>) outs(%e1 : tensor<48xf32>) -> tensor<48xf32>
  return %1, %2 : tensor<48xf32>, tensor<8x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %0 = transform.egg.select %f ["matmul_0", "add_1"] : (!transform.any_op) -> !transform.any_op
    %k = transform.egg.form_kernel %0 {name = "product_bias"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A recomputed producer is copied into the kernel and stays for its other user;
// with its last user gone it disappears. A reshape of an argument stays outside.

// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[R:.+]] = tensor.collapse_shape %arg0
// CHECK-NEXT: %[[X:.+]] = call @exp_neg(%[[R]])
// CHECK-NEXT: %[[Y:.+]] = call @exp_abs(%[[R]])
// CHECK-NEXT: return %[[X]], %[[Y]]
// CHECK: func.func private @exp_neg
// CHECK: egg.name = "exp_0"
// CHECK: egg.name = "neg_1"
// CHECK: func.func private @exp_abs
// CHECK: egg.name = "exp_0"
// CHECK: egg.name = "abs_2"
func.func @main(%a: tensor<2x4xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %r = tensor.collapse_shape %a [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp {egg.name = "exp_0"} ins(%r : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.negf {egg.name = "neg_1"} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %2 = linalg.abs {egg.name = "abs_2"} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %1, %2 : tensor<8xf32>, tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %0 = transform.egg.select %f ["exp_0"] : (!transform.any_op) -> !transform.any_op
    %1 = transform.egg.select %f ["neg_1"] : (!transform.any_op) -> !transform.any_op
    %k1 = transform.egg.form_kernel %1 recompute(%0) {name = "exp_neg"} : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %2 = transform.egg.select %f ["abs_2"] : (!transform.any_op) -> !transform.any_op
    %k2 = transform.egg.form_kernel %2 recompute(%0) {name = "exp_abs"} : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Found by egg fuzz kernels, seed 12, case 4993: a reshape that nothing uses made
// a result of what only this kernel reads, and the kernel could not have it. So
// with ops that nothing comes of; those of a script stay until it is applied.

// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[X:.+]] = call @pad_sum(%arg0)
// CHECK-NEXT: return %[[X]]
// CHECK-LABEL: func.func private @pad_sum
// CHECK-SAME: -> tensor<8xf32>
// CHECK: return %{{.+}} : tensor<8xf32>
func.func @main(%a: tensor<8x3xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %a low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } {egg.name = "pad_0"} : tensor<8x3xf32> to tensor<8x5xf32>
  %dead = tensor.expand_shape %padded [[0, 1], [2]] output_shape [2, 4, 5] : tensor<8x5xf32> into tensor<2x4x5xf32>
  %deader = tensor.collapse_shape %dead [[0, 1, 2]] : tensor<2x4x5xf32> into tensor<40xf32>
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %0 = linalg.reduce {arith.addf} ins(%padded : tensor<8x5xf32>) outs(%f : tensor<8xf32>) dimensions = [1] {egg.name = "sum_0"}
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %0 = transform.egg.select %f ["pad_0", "sum_0"] : (!transform.any_op) -> !transform.any_op
    %k = transform.egg.form_kernel %0 {name = "pad_sum"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: call @exp_neg(%arg0)
// CHECK-LABEL: func.func private @exp_neg
// CHECK-SAME: (%{{.+}}: tensor<8xf32>) -> tensor<8xf32>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp {egg.name = "exp_0"} ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.abs {egg.name = "abs_1"} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %2 = linalg.abs {egg.name = "abs_2"} ins(%1 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %3 = linalg.negf {egg.name = "neg_3"} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %3 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %0 = transform.egg.select %f ["exp_0", "neg_3"] : (!transform.any_op) -> !transform.any_op
    %k = transform.egg.form_kernel %0 {name = "exp_neg"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
