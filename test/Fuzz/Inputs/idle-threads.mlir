// egg fuzz kernels, seed 15, case 1111: one thread an element or 800
// This file again: egg fuzz kernels --repeat FILE
// The case again: egg fuzz kernels --seed 15 --first 1111 --count 1
//--- payload.mlir
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module {
  func.func @main(%arg0: tensor<48x48x1x1xbf16> {egg.kind = "input", egg.name = "x0"}) -> (tensor<48x48x1x1xbf16> {egg.kind = "output", egg.name = "output_0"}) {
    %0 = egg.scan <max> %arg0 dim = 3 {egg.name = "scan_max_0"} : tensor<48x48x1x1xbf16>
    %1 = tensor.empty() : tensor<48x48x1x1xbf16>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0 : tensor<48x48x1x1xbf16>) outs(%1 : tensor<48x48x1x1xbf16>) attrs =  {egg.name = "map_0"} {
    ^bb0(%in: bf16, %out: bf16):
      %cst = arith.constant -1.000000e+00 : bf16
      %3 = arith.minimumf %in, %cst : bf16
      %4 = math.absf %3 : bf16
      %cst_0 = arith.constant 1.000000e+00 : bf16
      %5 = arith.addf %4, %cst_0 : bf16
      %6 = math.log %5 : bf16
      %cst_1 = arith.constant 7.000000e+00 : bf16
      %7 = arith.addf %6, %cst_1 : bf16
      linalg.yield %7 : bf16
    } -> tensor<48x48x1x1xbf16>
    return %2 : tensor<48x48x1x1xbf16>
  }
}

//--- schedule.mlir
module attributes {transform.with_named_sequence, egg.schedule = 1 : i64, egg.target = "sm_90a", egg.payload = "d46e4a0e447b6a9d1e6fcfa574265ff681e56d5de3398a2993471f30fc476e7c"} {
  transform.named_sequence @algorithm(%f: !transform.any_op) {
    %k0_ops = transform.egg.select %f ["map_0", "scan_max_0"] : (!transform.any_op) -> !transform.any_op
    %k0 = transform.egg.form_kernel %k0_ops {name = "k0"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  module @k0 attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      %threads = transform.tune.knob<"threads"> = 800 from options = [800] -> !transform.param<i64>
      transform.egg.map_scan %k threads(%threads) : !transform.any_op
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
