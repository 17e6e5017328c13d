// An example for agents; test/Agent/examples.test runs it.
module attributes {transform.with_named_sequence, egg.schedule = 1 : i64,
    egg.target = "sm_90a",
    egg.payload = "24d8759451c4fb74df7bd98db6d54d5d5469b381cc8f189ebe89eab65928c2fb"} {
  transform.named_sequence @algorithm(%f: !transform.any_op) {
    // One contraction in the kernel, and all that follows it at the same
    // points: bias, relu, scaling. The transpose is not stored either.
    %ops = transform.egg.select %f ["transpose_0", "matmul_0", "add_0", "map_0",
        "mul_0"] : (!transform.any_op) -> !transform.any_op
    %kernel = transform.egg.form_kernel %ops {name = "matmul_bias_relu"}
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

  module @matmul_bias_relu attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      // m = 1024, n = 768, batch 1: too small for tiles of 128 x 128: smaller
      // ones give more blocks.
      %tile_m = transform.tune.knob<"tile_m"> = 64 from options = [16, 32, 64, 128, 256] -> !transform.param<i64>
      %tile_n = transform.tune.knob<"tile_n"> = 64 from options = [16, 32, 64, 128, 256] -> !transform.param<i64>
      transform.egg.map_tiles %k tile_m(%tile_m) tile_n(%tile_n) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @tensor_tiling(%k: !transform.any_op) {
      // 256 threads a block, tiles 16 deep of k = 512.
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
}
