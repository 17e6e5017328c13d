// egg fuzz kernels, seed 12, case 2640: found in step numeric
//   result 1 'output_1': 2 of 1872 elements differ from the payload; the worst at [15, 0, 12] is -0.344351232, should be inf (fp64; the payload in its own precision gives -0.344351262); allowed is a difference of 0
// This file again: egg fuzz kernels --repeat FILE
// The case again: egg fuzz kernels --seed 12 --first 2640 --count 1
//--- payload.mlir
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> ()>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> ()>
#map7 = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
module {
  func.func @main(%arg0: tensor<13xf32> {egg.kind = "input", egg.name = "x0"}, %arg1: tensor<48x13x3xf32> {egg.kind = "input", egg.name = "x1"}, %arg2: tensor<13x48x2x2xf32> {egg.kind = "input", egg.name = "x2"}, %arg3: tensor<48x13xf32> {egg.kind = "input", egg.name = "x3"}, %arg4: tensor<48x3x13xf32> {egg.kind = "input", egg.name = "in4"}, %arg5: tensor<13x48x2x2xf32> {egg.kind = "input", egg.name = "in5"}, %arg6: tensor<48x13x3xf32> {egg.kind = "input", egg.name = "in6"}, %arg7: tensor<48x3xf32> {egg.kind = "input", egg.name = "in7"}, %arg8: tensor<48x13x3xf32> {egg.kind = "input", egg.name = "in8"}, %arg9: tensor<48x3xf32> {egg.kind = "input", egg.name = "in9"}, %arg10: tensor<48x3xf32> {egg.kind = "input", egg.name = "in10"}, %arg11: tensor<f32> {egg.kind = "input", egg.name = "in11"}) -> (tensor<13x48x2x2xf32> {egg.kind = "output", egg.name = "output_0"}, tensor<48x3x13xf32> {egg.kind = "output", egg.name = "output_1"}) {
    %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction"]} ins(%arg0 : tensor<13xf32>) outs(%arg11 : tensor<f32>) attrs =  {egg.name = "reduce_max_0"} {
    ^bb0(%in: f32, %out: f32):
      %7 = arith.maximumf %in, %out : f32
      linalg.yield %7 : f32
    } -> tensor<f32>
    %1 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "reduction", "parallel"]} ins(%arg1 : tensor<48x13x3xf32>) outs(%arg10 : tensor<48x3xf32>) attrs =  {egg.name = "reduce_add_0"} {
    ^bb0(%in: f32, %out: f32):
      %7 = arith.addf %in, %out : f32
      linalg.yield %7 : f32
    } -> tensor<48x3xf32>
    %2 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<48x3xf32>) outs(%arg9 : tensor<48x3xf32>) attrs =  {egg.name = "div_0"} {
    ^bb0(%in: f32, %out: f32):
      %cst = arith.constant 1.300000e+01 : f32
      %7 = arith.divf %in, %cst : f32
      linalg.yield %7 : f32
    } -> tensor<48x3xf32>
    %3 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %2 : tensor<48x13x3xf32>, tensor<48x3xf32>) outs(%arg8 : tensor<48x13x3xf32>) attrs =  {egg.name = "sub_0"} {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %7 = arith.subf %in, %in_0 : f32
      linalg.yield %7 : f32
    } -> tensor<48x13x3xf32>
    %4 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %arg7 : tensor<48x13x3xf32>, tensor<48x3xf32>) outs(%arg6 : tensor<48x13x3xf32>) attrs =  {egg.name = "mul_1"} {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %7 = arith.mulf %in, %in_0 : f32
      linalg.yield %7 : f32
    } -> tensor<48x13x3xf32>
    %5 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2, %0 : tensor<13x48x2x2xf32>, tensor<f32>) outs(%arg5 : tensor<13x48x2x2xf32>) attrs =  {egg.name = "map_1"} {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %7 = arith.maxnumf %in, %in_0 : f32
      %8 = arith.minimumf %7, %in : f32
      %9 = arith.divf %8, %in_0 : f32
      %cst = arith.constant 0.000000e+00 : f32
      %10 = arith.maximumf %9, %cst : f32
      linalg.yield %10 : f32
    } -> tensor<13x48x2x2xf32>
    %6 = linalg.generic {indexing_maps = [#map7, #map7, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %4, %arg3 : tensor<48x13x3xf32>, tensor<48x13x3xf32>, tensor<48x13xf32>) outs(%arg4 : tensor<48x3x13xf32>) attrs =  {egg.name = "map_2"} {
    ^bb0(%in: f32, %in_0: f32, %in_1: f32, %out: f32):
      %7 = linalg.index 1 : index
      %8 = arith.index_cast %7 : index to i64
      %9 = arith.sitofp %8 : i64 to f32
      %10 = arith.mulf %in, %in_0 : f32
      %11 = arith.mulf %10, %in_1 : f32
      %12 = arith.divf %11, %9 : f32
      %13 = arith.maxnumf %12, %in : f32
      linalg.yield %13 : f32
    } -> tensor<48x3x13xf32>
    return %5, %6 : tensor<13x48x2x2xf32>, tensor<48x3x13xf32>
  }
}

//--- schedule.mlir
module attributes {egg.payload = "afc8868c4f4fd1e303edbaee926c0390b0c627d0d5ed748bf196ccb327a2faef", egg.schedule = 1 : i64, egg.target = "sm_90a", transform.with_named_sequence} {
  transform.named_sequence @algorithm(%arg0: !transform.any_op) {
    %0 = transform.egg.select %arg0 ["sub_0", "reduce_add_0", "div_0", "map_2", "mul_1"] : (!transform.any_op) -> !transform.any_op
    %1 = transform.egg.form_kernel %0 {name = "k0"} : (!transform.any_op) -> !transform.any_op
    %2 = transform.egg.select %arg0 ["map_1", "reduce_max_0"] : (!transform.any_op) -> !transform.any_op
    %3 = transform.egg.form_kernel %2 {name = "k1"} : (!transform.any_op) -> !transform.any_op
    transform.yield 
  }
  module @k0 attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%arg0: !transform.any_op) {
      %0 = transform.tune.knob<"threads_per_row"> = 16 : i64 from options = [16] -> !transform.param<i64>
      %1 = transform.tune.knob<"rows_per_block"> = 32 : i64 from options = [32] -> !transform.param<i64>
      transform.egg.map_rows %arg0 threads_per_row(%0) rows_per_block(%1) : !transform.any_op
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
      %0 = transform.tune.knob<"threads_per_row"> = 16 : i64 from options = [16] -> !transform.param<i64>
      %1 = transform.tune.knob<"rows_per_block"> = 2 : i64 from options = [2] -> !transform.param<i64>
      transform.egg.map_rows %arg0 threads_per_row(%0) rows_per_block(%1) : !transform.any_op
      transform.yield 
    }
    transform.named_sequence @tensor_tiling(%arg0: !transform.any_op) {
      transform.yield 
    }
    transform.named_sequence @memory_optimization(%arg0: !transform.any_op) {
      transform.yield 
    }
  }
}

