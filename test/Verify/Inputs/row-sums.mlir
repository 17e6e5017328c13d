// The sum of each row of a product.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @main(%x: tensor<64x96xf32> {egg.kind = "input", egg.name = "x"},
                %w: tensor<96x40xf32> {egg.kind = "parameter", egg.name = "w"})
    -> (tensor<64xf32> {egg.kind = "output", egg.name = "output_0"}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x40xf32>) -> tensor<64x40xf32>
  %0 = linalg.matmul {egg.name = "matmul_0"} ins(%x, %w : tensor<64x96xf32>, tensor<96x40xf32>)
    outs(%f : tensor<64x40xf32>) -> tensor<64x40xf32>
  %e1 = tensor.empty() : tensor<64xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64xf32>) -> tensor<64xf32>
  %1 = linalg.generic {egg.name = "reduce_add_0", indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%0 : tensor<64x40xf32>) outs(%f1 : tensor<64xf32>) {
    ^bb0(%in: f32, %acc: f32):
      %s = arith.addf %acc, %in : f32
      linalg.yield %s : f32
  } -> tensor<64xf32>
  return %1 : tensor<64xf32>
}
