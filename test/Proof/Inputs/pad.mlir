func.func @main(%x: tensor<20x24xf32>) -> tensor<23x32xf32> {
  %half = arith.constant 0.5 : f32
  %0 = tensor.pad %x low[1, 3] high[2, 5] {
  ^bb0(%i: index, %j: index):
    tensor.yield %half : f32
  } {egg.name = "pad_0"} : tensor<20x24xf32> to tensor<23x32xf32>
  return %0 : tensor<23x32xf32>
}
