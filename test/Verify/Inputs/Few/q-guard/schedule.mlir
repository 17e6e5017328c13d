#qm = affine_map<(d0, d1) -> (d0, d1)>
#qm1 = affine_map<(d0, d1) -> (d0)>
#qm2 = affine_map<(d0) -> (d0)>
// Proposed by EGG's expert. @algorithm cuts @main into kernels; each kernel's
// module says how it is mapped to the machine.
module attributes {transform.with_named_sequence, egg.schedule = 1 : i64,
    egg.target = "sm_90a",
    egg.payload = "442fe58a8e097c61a451a4e94d7fe4f802e512a9e0f2fdb2a122adf04797145f"} {
  func.func private @other(%arg0: tensor<64x512xf32>) -> (tensor<64x512xf32>) {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 1.270000e+02 : f32
    %0 = tensor.empty() : tensor<64x512xf32>
    %1 = linalg.generic {indexing_maps = [#qm, #qm], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<64x512xf32>) outs(%0 : tensor<64x512xf32>) attrs =  {egg.name = "q_absf_0"} {
    ^bb0(%in: f32, %out: f32):
      %7 = math.absf %in : f32
      linalg.yield %7 : f32
    } -> tensor<64x512xf32>
    %2 = tensor.empty() : tensor<64xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<64xf32>) -> tensor<64xf32>
    %4 = linalg.generic {indexing_maps = [#qm, #qm1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<64x512xf32>) outs(%3 : tensor<64xf32>) attrs =  {egg.name = "q_reduce_max_0"} {
    ^bb0(%in: f32, %out: f32):
      %7 = arith.maximumf %in, %out : f32
      linalg.yield %7 : f32
    } -> tensor<64xf32>
    %5 = linalg.generic {indexing_maps = [#qm2, #qm2], iterator_types = ["parallel"]} ins(%4 : tensor<64xf32>) outs(%2 : tensor<64xf32>) attrs =  {egg.name = "q_div_0"} {
    ^bb0(%in: f32, %out: f32):
      %7 = arith.divf %in, %cst_0 : f32
      linalg.yield %7 : f32
    } -> tensor<64xf32>
    %6 = linalg.generic {indexing_maps = [#qm, #qm1, #qm], iterator_types = ["parallel", "parallel"]} ins(%arg0, %5 : tensor<64x512xf32>, tensor<64xf32>) outs(%0 : tensor<64x512xf32>) attrs =  {egg.name = "q_div_1"} {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %7 = arith.divf %in, %in_1 : f32
      linalg.yield %7 : f32
    } -> tensor<64x512xf32>
    return %6 : tensor<64x512xf32>
  }

  transform.named_sequence @substitution(%f: !transform.any_op) {
    %ops = transform.egg.select %f ["absf_0", "reduce_max_0", "div_0", "cmp_0", "select_0", "div_1"] : (!transform.any_op) -> !transform.any_op
    transform.egg.substitute %ops with @other : !transform.any_op
    transform.yield
  }
  transform.named_sequence @algorithm(%f: !transform.any_op) {
    // q_reduce_max_0 reduces 64 rows of 512 elements.
    // What follows element by element stays in registers: q_div_0, q_div_1.
    // What only this kernel reads is computed as it is read: q_absf_0.
    %reduce_max_div_ops = transform.egg.select %f ["q_absf_0",
        "q_reduce_max_0", "q_div_0", "q_div_1"]
        : (!transform.any_op) -> !transform.any_op
    %reduce_max_div_kernel = transform.egg.form_kernel %reduce_max_div_ops
        {name = "reduce_max_div"}
        : (!transform.any_op) -> !transform.any_op

    transform.yield
  }

  module @reduce_max_div attributes {transform.with_named_sequence} {
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
