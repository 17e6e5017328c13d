// egg fuzz kernels, seed 61, case 1349: found in step numeric
//   result 3 'output_3': 3 of 49 elements differ from the payload; the worst at [2, 4] is 0.0553162731, should be 0.0553128382 (fp64; the payload in its own precision gives 0.0553125106); allowed is a difference of 2.67e-06, by what the payload's own rounding explains
// This file again: egg fuzz kernels --repeat FILE
// The case again: egg fuzz kernels --seed 61 --first 1349 --count 1
//--- payload.mlir
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d2, d1, d0, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> (d1)>
#map7 = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: tensor<7x7x7x3xf32> {egg.kind = "input", egg.name = "x0"}, %arg1: tensor<7x7xf32> {egg.kind = "input", egg.name = "x1"}, %arg2: tensor<7x7x7x3xf32> {egg.kind = "input", egg.name = "x2"}) -> (tensor<7x7x7x3xf32> {egg.kind = "output", egg.name = "output_0"}, tensor<7x7x7x3xf32> {egg.kind = "output", egg.name = "output_1"}, tensor<7x7x7x3xf32> {egg.kind = "output", egg.name = "output_2"}, tensor<7x7xf32> {egg.kind = "output", egg.name = "output_3"}, tensor<7x7x7x3xf32> {egg.kind = "output", egg.name = "output_4"}) {
    %0 = tensor.empty() : tensor<7x7x7x3xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<7x7x7x3xf32>, tensor<7x7x7x3xf32>) outs(%0 : tensor<7x7x7x3xf32>) attrs =  {egg.name = "map_0"} {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %29 = arith.addf %in, %in_2 : f32
      %30 = arith.cmpf olt, %29, %in : f32
      %31 = arith.mulf %in, %in : f32
      %cst_3 = arith.constant 1.000000e+00 : f32
      %32 = arith.addf %31, %cst_3 : f32
      %33 = math.rsqrt %32 : f32
      %34 = arith.select %30, %29, %33 : f32
      %35 = math.absf %34 : f32
      %36 = math.tanh %35 : f32
      linalg.yield %36 : f32
    } -> tensor<7x7x7x3xf32>
    %2 = tensor.empty() : tensor<7x7x7x3xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %arg0, %arg1 : tensor<7x7x7x3xf32>, tensor<7x7x7x3xf32>, tensor<7x7xf32>) outs(%2 : tensor<7x7x7x3xf32>) attrs =  {egg.name = "map_1"} {
    ^bb0(%in: f32, %in_2: f32, %in_3: f32, %out: f32):
      %29 = arith.mulf %in, %in_2 : f32
      %30 = arith.mulf %29, %in_3 : f32
      %31 = arith.subf %30, %in_2 : f32
      %32 = math.absf %31 : f32
      %33 = arith.addf %32, %in : f32
      linalg.yield %33 : f32
    } -> tensor<7x7x7x3xf32>
    %4 = tensor.empty() : tensor<7x7x7x3xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3, %1, %arg2 : tensor<7x7x7x3xf32>, tensor<7x7x7x3xf32>, tensor<7x7x7x3xf32>) outs(%4 : tensor<7x7x7x3xf32>) attrs =  {egg.name = "map_2"} {
    ^bb0(%in: f32, %in_2: f32, %in_3: f32, %out: f32):
      %29 = arith.divf %in, %in_2 : f32
      %30 = arith.addf %29, %in_3 : f32
      linalg.yield %30 : f32
    } -> tensor<7x7x7x3xf32>
    %cst = arith.constant 0xFF800000 : f32
    %6 = tensor.empty() : tensor<7x7xf32>
    %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<7x7xf32>) -> tensor<7x7xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["reduction", "parallel", "parallel", "reduction"]} ins(%1 : tensor<7x7x7x3xf32>) outs(%7 : tensor<7x7xf32>) attrs =  {egg.name = "reduce_max_0"} {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.maximumf %in, %out : f32
      linalg.yield %29 : f32
    } -> tensor<7x7xf32>
    %9 = tensor.empty() : tensor<7x7x7x3xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<7x7x7x3xf32>, tensor<7x7xf32>) outs(%9 : tensor<7x7x7x3xf32>) attrs =  {egg.name = "max_0"} {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %29 = arith.maxnumf %in, %in_2 : f32
      linalg.yield %29 : f32
    } -> tensor<7x7x7x3xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %11 = tensor.empty() : tensor<7xf32>
    %12 = linalg.fill ins(%cst_0 : f32) outs(%11 : tensor<7xf32>) -> tensor<7xf32>
    %13 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["reduction", "parallel"]} ins(%8 : tensor<7x7xf32>) outs(%12 : tensor<7xf32>) attrs =  {egg.name = "reduce_add_0"} {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.addf %in, %out : f32
      linalg.yield %29 : f32
    } -> tensor<7xf32>
    %14 = tensor.empty() : tensor<7xf32>
    %15 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel"]} ins(%13 : tensor<7xf32>) outs(%14 : tensor<7xf32>) attrs =  {egg.name = "div_0"} {
    ^bb0(%in: f32, %out: f32):
      %cst_2 = arith.constant 7.000000e+00 : f32
      %29 = arith.divf %in, %cst_2 : f32
      linalg.yield %29 : f32
    } -> tensor<7xf32>
    %16 = tensor.empty() : tensor<7x7xf32>
    %17 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%8, %15 : tensor<7x7xf32>, tensor<7xf32>) outs(%16 : tensor<7x7xf32>) attrs =  {egg.name = "sub_0"} {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %29 = arith.subf %in, %in_2 : f32
      linalg.yield %29 : f32
    } -> tensor<7x7xf32>
    %18 = tensor.empty() : tensor<7x7xf32>
    %19 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<7x7xf32>) outs(%18 : tensor<7x7xf32>) attrs =  {egg.name = "mul_0"} {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.mulf %in, %in : f32
      linalg.yield %29 : f32
    } -> tensor<7x7xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %20 = tensor.empty() : tensor<7xf32>
    %21 = linalg.fill ins(%cst_1 : f32) outs(%20 : tensor<7xf32>) -> tensor<7xf32>
    %22 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["reduction", "parallel"]} ins(%19 : tensor<7x7xf32>) outs(%21 : tensor<7xf32>) attrs =  {egg.name = "reduce_add_1"} {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.addf %in, %out : f32
      linalg.yield %29 : f32
    } -> tensor<7xf32>
    %23 = tensor.empty() : tensor<7xf32>
    %24 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel"]} ins(%22 : tensor<7xf32>) outs(%23 : tensor<7xf32>) attrs =  {egg.name = "map_3"} {
    ^bb0(%in: f32, %out: f32):
      %cst_2 = arith.constant 7.000000e+00 : f32
      %29 = arith.divf %in, %cst_2 : f32
      %cst_3 = arith.constant 1.000000e-03 : f32
      %30 = arith.addf %29, %cst_3 : f32
      %31 = math.rsqrt %30 : f32
      linalg.yield %31 : f32
    } -> tensor<7xf32>
    %25 = tensor.empty() : tensor<7x7xf32>
    %26 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%17, %24 : tensor<7x7xf32>, tensor<7xf32>) outs(%25 : tensor<7x7xf32>) attrs =  {egg.name = "mul_1"} {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %29 = arith.mulf %in, %in_2 : f32
      linalg.yield %29 : f32
    } -> tensor<7x7xf32>
    %27 = tensor.empty() : tensor<7x7x7x3xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<7x7x7x3xf32>) outs(%27 : tensor<7x7x7x3xf32>) attrs =  {egg.name = "max_1"} {
    ^bb0(%in: f32, %out: f32):
      %cst_2 = arith.constant 0.000000e+00 : f32
      %29 = arith.maximumf %in, %cst_2 : f32
      linalg.yield %29 : f32
    } -> tensor<7x7x7x3xf32>
    return %1, %5, %10, %26, %28 : tensor<7x7x7x3xf32>, tensor<7x7x7x3xf32>, tensor<7x7x7x3xf32>, tensor<7x7xf32>, tensor<7x7x7x3xf32>
  }
}

//--- schedule.mlir
module attributes {transform.with_named_sequence, egg.schedule = 1 : i64, egg.target = "sm_90a", egg.payload = "5433535baafd568534bfdb9d458b0147eb80399ec2a936df023f23e1bd2e5e28"} {
  transform.named_sequence @algorithm(%f: !transform.any_op) {
    %k0_ops = transform.egg.select %f ["max_0", "map_0", "reduce_max_0"] : (!transform.any_op) -> !transform.any_op
    %k0 = transform.egg.form_kernel %k0_ops {name = "k0"} : (!transform.any_op) -> !transform.any_op
    %k1_ops = transform.egg.select %f ["map_1", "map_2"] : (!transform.any_op) -> !transform.any_op
    %k1 = transform.egg.form_kernel %k1_ops {name = "k1"} : (!transform.any_op) -> !transform.any_op
    %k2_ops = transform.egg.select %f ["sub_0", "div_0", "map_3", "mul_0", "reduce_add_0", "mul_1", "reduce_add_1"] : (!transform.any_op) -> !transform.any_op
    %k2 = transform.egg.form_kernel %k2_ops {name = "k2"} : (!transform.any_op) -> !transform.any_op
    %k3_ops = transform.egg.select %f ["max_1"] : (!transform.any_op) -> !transform.any_op
    %k3 = transform.egg.form_kernel %k3_ops {name = "k3"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  module @k0 attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      %threads_per_row = transform.tune.knob<"threads_per_row"> = 16 from options = [16] -> !transform.param<i64>
      %rows_per_block = transform.tune.knob<"rows_per_block"> = 64 from options = [64] -> !transform.param<i64>
      transform.egg.map_rows %k threads_per_row(%threads_per_row) rows_per_block(%rows_per_block) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @tensor_tiling(%k: !transform.any_op) {
      %width = transform.tune.knob<"width"> = 4 from options = [4] -> !transform.param<i64>
      transform.egg.vectorize %k width(%width) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @memory_optimization(%k: !transform.any_op) {
      transform.yield
    }
  }
  module @k1 attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      %threads = transform.tune.knob<"threads"> = 960 from options = [960] -> !transform.param<i64>
      transform.egg.map_elements %k threads(%threads) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @tensor_tiling(%k: !transform.any_op) {
      transform.yield
    }
    transform.named_sequence @memory_optimization(%k: !transform.any_op) {
      transform.yield
    }
  }
  module @k2 attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      %threads_per_row = transform.tune.knob<"threads_per_row"> = 256 from options = [256] -> !transform.param<i64>
      %rows_per_block = transform.tune.knob<"rows_per_block"> = 4 from options = [4] -> !transform.param<i64>
      transform.egg.map_rows %k threads_per_row(%threads_per_row) rows_per_block(%rows_per_block) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @tensor_tiling(%k: !transform.any_op) {
      transform.yield
    }
    transform.named_sequence @memory_optimization(%k: !transform.any_op) {
      transform.yield
    }
  }
  module @k3 attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      %threads = transform.tune.knob<"threads"> = 288 from options = [288] -> !transform.param<i64>
      transform.egg.map_elements %k threads(%threads) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @tensor_tiling(%k: !transform.any_op) {
      %width = transform.tune.knob<"width"> = 1 from options = [1] -> !transform.param<i64>
      transform.egg.vectorize %k width(%width) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @memory_optimization(%k: !transform.any_op) {
      transform.yield
    }
  }
}
