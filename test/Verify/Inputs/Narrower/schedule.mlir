#qm = affine_map<(d0, d1) -> (d0, d1)>
// Proposed by EGG's expert. @algorithm cuts @main into kernels; each kernel's
// module says how it is mapped to the machine.
module attributes {transform.with_named_sequence, egg.schedule = 1 : i64,
    egg.target = "sm_90a",
    egg.payload = "8406a4d14635906a4a3bf19aff99954bbd3a611c62d894b600a3fad814e85fef"} {
  func.func private @other(%arg0: tensor<64x512xf32>) -> (tensor<64x512xf32>) {
    %0 = tensor.empty() : tensor<64x512xf32>
    %1 = linalg.generic {indexing_maps = [#qm, #qm], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<64x512xf32>) outs(%0 : tensor<64x512xf32>) attrs =  {egg.name = "q_mul_0"} {
    ^bb0(%in: f32, %out: f32):
      %5 = arith.mulf %in, %in : f32
      linalg.yield %5 : f32
    } -> tensor<64x512xf32>
    %2 = tensor.empty() : tensor<64x512xbf16>
    %3 = linalg.generic {indexing_maps = [#qm, #qm], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<64x512xf32>) outs(%2 : tensor<64x512xbf16>) attrs =  {egg.name = "q_cast_0"} {
    ^bb0(%in: f32, %out: bf16):
      %5 = arith.truncf %in : f32 to bf16
      linalg.yield %5 : bf16
    } -> tensor<64x512xbf16>
    %4 = linalg.generic {indexing_maps = [#qm, #qm], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<64x512xbf16>) outs(%0 : tensor<64x512xf32>) attrs =  {egg.name = "q_cast_1"} {
    ^bb0(%in: bf16, %out: f32):
      %5 = arith.extf %in : bf16 to f32
      linalg.yield %5 : f32
    } -> tensor<64x512xf32>
    return %4 : tensor<64x512xf32>
  }

  transform.named_sequence @substitution(%f: !transform.any_op) {
    %ops = transform.egg.select %f ["mul_0", "cast_0", "cast_1"] : (!transform.any_op) -> !transform.any_op
    transform.egg.substitute %ops with @other : !transform.any_op
    transform.yield
  }
  transform.named_sequence @algorithm(%f: !transform.any_op) {
    // Element by element with one pass over memory: q_mul_0, q_cast_0,
    // q_cast_1.
    %mul_ops = transform.egg.select %f ["q_mul_0", "q_cast_0", "q_cast_1"]
        : (!transform.any_op) -> !transform.any_op
    %mul_kernel = transform.egg.form_kernel %mul_ops
        {name = "mul"}
        : (!transform.any_op) -> !transform.any_op

    transform.yield
  }

  module @mul attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      // Bound by the launch, which takes longer than moving 262144 bytes: the
      // number of threads matters little.
      %threads = transform.tune.knob<"threads"> = 256 from options = [128, 256, 512, 1024] -> !transform.param<i64>
      transform.egg.map_elements %k threads(%threads) : !transform.any_op
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
