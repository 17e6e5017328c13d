module attributes {transform.with_named_sequence, egg.schedule = 1 : i64, egg.target = "sm_90a", egg.payload = "32c4a60b00c810261f8547adebd2a949db4817dc022379de99c935c6b712ad94"} {
  transform.named_sequence @algorithm(%f: !transform.any_op) {
    %0 = transform.egg.select %f ["matmul_0", "add_1"] : (!transform.any_op) -> !transform.any_op
    %k0 = transform.egg.form_kernel %0 {name = "matmul_add"} : (!transform.any_op) -> !transform.any_op
    %1 = transform.egg.select %f ["exp_2", "add_3"] : (!transform.any_op) -> !transform.any_op
    %k1 = transform.egg.form_kernel %1 {name = "exp_add"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  module @matmul_add attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      %m = transform.tune.knob<"tile_m"> = 64 from options = [64, 128] -> !transform.param<i64>
      %n = transform.param.constant 64 : i64 -> !transform.param<i64>
      transform.egg.map_tiles %k tile_m(%m) tile_n(%n) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @tensor_tiling(%k: !transform.any_op) {
      transform.yield
    }
    transform.named_sequence @memory_optimization(%k: !transform.any_op) {
      transform.yield
    }
  }
  module @exp_add attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      %m = transform.tune.knob<"threads"> = 128 from options = [128, 256] -> !transform.param<i64>
      transform.egg.map_elements %k threads(%m) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @tensor_tiling(%k: !transform.any_op) {
      transform.yield
    }
    transform.named_sequence @memory_optimization(%k: !transform.any_op) {
      transform.yield
    }
  }
}
