// egg fuzz kernels, seed 15, case 1077: found in step numeric
//   result 0 'output_0': 1 of 2 elements differ from the payload; the worst at [0, 0] is -0.244151279, should be -0.244154246 (fp64; the payload in its own precision gives -0.244154096); allowed is a difference of 2.65e-06, by what the payload's own rounding explains
// Its reduction ended early, after 60 attempts: it may become smaller
// This file again: egg fuzz kernels --repeat FILE
// The case again: egg fuzz kernels --seed 15 --first 1077 --count 1
//--- payload.mlir
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d1)>
#map4 = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: tensor<65x3x1x2xf32> {egg.kind = "input", egg.name = "x0"}, %arg1: tensor<1x2xf32> {egg.kind = "input", egg.name = "in1"}, %arg2: tensor<1x2xf32> {egg.kind = "input", egg.name = "in2"}, %arg3: tensor<2xf32> {egg.kind = "input", egg.name = "in3"}, %arg4: tensor<2xf32> {egg.kind = "input", egg.name = "in4"}, %arg5: tensor<1x2xf32> {egg.kind = "input", egg.name = "in5"}, %arg6: tensor<1x2xf32> {egg.kind = "input", egg.name = "in6"}, %arg7: tensor<2xf32> {egg.kind = "input", egg.name = "in7"}, %arg8: tensor<2xf32> {egg.kind = "input", egg.name = "in8"}, %arg9: tensor<1x2xf32> {egg.kind = "input", egg.name = "in9"}) -> (tensor<1x2xf32> {egg.kind = "output", egg.name = "output_0"}, tensor<1x2xf32> {egg.kind = "output", egg.name = "output_2"}) {
    %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "reduction", "parallel", "parallel"]} ins(%arg0 : tensor<65x3x1x2xf32>) outs(%arg9 : tensor<1x2xf32>) attrs =  {egg.name = "reduce_add_0"} {
    ^bb0(%in: f32, %out: f32):
      %10 = arith.addf %in, %out : f32
      linalg.yield %10 : f32
    } -> tensor<1x2xf32>
    %1 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["reduction", "parallel"]} ins(%0 : tensor<1x2xf32>) outs(%arg8 : tensor<2xf32>) attrs =  {egg.name = "reduce_add_1"} {
    ^bb0(%in: f32, %out: f32):
      %10 = arith.addf %in, %out : f32
      linalg.yield %10 : f32
    } -> tensor<2xf32>
    %2 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%1 : tensor<2xf32>) outs(%arg7 : tensor<2xf32>) attrs =  {egg.name = "div_0"} {
    ^bb0(%in: f32, %out: f32):
      %cst_0 = arith.constant 1.000000e+00 : f32
      %10 = arith.divf %in, %cst_0 : f32
      linalg.yield %10 : f32
    } -> tensor<2xf32>
    %3 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%0, %2 : tensor<1x2xf32>, tensor<2xf32>) outs(%arg6 : tensor<1x2xf32>) attrs =  {egg.name = "sub_0"} {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %10 = arith.subf %in, %in_0 : f32
      linalg.yield %10 : f32
    } -> tensor<1x2xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %4 = linalg.fill ins(%cst : f32) outs(%arg4 : tensor<2xf32>) -> tensor<2xf32>
    %5 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["reduction", "parallel"]} ins(%arg5 : tensor<1x2xf32>) outs(%4 : tensor<2xf32>) attrs =  {egg.name = "reduce_add_2"} {
    ^bb0(%in: f32, %out: f32):
      %10 = arith.addf %in, %out : f32
      linalg.yield %10 : f32
    } -> tensor<2xf32>
    %6 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%5 : tensor<2xf32>) outs(%arg3 : tensor<2xf32>) attrs =  {egg.name = "map_0"} {
    ^bb0(%in: f32, %out: f32):
      %cst_0 = arith.constant 1.000000e+00 : f32
      %10 = arith.divf %in, %cst_0 : f32
      %cst_1 = arith.constant 1.000000e-03 : f32
      %11 = arith.addf %10, %cst_1 : f32
      %12 = math.rsqrt %11 : f32
      linalg.yield %12 : f32
    } -> tensor<2xf32>
    %7 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%3, %6 : tensor<1x2xf32>, tensor<2xf32>) outs(%arg2 : tensor<1x2xf32>) attrs =  {egg.name = "mul_1"} {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %10 = arith.mulf %in, %in_0 : f32
      linalg.yield %10 : f32
    } -> tensor<1x2xf32>
    %8 = egg.scan <min> %0 dim = 0 {egg.name = "scan_min_0", exclusive} : tensor<1x2xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map3, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%0, %6, %0 : tensor<1x2xf32>, tensor<2xf32>, tensor<1x2xf32>) outs(%arg1 : tensor<1x2xf32>) attrs =  {egg.name = "map_1"} {
    ^bb0(%in: f32, %in_0: f32, %in_1: f32, %out: f32):
      %10 = arith.maxnumf %in, %in_0 : f32
      %11 = arith.maxnumf %10, %in_1 : f32
      linalg.yield %11 : f32
    } -> tensor<1x2xf32>
    return %7, %8 : tensor<1x2xf32>, tensor<1x2xf32>
  }
}

//--- schedule.mlir
module attributes {egg.payload = "24b85ad29f19cedb61ea1519e200f436faa20adea2a6e8ff30df8b2f87fc8eef", egg.schedule = 1 : i64, egg.target = "sm_90a", transform.with_named_sequence} {
  transform.named_sequence @algorithm(%arg0: !transform.any_op) {
    %0 = transform.egg.select %arg0 ["div_0"] : (!transform.any_op) -> !transform.any_op
    %1 = transform.egg.form_kernel %0 {name = "k0"} : (!transform.any_op) -> !transform.any_op
    %2 = transform.egg.select %arg0 ["mul_1"] : (!transform.any_op) -> !transform.any_op
    %3 = transform.egg.form_kernel %2 {name = "k1"} : (!transform.any_op) -> !transform.any_op
    %4 = transform.egg.select %arg0 ["map_0", "map_1"] : (!transform.any_op) -> !transform.any_op
    %5 = transform.egg.select %arg0 ["reduce_add_0", "reduce_add_2"] : (!transform.any_op) -> !transform.any_op
    %6 = transform.egg.form_kernel %4 recompute(%5) {name = "k2"} : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %7 = transform.egg.select %arg0 ["sub_0"] : (!transform.any_op) -> !transform.any_op
    %8 = transform.egg.select %arg0 ["reduce_add_0"] : (!transform.any_op) -> !transform.any_op
    %9 = transform.egg.form_kernel %7 recompute(%8) {name = "k3"} : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %10 = transform.egg.select %arg0 ["reduce_add_1"] : (!transform.any_op) -> !transform.any_op
    %11 = transform.egg.select %arg0 ["reduce_add_0"] : (!transform.any_op) -> !transform.any_op
    %12 = transform.egg.form_kernel %10 recompute(%11) {name = "k4"} : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %13 = transform.egg.select %arg0 ["reduce_add_0"] : (!transform.any_op) -> !transform.any_op
    %14 = transform.egg.form_kernel %13 {name = "k5"} : (!transform.any_op) -> !transform.any_op
    %15 = transform.egg.select %arg0 ["scan_min_0"] : (!transform.any_op) -> !transform.any_op
    %16 = transform.egg.form_kernel %15 {name = "k6"} : (!transform.any_op) -> !transform.any_op
    transform.yield 
  }
  module @k0 attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%arg0: !transform.any_op) {
      %0 = transform.tune.knob<"threads"> = 480 : i64 from options = [480] -> !transform.param<i64>
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
      %0 = transform.tune.knob<"threads"> = 64 : i64 from options = [64] -> !transform.param<i64>
      transform.egg.map_elements %arg0 threads(%0) : !transform.any_op
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
  module @k2 attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%arg0: !transform.any_op) {
      %0 = transform.tune.knob<"threads_per_row"> = 1 : i64 from options = [1] -> !transform.param<i64>
      %1 = transform.tune.knob<"rows_per_block"> = 128 : i64 from options = [128] -> !transform.param<i64>
      transform.egg.map_rows %arg0 threads_per_row(%0) rows_per_block(%1) : !transform.any_op
      transform.yield 
    }
    transform.named_sequence @tensor_tiling(%arg0: !transform.any_op) {
      %0 = transform.tune.knob<"width"> = 4 : i64 from options = [4] -> !transform.param<i64>
      transform.egg.vectorize %arg0 width(%0) : !transform.any_op
      transform.yield 
    }
    transform.named_sequence @memory_optimization(%arg0: !transform.any_op) {
      transform.yield 
    }
  }
  module @k3 attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%arg0: !transform.any_op) {
      %0 = transform.tune.knob<"threads_per_row"> = 128 : i64 from options = [128] -> !transform.param<i64>
      %1 = transform.tune.knob<"rows_per_block"> = 4 : i64 from options = [4] -> !transform.param<i64>
      transform.egg.map_rows %arg0 threads_per_row(%0) rows_per_block(%1) : !transform.any_op
      transform.yield 
    }
    transform.named_sequence @tensor_tiling(%arg0: !transform.any_op) {
      %0 = transform.tune.knob<"width"> = 4 : i64 from options = [4] -> !transform.param<i64>
      transform.egg.vectorize %arg0 width(%0) : !transform.any_op
      transform.yield 
    }
    transform.named_sequence @memory_optimization(%arg0: !transform.any_op) {
      transform.yield 
    }
  }
  module @k4 attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%arg0: !transform.any_op) {
      %0 = transform.tune.knob<"threads_per_row"> = 64 : i64 from options = [64] -> !transform.param<i64>
      %1 = transform.tune.knob<"rows_per_block"> = 1 : i64 from options = [1] -> !transform.param<i64>
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
  module @k5 attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%arg0: !transform.any_op) {
      %0 = transform.tune.knob<"threads_per_row"> = 64 : i64 from options = [64] -> !transform.param<i64>
      %1 = transform.tune.knob<"rows_per_block"> = 8 : i64 from options = [8] -> !transform.param<i64>
      transform.egg.map_rows %arg0 threads_per_row(%0) rows_per_block(%1) : !transform.any_op
      transform.yield 
    }
    transform.named_sequence @tensor_tiling(%arg0: !transform.any_op) {
      %0 = transform.tune.knob<"width"> = 4 : i64 from options = [4] -> !transform.param<i64>
      transform.egg.vectorize %arg0 width(%0) : !transform.any_op
      transform.yield 
    }
    transform.named_sequence @memory_optimization(%arg0: !transform.any_op) {
      transform.yield 
    }
  }
  module @k6 attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%arg0: !transform.any_op) {
      %0 = transform.tune.knob<"threads"> = 992 : i64 from options = [992] -> !transform.param<i64>
      transform.egg.map_scan %arg0 threads(%0) : !transform.any_op
      transform.yield 
    }
    transform.named_sequence @tensor_tiling(%arg0: !transform.any_op) {
      %0 = transform.tune.knob<"items"> = 16 : i64 from options = [16] -> !transform.param<i64>
      transform.egg.unroll_scan %arg0 items(%0) : !transform.any_op
      transform.yield 
    }
    transform.named_sequence @memory_optimization(%arg0: !transform.any_op) {
      transform.yield 
    }
  }
}

