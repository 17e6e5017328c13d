// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: tensor<50000x50000xf32> {egg.kind = "input", egg.name = "x"}) -> (tensor<50000x50000xf32> {egg.kind = "output", egg.name = "y"}) {
  %e = tensor.empty() : tensor<50000x50000xf32>
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<50000x50000xf32>) outs(%e : tensor<50000x50000xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %in : f32
    linalg.yield %1 : f32
  } -> tensor<50000x50000xf32>
  return %0 : tensor<50000x50000xf32>
}
