// An example for agents; test/Agent/examples.test runs it.
module attributes {transform.with_named_sequence, egg.schedule = 1 : i64,
    egg.target = "sm_90a",
    egg.payload = "bf90dc9f58a6b429866f1294259e727d76c915899240a51ed818fceea8813a02"} {
  transform.named_sequence @algorithm(%f: !transform.any_op) {
    // The product is evaluated as the scan reads it: one pass over memory.
    %ops = transform.egg.select %f ["mul_0", "scan_add_0"]
        : (!transform.any_op) -> !transform.any_op
    %kernel = transform.egg.form_kernel %ops {name = "masked_cumsum"}
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

  module @masked_cumsum attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      // A block a row; 256 threads combine through shuffles and shared memory.
      %threads = transform.tune.knob<"threads"> = 256 from options = [128, 256, 512, 1024] -> !transform.param<i64>
      transform.egg.map_scan %k threads(%threads) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @tensor_tiling(%k: !transform.any_op) {
      // 4 neighbours a thread, 1024 elements a step.
      %items = transform.tune.knob<"items"> = 4 from options = [1, 2, 4, 8] -> !transform.param<i64>
      transform.egg.unroll_scan %k items(%items) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @memory_optimization(%k: !transform.any_op) {
      transform.yield
    }
  }
}
