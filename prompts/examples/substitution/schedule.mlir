// An example for agents; test/Agent/examples.test runs it.
#matrix = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
#row = affine_map<(i, j) -> (i)>
module attributes {transform.with_named_sequence, egg.schedule = 1 : i64,
    egg.target = "sm_90a",
    egg.payload = "10b33c9aca3d4ba48e63e469c0a2a70bc092e4029bd97d7288e6657196859f1e"} {
  // Arguments in the order in which the replaced ops first read them: the
  // weights (transpose_0), then x (matmul_0). The fills are no arguments.
  func.func private @sums_of_products(%w: tensor<2048x4096xf32>,
      %x: tensor<1024x4096xf32>) -> tensor<1024xf32> {
    %zero = arith.constant 0.0 : f32
    %e0 = tensor.empty() : tensor<4096xf32>
    %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<4096xf32>) -> tensor<4096xf32>
    %sums = linalg.generic {egg.name = "weight_sums",
        indexing_maps = [#matrix, #column],
        iterator_types = ["reduction", "parallel"]}
        ins(%w : tensor<2048x4096xf32>) outs(%f0 : tensor<4096xf32>) {
    ^bb0(%a: f32, %acc: f32):
      %s = arith.addf %acc, %a : f32
      linalg.yield %s : f32
    } -> tensor<4096xf32>
    %e1 = tensor.empty() : tensor<1024xf32>
    %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1024xf32>) -> tensor<1024xf32>
    %r = linalg.generic {egg.name = "row_products",
        indexing_maps = [#matrix, #column, #row],
        iterator_types = ["parallel", "reduction"]}
        ins(%x, %sums : tensor<1024x4096xf32>, tensor<4096xf32>)
        outs(%f1 : tensor<1024xf32>) {
    ^bb0(%a: f32, %b: f32, %acc: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<1024xf32>
    return %r : tensor<1024xf32>
  }
  transform.named_sequence @substitution(%f: !transform.any_op) {
    %ops = transform.egg.select %f ["transpose_0", "matmul_0", "reduce_add_0"]
        : (!transform.any_op) -> !transform.any_op
    transform.egg.substitute %ops with @sums_of_products : !transform.any_op
    transform.yield
  }
  transform.named_sequence @algorithm(%f: !transform.any_op) {
    // 4096 sums of 2048 elements a stride apart: a thread a sum reads together
    // with its neighbours.
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
      %threads_per_row = transform.tune.knob<"threads_per_row"> = 1 from options = [1, 32, 128, 256, 512] -> !transform.param<i64>
      %rows_per_block = transform.tune.knob<"rows_per_block"> = 32 from options = [32, 64, 128] -> !transform.param<i64>
      transform.egg.map_rows %k threads_per_row(%threads_per_row) rows_per_block(%rows_per_block) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @tensor_tiling(%k: !transform.any_op) {
      %width = transform.tune.knob<"width"> = 1 from options = [1, 2, 4] -> !transform.param<i64>
      transform.egg.vectorize %k width(%width) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @memory_optimization(%k: !transform.any_op) {
      transform.yield
    }
  }

  module @multiply_rows attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      %threads_per_row = transform.tune.knob<"threads_per_row"> = 256 from options = [1, 32, 128, 256, 512] -> !transform.param<i64>
      %rows_per_block = transform.tune.knob<"rows_per_block"> = 1 from options = [1, 2, 4, 8, 64, 128] -> !transform.param<i64>
      transform.egg.map_rows %k threads_per_row(%threads_per_row) rows_per_block(%rows_per_block) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @tensor_tiling(%k: !transform.any_op) {
      %width = transform.tune.knob<"width"> = 4 from options = [1, 2, 4] -> !transform.param<i64>
      transform.egg.vectorize %k width(%width) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @memory_optimization(%k: !transform.any_op) {
      transform.yield
    }
  }
}
