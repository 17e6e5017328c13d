func.func @main(%x: tensor<64x128xf32> {egg.kind = "input", egg.name = "x"},
                %a: tensor<1000xi64> {egg.kind = "input", egg.name = "a"},
                %b: tensor<1000xi64> {egg.kind = "input", egg.name = "b"},
                %d: tensor<100xf64> {egg.kind = "input", egg.name = "d"})
    -> (tensor<1000xf32> {egg.kind = "output", egg.name = "fill"},
        tensor<3xi64> {egg.kind = "output", egg.name = "constant"},
        tensor<64x4xf32> {egg.kind = "output", egg.name = "gathered"},
        tensor<1000xi64> {egg.kind = "output", egg.name = "divided"},
        tensor<100xf64> {egg.kind = "output", egg.name = "tanh"}) {
  %two = arith.constant 2.0 : f32
  %e1 = tensor.empty() : tensor<1000xf32>
  %fill = linalg.fill ins(%two : f32) outs(%e1 : tensor<1000xf32>) -> tensor<1000xf32>
  %constant = arith.constant dense<[3, 1, 2]> : tensor<3xi64>
  %k = arith.constant dense<[3, 0, 7, 120]> : tensor<4xi64>
  %e = tensor.empty() : tensor<64x4xf32>
  %gathered = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%k : tensor<4xi64>) outs(%e : tensor<64x4xf32>) {
  ^bb0(%at: i64, %out: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %at : i64 to index
    %v = tensor.extract %x[%i, %j] : tensor<64x128xf32>
    linalg.yield %v : f32
  } -> tensor<64x4xf32>
  %divided = arith.divsi %a, %b : tensor<1000xi64>
  %tanh = math.tanh %d : tensor<100xf64>
  return %fill, %constant, %gathered, %divided, %tanh : tensor<1000xf32>, tensor<3xi64>, tensor<64x4xf32>, tensor<1000xi64>, tensor<100xf64>
}
