module {
  func.func @main(%arg0: tensor<64x192x65536xf32> {egg.kind = "input", egg.name = "x"}) -> (tensor<64x192x65523xf32> {egg.kind = "output", egg.name = "output_0"}) {
    %cst = arith.constant 0xFF800000 : f32
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2, 3]] output_shape [64, 192, 1, 65536] : tensor<64x192x65536xf32> into tensor<64x192x1x65536xf32>
    %padded = tensor.pad %expanded low[0, 0, 0, 4] high[0, 0, 0, 4] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } {egg.name = "pad_0"} : tensor<64x192x1x65536xf32> to tensor<64x192x1x65544xf32>
    %0 = tensor.empty() : tensor<64x192x1x65523xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<64x192x1x65523xf32>) -> tensor<64x192x1x65523xf32>
    %2 = tensor.empty() : tensor<1x8xf32>
    %3 = linalg.pooling_nchw_max {dilations = dense<[1, 3]> : vector<2xi64>, egg.name = "pooling_nchw_max_0", strides = dense<1> : vector<2xi64>} ins(%padded, %2 : tensor<64x192x1x65544xf32>, tensor<1x8xf32>) outs(%1 : tensor<64x192x1x65523xf32>) -> tensor<64x192x1x65523xf32>
    %collapsed = tensor.collapse_shape %3 [[0], [1, 2], [3]] : tensor<64x192x1x65523xf32> into tensor<64x192x65523xf32>
    return %collapsed : tensor<64x192x65523xf32>
  }
}

