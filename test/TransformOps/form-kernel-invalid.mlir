// RUN: egg-opt %s --split-input-file --transform-interpreter --verify-diagnostics

// The middle of a chain is left out.
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp {egg.name = "exp_0"} ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  // expected-note @below {{operation outside the kernel}}
  %1 = linalg.negf {egg.name = "neg_1"} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %2 = linalg.add {egg.name = "add_2"} ins(%0, %1 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %0 = transform.egg.select %f ["exp_0", "add_2"] : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{kernel "k": the kernel needs the result of "neg_1", which is outside it and depends on it; add "neg_1" to the kernel, or take its users out}}
    %k = transform.egg.form_kernel %0 {name = "k"} : (!transform.any_op) -> !transform.any_op
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
    %0 = transform.egg.select %f ["exp_0"] : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{"row softmax" is no kernel name}}
    %k = transform.egg.form_kernel %0 {name = "row softmax"} : (!transform.any_op) -> !transform.any_op
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
    %0 = transform.egg.select %f ["exp_0"] : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{"algorithm" is taken by a part of every payload or schedule}}
    %k = transform.egg.form_kernel %0 {name = "algorithm"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp {egg.name = "exp_0"} ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.negf {egg.name = "neg_1"} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %0 = transform.egg.select %f ["exp_0"] : (!transform.any_op) -> !transform.any_op
    %1 = transform.merge_handles %0, %0 : !transform.any_op
    %2 = transform.egg.select %f ["neg_1"] : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{"exp_0" is given twice}}
    %k = transform.egg.form_kernel %2 recompute(%1) {name = "k"} : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @main(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp {egg.name = "exp_0"} ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.abs {egg.name = "abs_1"} ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %0 = transform.egg.select %f ["exp_0"] : (!transform.any_op) -> !transform.any_op
    %1 = transform.egg.select %f ["abs_1"] : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{"abs_1" of 'recompute' feeds no operation of the kernel}}
    %k = transform.egg.form_kernel %0 recompute(%1) {name = "k"} : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Free ops come along by themselves.
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %0 = transform.structured.match ops{["linalg.fill"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{operation 'linalg.fill' is no compute op (it has no egg.name)}}
    %k = transform.egg.form_kernel %0 {name = "k"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %0 = transform.structured.match ops{["linalg.fill"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{kernel "k" would be empty}}
    %k = transform.egg.form_kernel %0 {name = "k"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<8xf32>
  %s = tensor.extract %a[%c0] {egg.name = "extract_0"} : tensor<8xf32>
  %f = linalg.fill ins(%s : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.add {egg.name = "add_1"} ins(%a, %f : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %0 = transform.egg.select %f ["add_1"] : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{the kernel would have the scalar result of "extract_0" as an argument, and arguments are tensors; add "extract_0" to 'recompute'}}
    %k = transform.egg.form_kernel %0 {name = "k"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<8xf32>
  %s = tensor.extract %a[%c0] {egg.name = "extract_0"} : tensor<8xf32>
  %f = linalg.fill ins(%s : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.add {egg.name = "add_1"} ins(%a, %f : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %0 = transform.egg.select %f ["extract_0"] : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{the scalar result of "extract_0" is used outside the kernel}}
    %k = transform.egg.form_kernel %0 {name = "k"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Two reductions over different rows have no common structure.
#row = affine_map<(d0, d1) -> (d0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%a: tensor<8x4xf32>, %b: tensor<6x4xf32>) -> (tensor<8xf32>, tensor<6xf32>) {
  %z = arith.constant 0.0 : f32
  %e8 = tensor.empty() : tensor<8xf32>
  %f8 = linalg.fill ins(%z : f32) outs(%e8 : tensor<8xf32>) -> tensor<8xf32>
  %e6 = tensor.empty() : tensor<6xf32>
  %f6 = linalg.fill ins(%z : f32) outs(%e6 : tensor<6xf32>) -> tensor<6xf32>
  %0 = linalg.generic {egg.name = "reduce_add_0", indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
    ins(%a : tensor<8x4xf32>) outs(%f8 : tensor<8xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %s = arith.addf %x, %acc : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  // expected-note @below {{this op}}
  %1 = linalg.generic {egg.name = "reduce_add_1", indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
    ins(%b : tensor<6x4xf32>) outs(%f6 : tensor<6xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %s = arith.addf %x, %acc : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  return %0, %1 : tensor<8xf32>, tensor<6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %0 = transform.egg.select %f ["reduce_add_0", "reduce_add_1"] : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{kernel "k": reductions in one kernel must have the same rows}}
    %k = transform.egg.form_kernel %0 {name = "k"} : (!transform.any_op) -> !transform.any_op
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
    %0 = transform.egg.select %f ["exp_0"] : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{"WARP_SZ" is reserved in PTX or names a function that the compiler or the driver calls}}
    %k = transform.egg.form_kernel %0 {name = "WARP_SZ"} : (!transform.any_op) -> !transform.any_op
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
    %0 = transform.egg.select %f ["exp_0"] : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{"malloc" is reserved in PTX}}
    %k = transform.egg.form_kernel %0 {name = "malloc"} : (!transform.any_op) -> !transform.any_op
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
    %0 = transform.egg.select %f ["exp_0"] : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{"memset" is reserved in PTX}}
    %k = transform.egg.form_kernel %0 {name = "memset"} : (!transform.any_op) -> !transform.any_op
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
    %0 = transform.egg.select %f ["exp_0"] : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{"constant_0" is the name of a constant beside the kernels}}
    %k = transform.egg.form_kernel %0 {name = "constant_0"} : (!transform.any_op) -> !transform.any_op
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
    %0 = transform.egg.select %f ["exp_0"] : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{"sum$1" is no kernel name; use at most 64 letters, digits and underscores, starting with a letter}}
    %k = transform.egg.form_kernel %0 {name = "sum$1"} : (!transform.any_op) -> !transform.any_op
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
    %0 = transform.egg.select %f ["exp_0"] : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{"_k" is no kernel name}}
    %k = transform.egg.form_kernel %0 {name = "_k"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// The importer removes what computes nothing; other payloads are refused.
func.func @main(%a: tensor<0x8xf32>) -> tensor<0x8xf32> {
  // expected-note @below {{this op}}
  %e = tensor.empty() : tensor<0x8xf32>
  %0 = linalg.exp {egg.name = "exp_0"} ins(%a : tensor<0x8xf32>) outs(%e : tensor<0x8xf32>) -> tensor<0x8xf32>
  return %0 : tensor<0x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %0 = transform.egg.select %f ["exp_0"] : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{has a result without elements, and nothing computes those; run egg-import-torch}}
    %k = transform.egg.form_kernel %0 {name = "k"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @main(%a: tensor<1x8xf32>) -> tensor<4294967296x4294967296xf32> {
  // expected-note @below {{this op}}
  %e = tensor.empty() : tensor<4294967296x4294967296xf32>
  %0 = linalg.generic {egg.name = "copy_0", indexing_maps = [affine_map<(i, j) -> (0, 0)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<1x8xf32>) outs(%e : tensor<4294967296x4294967296xf32>) {
  ^bb0(%x: f32, %out: f32):
    linalg.yield %x : f32
  } -> tensor<4294967296x4294967296xf32>
  return %0 : tensor<4294967296x4294967296xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %0 = transform.egg.select %f ["copy_0"] : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{has a result of more elements than 64 bits count; use smaller extents}}
    %k = transform.egg.form_kernel %0 {name = "k"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// 2^80 products in one sum.
func.func @main(%a: tensor<1099511627776xi8>, %b: tensor<1099511627776xi8>, %c: tensor<i8>) -> tensor<i8> {
  // expected-note @below {{this op}}
  %0 = linalg.generic {egg.name = "reduce_0", indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%a, %b : tensor<1099511627776xi8>, tensor<1099511627776xi8>) outs(%c : tensor<i8>) {
  ^bb0(%x: i8, %y: i8, %sum: i8):
    %1 = arith.muli %x, %y : i8
    %2 = arith.addi %sum, %1 : i8
    linalg.yield %2 : i8
  } -> tensor<i8>
  return %0 : tensor<i8>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %0 = transform.egg.select %f ["reduce_0"] : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{a reduction has more iterations than 64 bits count; use smaller extents}}
    %k = transform.egg.form_kernel %0 {name = "k"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
