// egg fuzz kernels, seed 14, case 1023: found in step numeric
//   result 0 'output_1': 1 of 3 elements differ from the payload; the worst at [2] is -0.0190004595, should be -0.0190008171 (fp64; the payload in its own precision gives -0.0190009326); allowed is a difference of 2.31e-07
// This file again: egg fuzz kernels --repeat FILE
// The case again: egg fuzz kernels --seed 14 --first 1023 --count 1
//--- payload.mlir
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<3x12xf32> {egg.kind = "input", egg.name = "x1"}, %arg1: tensor<12xf32> {egg.kind = "input", egg.name = "x2"}, %arg2: tensor<12x12xf32> {egg.kind = "input", egg.name = "x3"}, %arg3: tensor<12xf32> {egg.kind = "input", egg.name = "in4"}, %arg4: tensor<12xf32> {egg.kind = "input", egg.name = "in5"}, %arg5: tensor<12xf32> {egg.kind = "input", egg.name = "in6"}, %arg6: tensor<3xf32> {egg.kind = "input", egg.name = "in7"}, %arg7: tensor<3xf32> {egg.kind = "input", egg.name = "in8"}, %arg8: tensor<3x12xf32> {egg.kind = "input", egg.name = "in9"}, %arg9: tensor<3xf32> {egg.kind = "input", egg.name = "in10"}, %arg10: tensor<3xf32> {egg.kind = "input", egg.name = "in11"}, %arg11: tensor<3x12xf32> {egg.kind = "input", egg.name = "in12"}, %arg12: tensor<3x12xf32> {egg.kind = "input", egg.name = "in13"}, %arg13: tensor<3xf32> {egg.kind = "input", egg.name = "in14"}, %arg14: tensor<3xf32> {egg.kind = "input", egg.name = "in15"}) -> (tensor<3xf32> {egg.kind = "output", egg.name = "output_1"}) {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = linalg.fill ins(%cst : f32) outs(%arg14 : tensor<3xf32>) -> tensor<3xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<3x12xf32>) outs(%0 : tensor<3xf32>) attrs =  {egg.name = "reduce_add_0"} {
    ^bb0(%in: f32, %out: f32):
      %11 = arith.addf %in, %out : f32
      linalg.yield %11 : f32
    } -> tensor<3xf32>
    %2 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%1 : tensor<3xf32>) outs(%arg13 : tensor<3xf32>) attrs =  {egg.name = "div_0"} {
    ^bb0(%in: f32, %out: f32):
      %cst_1 = arith.constant 1.200000e+01 : f32
      %11 = arith.divf %in, %cst_1 : f32
      linalg.yield %11 : f32
    } -> tensor<3xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %2 : tensor<3x12xf32>, tensor<3xf32>) outs(%arg12 : tensor<3x12xf32>) attrs =  {egg.name = "sub_0"} {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %11 = arith.subf %in, %in_1 : f32
      linalg.yield %11 : f32
    } -> tensor<3x12xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %4 = linalg.fill ins(%cst_0 : f32) outs(%arg10 : tensor<3xf32>) -> tensor<3xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg11 : tensor<3x12xf32>) outs(%4 : tensor<3xf32>) attrs =  {egg.name = "reduce_add_1"} {
    ^bb0(%in: f32, %out: f32):
      %11 = arith.addf %in, %out : f32
      linalg.yield %11 : f32
    } -> tensor<3xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%5 : tensor<3xf32>) outs(%arg9 : tensor<3xf32>) attrs =  {egg.name = "map_0"} {
    ^bb0(%in: f32, %out: f32):
      %cst_1 = arith.constant 1.200000e+01 : f32
      %11 = arith.divf %in, %cst_1 : f32
      %cst_2 = arith.constant 1.000000e-03 : f32
      %12 = arith.addf %11, %cst_2 : f32
      %13 = math.rsqrt %12 : f32
      linalg.yield %13 : f32
    } -> tensor<3xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %6 : tensor<3x12xf32>, tensor<3xf32>) outs(%arg8 : tensor<3x12xf32>) attrs =  {egg.name = "mul_1"} {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %11 = arith.mulf %in, %in_1 : f32
      linalg.yield %11 : f32
    } -> tensor<3x12xf32>
    %8:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%7 : tensor<3x12xf32>) outs(%arg7, %arg6 : tensor<3xf32>, tensor<3xf32>) attrs =  {egg.name = "reduce_0"} {
    ^bb0(%in: f32, %out: f32, %out_1: f32):
      %11 = arith.addf %in, %out : f32
      %12 = arith.addf %in, %out_1 : f32
      linalg.yield %11, %12 : f32, f32
    } -> (tensor<3xf32>, tensor<3xf32>)
    %9 = linalg.generic {indexing_maps = [#map3, #map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg5, %arg2 : tensor<12xf32>, tensor<12x12xf32>) outs(%arg4 : tensor<12xf32>) attrs =  {egg.name = "contract_0"} {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %11 = arith.mulf %in, %in_1 : f32
      %12 = arith.addf %out, %11 : f32
      linalg.yield %12 : f32
    } -> tensor<12xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map2, #map2, #map2], iterator_types = ["parallel"]} ins(%9, %arg1, %arg1 : tensor<12xf32>, tensor<12xf32>, tensor<12xf32>) outs(%arg3 : tensor<12xf32>) attrs =  {egg.name = "map_1"} {
    ^bb0(%in: f32, %in_1: f32, %in_2: f32, %out: f32):
      %11 = arith.subf %in, %in_1 : f32
      %12 = arith.subf %11, %in_2 : f32
      linalg.yield %12 : f32
    } -> tensor<12xf32>
    return %8#1 : tensor<3xf32>
  }
}

//--- schedule.mlir
module attributes {egg.payload = "82f1c2bd66cbc1ad215aaec585cd5a152d31deb9ae84cd83e23b51d6d3cf11bb", egg.schedule = 1 : i64, egg.target = "sm_90a", transform.with_named_sequence} {
  transform.named_sequence @algorithm(%arg0: !transform.any_op) {
    %0 = transform.egg.select %arg0 ["map_1", "sub_0"] : (!transform.any_op) -> !transform.any_op
    %1 = transform.egg.form_kernel %0 {name = "k0"} : (!transform.any_op) -> !transform.any_op
    %2 = transform.egg.select %arg0 ["mul_1", "map_0", "reduce_add_1", "reduce_0"] : (!transform.any_op) -> !transform.any_op
    %3 = transform.egg.form_kernel %2 {name = "k1"} : (!transform.any_op) -> !transform.any_op
    %4 = transform.egg.select %arg0 ["reduce_add_0", "div_0"] : (!transform.any_op) -> !transform.any_op
    %5 = transform.egg.form_kernel %4 {name = "k3"} : (!transform.any_op) -> !transform.any_op
    %6 = transform.egg.select %arg0 ["contract_0"] : (!transform.any_op) -> !transform.any_op
    %7 = transform.egg.form_kernel %6 {name = "k4"} : (!transform.any_op) -> !transform.any_op
    transform.yield 
  }
  module @k0 attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%arg0: !transform.any_op) {
      %0 = transform.tune.knob<"threads"> = 800 : i64 from options = [800] -> !transform.param<i64>
      transform.egg.map_elements %arg0 threads(%0) : !transform.any_op
      transform.yield 
    }
    transform.named_sequence @tensor_tiling(%arg0: !transform.any_op) {
      transform.yield 
    }
    transform.named_sequence @memory_optimization(%arg0: !transform.any_op) {
      transform.yield 
    }
  }
  module @k1 attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%arg0: !transform.any_op) {
      %0 = transform.tune.knob<"threads_per_row"> = 2 : i64 from options = [2] -> !transform.param<i64>
      %1 = transform.tune.knob<"rows_per_block"> = 32 : i64 from options = [32] -> !transform.param<i64>
      transform.egg.map_rows %arg0 threads_per_row(%0) rows_per_block(%1) : !transform.any_op
      transform.yield 
    }
    transform.named_sequence @tensor_tiling(%arg0: !transform.any_op) {
      %0 = transform.tune.knob<"width"> = 2 : i64 from options = [2] -> !transform.param<i64>
      transform.egg.vectorize %arg0 width(%0) : !transform.any_op
      transform.yield 
    }
    transform.named_sequence @memory_optimization(%arg0: !transform.any_op) {
      transform.yield 
    }
  }
  module @k3 attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%arg0: !transform.any_op) {
      %0 = transform.tune.knob<"threads_per_row"> = 64 : i64 from options = [64] -> !transform.param<i64>
      %1 = transform.tune.knob<"rows_per_block"> = 4 : i64 from options = [4] -> !transform.param<i64>
      transform.egg.map_rows %arg0 threads_per_row(%0) rows_per_block(%1) : !transform.any_op
      transform.yield 
    }
    transform.named_sequence @tensor_tiling(%arg0: !transform.any_op) {
      %0 = transform.tune.knob<"width"> = 2 : i64 from options = [2] -> !transform.param<i64>
      transform.egg.vectorize %arg0 width(%0) : !transform.any_op
      transform.yield 
    }
    transform.named_sequence @memory_optimization(%arg0: !transform.any_op) {
      transform.yield 
    }
  }
  module @k4 attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%arg0: !transform.any_op) {
      %0 = transform.tune.knob<"threads_per_row"> = 16 : i64 from options = [16] -> !transform.param<i64>
      %1 = transform.tune.knob<"rows_per_block"> = 16 : i64 from options = [16] -> !transform.param<i64>
      transform.egg.map_rows %arg0 threads_per_row(%0) rows_per_block(%1) : !transform.any_op
      transform.yield 
    }
    transform.named_sequence @tensor_tiling(%arg0: !transform.any_op) {
      %0 = transform.tune.knob<"width"> = 1 : i64 from options = [1] -> !transform.param<i64>
      transform.egg.vectorize %arg0 width(%0) : !transform.any_op
      transform.yield 
    }
    transform.named_sequence @memory_optimization(%arg0: !transform.any_op) {
      transform.yield 
    }
  }
}

