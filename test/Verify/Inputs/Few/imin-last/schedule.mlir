#qm = affine_map<(d0, d1) -> (d0, d1)>
#qm1 = affine_map<(d0, d1) -> (d0)>
// Proposed by EGG's expert. @algorithm cuts @main into kernels; each kernel's
// module says how it is mapped to the machine.
module attributes {transform.with_named_sequence, egg.schedule = 1 : i64,
    egg.target = "sm_90a",
    egg.payload = "fa72417ea88648a193eaa5e14fefe001ae5301f471d056182f3fe486fd27cbba"} {
  func.func private @other(%arg0: tensor<64x512xi32>) -> (tensor<64xi32>) {
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %extracted_slice = tensor.extract_slice %arg0[0, 0] [64, 511] [1, 1] {egg.name = "q_extract_slice_0"} : tensor<64x512xi32> to tensor<64x511xi32>
    %0 = tensor.empty() : tensor<64xi32>
    %1 = linalg.fill ins(%c2147483647_i32 : i32) outs(%0 : tensor<64xi32>) -> tensor<64xi32>
    %2 = linalg.generic {indexing_maps = [#qm, #qm1], iterator_types = ["parallel", "reduction"]} ins(%extracted_slice : tensor<64x511xi32>) outs(%1 : tensor<64xi32>) attrs =  {egg.name = "q_reduce_min_0"} {
    ^bb0(%in: i32, %out: i32):
      %3 = arith.minsi %in, %out : i32
      linalg.yield %3 : i32
    } -> tensor<64xi32>
    return %2 : tensor<64xi32>
  }

  transform.named_sequence @substitution(%f: !transform.any_op) {
    %ops = transform.egg.select %f ["reduce_min_0"] : (!transform.any_op) -> !transform.any_op
    transform.egg.substitute %ops with @other : !transform.any_op
    transform.yield
  }
  transform.named_sequence @algorithm(%f: !transform.any_op) {
    // q_reduce_min_0 reduces 64 rows of 511 elements.
    // What only this kernel reads is computed as it is read: q_extract_slice_0.
    %reduce_min_ops = transform.egg.select %f ["q_extract_slice_0",
        "q_reduce_min_0"]
        : (!transform.any_op) -> !transform.any_op
    %reduce_min_kernel = transform.egg.form_kernel %reduce_min_ops
        {name = "reduce_min"}
        : (!transform.any_op) -> !transform.any_op

    transform.yield
  }

  module @reduce_min attributes {transform.with_named_sequence} {
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
