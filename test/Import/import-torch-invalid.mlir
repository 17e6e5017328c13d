// RUN: egg-opt %s --egg-import-torch --split-input-file --verify-diagnostics

module {
  // expected-error @+1 {{'ml_program.global' is not supported in a payload}}
  ml_program.global private mutable @seed(dense<0> : tensor<i64>) : tensor<i64>
  func.func @main(%x: tensor<4xf32> {egg.kind = "input", egg.name = "x"})
      -> (tensor<i64> {egg.kind = "output", egg.name = "y"}) {
    %y = ml_program.global_load @seed : tensor<i64>
    return %y : tensor<i64>
  }
}

// -----

#id = affine_map<(i) -> (i)>
#all = affine_map<(i) -> ()>
func.func @main(%x: tensor<4xf32> {egg.kind = "input", egg.name = "x"},
                %n: tensor<i64> {egg.kind = "input", egg.name = "n"})
    -> (tensor<f32> {egg.kind = "output", egg.name = "y"}) {
  %0 = tensor.extract %n[] : tensor<i64>
  %1 = arith.index_cast %0 : i64 to index
  // expected-error @+1 {{result of 'tensor.extract_slice' has the dynamic shape of tensor<?xf32>}}
  %2 = tensor.extract_slice %x[0] [%1] [1] : tensor<4xf32> to tensor<?xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %y = linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction"]} ins(%2 : tensor<?xf32>) outs(%f : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.addf %in, %out : f32
    linalg.yield %3 : f32
  } -> tensor<f32>
  return %y : tensor<f32>
}

// -----

func.func @main(%x: tensor<4xf32> {egg.kind = "input", egg.name = "x"},
                %b: tensor<i1> {egg.kind = "input", egg.name = "b"})
    -> (tensor<4xf32> {egg.kind = "output", egg.name = "y"}) {
  %0 = tensor.extract %b[] : tensor<i1>
  // expected-error @+1 {{'scf.if' is not supported in a payload}}
  %1 = scf.if %0 -> tensor<4xf32> {
    %2 = math.exp %x : tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %1 : tensor<4xf32>
}
