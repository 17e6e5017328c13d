func.func @main(%x: tensor<64xf32> {egg.kind = "input", egg.name = "x"})
    -> (tensor<64xf32> {egg.kind = "output", egg.name = "a"},
        tensor<64xf32> {egg.kind = "output", egg.name = "b"}) {
  %e = tensor.empty() : tensor<64xf32>
  %0 = linalg.add {egg.name = "add_0"} ins(%x, %x : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  return %0, %x : tensor<64xf32>, tensor<64xf32>
}
