//--- payload.mlir
#id = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<8xf32> {egg.kind = "input", egg.name = "x"}) -> (tensor<8xf32> {egg.kind = "output", egg.name = "y"}, tensor<8xf32> {egg.kind = "output", egg.name = "z"}) {
  %0 = tensor.empty() : tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%0 : tensor<8xf32>) attrs = {egg.name = "map_0"} {
  ^bb0(%in: f32, %out: f32):
    %2 = arith.addf %in, %in : f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%0 : tensor<8xf32>) attrs = {egg.name = "map_1"} {
  ^bb0(%in: f32, %out: f32):
    %4 = arith.mulf %in, %in : f32
    linalg.yield %4 : f32
  } -> tensor<8xf32>
  return %1, %3 : tensor<8xf32>, tensor<8xf32>
}
//--- schedule.mlir
module attributes {transform.with_named_sequence, egg.schedule = 1 : i64, egg.target = "sm_90a", egg.payload = "any"} {
  transform.named_sequence @algorithm(%f: !transform.any_op) {
    %0 = transform.egg.select %f ["map_0"] : (!transform.any_op) -> !transform.any_op
    %1 = transform.egg.form_kernel %0 {name = "needed"} : (!transform.any_op) -> !transform.any_op
    %2 = transform.egg.select %f ["map_1"] : (!transform.any_op) -> !transform.any_op
    %3 = transform.egg.form_kernel %2 {name = "unneeded"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  module @needed attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      %n = transform.param.constant 33 : i64 -> !transform.param<i64>
      transform.egg.map_elements %k threads(%n) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @tensor_tiling(%k: !transform.any_op) {
      transform.yield
    }
    transform.named_sequence @memory_optimization(%k: !transform.any_op) {
      transform.yield
    }
  }
  module @unneeded attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      %n = transform.param.constant 32 : i64 -> !transform.param<i64>
      transform.egg.map_elements %k threads(%n) : !transform.any_op
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
