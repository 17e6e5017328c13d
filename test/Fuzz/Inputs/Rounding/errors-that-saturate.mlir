// egg fuzz kernels, seed 51, case 1084: found in step numeric
//   result 0 'output_0': 1 of 40 elements differ from the payload; the worst at [0, 0, 7] is 0.541292846, should be 0 (fp64; the payload in its own precision gives 0); allowed is a difference of 0.537, by what the payload's own rounding explains
// Its reduction ended early, after 40 attempts: it may become smaller
// This file again: egg fuzz kernels --repeat FILE
// The case again: egg fuzz kernels --seed 51 --first 1084 --count 1
//--- payload.mlir
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<1x3x9xf32> {egg.kind = "input", egg.name = "x0"}, %arg1: tensor<5x3x2xf32> {egg.kind = "input", egg.name = "x1"}, %arg2: tensor<1x5x8xf32> {egg.kind = "input", egg.name = "in2"}, %arg3: tensor<1x5x8xf32> {egg.kind = "input", egg.name = "in3"}, %arg4: tensor<1x5x8xf32> {egg.kind = "input", egg.name = "in4"}, %arg5: tensor<1x5x8xf32> {egg.kind = "input", egg.name = "in5"}, %arg6: tensor<5x8xf32> {egg.kind = "input", egg.name = "in6"}, %arg7: tensor<5x8xf32> {egg.kind = "input", egg.name = "in7"}, %arg8: tensor<5x8xf32> {egg.kind = "input", egg.name = "in8"}, %arg9: tensor<5x8xf32> {egg.kind = "input", egg.name = "in9"}) -> (tensor<1x5x8xf32> {egg.kind = "output", egg.name = "output_0"}) {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x5x8xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
    %2 = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, egg.name = "conv_1d_ncw_fcw_0", strides = dense<1> : vector<1xi64>} ins(%arg0, %arg1 : tensor<1x3x9xf32>, tensor<5x3x2xf32>) outs(%1 : tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %3 = linalg.fill ins(%cst_0 : f32) outs(%arg9 : tensor<5x8xf32>) -> tensor<5x8xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "parallel", "parallel"]} ins(%2 : tensor<1x5x8xf32>) outs(%3 : tensor<5x8xf32>) attrs =  {egg.name = "reduce_add_0"} {
    ^bb0(%in: f32, %out: f32):
      %16 = arith.addf %in, %out : f32
      linalg.yield %16 : f32
    } -> tensor<5x8xf32>
    %5 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<5x8xf32>) outs(%arg8 : tensor<5x8xf32>) attrs =  {egg.name = "div_0"} {
    ^bb0(%in: f32, %out: f32):
      %cst_2 = arith.constant 1.000000e+00 : f32
      %16 = arith.divf %in, %cst_2 : f32
      linalg.yield %16 : f32
    } -> tensor<5x8xf32>
    %6 = tensor.empty() : tensor<1x5x8xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %5 : tensor<1x5x8xf32>, tensor<5x8xf32>) outs(%6 : tensor<1x5x8xf32>) attrs =  {egg.name = "sub_0"} {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %16 = arith.subf %in, %in_2 : f32
      linalg.yield %16 : f32
    } -> tensor<1x5x8xf32>
    %8 = tensor.empty() : tensor<1x5x8xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<1x5x8xf32>) outs(%8 : tensor<1x5x8xf32>) attrs =  {egg.name = "mul_0"} {
    ^bb0(%in: f32, %out: f32):
      %16 = arith.mulf %in, %in : f32
      linalg.yield %16 : f32
    } -> tensor<1x5x8xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %10 = linalg.fill ins(%cst_1 : f32) outs(%arg7 : tensor<5x8xf32>) -> tensor<5x8xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "parallel", "parallel"]} ins(%9 : tensor<1x5x8xf32>) outs(%10 : tensor<5x8xf32>) attrs =  {egg.name = "reduce_add_1"} {
    ^bb0(%in: f32, %out: f32):
      %16 = arith.addf %in, %out : f32
      linalg.yield %16 : f32
    } -> tensor<5x8xf32>
    %12 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<5x8xf32>) outs(%arg6 : tensor<5x8xf32>) attrs =  {egg.name = "map_0"} {
    ^bb0(%in: f32, %out: f32):
      %cst_2 = arith.constant 1.000000e+00 : f32
      %16 = arith.divf %in, %cst_2 : f32
      %cst_3 = arith.constant 1.000000e-03 : f32
      %17 = arith.addf %16, %cst_3 : f32
      %18 = math.rsqrt %17 : f32
      linalg.yield %18 : f32
    } -> tensor<5x8xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %12 : tensor<1x5x8xf32>, tensor<5x8xf32>) outs(%arg5 : tensor<1x5x8xf32>) attrs =  {egg.name = "mul_1"} {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %16 = arith.mulf %in, %in_2 : f32
      linalg.yield %16 : f32
    } -> tensor<1x5x8xf32>
    %14:2 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %2 : tensor<1x5x8xf32>, tensor<1x5x8xf32>) outs(%arg4, %arg3 : tensor<1x5x8xf32>, tensor<1x5x8xf32>) attrs =  {egg.name = "map_1"} {
    ^bb0(%in: f32, %in_2: f32, %out: f32, %out_3: f32):
      %16 = linalg.index 1 : index
      %17 = arith.index_cast %16 : index to i64
      %18 = arith.sitofp %17 : i64 to f32
      %19 = arith.subf %in, %in_2 : f32
      %20 = arith.subf %19, %18 : f32
      %21 = arith.mulf %20, %in : f32
      %22 = math.erf %21 : f32
      %23 = arith.maxnumf %22, %18 : f32
      %24 = arith.mulf %in, %in_2 : f32
      %25 = math.absf %24 : f32
      %cst_4 = arith.constant 5.000000e-01 : f32
      %26 = arith.addf %25, %cst_4 : f32
      %27 = math.sqrt %26 : f32
      %28 = arith.mulf %27, %27 : f32
      %cst_5 = arith.constant 1.000000e+00 : f32
      %29 = arith.addf %28, %cst_5 : f32
      %30 = math.rsqrt %29 : f32
      linalg.yield %23, %30 : f32, f32
    } -> (tensor<1x5x8xf32>, tensor<1x5x8xf32>)
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14#1, %14#0 : tensor<1x5x8xf32>, tensor<1x5x8xf32>) outs(%arg2 : tensor<1x5x8xf32>) attrs =  {egg.name = "mul_2"} {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %16 = arith.mulf %in, %in_2 : f32
      linalg.yield %16 : f32
    } -> tensor<1x5x8xf32>
    return %15 : tensor<1x5x8xf32>
  }
}

//--- schedule.mlir
module attributes {egg.payload = "798f39dd46a2077af87cba205df810993aeed1dbf497540f5a502093d89e686b", egg.schedule = 1 : i64, egg.target = "sm_90a", transform.with_named_sequence} {
  transform.named_sequence @algorithm(%arg0: !transform.any_op) {
    %0 = transform.param.constant 4 : i64 -> !transform.param<i64>
    %1 = transform.egg.select %arg0 ["reduce_add_0"] : (!transform.any_op) -> !transform.any_op
    %partial, %combined = transform.egg.split_reduction %1 parts(%0) : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %2 = transform.egg.select %arg0 ["reduce_add_0", "sub_0", "div_0", "reduce_add_1", "mul_0"] : (!transform.any_op) -> !transform.any_op
    %3 = transform.egg.form_kernel %2 {name = "k1"} : (!transform.any_op) -> !transform.any_op
    %4 = transform.egg.select %arg0 ["map_1", "mul_2"] : (!transform.any_op) -> !transform.any_op
    %5 = transform.egg.select %arg0 ["conv_1d_ncw_fcw_0", "mul_1"] : (!transform.any_op) -> !transform.any_op
    %6 = transform.egg.form_kernel %4 recompute(%5) {name = "k2"} : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %7 = transform.egg.select %arg0 ["map_0"] : (!transform.any_op) -> !transform.any_op
    %8 = transform.egg.form_kernel %7 {name = "k3"} : (!transform.any_op) -> !transform.any_op
    %9 = transform.egg.select %arg0 ["reduce_add_0_partial"] : (!transform.any_op) -> !transform.any_op
    %10 = transform.egg.select %arg0 ["conv_1d_ncw_fcw_0"] : (!transform.any_op) -> !transform.any_op
    %11 = transform.egg.form_kernel %9 recompute(%10) {name = "k4"} : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %12 = transform.egg.select %arg0 ["conv_1d_ncw_fcw_0"] : (!transform.any_op) -> !transform.any_op
    %13 = transform.egg.form_kernel %12 {name = "k5"} : (!transform.any_op) -> !transform.any_op
    transform.yield 
  }
  module @k1 attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%arg0: !transform.any_op) {
      %0 = transform.tune.knob<"threads_per_row"> = 64 : i64 from options = [64] -> !transform.param<i64>
      %1 = transform.tune.knob<"rows_per_block"> = 2 : i64 from options = [2] -> !transform.param<i64>
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
  module @k2 attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%arg0: !transform.any_op) {
      %0 = transform.tune.knob<"tile_m"> = 64 : i64 from options = [64] -> !transform.param<i64>
      %1 = transform.tune.knob<"tile_n"> = 32 : i64 from options = [32] -> !transform.param<i64>
      transform.egg.map_tiles %arg0 tile_m(%0) tile_n(%1) : !transform.any_op
      transform.yield 
    }
    transform.named_sequence @tensor_tiling(%arg0: !transform.any_op) {
      %0 = transform.tune.knob<"tile_k"> = 4 : i64 from options = [4] -> !transform.param<i64>
      %1 = transform.tune.knob<"thread_m"> = 1 : i64 from options = [1] -> !transform.param<i64>
      %2 = transform.tune.knob<"thread_n"> = 2 : i64 from options = [2] -> !transform.param<i64>
      transform.egg.tile_contraction %arg0 tile_k(%0) thread_m(%1) thread_n(%2) : !transform.any_op
      transform.yield 
    }
    transform.named_sequence @memory_optimization(%arg0: !transform.any_op) {
      %0 = transform.tune.knob<"stages"> = 2 : i64 from options = [2] -> !transform.param<i64>
      %1 = transform.tune.knob<"padding"> = 2 : i64 from options = [2] -> !transform.param<i64>
      transform.egg.stage_in_shared %arg0 stages(%0) padding(%1) : !transform.any_op
      transform.yield 
    }
  }
  module @k3 attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%arg0: !transform.any_op) {
      %0 = transform.tune.knob<"threads"> = 352 : i64 from options = [352] -> !transform.param<i64>
      transform.egg.map_elements %arg0 threads(%0) : !transform.any_op
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
      %1 = transform.tune.knob<"rows_per_block"> = 16 : i64 from options = [16] -> !transform.param<i64>
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
  module @k5 attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%arg0: !transform.any_op) {
      %0 = transform.tune.knob<"threads_per_row"> = 8 : i64 from options = [8] -> !transform.param<i64>
      %1 = transform.tune.knob<"rows_per_block"> = 8 : i64 from options = [8] -> !transform.param<i64>
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

