// An example for agents; test/Agent/examples.test runs it.
module attributes {transform.with_named_sequence, egg.schedule = 1 : i64,
    egg.target = "sm_90a",
    egg.payload = "0e750f878df43a249488064e8dcb8212f9b40d61484b42f031eb818447d39da9"} {
  transform.named_sequence @algorithm(%f: !transform.any_op) {
    // The padding is evaluated where the convolution reads it, and the broadcast
    // bias where its sums start: neither is stored.
    %conv_ops = transform.egg.select %f ["pad_0", "broadcast_0",
        "conv_2d_nchw_fchw_0", "map_0"]
        : (!transform.any_op) -> !transform.any_op
    %conv = transform.egg.form_kernel %conv_ops {name = "conv_bias_relu"}
        : (!transform.any_op) -> !transform.any_op
    // Rows of this reduction are (image, channel), those of the convolution
    // single pixels: they cannot share a kernel.
    %mean_ops = transform.egg.select %f ["reduce_add_0", "div_0"]
        : (!transform.any_op) -> !transform.any_op
    %mean = transform.egg.form_kernel %mean_ops {name = "mean_rows"}
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

  module @conv_bias_relu attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      // m = 64, n = 65536, batch 1: too small for tiles of 128 x 128: smaller
      // ones give more blocks.
      %tile_m = transform.tune.knob<"tile_m"> = 64 from options = [16, 32, 64, 128, 256] -> !transform.param<i64>
      %tile_n = transform.tune.knob<"tile_n"> = 64 from options = [16, 32, 64, 128, 256] -> !transform.param<i64>
      transform.egg.map_tiles %k tile_m(%tile_m) tile_n(%tile_n) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @tensor_tiling(%k: !transform.any_op) {
      // 256 threads a block, tiles 16 deep of k = 288.
      %tile_k = transform.tune.knob<"tile_k"> = 16 from options = [8, 16, 32] -> !transform.param<i64>
      %thread_m = transform.tune.knob<"thread_m"> = 4 from options = [1, 2, 4, 8] -> !transform.param<i64>
      %thread_n = transform.tune.knob<"thread_n"> = 4 from options = [1, 2, 4, 8] -> !transform.param<i64>
      transform.egg.tile_contraction %k tile_k(%tile_k) thread_m(%thread_m) thread_n(%thread_n) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @memory_optimization(%k: !transform.any_op) {
      // 4 elements of padding keep the transposed stores of a tile on different
      // banks.
      %stages = transform.tune.knob<"stages"> = 1 from options = [1, 2] -> !transform.param<i64>
      %padding = transform.tune.knob<"padding"> = 4 from options = [0, 4, 8] -> !transform.param<i64>
      transform.egg.stage_in_shared %k stages(%stages) padding(%padding) : !transform.any_op
      transform.yield
    }
  }

  module @mean_rows attributes {transform.with_named_sequence} {
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
}
