// An example for agents; test/Agent/examples.test runs it.
module attributes {transform.with_named_sequence, egg.schedule = 1 : i64,
    egg.target = "sm_90a",
    egg.payload = "6fa01d20247de06129bcf2deab6f4e5d66646f5fdededfdbfafd36111d464b67"} {
  transform.named_sequence @algorithm(%f: !transform.any_op) {
    // Both reductions are over the same 2048 rows of 8192 elements, and what is
    // between and after them is element by element: one kernel. It reads each
    // row from device memory once and from L2 again, and writes it once.
    %ops = transform.egg.select %f ["reduce_max_0", "sub_0", "exp_0",
        "reduce_add_0", "div_0"] : (!transform.any_op) -> !transform.any_op
    %kernel = transform.egg.form_kernel %ops {name = "softmax_rows"}
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

  module @softmax_rows attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      // 2048 rows of 8192 elements; long rows: a block a row combines through
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
}
