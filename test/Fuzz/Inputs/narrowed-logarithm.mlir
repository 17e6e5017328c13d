// egg fuzz kernels, seed 23, case 360: found in step exact
//   result 0 'output_2': 3 of 18 elements differ from the payload in exact arithmetic, where rounding plays no part; at [0, 1, 0] it is (?, 26091), should be (65265, 32631) (residues modulo 65267 and 32633)
// This file again: egg fuzz kernels --repeat FILE
// The case again: egg fuzz kernels --seed 23 --first 360 --count 1
//--- payload.mlir
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1, d0)>
module {
  func.func @main(%arg0: tensor<3x2x3xf16> {egg.kind = "input", egg.name = "x0"}, %arg1: tensor<3x2x3xf64> {egg.kind = "input", egg.name = "in1"}, %arg2: tensor<3x2x3xf64> {egg.kind = "input", egg.name = "in2"}, %arg3: tensor<3x2x3xf16> {egg.kind = "input", egg.name = "in3"}, %arg4: tensor<3x2x3xf16> {egg.kind = "input", egg.name = "in4"}) -> (tensor<3x2x3xf64> {egg.kind = "output", egg.name = "output_2"}) {
    %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<3x2x3xf16>) outs(%arg4 : tensor<3x2x3xf16>) attrs =  {egg.name = "map_0"} {
    ^bb0(%in: f16, %out: f16):
      %3 = math.absf %in : f16
      %4 = math.log1p %3 : f16
      linalg.yield %4 : f16
    } -> tensor<3x2x3xf16>
    %1:2 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%0, %0 : tensor<3x2x3xf16>, tensor<3x2x3xf16>) outs(%arg3, %arg2 : tensor<3x2x3xf16>, tensor<3x2x3xf64>) attrs =  {egg.name = "map_1"} {
    ^bb0(%in: f16, %in_0: f16, %out: f16, %out_1: f64):
      %3 = arith.addf %in, %in_0 : f16
      %4 = arith.extf %in : f16 to f64
      %5 = arith.extf %in_0 : f16 to f64
      %6 = arith.minimumf %4, %5 : f64
      %7 = arith.negf %6 : f64
      linalg.yield %3, %7 : f16, f64
    } -> (tensor<3x2x3xf16>, tensor<3x2x3xf64>)
    %2 = linalg.generic {indexing_maps = [#map, #map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1#1, %1#1, %arg0 : tensor<3x2x3xf64>, tensor<3x2x3xf64>, tensor<3x2x3xf16>) outs(%arg1 : tensor<3x2x3xf64>) attrs =  {egg.name = "map_2"} {
    ^bb0(%in: f64, %in_0: f64, %in_1: f16, %out: f64):
      %3 = arith.extf %in_1 : f16 to f64
      %4 = linalg.index 2 : index
      %5 = arith.index_cast %4 : index to i64
      %6 = arith.sitofp %5 : i64 to f64
      %7 = arith.mulf %in, %in_0 : f64
      %8 = arith.mulf %7, %3 : f64
      %9 = arith.minimumf %8, %6 : f64
      %10 = math.erf %9 : f64
      %cst = arith.constant 2.000000e+00 : f64
      %11 = arith.subf %10, %cst : f64
      linalg.yield %11 : f64
    } -> tensor<3x2x3xf64>
    return %2 : tensor<3x2x3xf64>
  }
}

//--- schedule.mlir
module attributes {egg.payload = "16a70bdab6aecb75d831b04162fea1c6853f6de70e59ea940db6c7a00a74764d", egg.schedule = 1 : i64, egg.target = "sm_90a", transform.with_named_sequence} {
  transform.named_sequence @algorithm(%arg0: !transform.any_op) {
    %0 = transform.egg.select %arg0 ["map_2", "map_0", "map_1"] : (!transform.any_op) -> !transform.any_op
    %1 = transform.egg.form_kernel %0 {name = "k0"} : (!transform.any_op) -> !transform.any_op
    transform.yield 
  }
  module @k0 attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%arg0: !transform.any_op) {
      %0 = transform.tune.knob<"threads"> = 128 : i64 from options = [128] -> !transform.param<i64>
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
}