// An example for agents; test/Agent/examples.test runs it.
module attributes {transform.with_named_sequence, egg.schedule = 1 : i64,
    egg.target = "sm_90a",
    egg.payload = "5a345eb97c804d3f93684186cf2c2f2e1f7b914a973a8495ec60e0a4a8f0d8c4"} {
  transform.named_sequence @algorithm(%f: !transform.any_op) {
    // add_0 is returned and read by tanh_0. In one kernel it is stored and not
    // read back: x and y come in once, both results go out once.
    %ops = transform.egg.select %f ["map_0", "mul_0", "mul_1", "add_0",
        "tanh_0"] : (!transform.any_op) -> !transform.any_op
    %kernel = transform.egg.form_kernel %ops {name = "silu_scale_add_tanh"}
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

  module @silu_scale_add_tanh attributes {transform.with_named_sequence} {
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
