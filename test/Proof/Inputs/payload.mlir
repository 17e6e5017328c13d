#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%x: tensor<20x50xf32>, %b: tensor<50xf32>) -> (tensor<20x50xf32>, tensor<20x50xf32>, tensor<50x20xf32>) {
    %two = arith.constant 2.0 : f32
    %e = tensor.empty() : tensor<20x50xf32>
    %t = tensor.empty() : tensor<50x20xf32>
    %0 = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %b : tensor<20x50xf32>, tensor<50xf32>) outs(%e : tensor<20x50xf32>) attrs = {egg.name = "sub_0"} {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %d = arith.subf %p, %q : f32
      linalg.yield %d : f32
    } -> tensor<20x50xf32>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<20x50xf32>) outs(%e : tensor<20x50xf32>) attrs = {egg.name = "mul_0"} {
    ^bb0(%p: f32, %o: f32):
      %d = arith.mulf %p, %two : f32
      linalg.yield %d : f32
    } -> tensor<20x50xf32>
    %2 = linalg.exp {egg.name = "exp_0"} ins(%1 : tensor<20x50xf32>) outs(%e : tensor<20x50xf32>) -> tensor<20x50xf32>
    %3 = linalg.transpose ins(%2 : tensor<20x50xf32>) outs(%t : tensor<50x20xf32>) permutation = [1, 0] {egg.name = "transpose_0"}
    return %0, %1, %3 : tensor<20x50xf32>, tensor<20x50xf32>, tensor<50x20xf32>
  }
}
