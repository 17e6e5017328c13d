// An example for agents; test/Agent/examples.test runs it.
module attributes {transform.with_named_sequence, egg.schedule = 1 : i64,
    egg.target = "sm_90a",
    egg.payload = "848ba9fc4b931ae21c77a9414d92e50209401a2c4b339e5373847a553c0aa31c"} {
  transform.named_sequence @algorithm(%f: !transform.any_op) {
    // 4 rows of a million elements: 4 blocks would leave 128 SMs idle. 256 parts
    // a row make 1024 rows of 4096 elements.
    %parts = transform.tune.knob<"parts"> = 256 from options = [64, 128, 256, 512] -> !transform.param<i64>
    %sum = transform.egg.select %f ["reduce_add_0"]
        : (!transform.any_op) -> !transform.any_op
    %first, %second = transform.egg.split_reduction %sum parts(%parts)
        : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    // The halves are selected by name: the first has "_partial" after it.
    %partial_ops = transform.egg.select %f ["sub_0", "mul_0",
        "reduce_add_0_partial"] : (!transform.any_op) -> !transform.any_op
    %partial = transform.egg.form_kernel %partial_ops {name = "partial_sums"}
        : (!transform.any_op) -> !transform.any_op
    %final_ops = transform.egg.select %f ["reduce_add_0"]
        : (!transform.any_op) -> !transform.any_op
    %final = transform.egg.form_kernel %final_ops {name = "final_sums"}
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

  module @partial_sums attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      // 1024 rows of 4096 elements; long rows: a block a row combines through
      // shuffles and shared memory.
      %threads_per_row = transform.tune.knob<"threads_per_row"> = 256 from options = [1, 32, 64, 128, 256, 512, 1024] -> !transform.param<i64>
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

  module @final_sums attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      // 4 rows of 256 elements; a warp a row combines through shuffles alone.
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
