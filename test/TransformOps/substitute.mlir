// RUN: egg-opt %s --split-input-file --transform-interpreter | FileCheck %s

// What lies between the replaced ops and needs them goes after the new ones;
// fills go with their users.

// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.+]]: tensor<8xf32>)
// CHECK: %[[T:.+]] = linalg.mul {egg.name = "twice"} ins(%[[X]], %[[X]]
// CHECK-NEXT: %[[L:.+]] = linalg.log {egg.name = "log_0"} ins(%[[T]]
// CHECK-NEXT: return %[[L]], %[[T]]
func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp {egg.name = "exp_0"} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.log {egg.name = "log_0"} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %2 = linalg.exp {egg.name = "exp_1"} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %1, %2 : tensor<8xf32>, tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  func.func private @f(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %e = tensor.empty() : tensor<8xf32>
    %0 = linalg.mul {egg.name = "twice"} ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    return %0, %0 : tensor<8xf32>, tensor<8xf32>
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %main = transform.structured.match attributes {sym_name = "main"} in %m : (!transform.any_op) -> !transform.any_op
    %0 = transform.egg.select %main ["exp_0", "exp_1"] : (!transform.any_op) -> !transform.any_op
    transform.egg.substitute %0 with @f : !transform.any_op
    transform.yield
  }
}

// -----

// Nothing is left of operations that an argument replaces.

// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.+]]: tensor<8xf32>)
// CHECK-NOT: linalg
// CHECK: return %[[X]]
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.negf {egg.name = "neg_0"} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.negf {egg.name = "neg_1"} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  func.func private @f(%x: tensor<8xf32>) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %main = transform.structured.match attributes {sym_name = "main"} in %m : (!transform.any_op) -> !transform.any_op
    %0 = transform.egg.select %main ["neg_0", "neg_1"] : (!transform.any_op) -> !transform.any_op
    transform.egg.substitute %0 with @f : !transform.any_op
    transform.yield
  }
}
