// RUN: egg-opt %s --split-input-file --transform-interpreter --verify-diagnostics

func.func @main(%x: tensor<8xf32>, %y: tensor<4x2xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp {egg.name = "exp_0"} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = tensor.collapse_shape %y [[0, 1]] : tensor<4x2xf32> into tensor<8xf32>
  %1 = linalg.add {egg.name = "add_0"} ins(%0, %r : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  // expected-note @below {{argument 0 is argument 0 of @main, 'tensor<8xf32>'}}
  // expected-note @below {{argument 1 is the result of 'tensor.collapse_shape', 'tensor<8xf32>'}}
  // expected-note @below {{result 0 replaces the result of "exp_0", 'tensor<8xf32>'}}
  // expected-note @below {{result 1 replaces the result of "add_0", 'tensor<8xf32>'}}
  func.func private @other(%x: tensor<8xf32>) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %main = transform.structured.match attributes {sym_name = "main"} in %m : (!transform.any_op) -> !transform.any_op
    %0 = transform.egg.select %main ["exp_0", "add_0"] : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{substitution of @other: the function has type '(tensor<8xf32>) -> tensor<8xf32>', and these operations need '(tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)'}}
    transform.egg.substitute %0 with @other : !transform.any_op
    transform.yield
  }
}

// -----

func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp {egg.name = "exp_0"} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.exp {egg.name = "exp_1"} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  func.func private @named(%x: tensor<8xf32>) -> tensor<8xf32> {
    %e = tensor.empty() : tensor<8xf32>
    // expected-note @below {{this operation}}
    %0 = linalg.exp {egg.name = "exp_1"} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %main = transform.structured.match attributes {sym_name = "main"} in %m : (!transform.any_op) -> !transform.any_op
    %0 = transform.egg.select %main ["exp_0"] : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{substitution of @named: the name "exp_1" is taken; give each operation a name of its own}}
    transform.egg.substitute %0 with @named : !transform.any_op
    transform.yield
  }
}

// -----

func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp {egg.name = "exp_0"} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  func.func private @unnamed(%x: tensor<8xf32>) -> tensor<8xf32> {
    %e = tensor.empty() : tensor<8xf32>
    // expected-note @below {{this operation}}
    %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %main = transform.structured.match attributes {sym_name = "main"} in %m : (!transform.any_op) -> !transform.any_op
    %0 = transform.egg.select %main ["exp_0"] : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{substitution of @unnamed: its operation 'linalg.exp' has no name; add {egg.name = "..."}}}
    transform.egg.substitute %0 with @unnamed : !transform.any_op
    transform.yield
  }
}

// -----

func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp {egg.name = "exp_0"} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %main = transform.structured.match attributes {sym_name = "main"} in %m : (!transform.any_op) -> !transform.any_op
    %0 = transform.egg.select %main ["exp_0"] : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{the script has no function @missing with a body of one block; add 'func.func private @missing' to it}}
    transform.egg.substitute %0 with @missing : !transform.any_op
    transform.yield
  }
}

// -----

// A value leaves and comes back.

func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp {egg.name = "exp_0"} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  // expected-note @below {{operation outside the kernel}}
  %1 = linalg.log {egg.name = "log_0"} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %2 = linalg.exp {egg.name = "exp_1"} ins(%1 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  func.func private @f(%x: tensor<8xf32>) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %main = transform.structured.match attributes {sym_name = "main"} in %m : (!transform.any_op) -> !transform.any_op
    %0 = transform.egg.select %main ["exp_0", "exp_1"] : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{substitution of @f: the kernel needs the result of "log_0"}}
    transform.egg.substitute %0 with @f : !transform.any_op
    transform.yield
  }
}
