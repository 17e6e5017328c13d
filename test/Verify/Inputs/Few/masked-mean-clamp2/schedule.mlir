#qm = affine_map<(d0, d1) -> (d0, d1)>
#qm1 = affine_map<(d0, d1) -> (d0)>
#qm2 = affine_map<(d0) -> (d0)>
// Proposed by EGG's expert. @algorithm cuts @main into kernels; each kernel's
// module says how it is mapped to the machine.
module attributes {transform.with_named_sequence, egg.schedule = 1 : i64,
    egg.target = "sm_90a",
    egg.payload = "44758c4578c751634d72868368c9a0dd736cb3652260a0d6f1c8da628464bc44"} {
  func.func private @other(%arg0: tensor<64x512xi1>, %arg1: tensor<64x512xf32>) -> (tensor<64xf32>) {
    %cst = arith.constant 2.000000e+00 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<64x512xf32>
    %1 = linalg.generic {indexing_maps = [#qm, #qm, #qm], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<64x512xi1>, tensor<64x512xf32>) outs(%0 : tensor<64x512xf32>) attrs =  {egg.name = "q_select_0"} {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %11 = arith.select %in, %in_1, %cst_0 : f32
      linalg.yield %11 : f32
    } -> tensor<64x512xf32>
    %2 = tensor.empty() : tensor<64xf32>
    %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<64xf32>) -> tensor<64xf32>
    %4 = linalg.generic {indexing_maps = [#qm, #qm1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<64x512xf32>) outs(%3 : tensor<64xf32>) attrs =  {egg.name = "q_reduce_add_0"} {
    ^bb0(%in: f32, %out: f32):
      %11 = arith.addf %in, %out : f32
      linalg.yield %11 : f32
    } -> tensor<64xf32>
    %5 = linalg.generic {indexing_maps = [#qm, #qm], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<64x512xi1>) outs(%0 : tensor<64x512xf32>) attrs =  {egg.name = "q_cast_0"} {
    ^bb0(%in: i1, %out: f32):
      %11 = arith.uitofp %in : i1 to f32
      linalg.yield %11 : f32
    } -> tensor<64x512xf32>
    %6 = linalg.generic {indexing_maps = [#qm, #qm1], iterator_types = ["parallel", "reduction"]} ins(%5 : tensor<64x512xf32>) outs(%3 : tensor<64xf32>) attrs =  {egg.name = "q_reduce_add_1"} {
    ^bb0(%in: f32, %out: f32):
      %11 = arith.addf %in, %out : f32
      linalg.yield %11 : f32
    } -> tensor<64xf32>
    %7 = tensor.empty() : tensor<64xi1>
    %8 = linalg.generic {indexing_maps = [#qm2, #qm2], iterator_types = ["parallel"]} ins(%6 : tensor<64xf32>) outs(%7 : tensor<64xi1>) attrs =  {egg.name = "q_cmp_0"} {
    ^bb0(%in: f32, %out: i1):
      %11 = arith.cmpf olt, %in, %cst : f32
      linalg.yield %11 : i1
    } -> tensor<64xi1>
    %9 = linalg.generic {indexing_maps = [#qm2, #qm2, #qm2], iterator_types = ["parallel"]} ins(%8, %6 : tensor<64xi1>, tensor<64xf32>) outs(%2 : tensor<64xf32>) attrs =  {egg.name = "q_select_1"} {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %11 = arith.select %in, %cst, %in_1 : f32
      linalg.yield %11 : f32
    } -> tensor<64xf32>
    %10 = linalg.generic {indexing_maps = [#qm2, #qm2, #qm2], iterator_types = ["parallel"]} ins(%4, %9 : tensor<64xf32>, tensor<64xf32>) outs(%2 : tensor<64xf32>) attrs =  {egg.name = "q_div_0"} {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %11 = arith.divf %in, %in_1 : f32
      linalg.yield %11 : f32
    } -> tensor<64xf32>
    return %10 : tensor<64xf32>
  }

  transform.named_sequence @substitution(%f: !transform.any_op) {
    %ops = transform.egg.select %f ["select_0", "reduce_add_0", "cast_0", "reduce_add_1", "cmp_0", "select_1", "div_0"] : (!transform.any_op) -> !transform.any_op
    transform.egg.substitute %ops with @other : !transform.any_op
    transform.yield
  }
  transform.named_sequence @algorithm(%f: !transform.any_op) {
    // q_reduce_add_0 reduces 64 rows of 512 elements.
    // Reductions over the same rows share the kernel: q_reduce_add_1.
    // What follows element by element stays in registers: q_cast_0, q_cmp_0,
    // q_select_1, q_div_0.
    // What only this kernel reads is computed as it is read: q_select_0.
    %reduce_add_cmp_select_div_ops = transform.egg.select %f ["q_select_0",
        "q_reduce_add_0", "q_cast_0", "q_reduce_add_1", "q_cmp_0",
        "q_select_1", "q_div_0"]
        : (!transform.any_op) -> !transform.any_op
    %reduce_add_cmp_select_div_kernel = transform.egg.form_kernel %reduce_add_cmp_select_div_ops
        {name = "reduce_add_cmp_select_div"}
        : (!transform.any_op) -> !transform.any_op

    transform.yield
  }

  module @reduce_add_cmp_select_div attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      // 64 rows of 512 elements; a warp a row combines through shuffles alone.
      %threads_per_row = transform.tune.knob<"threads_per_row"> = 32 from options = [1, 32, 64, 128, 256, 512, 1024] -> !transform.param<i64>
      %rows_per_block = transform.tune.knob<"rows_per_block"> = 1 from options = [1, 2, 4, 8, 16, 32, 64, 128, 256] -> !transform.param<i64>
      transform.egg.map_rows %k threads_per_row(%threads_per_row) rows_per_block(%rows_per_block) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @tensor_tiling(%k: !transform.any_op) {
      // 16 bytes an access: 4 elements of 4 bytes, where they are contiguous.
      %width = transform.tune.knob<"width"> = 4 from options = [1, 2, 4] -> !transform.param<i64>
      transform.egg.vectorize %k width(%width) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @memory_optimization(%k: !transform.any_op) {
      transform.yield
    }
  }
}
