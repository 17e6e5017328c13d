func.func @main(%x: tensor<0x4xf32> {egg.kind = "input", egg.name = "x"},
                %y: tensor<4xf32> {egg.kind = "input", egg.name = "y"})
    -> (tensor<2x0xf32> {egg.kind = "output", egg.name = "a"},
        tensor<4xf32> {egg.kind = "output", egg.name = "b"},
        tensor<0x4xf32> {egg.kind = "output", egg.name = "c"}) {
  %0 = tensor.empty() : tensor<2x0xf32>
  return %0, %y, %x : tensor<2x0xf32>, tensor<4xf32>, tensor<0x4xf32>
}
