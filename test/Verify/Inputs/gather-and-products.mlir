// Rows of a table by index, of which there are three, and products of rows.
func.func @main(%table: tensor<3x8xf32> {egg.kind = "input", egg.name = "table"},
                %rows: tensor<6xi64> {egg.kind = "input", egg.name = "rows"})
    -> (tensor<6x8xf32> {egg.kind = "output", egg.name = "gathered"},
        tensor<3xf32> {egg.kind = "output", egg.name = "products"}) {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<6x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%rows : tensor<6xi64>) outs(%e : tensor<6x8xf32>) {
  ^bb0(%row: i64, %out: f32):
    %i = arith.index_cast %row : i64 to index
    %j = linalg.index 1 : index
    %value = tensor.extract %table[%i, %j] : tensor<3x8xf32>
    linalg.yield %value : f32
  } -> tensor<6x8xf32>
  %e1 = tensor.empty() : tensor<3xf32>
  %f = linalg.fill ins(%one : f32) outs(%e1 : tensor<3xf32>) -> tensor<3xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%table : tensor<3x8xf32>) outs(%f : tensor<3xf32>) {
  ^bb0(%x: f32, %out: f32):
    %p = arith.mulf %out, %x : f32
    linalg.yield %p : f32
  } -> tensor<3xf32>
  return %0, %1 : tensor<6x8xf32>, tensor<3xf32>
}
