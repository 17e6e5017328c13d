// RUN: egg-opt %s --split-input-file --transform-interpreter --verify-diagnostics

func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp {egg.name = "exp_0"} ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.exp {egg.name = "exp_1"} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{no operation named "exp0" in @main}}
    // expected-note @below {{closest names: exp_0, exp_1}}
    %0 = transform.egg.select %f ["exp0"] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// expected-note @below {{the names are the egg.name of its operations}}
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp {egg.name = "exp_0"} ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{no operation named "softmax_kernel" in @main}}
    %0 = transform.egg.select %f ["exp_0", "softmax_kernel"] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// expected-note @below {{it is part of kernel @first already}}
func.func private @first(%a: tensor<8xf32>) -> tensor<8xf32> attributes {egg.kernel} {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp {egg.name = "exp_0"} ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> attributes {entry} {
  %0 = call @first(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} attributes {entry} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{no operation named "exp_0" in @main}}
    %0 = transform.egg.select %f ["exp_0"] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp {egg.name = "exp_0"} ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{"exp_0" is listed twice; remove one}}
    %0 = transform.egg.select %f ["exp_0", "exp_0"] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    // expected-error @below {{select expects a handle to one function with a body}}
    %0 = transform.egg.select %m ["exp_0"] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
