#qm = affine_map<(d0) -> (d0)>
#qm1 = affine_map<(d0, d1) -> (d0)>
#qm2 = affine_map<(d0, d1) -> (d0, d1)>
// Proposed by EGG's expert. @algorithm cuts @main into kernels; each kernel's
// module says how it is mapped to the machine.
module attributes {transform.with_named_sequence, egg.schedule = 1 : i64,
    egg.target = "sm_90a",
    egg.payload = "f776134214050a904f50f2b47bd5be2ca61d9320dfce320afde4f97941e38648"} {
  func.func private @other(%arg0: tensor<64x512xi1>, %arg1: tensor<64x512xf32>) -> (tensor<64x512xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %true = arith.constant true
    %extracted_slice = tensor.extract_slice %arg0[0, 0] [64, 1] [1, 1] {egg.name = "q_extract_slice_0"} : tensor<64x512xi1> to tensor<64x1xi1>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1]] : tensor<64x1xi1> into tensor<64xi1>
    %0 = tensor.empty() : tensor<64xi1>
    %1 = linalg.generic {indexing_maps = [#qm, #qm], iterator_types = ["parallel"]} ins(%collapsed : tensor<64xi1>) outs(%0 : tensor<64xi1>) attrs =  {egg.name = "q_xor_0"} {
    ^bb0(%in: i1, %out: i1):
      %5 = arith.xori %in, %true : i1
      linalg.yield %5 : i1
    } -> tensor<64xi1>
    %2 = linalg.generic {indexing_maps = [#qm, #qm, #qm], iterator_types = ["parallel"]} ins(%collapsed, %1 : tensor<64xi1>, tensor<64xi1>) outs(%0 : tensor<64xi1>) attrs =  {egg.name = "q_or_0"} {
    ^bb0(%in: i1, %in_0: i1, %out: i1):
      %5 = arith.ori %in, %in_0 : i1
      linalg.yield %5 : i1
    } -> tensor<64xi1>
    %3 = tensor.empty() : tensor<64x512xf32>
    %4 = linalg.generic {indexing_maps = [#qm1, #qm2, #qm2], iterator_types = ["parallel", "parallel"]} ins(%2, %arg1 : tensor<64xi1>, tensor<64x512xf32>) outs(%3 : tensor<64x512xf32>) attrs =  {egg.name = "q_select_0"} {
    ^bb0(%in: i1, %in_0: f32, %out: f32):
      %5 = arith.select %in, %in_0, %cst : f32
      linalg.yield %5 : f32
    } -> tensor<64x512xf32>
    return %4 : tensor<64x512xf32>
  }

  transform.named_sequence @substitution(%f: !transform.any_op) {
    %ops = transform.egg.select %f ["reduce_or_0", "select_0"] : (!transform.any_op) -> !transform.any_op
    transform.egg.substitute %ops with @other : !transform.any_op
    transform.yield
  }
  transform.named_sequence @algorithm(%f: !transform.any_op) {
    // Element by element with one pass over memory: q_extract_slice_0, q_xor_0,
    // q_or_0, q_select_0.
    %xor_or_select_ops = transform.egg.select %f ["q_extract_slice_0",
        "q_xor_0", "q_or_0", "q_select_0"]
        : (!transform.any_op) -> !transform.any_op
    %xor_or_select_kernel = transform.egg.form_kernel %xor_or_select_ops
        {name = "xor_or_select"}
        : (!transform.any_op) -> !transform.any_op

    transform.yield
  }

  module @xor_or_select attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      // Bound by memory: 256 threads keep a multiprocessor full at up to 32
      // registers.
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
