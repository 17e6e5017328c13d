// egg fuzz kernels, seed 61, case 1024: found in step apply
//   payload.mlir:21:10: [algorithm] operation "map_0" is in no kernel (nor are 2 others); every compute op belongs to a transform.egg.form_kernel of @algorithm
// This file again: egg fuzz kernels --repeat FILE
// The case again: egg fuzz kernels --seed 61 --first 1024 --count 1
//--- payload.mlir
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
module {
  func.func @main(%arg0: tensor<1x2x42xf32> {egg.kind = "input", egg.name = "x0"}, %arg1: tensor<1x2x1xf32> {egg.kind = "input", egg.name = "x1"}, %arg2: tensor<1x14x1xf32> {egg.kind = "input", egg.name = "x2"}) -> (tensor<1xf32> {egg.kind = "output", egg.name = "output_0"}, tensor<1x14x1xf32> {egg.kind = "output", egg.name = "output_1"}) {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x1x14xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x1x14xf32>) -> tensor<1x1x14xf32>
    %2 = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, egg.name = "conv_1d_ncw_fcw_0", strides = dense<3> : vector<1xi64>} ins(%arg0, %arg1 : tensor<1x2x42xf32>, tensor<1x2x1xf32>) outs(%1 : tensor<1x1x14xf32>) -> tensor<1x1x14xf32>
    %cst_0 = arith.constant 0xFF800000 : f32
    %3 = tensor.empty() : tensor<1x1xf32>
    %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<1x1xf32>) -> tensor<1x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<1x1x14xf32>) outs(%4 : tensor<1x1xf32>) attrs =  {egg.name = "reduce_max_0"} {
    ^bb0(%in: f32, %out: f32):
      %21 = arith.maximumf %in, %out : f32
      linalg.yield %21 : f32
    } -> tensor<1x1xf32>
    %6 = tensor.empty() : tensor<1x1x14xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %5 : tensor<1x1x14xf32>, tensor<1x1xf32>) outs(%6 : tensor<1x1x14xf32>) attrs =  {egg.name = "map_0"} {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %21 = arith.subf %in, %in_4 : f32
      %22 = math.exp %21 : f32
      linalg.yield %22 : f32
    } -> tensor<1x1x14xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %8 = tensor.empty() : tensor<1x1xf32>
    %9 = linalg.fill ins(%cst_1 : f32) outs(%8 : tensor<1x1xf32>) -> tensor<1x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<1x1x14xf32>) outs(%9 : tensor<1x1xf32>) attrs =  {egg.name = "reduce_add_0"} {
    ^bb0(%in: f32, %out: f32):
      %21 = arith.addf %in, %out : f32
      linalg.yield %21 : f32
    } -> tensor<1x1xf32>
    %11 = tensor.empty() : tensor<1x1x14xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %10 : tensor<1x1x14xf32>, tensor<1x1xf32>) outs(%11 : tensor<1x1x14xf32>) attrs =  {egg.name = "div_0"} {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %21 = arith.divf %in, %in_4 : f32
      linalg.yield %21 : f32
    } -> tensor<1x1x14xf32>
    %expanded = tensor.expand_shape %12 [[0], [1], [2, 3]] output_shape [1, 1, 7, 2] : tensor<1x1x14xf32> into tensor<1x1x7x2xf32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %13 = tensor.empty() : tensor<1xf32>
    %14 = linalg.fill ins(%cst_2 : f32) outs(%13 : tensor<1xf32>) -> tensor<1xf32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %15 = tensor.empty() : tensor<1xf32>
    %16 = linalg.fill ins(%cst_3 : f32) outs(%15 : tensor<1xf32>) -> tensor<1xf32>
    %17:2 = linalg.generic {indexing_maps = [#map2, #map3, #map3], iterator_types = ["reduction", "parallel", "reduction", "reduction"]} ins(%expanded : tensor<1x1x7x2xf32>) outs(%14, %16 : tensor<1xf32>, tensor<1xf32>) attrs =  {egg.name = "reduce_0"} {
    ^bb0(%in: f32, %out: f32, %out_4: f32):
      %21 = arith.addf %in, %out : f32
      %22 = arith.addf %out_4, %in : f32
      linalg.yield %21, %22 : f32, f32
    } -> (tensor<1xf32>, tensor<1xf32>)
    %18 = tensor.empty() : tensor<32x1xf32>
    %broadcasted = linalg.broadcast ins(%17#0 : tensor<1xf32>) outs(%18 : tensor<32x1xf32>) dimensions = [0]  {egg.name = "broadcast_0"}
    %collapsed = tensor.collapse_shape %broadcasted [[0, 1]] : tensor<32x1xf32> into tensor<32xf32>
    %19 = tensor.empty() : tensor<1x14x1xf32>
    %20 = linalg.generic {indexing_maps = [#map4, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %arg2 : tensor<1x1x14xf32>, tensor<1x14x1xf32>) outs(%19 : tensor<1x14x1xf32>) attrs =  {egg.name = "map_1"} {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %21 = linalg.index 0 : index
      %22 = arith.index_cast %21 : index to i64
      %23 = arith.sitofp %22 : i64 to f32
      %24 = arith.addf %in, %in_4 : f32
      %25 = arith.subf %24, %23 : f32
      linalg.yield %25 : f32
    } -> tensor<1x14x1xf32>
    return %17#1, %20 : tensor<1xf32>, tensor<1x14x1xf32>
  }
}

//--- schedule.mlir
module attributes {transform.with_named_sequence, egg.schedule = 1 : i64, egg.target = "sm_90a", egg.payload = "5fc7f5fb40dfe64e2b79ba747017e16b9c2783609ecd9e04e3f3a46c560fa2f1"} {
  transform.named_sequence @algorithm(%f: !transform.any_op) {
    %k0_ops = transform.egg.select %f ["map_1", "reduce_add_0", "reduce_0", "div_0"] : (!transform.any_op) -> !transform.any_op
    %k0_again = transform.egg.select %f ["map_0"] : (!transform.any_op) -> !transform.any_op
    %k0 = transform.egg.form_kernel %k0_ops recompute(%k0_again) {name = "k0"} : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %k1_ops = transform.egg.select %f ["reduce_max_0"] : (!transform.any_op) -> !transform.any_op
    %k1 = transform.egg.form_kernel %k1_ops {name = "k1"} : (!transform.any_op) -> !transform.any_op
    %k2_ops = transform.egg.select %f ["conv_1d_ncw_fcw_0"] : (!transform.any_op) -> !transform.any_op
    %k2 = transform.egg.form_kernel %k2_ops {name = "k2"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  module @k0 attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      %threads_per_row = transform.tune.knob<"threads_per_row"> = 64 from options = [64] -> !transform.param<i64>
      %rows_per_block = transform.tune.knob<"rows_per_block"> = 16 from options = [16] -> !transform.param<i64>
      transform.egg.map_rows %k threads_per_row(%threads_per_row) rows_per_block(%rows_per_block) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @tensor_tiling(%k: !transform.any_op) {
      %width = transform.tune.knob<"width"> = 2 from options = [2] -> !transform.param<i64>
      transform.egg.vectorize %k width(%width) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @memory_optimization(%k: !transform.any_op) {
      transform.yield
    }
  }
  module @k1 attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      %threads_per_row = transform.tune.knob<"threads_per_row"> = 64 from options = [64] -> !transform.param<i64>
      %rows_per_block = transform.tune.knob<"rows_per_block"> = 1 from options = [1] -> !transform.param<i64>
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
  module @k2 attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      %threads_per_row = transform.tune.knob<"threads_per_row"> = 512 from options = [512] -> !transform.param<i64>
      %rows_per_block = transform.tune.knob<"rows_per_block"> = 2 from options = [2] -> !transform.param<i64>
      transform.egg.map_rows %k threads_per_row(%threads_per_row) rows_per_block(%rows_per_block) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @tensor_tiling(%k: !transform.any_op) {
      %width = transform.tune.knob<"width"> = 2 from options = [2] -> !transform.param<i64>
      transform.egg.vectorize %k width(%width) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @memory_optimization(%k: !transform.any_op) {
      transform.yield
    }
  }
}
