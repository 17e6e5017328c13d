// RUN: egg-opt %s --egg-import-torch --split-input-file | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#keep = affine_map<(i, j) -> (i, 0)>

// The argmax that softmax does not use goes, with its result; rows lose their
// dimension of extent one; attributes, globals and asserts of torch-mlir go.
// CHECK-LABEL: @main
// CHECK-NOT: i64
// CHECK: linalg.generic
// CHECK-SAME: egg.name = "reduce_max_0"
// CHECK: arith.maximumf
// CHECK-NEXT: linalg.yield
// CHECK-NEXT: } -> tensor<4xf32>
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<4xf32>)
// CHECK-SAME: egg.name = "sub_0"
// CHECK-NOT: cf.assert
module attributes {torch.debug_module_name = "Model"} {
  ml_program.global private mutable @global_seed(dense<0> : tensor<i64>) : tensor<i64>
  func.func @main(%x: tensor<4x8xf32> {egg.kind = "input", egg.name = "x"})
      -> (tensor<4x8xf32> {egg.kind = "output", egg.name = "y"}) {
    %zero = arith.constant 0 : i64
    %least = arith.constant 0xFF800000 : f32
    %valid = arith.cmpi eq, %zero, %zero : i64
    cf.assert %valid, "never"
    %e0 = tensor.empty() : tensor<4xi64>
    %f0 = linalg.fill ins(%zero : i64) outs(%e0 : tensor<4xi64>) -> tensor<4xi64>
    %e1 = tensor.empty() : tensor<4xf32>
    %f1 = linalg.fill ins(%least : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
    %max:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%f1, %f0 : tensor<4xf32>, tensor<4xi64>) {
    ^bb0(%in: f32, %out: f32, %arg: i64):
      %0 = linalg.index 1 : index
      %1 = arith.index_cast %0 : index to i64
      %2 = arith.maximumf %in, %out : f32
      %3 = arith.cmpf ogt, %in, %out : f32
      %4 = arith.select %3, %1, %arg : i64
      linalg.yield %2, %4 : f32, i64
    } -> (tensor<4xf32>, tensor<4xi64>)
    %expanded = tensor.expand_shape %max#0 [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
    %e2 = tensor.empty() : tensor<4x8xf32>
    %y = linalg.generic {indexing_maps = [#id, #keep, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %expanded : tensor<4x8xf32>, tensor<4x1xf32>) outs(%e2 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %max0: f32, %out: f32):
      %0 = arith.subf %in, %max0 : f32
      linalg.yield %0 : f32
    } -> tensor<4x8xf32>
    return %y : tensor<4x8xf32>
  }
}

// -----

#id1 = affine_map<(i) -> (i)>
// Python's doubles take the tensor's precision; a splat operand is a constant.
// CHECK-LABEL: @main
// CHECK-NOT: f64
// CHECK-DAG: %[[TENTH:.*]] = arith.constant 1.000000e-01 : f32
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{[a-z0-9]*}} : tensor<4xf32>) outs
// CHECK: %[[C:.*]] = arith.cmpf ogt, %[[IN:.*]], %[[TENTH]] : f32
// CHECK: arith.select %[[C]], %[[IN]], %[[TWO]] : f32
func.func @main(%x: tensor<4xf32> {egg.kind = "input", egg.name = "x"})
    -> (tensor<4xf32> {egg.kind = "output", egg.name = "y"}) {
  %tenth = arith.constant 1.000000e-01 : f64
  %two = arith.constant 2.0 : f64
  %other = arith.constant dense<5.0> : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id1, #id1, #id1], iterator_types = ["parallel"]} ins(%x, %other : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %splat: f32, %out: f32):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.cmpf ogt, %0, %tenth : f64
    %2 = arith.truncf %two : f64 to f32
    %3 = arith.select %1, %in, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

#id2 = affine_map<(i, j) -> (i, j)>
// A scan between two flips, as torch-mlir writes them.
// CHECK-LABEL: @main
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<4x8xf32>
// CHECK-NEXT: %[[R:.*]] = egg.scan <add> %[[X]] dim = 1 {egg.name = "scan_add_0", reverse}
// CHECK-NEXT: return %[[R]]
func.func @main(%x: tensor<4x8xf32> {egg.kind = "input", egg.name = "x"})
    -> (tensor<4x8xf32> {egg.kind = "output", egg.name = "y"}) {
  %last = arith.constant 7 : index
  %e = tensor.empty() : tensor<4x8xf32>
  %flip = linalg.generic {indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x8xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.subi %last, %j : index
    %0 = tensor.extract %x[%i, %k] : tensor<4x8xf32>
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  %scan = "egg.scan"(%flip) {dim = 1 : i64, kind = #egg.scan_kind<add>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.generic {indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x8xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.subi %last, %j : index
    %0 = tensor.extract %scan[%i, %k] : tensor<4x8xf32>
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: @main
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<4x8xf32>
// CHECK-NEXT: egg.scan <add> %[[X]] dim = 1 {egg.name = "scan_add_0", exclusive}
func.func @main(%x: tensor<4x8xf32> {egg.kind = "input", egg.name = "x"})
    -> (tensor<4x8xf32> {egg.kind = "output", egg.name = "y"}) {
  %zeros = arith.constant dense<0.0> : tensor<4x1xf32>
  %slice = tensor.extract_slice %x[0, 0] [4, 7] [1, 1] : tensor<4x8xf32> to tensor<4x7xf32>
  %scan = egg.scan <add> %slice dim = 1 : tensor<4x7xf32>
  %y = tensor.concat dim(1) %zeros, %scan : (tensor<4x1xf32>, tensor<4x7xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// Ones are not neutral for a sum: nothing is recognised.
// CHECK-LABEL: @main
// CHECK: egg.scan <add> %{{.*}} dim = 1 {egg.name = "scan_add_0"}
// CHECK: tensor.concat
func.func @main(%x: tensor<4x8xf32> {egg.kind = "input", egg.name = "x"})
    -> (tensor<4x8xf32> {egg.kind = "output", egg.name = "y"}) {
  %ones = arith.constant dense<1.0> : tensor<4x1xf32>
  %slice = tensor.extract_slice %x[0, 0] [4, 7] [1, 1] : tensor<4x8xf32> to tensor<4x7xf32>
  %scan = egg.scan <add> %slice dim = 1 : tensor<4x7xf32>
  %y = tensor.concat dim(1) %ones, %scan : (tensor<4x1xf32>, tensor<4x7xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// Elementwise ops on tensors become linalg.
// CHECK-LABEL: @main
// CHECK: linalg.generic
// CHECK-SAME: egg.name = "add_0"
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
func.func @main(%x: tensor<4xf32> {egg.kind = "parameter", egg.name = "x"},
                %y: tensor<4xf32> {egg.kind = "input", egg.name = "y"})
    -> (tensor<4xf32> {egg.kind = "output", egg.name = "z"}) {
  %z = arith.addf %x, %y : tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

#id3 = affine_map<(i) -> (i)>
// A gather that may leave the tensor keeps its indices: the body decides.
// CHECK-LABEL: @main
// CHECK: tensor.extract
func.func @main(%x: tensor<4xf32> {egg.kind = "input", egg.name = "x"})
    -> (tensor<4xf32> {egg.kind = "output", egg.name = "y"}) {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id3], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %k = arith.addi %i, %c3 : index
    %inside = arith.cmpi slt, %k, %c4 : index
    %0 = tensor.extract %x[%k] : tensor<4xf32>
    %1 = arith.select %inside, %0, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// Cells of recurrent layers are inlined, once simplified.
// CHECK-LABEL: @main
// CHECK-COUNT-2: math.tanh
// CHECK: return
// CHECK-NOT: func.func
func.func private @cell(%x: tensor<4xf32>) -> tensor<4xf32> attributes {no_inline} {
  %0 = math.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32> {egg.kind = "input", egg.name = "x"})
    -> (tensor<4xf32> {egg.kind = "output", egg.name = "y"}) {
  %0 = func.call @cell(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @cell(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
