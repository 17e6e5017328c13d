//--- payload.mlir
func.func @main(%x: tensor<f32> {egg.kind = "input", egg.name = "x"}) -> (tensor<f32> {egg.kind = "output", egg.name = "y"}) {
  %0 = tensor.empty() : tensor<f32>
  %1 = linalg.transpose ins(%x : tensor<f32>) outs(%0 : tensor<f32>) permutation = [] {egg.name = "transpose_0"}
  return %1 : tensor<f32>
}
//--- schedule.mlir
