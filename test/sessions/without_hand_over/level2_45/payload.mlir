#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> (d0)>
#map3 = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: tensor<4096x2048xf32> {egg.kind = "parameter", egg.name = "linear1.weight"}, %arg1: tensor<4096xf32> {egg.kind = "parameter", egg.name = "linear1.bias"}, %arg2: tensor<1024x4096xf32> {egg.kind = "parameter", egg.name = "linear2.weight"}, %arg3: tensor<1024xf32> {egg.kind = "parameter", egg.name = "linear2.bias"}, %arg4: tensor<16384x2048xf32> {egg.kind = "input", egg.name = "x"}) -> (tensor<16384xf32> {egg.kind = "output", egg.name = "output_0"}) {
    %cst = arith.constant 0x7F800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<2048x4096xf32>
    %transposed = linalg.transpose ins(%arg0 : tensor<4096x2048xf32>) outs(%0 : tensor<2048x4096xf32>) permutation = [1, 0]  {egg.name = "transpose_0"}
    %1 = tensor.empty() : tensor<16384x4096xf32>
    %2 = linalg.fill ins(%cst_0 : f32) outs(%1 : tensor<16384x4096xf32>) -> tensor<16384x4096xf32>
    %3 = linalg.matmul {egg.name = "matmul_0"} ins(%arg4, %transposed : tensor<16384x2048xf32>, tensor<2048x4096xf32>) outs(%2 : tensor<16384x4096xf32>) -> tensor<16384x4096xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %arg1 : tensor<16384x4096xf32>, tensor<4096xf32>) outs(%1 : tensor<16384x4096xf32>) attrs =  {egg.name = "add_0"} {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %24 = arith.addf %in, %in_4 : f32
      linalg.yield %24 : f32
    } -> tensor<16384x4096xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<16384x4096xf32>) outs(%1 : tensor<16384x4096xf32>) attrs =  {egg.name = "map_0"} {
    ^bb0(%in: f32, %out: f32):
      %24 = arith.negf %in : f32
      %25 = math.exp %24 : f32
      %26 = arith.addf %25, %cst_1 : f32
      %27 = arith.divf %cst_1, %26 : f32
      linalg.yield %27 : f32
    } -> tensor<16384x4096xf32>
    %6 = tensor.empty() : tensor<4096x1024xf32>
    %transposed_3 = linalg.transpose ins(%arg2 : tensor<1024x4096xf32>) outs(%6 : tensor<4096x1024xf32>) permutation = [1, 0]  {egg.name = "transpose_1"}
    %7 = tensor.empty() : tensor<16384x1024xf32>
    %8 = linalg.fill ins(%cst_0 : f32) outs(%7 : tensor<16384x1024xf32>) -> tensor<16384x1024xf32>
    %9 = linalg.matmul {egg.name = "matmul_1"} ins(%5, %transposed_3 : tensor<16384x4096xf32>, tensor<4096x1024xf32>) outs(%8 : tensor<16384x1024xf32>) -> tensor<16384x1024xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%9, %arg3 : tensor<16384x1024xf32>, tensor<1024xf32>) outs(%7 : tensor<16384x1024xf32>) attrs =  {egg.name = "add_1"} {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %24 = arith.addf %in, %in_4 : f32
      linalg.yield %24 : f32
    } -> tensor<16384x1024xf32>
    %11 = tensor.empty() : tensor<16384xf32>
    %12 = linalg.fill ins(%cst_2 : f32) outs(%11 : tensor<16384xf32>) -> tensor<16384xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%10 : tensor<16384x1024xf32>) outs(%12 : tensor<16384xf32>) attrs =  {egg.name = "reduce_max_0"} {
    ^bb0(%in: f32, %out: f32):
      %24 = arith.maximumf %in, %out : f32
      linalg.yield %24 : f32
    } -> tensor<16384xf32>
    %14 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%13 : tensor<16384xf32>) outs(%11 : tensor<16384xf32>) attrs =  {egg.name = "absf_0"} {
    ^bb0(%in: f32, %out: f32):
      %24 = math.absf %in : f32
      linalg.yield %24 : f32
    } -> tensor<16384xf32>
    %15 = tensor.empty() : tensor<16384xi1>
    %16 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%14 : tensor<16384xf32>) outs(%15 : tensor<16384xi1>) attrs =  {egg.name = "cmp_0"} {
    ^bb0(%in: f32, %out: i1):
      %24 = arith.cmpf oeq, %in, %cst : f32
      linalg.yield %24 : i1
    } -> tensor<16384xi1>
    %17 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%16, %13 : tensor<16384xi1>, tensor<16384xf32>) outs(%11 : tensor<16384xf32>) attrs =  {egg.name = "select_0"} {
    ^bb0(%in: i1, %in_4: f32, %out: f32):
      %24 = arith.select %in, %cst_0, %in_4 : f32
      linalg.yield %24 : f32
    } -> tensor<16384xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%10, %17 : tensor<16384x1024xf32>, tensor<16384xf32>) outs(%7 : tensor<16384x1024xf32>) attrs =  {egg.name = "sub_0"} {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %24 = arith.subf %in, %in_4 : f32
      linalg.yield %24 : f32
    } -> tensor<16384x1024xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<16384x1024xf32>) outs(%7 : tensor<16384x1024xf32>) attrs =  {egg.name = "exp_0"} {
    ^bb0(%in: f32, %out: f32):
      %24 = math.exp %in : f32
      linalg.yield %24 : f32
    } -> tensor<16384x1024xf32>
    %20 = linalg.fill ins(%cst_0 : f32) outs(%11 : tensor<16384xf32>) -> tensor<16384xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%19 : tensor<16384x1024xf32>) outs(%20 : tensor<16384xf32>) attrs =  {egg.name = "reduce_add_0"} {
    ^bb0(%in: f32, %out: f32):
      %24 = arith.addf %in, %out : f32
      linalg.yield %24 : f32
    } -> tensor<16384xf32>
    %22 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%21 : tensor<16384xf32>) outs(%11 : tensor<16384xf32>) attrs =  {egg.name = "log_0"} {
    ^bb0(%in: f32, %out: f32):
      %24 = math.log %in : f32
      linalg.yield %24 : f32
    } -> tensor<16384xf32>
    %23 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%22, %17 : tensor<16384xf32>, tensor<16384xf32>) outs(%11 : tensor<16384xf32>) attrs =  {egg.name = "add_2"} {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %24 = arith.addf %in, %in_4 : f32
      linalg.yield %24 : f32
    } -> tensor<16384xf32>
    return %23 : tensor<16384xf32>
  }
}

