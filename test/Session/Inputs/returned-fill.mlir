func.func @main(%x: tensor<8xf32> {egg.kind = "input", egg.name = "x"})
    -> (tensor<8xf32> {egg.kind = "output", egg.name = "y"}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
