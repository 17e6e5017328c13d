// egg fuzz kernels, seed 12, case 4993: found in step none
//   the reshape of pad_0 is used by nothing
// This file again: egg fuzz kernels --repeat FILE
//--- payload.mlir
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d2)>
#map2 = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: tensor<2x2x2x3xf32> {egg.kind = "input", egg.name = "x0"}, %arg1: tensor<2x2xf32> {egg.kind = "input", egg.name = "x1"}, %arg2: tensor<2xf32> {egg.kind = "input", egg.name = "x2"}, %arg3: tensor<1x5x1x6xi8> {egg.kind = "input", egg.name = "x3"}, %arg4: tensor<5x5x1x3xi8> {egg.kind = "input", egg.name = "x4"}) -> (tensor<2x2xf32> {egg.kind = "output", egg.name = "output_0"}, tensor<1x5x3x6xi8> {egg.kind = "output", egg.name = "output_1"}, tensor<2xf32> {egg.kind = "output", egg.name = "output_2"}) {
    %cst = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<2x2xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x2xf32>) -> tensor<2x2xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction", "parallel", "reduction"]} ins(%arg0 : tensor<2x2x2x3xf32>) outs(%1 : tensor<2x2xf32>) attrs =  {egg.name = "reduce_max_0"} {
    ^bb0(%in: f32, %out: f32):
      %11 = arith.maximumf %in, %out : f32
      linalg.yield %11 : f32
    } -> tensor<2x2xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %3 = tensor.empty() : tensor<2xf32>
    %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<2xf32>) -> tensor<2xf32>
    %5 = linalg.matvec {egg.name = "matvec_0"} ins(%arg1, %arg2 : tensor<2x2xf32>, tensor<2xf32>) outs(%4 : tensor<2xf32>) -> tensor<2xf32>
    %c0_i8 = arith.constant 0 : i8
    %padded = tensor.pad %arg3 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg5: index, %arg6: index, %arg7: index, %arg8: index):
      tensor.yield %c0_i8 : i8
    } {egg.name = "pad_0"} : tensor<1x5x1x6xi8> to tensor<1x5x3x8xi8>
    %c0_i8_1 = arith.constant 0 : i8
    %6 = tensor.empty() : tensor<1x5x3x6xi8>
    %7 = linalg.fill ins(%c0_i8_1 : i8) outs(%6 : tensor<1x5x3x6xi8>) -> tensor<1x5x3x6xi8>
    %8 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, egg.name = "conv_2d_nchw_fchw_0", strides = dense<1> : vector<2xi64>} ins(%padded, %arg4 : tensor<1x5x3x8xi8>, tensor<5x5x1x3xi8>) outs(%7 : tensor<1x5x3x6xi8>) -> tensor<1x5x3x6xi8>
    %expanded = tensor.expand_shape %padded [[0], [1, 2], [3], [4]] output_shape [1, 1, 5, 3, 8] : tensor<1x5x3x8xi8> into tensor<1x1x5x3x8xi8>
    %9 = tensor.empty() : tensor<2xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%5 : tensor<2xf32>) outs(%9 : tensor<2xf32>) attrs =  {egg.name = "copy_0"} {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2xf32>
    return %2, %8, %10 : tensor<2x2xf32>, tensor<1x5x3x6xi8>, tensor<2xf32>
  }
}

//--- schedule.mlir
// Proposed by EGG's expert. @algorithm cuts @main into kernels; each kernel's
// module says how it is mapped to the machine.
module attributes {transform.with_named_sequence, egg.schedule = 1 : i64,
    egg.target = "sm_90a",
    egg.payload = "71ee06286cbd5c273f9d7eb93aa571f0e8e9fa401aed1eff1829d9b5960d2712"} {
  transform.named_sequence @algorithm(%f: !transform.any_op) {
    // reduce_max_0 reduces 4 rows of 6 elements.
    %reduce_max_ops = transform.egg.select %f ["reduce_max_0"]
        : (!transform.any_op) -> !transform.any_op
    %reduce_max_kernel = transform.egg.form_kernel %reduce_max_ops
        {name = "reduce_max"}
        : (!transform.any_op) -> !transform.any_op

    // matvec_0 reduces 2 rows of 2 elements.
    // What follows element by element stays in registers: copy_0.
    %matvec_copy_ops = transform.egg.select %f ["matvec_0", "copy_0"]
        : (!transform.any_op) -> !transform.any_op
    %matvec_copy_kernel = transform.egg.form_kernel %matvec_copy_ops
        {name = "matvec_copy"}
        : (!transform.any_op) -> !transform.any_op

    // conv_2d_nchw_fchw_0 reduces 90 rows of 15 elements.
    // What only this kernel reads is computed as it is read: pad_0.
    %conv2d_ops = transform.egg.select %f ["pad_0", "conv_2d_nchw_fchw_0"]
        : (!transform.any_op) -> !transform.any_op
    %conv2d_kernel = transform.egg.form_kernel %conv2d_ops
        {name = "conv2d"}
        : (!transform.any_op) -> !transform.any_op

    transform.yield
  }

  module @reduce_max attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      // 4 rows of 6 elements; short rows: a thread a row, nothing to combine.
      %threads_per_row = transform.tune.knob<"threads_per_row"> = 1 from options = [1, 32, 64, 128, 256, 512, 1024] -> !transform.param<i64>
      %rows_per_block = transform.tune.knob<"rows_per_block"> = 32 from options = [1, 2, 4, 8, 16, 32, 64, 128, 256] -> !transform.param<i64>
      transform.egg.map_rows %k threads_per_row(%threads_per_row) rows_per_block(%rows_per_block) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @tensor_tiling(%k: !transform.any_op) {
      // 16 bytes an access: 4 elements of 4 bytes, where they are contiguous.
      %width = transform.tune.knob<"width"> = 4 from options = [1, 2, 4] -> !transform.param<i64>
      transform.egg.vectorize %k width(%width) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @memory_optimization(%k: !transform.any_op) {
      transform.yield
    }
  }

  module @matvec_copy attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      // 2 rows of 2 elements; short rows: a thread a row, nothing to combine.
      %threads_per_row = transform.tune.knob<"threads_per_row"> = 1 from options = [1, 32, 64, 128, 256, 512, 1024] -> !transform.param<i64>
      %rows_per_block = transform.tune.knob<"rows_per_block"> = 32 from options = [1, 2, 4, 8, 16, 32, 64, 128, 256] -> !transform.param<i64>
      transform.egg.map_rows %k threads_per_row(%threads_per_row) rows_per_block(%rows_per_block) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @tensor_tiling(%k: !transform.any_op) {
      // 16 bytes an access: 4 elements of 4 bytes, where they are contiguous.
      %width = transform.tune.knob<"width"> = 4 from options = [1, 2, 4] -> !transform.param<i64>
      transform.egg.vectorize %k width(%width) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @memory_optimization(%k: !transform.any_op) {
      transform.yield
    }
  }

  module @conv2d attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      // 90 rows of 15 elements; short rows: a thread a row, nothing to combine.
      %threads_per_row = transform.tune.knob<"threads_per_row"> = 1 from options = [1, 32, 64, 128, 256, 512, 1024] -> !transform.param<i64>
      %rows_per_block = transform.tune.knob<"rows_per_block"> = 32 from options = [1, 2, 4, 8, 16, 32, 64, 128, 256] -> !transform.param<i64>
      transform.egg.map_rows %k threads_per_row(%threads_per_row) rows_per_block(%rows_per_block) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @tensor_tiling(%k: !transform.any_op) {
      // 16 bytes an access: 16 elements of 1 bytes, where they are contiguous.
      %width = transform.tune.knob<"width"> = 16 from options = [1, 2, 4, 8, 16] -> !transform.param<i64>
      transform.egg.vectorize %k width(%width) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @memory_optimization(%k: !transform.any_op) {
      transform.yield
    }
  }
}
