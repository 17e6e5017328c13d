#wmap = affine_map<(i, j) -> (i, j)>
#wrow = affine_map<(i, j) -> (i)>
#col = affine_map<(i, j) -> (j)>
module attributes {transform.with_named_sequence, egg.schedule = 1 : i64,
    egg.target = "sm_90a", egg.payload = "3b836e02a19f422cbd1269cda9623735a857c10f28de0cdf09c6b05c396c7af6"} {
  // A sum of products with one factor in common: the other factors are added
  // first.
  func.func private @row_sums(%x: tensor<64x96xf32>, %w: tensor<96x40xf32>)
      -> tensor<64xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<96xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<96xf32>) -> tensor<96xf32>
    %s = linalg.generic {egg.name = "weight_sums", indexing_maps = [#wmap, #wrow],
        iterator_types = ["parallel", "reduction"]}
        ins(%w : tensor<96x40xf32>) outs(%f : tensor<96xf32>) {
      ^bb0(%in: f32, %acc: f32):
        %a = arith.addf %acc, %in : f32
        linalg.yield %a : f32
    } -> tensor<96xf32>
    %e1 = tensor.empty() : tensor<64xf32>
    %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64xf32>) -> tensor<64xf32>
    %r = linalg.generic {egg.name = "row_products",
        indexing_maps = [#wmap, #col, #wrow],
        iterator_types = ["parallel", "reduction"]}
        ins(%x, %s : tensor<64x96xf32>, tensor<96xf32>) outs(%f1 : tensor<64xf32>) {
      ^bb0(%a: f32, %b: f32, %acc: f32):
        %p = arith.mulf %a, %b : f32
        %t = arith.addf %acc, %p : f32
        linalg.yield %t : f32
    } -> tensor<64xf32>
    return %r : tensor<64xf32>
  }
  transform.named_sequence @substitution(%f: !transform.any_op) {
    %ops = transform.egg.select %f ["matmul_0", "reduce_add_0"]
        : (!transform.any_op) -> !transform.any_op
    transform.egg.substitute %ops with @row_sums : !transform.any_op
    transform.yield
  }
  transform.named_sequence @algorithm(%f: !transform.any_op) {
    %sums_ops = transform.egg.select %f ["weight_sums"]
        : (!transform.any_op) -> !transform.any_op
    %sums = transform.egg.form_kernel %sums_ops {name = "sum_weights"}
        : (!transform.any_op) -> !transform.any_op
    %products_ops = transform.egg.select %f ["row_products"]
        : (!transform.any_op) -> !transform.any_op
    %products = transform.egg.form_kernel %products_ops {name = "multiply_rows"}
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  module @sum_weights attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      %threads_per_row = transform.param.constant 8 : i64 -> !transform.param<i64>
      %rows_per_block = transform.param.constant 16 : i64 -> !transform.param<i64>
      transform.egg.map_rows %k threads_per_row(%threads_per_row) rows_per_block(%rows_per_block) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @tensor_tiling(%k: !transform.any_op) {
      transform.yield
    }
    transform.named_sequence @memory_optimization(%k: !transform.any_op) {
      transform.yield
    }
  }
  module @multiply_rows attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      %threads_per_row = transform.param.constant 32 : i64 -> !transform.param<i64>
      %rows_per_block = transform.param.constant 4 : i64 -> !transform.param<i64>
      transform.egg.map_rows %k threads_per_row(%threads_per_row) rows_per_block(%rows_per_block) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @tensor_tiling(%k: !transform.any_op) {
      transform.yield
    }
    transform.named_sequence @memory_optimization(%k: !transform.any_op) {
      transform.yield
    }
  }
}
