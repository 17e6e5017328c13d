#qm = affine_map<(d0, d1) -> (d0, d1)>
#qm1 = affine_map<(d0, d1) -> (d0)>
// Proposed by EGG's expert. @algorithm cuts @main into kernels; each kernel's
// module says how it is mapped to the machine.
module attributes {transform.with_named_sequence, egg.schedule = 1 : i64,
    egg.target = "sm_90a",
    egg.payload = "655702a44d2c06f4582e43af5383c898dc27f07a87261decb6b41c3eb3dd69f2"} {
  func.func private @other(%arg0: tensor<64x512xf32>) -> (tensor<64xi1>) {
    %false = arith.constant false
    %cst = arith.constant 0.000000e+00 : f32
    %extracted_slice = tensor.extract_slice %arg0[0, 0] [64, 511] [1, 1] {egg.name = "q_extract_slice_0"} : tensor<64x512xf32> to tensor<64x511xf32>
    %0 = tensor.empty() : tensor<64x511xi1>
    %1 = linalg.generic {indexing_maps = [#qm, #qm], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice : tensor<64x511xf32>) outs(%0 : tensor<64x511xi1>) attrs =  {egg.name = "q_cmp_0"} {
    ^bb0(%in: f32, %out: i1):
      %5 = arith.cmpf ogt, %in, %cst : f32
      linalg.yield %5 : i1
    } -> tensor<64x511xi1>
    %2 = tensor.empty() : tensor<64xi1>
    %3 = linalg.fill ins(%false : i1) outs(%2 : tensor<64xi1>) -> tensor<64xi1>
    %4 = linalg.generic {indexing_maps = [#qm, #qm1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<64x511xi1>) outs(%3 : tensor<64xi1>) attrs =  {egg.name = "q_reduce_or_0"} {
    ^bb0(%in: i1, %out: i1):
      %5 = arith.ori %in, %out : i1
      linalg.yield %5 : i1
    } -> tensor<64xi1>
    return %4 : tensor<64xi1>
  }

  transform.named_sequence @substitution(%f: !transform.any_op) {
    %ops = transform.egg.select %f ["cmp_0", "reduce_or_0"] : (!transform.any_op) -> !transform.any_op
    transform.egg.substitute %ops with @other : !transform.any_op
    transform.yield
  }
  transform.named_sequence @algorithm(%f: !transform.any_op) {
    // q_reduce_or_0 reduces 64 rows of 511 elements.
    // What only this kernel reads is computed as it is read: q_extract_slice_0,
    // q_cmp_0.
    %reduce_or_ops = transform.egg.select %f ["q_extract_slice_0", "q_cmp_0",
        "q_reduce_or_0"]
        : (!transform.any_op) -> !transform.any_op
    %reduce_or_kernel = transform.egg.form_kernel %reduce_or_ops
        {name = "reduce_or"}
        : (!transform.any_op) -> !transform.any_op

    transform.yield
  }

  module @reduce_or attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      // 64 rows of 511 elements; a warp a row combines through shuffles alone.
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
