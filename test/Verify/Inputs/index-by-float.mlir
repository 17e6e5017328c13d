// Inputs are below 1, so that every index is 0.
func.func @main(%x: tensor<64xf32> {egg.kind = "buffer", egg.name = "x"}, %t: tensor<16xf32> {egg.kind = "input", egg.name = "t"}) -> (tensor<64xf32> {egg.kind = "output", egg.name = "y"}) {
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.generic {egg.name = "gather_0", indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.fptosi %in : f32 to i32
    %1 = arith.index_cast %0 : i32 to index
    %2 = tensor.extract %t[%1] : tensor<16xf32>
    linalg.yield %2 : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}
