#qm = affine_map<(d0, d1) -> (d0, d1)>
#qm1 = affine_map<(d0, d1) -> (d0)>
#qm2 = affine_map<(d0) -> (d0)>
// Proposed by EGG's expert. @algorithm cuts @main into kernels; each kernel's
// module says how it is mapped to the machine.
module attributes {transform.with_named_sequence, egg.schedule = 1 : i64,
    egg.target = "sm_90a",
    egg.payload = "43ada5a4fd5dfb8af9a4f2a13551e1c7bafee42dba8f367cf2d6dc55dc4cafdb"} {
  func.func private @other(%arg0: tensor<256x32xf32>, %arg1: tensor<64x32xf32>, %arg2: tensor<256x40xf32>) -> (tensor<64x40xf32>) {
    %cst = arith.constant 0.176776692 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<32x256xf32>
    %transposed = linalg.transpose ins(%arg0 : tensor<256x32xf32>) outs(%0 : tensor<32x256xf32>) permutation = [1, 0]  {egg.name = "q_transpose_0"}
    %1 = tensor.empty() : tensor<64x256xf32>
    %2 = linalg.fill ins(%cst_0 : f32) outs(%1 : tensor<64x256xf32>) -> tensor<64x256xf32>
    %3 = linalg.matmul {egg.name = "q_matmul_0"} ins(%arg1, %transposed : tensor<64x32xf32>, tensor<32x256xf32>) outs(%2 : tensor<64x256xf32>) -> tensor<64x256xf32>
    %4 = linalg.generic {indexing_maps = [#qm, #qm], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<64x256xf32>) outs(%1 : tensor<64x256xf32>) attrs =  {egg.name = "q_mul_0"} {
    ^bb0(%in: f32, %out: f32):
      %33 = arith.mulf %in, %cst : f32
      linalg.yield %33 : f32
    } -> tensor<64x256xf32>
    %extracted_slice = tensor.extract_slice %4[0, 0] [64, 128] [1, 1] {egg.name = "q_extract_slice_0"} : tensor<64x256xf32> to tensor<64x128xf32>
    %extracted_slice_2 = tensor.extract_slice %4[0, 128] [64, 128] [1, 1] {egg.name = "q_extract_slice_1"} : tensor<64x256xf32> to tensor<64x128xf32>
    %5 = tensor.empty() : tensor<64xf32>
    %6 = linalg.fill ins(%cst_1 : f32) outs(%5 : tensor<64xf32>) -> tensor<64xf32>
    %7 = linalg.generic {indexing_maps = [#qm, #qm1], iterator_types = ["parallel", "reduction"]} ins(%extracted_slice : tensor<64x128xf32>) outs(%6 : tensor<64xf32>) attrs =  {egg.name = "q_reduce_max_0"} {
    ^bb0(%in: f32, %out: f32):
      %33 = arith.maximumf %in, %out : f32
      linalg.yield %33 : f32
    } -> tensor<64xf32>
    %8 = tensor.empty() : tensor<64x128xf32>
    %9 = linalg.generic {indexing_maps = [#qm, #qm1, #qm], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice, %7 : tensor<64x128xf32>, tensor<64xf32>) outs(%8 : tensor<64x128xf32>) attrs =  {egg.name = "q_sub_0"} {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %33 = arith.subf %in, %in_5 : f32
      linalg.yield %33 : f32
    } -> tensor<64x128xf32>
    %10 = linalg.generic {indexing_maps = [#qm, #qm], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<64x128xf32>) outs(%8 : tensor<64x128xf32>) attrs =  {egg.name = "q_exp_0"} {
    ^bb0(%in: f32, %out: f32):
      %33 = math.exp %in : f32
      linalg.yield %33 : f32
    } -> tensor<64x128xf32>
    %11 = linalg.fill ins(%cst_0 : f32) outs(%5 : tensor<64xf32>) -> tensor<64xf32>
    %12 = linalg.generic {indexing_maps = [#qm, #qm1], iterator_types = ["parallel", "reduction"]} ins(%10 : tensor<64x128xf32>) outs(%11 : tensor<64xf32>) attrs =  {egg.name = "q_reduce_add_0"} {
    ^bb0(%in: f32, %out: f32):
      %33 = arith.addf %in, %out : f32
      linalg.yield %33 : f32
    } -> tensor<64xf32>
    %extracted_slice_3 = tensor.extract_slice %arg2[0, 0] [128, 40] [1, 1] {egg.name = "q_extract_slice_2"} : tensor<256x40xf32> to tensor<128x40xf32>
    %13 = tensor.empty() : tensor<64x40xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%13 : tensor<64x40xf32>) -> tensor<64x40xf32>
    %15 = linalg.matmul {egg.name = "q_matmul_1"} ins(%10, %extracted_slice_3 : tensor<64x128xf32>, tensor<128x40xf32>) outs(%14 : tensor<64x40xf32>) -> tensor<64x40xf32>
    %16 = linalg.generic {indexing_maps = [#qm, #qm1], iterator_types = ["parallel", "reduction"]} ins(%extracted_slice_2 : tensor<64x128xf32>) outs(%6 : tensor<64xf32>) attrs =  {egg.name = "q_reduce_max_1"} {
    ^bb0(%in: f32, %out: f32):
      %33 = arith.maximumf %in, %out : f32
      linalg.yield %33 : f32
    } -> tensor<64xf32>
    %17 = tensor.empty() : tensor<64xi1>
    %18 = linalg.generic {indexing_maps = [#qm2, #qm2, #qm2], iterator_types = ["parallel"]} ins(%7, %16 : tensor<64xf32>, tensor<64xf32>) outs(%17 : tensor<64xi1>) attrs =  {egg.name = "q_cmp_0"} {
    ^bb0(%in: f32, %in_5: f32, %out: i1):
      %33 = arith.cmpf ogt, %in, %in_5 : f32
      linalg.yield %33 : i1
    } -> tensor<64xi1>
    %19 = linalg.generic {indexing_maps = [#qm2, #qm2], iterator_types = ["parallel"]} ins(%7 : tensor<64xf32>) outs(%17 : tensor<64xi1>) attrs =  {egg.name = "q_cmp_1"} {
    ^bb0(%in: f32, %out: i1):
      %33 = arith.cmpf une, %in, %in : f32
      linalg.yield %33 : i1
    } -> tensor<64xi1>
    %20 = linalg.generic {indexing_maps = [#qm2, #qm2, #qm2], iterator_types = ["parallel"]} ins(%18, %19 : tensor<64xi1>, tensor<64xi1>) outs(%17 : tensor<64xi1>) attrs =  {egg.name = "q_or_0"} {
    ^bb0(%in: i1, %in_5: i1, %out: i1):
      %33 = arith.ori %in, %in_5 : i1
      linalg.yield %33 : i1
    } -> tensor<64xi1>
    %21 = linalg.generic {indexing_maps = [#qm2, #qm2, #qm2, #qm2], iterator_types = ["parallel"]} ins(%20, %7, %16 : tensor<64xi1>, tensor<64xf32>, tensor<64xf32>) outs(%5 : tensor<64xf32>) attrs =  {egg.name = "q_select_0"} {
    ^bb0(%in: i1, %in_5: f32, %in_6: f32, %out: f32):
      %33 = arith.select %in, %in_5, %in_6 : f32
      linalg.yield %33 : f32
    } -> tensor<64xf32>
    %22 = linalg.generic {indexing_maps = [#qm, #qm1, #qm], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_2, %21 : tensor<64x128xf32>, tensor<64xf32>) outs(%8 : tensor<64x128xf32>) attrs =  {egg.name = "q_sub_1"} {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %33 = arith.subf %in, %in_5 : f32
      linalg.yield %33 : f32
    } -> tensor<64x128xf32>
    %23 = linalg.generic {indexing_maps = [#qm, #qm], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<64x128xf32>) outs(%8 : tensor<64x128xf32>) attrs =  {egg.name = "q_exp_1"} {
    ^bb0(%in: f32, %out: f32):
      %33 = math.exp %in : f32
      linalg.yield %33 : f32
    } -> tensor<64x128xf32>
    %24 = linalg.generic {indexing_maps = [#qm2, #qm2, #qm2], iterator_types = ["parallel"]} ins(%7, %21 : tensor<64xf32>, tensor<64xf32>) outs(%5 : tensor<64xf32>) attrs =  {egg.name = "q_sub_2"} {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %33 = arith.subf %in, %in_5 : f32
      linalg.yield %33 : f32
    } -> tensor<64xf32>
    %25 = linalg.generic {indexing_maps = [#qm2, #qm2], iterator_types = ["parallel"]} ins(%24 : tensor<64xf32>) outs(%5 : tensor<64xf32>) attrs =  {egg.name = "q_exp_2"} {
    ^bb0(%in: f32, %out: f32):
      %33 = math.exp %in : f32
      linalg.yield %33 : f32
    } -> tensor<64xf32>
    %26 = linalg.generic {indexing_maps = [#qm2, #qm2, #qm2], iterator_types = ["parallel"]} ins(%12, %25 : tensor<64xf32>, tensor<64xf32>) outs(%5 : tensor<64xf32>) attrs =  {egg.name = "q_mul_1"} {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %33 = arith.mulf %in, %in_5 : f32
      linalg.yield %33 : f32
    } -> tensor<64xf32>
    %27 = linalg.generic {indexing_maps = [#qm, #qm1], iterator_types = ["parallel", "reduction"]} ins(%23 : tensor<64x128xf32>) outs(%11 : tensor<64xf32>) attrs =  {egg.name = "q_reduce_add_1"} {
    ^bb0(%in: f32, %out: f32):
      %33 = arith.addf %in, %out : f32
      linalg.yield %33 : f32
    } -> tensor<64xf32>
    %28 = linalg.generic {indexing_maps = [#qm2, #qm2, #qm2], iterator_types = ["parallel"]} ins(%26, %27 : tensor<64xf32>, tensor<64xf32>) outs(%5 : tensor<64xf32>) attrs =  {egg.name = "q_add_0"} {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %33 = arith.addf %in, %in_5 : f32
      linalg.yield %33 : f32
    } -> tensor<64xf32>
    %29 = linalg.generic {indexing_maps = [#qm, #qm1, #qm], iterator_types = ["parallel", "parallel"]} ins(%15, %25 : tensor<64x40xf32>, tensor<64xf32>) outs(%13 : tensor<64x40xf32>) attrs =  {egg.name = "q_mul_2"} {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %33 = arith.mulf %in, %in_5 : f32
      linalg.yield %33 : f32
    } -> tensor<64x40xf32>
    %extracted_slice_4 = tensor.extract_slice %arg2[128, 0] [128, 40] [1, 1] {egg.name = "q_extract_slice_3"} : tensor<256x40xf32> to tensor<128x40xf32>
    %30 = linalg.matmul {egg.name = "q_matmul_2"} ins(%23, %extracted_slice_4 : tensor<64x128xf32>, tensor<128x40xf32>) outs(%14 : tensor<64x40xf32>) -> tensor<64x40xf32>
    %31 = linalg.generic {indexing_maps = [#qm, #qm, #qm], iterator_types = ["parallel", "parallel"]} ins(%29, %30 : tensor<64x40xf32>, tensor<64x40xf32>) outs(%13 : tensor<64x40xf32>) attrs =  {egg.name = "q_add_1"} {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %33 = arith.addf %in, %in_5 : f32
      linalg.yield %33 : f32
    } -> tensor<64x40xf32>
    %32 = linalg.generic {indexing_maps = [#qm, #qm1, #qm], iterator_types = ["parallel", "parallel"]} ins(%31, %28 : tensor<64x40xf32>, tensor<64xf32>) outs(%13 : tensor<64x40xf32>) attrs =  {egg.name = "q_div_0"} {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %33 = arith.divf %in, %in_5 : f32
      linalg.yield %33 : f32
    } -> tensor<64x40xf32>
    return %32 : tensor<64x40xf32>
  }

  transform.named_sequence @substitution(%f: !transform.any_op) {
    %ops = transform.egg.select %f ["transpose_0", "matmul_0", "mul_0", "reduce_max_0", "sub_0", "exp_0", "reduce_add_0", "div_0", "matmul_1"] : (!transform.any_op) -> !transform.any_op
    transform.egg.substitute %ops with @other : !transform.any_op
    transform.yield
  }
  transform.named_sequence @algorithm(%f: !transform.any_op) {
    // q_matmul_0 is a sum of products of two operands: 1 x (64 x 256 x 32)
    // (batch, m, n, k).
    // What follows element by element stays in registers: q_mul_0.
    // What only this kernel reads is computed as it is read: q_transpose_0.
    %matmul_mul_ops = transform.egg.select %f ["q_transpose_0", "q_matmul_0",
        "q_mul_0"]
        : (!transform.any_op) -> !transform.any_op
    %matmul_mul_kernel = transform.egg.form_kernel %matmul_mul_ops
        {name = "matmul_mul"}
        : (!transform.any_op) -> !transform.any_op

    // q_reduce_max_0 reduces 64 rows of 128 elements.
    // Reductions over the same rows share the kernel: q_reduce_add_0,
    // q_reduce_max_1, q_reduce_add_1.
    // What follows element by element stays in registers: q_sub_0, q_exp_0,
    // q_cmp_0, q_cmp_1, q_or_0, q_select_0, q_sub_1, q_exp_1, q_sub_2, q_exp_2,
    // q_mul_1, q_add_0.
    // What only this kernel reads is computed as it is read: q_extract_slice_0,
    // q_extract_slice_1.
    %softmax_rows_ops = transform.egg.select %f ["q_extract_slice_0",
        "q_extract_slice_1", "q_reduce_max_0", "q_sub_0", "q_exp_0",
        "q_reduce_add_0", "q_reduce_max_1", "q_cmp_0", "q_cmp_1", "q_or_0",
        "q_select_0", "q_sub_1", "q_exp_1", "q_sub_2", "q_exp_2", "q_mul_1",
        "q_reduce_add_1", "q_add_0"]
        : (!transform.any_op) -> !transform.any_op
    %softmax_rows_kernel = transform.egg.form_kernel %softmax_rows_ops
        {name = "softmax_rows"}
        : (!transform.any_op) -> !transform.any_op

    // q_matmul_1 is a sum of products of two operands: 1 x (64 x 40 x 128)
    // (batch, m, n, k).
    // What follows element by element stays in registers: q_mul_2, q_add_1,
    // q_div_0.
    // What only this kernel reads is computed as it is read: q_extract_slice_2.
    %matmul_mul_add_div_ops = transform.egg.select %f ["q_extract_slice_2",
        "q_matmul_1", "q_mul_2", "q_add_1", "q_div_0"]
        : (!transform.any_op) -> !transform.any_op
    %matmul_mul_add_div_kernel = transform.egg.form_kernel %matmul_mul_add_div_ops
        {name = "matmul_mul_add_div"}
        : (!transform.any_op) -> !transform.any_op

    // q_matmul_2 is a sum of products of two operands: 1 x (64 x 40 x 128)
    // (batch, m, n, k).
    // What only this kernel reads is computed as it is read: q_extract_slice_3.
    %matmul_ops = transform.egg.select %f ["q_extract_slice_3", "q_matmul_2"]
        : (!transform.any_op) -> !transform.any_op
    %matmul_kernel = transform.egg.form_kernel %matmul_ops
        {name = "matmul"}
        : (!transform.any_op) -> !transform.any_op

    transform.yield
  }

  module @matmul_mul attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      // m = 64, n = 256, batch 1: too small for tiles of 128 x 128: smaller
      // ones give more blocks.
      %tile_m = transform.tune.knob<"tile_m"> = 64 from options = [16, 32, 64, 128, 256] -> !transform.param<i64>
      %tile_n = transform.tune.knob<"tile_n"> = 64 from options = [16, 32, 64, 128, 256] -> !transform.param<i64>
      transform.egg.map_tiles %k tile_m(%tile_m) tile_n(%tile_n) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @tensor_tiling(%k: !transform.any_op) {
      // 256 threads a block, tiles 16 deep of k = 32.
      %tile_k = transform.tune.knob<"tile_k"> = 16 from options = [8, 16, 32] -> !transform.param<i64>
      %thread_m = transform.tune.knob<"thread_m"> = 4 from options = [1, 2, 4, 8] -> !transform.param<i64>
      %thread_n = transform.tune.knob<"thread_n"> = 4 from options = [1, 2, 4, 8] -> !transform.param<i64>
      transform.egg.tile_contraction %k tile_k(%tile_k) thread_m(%thread_m) thread_n(%thread_n) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @memory_optimization(%k: !transform.any_op) {
      // 4 elements of padding keep the transposed stores of a tile on different
      // banks.
      %stages = transform.tune.knob<"stages"> = 1 from options = [1, 2] -> !transform.param<i64>
      %padding = transform.tune.knob<"padding"> = 4 from options = [0, 4, 8] -> !transform.param<i64>
      transform.egg.stage_in_shared %k stages(%stages) padding(%padding) : !transform.any_op
      transform.yield
    }
  }

  module @softmax_rows attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      // 64 rows of 128 elements; a warp a row combines through shuffles alone.
      %threads_per_row = transform.tune.knob<"threads_per_row"> = 32 from options = [1, 32, 64, 128, 256, 512, 1024] -> !transform.param<i64>
      %rows_per_block = transform.tune.knob<"rows_per_block"> = 1 from options = [1, 2, 4, 8, 16, 32, 64, 128, 256] -> !transform.param<i64>
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

  module @matmul_mul_add_div attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      // m = 64, n = 40, batch 1: too small for tiles of 128 x 128: smaller ones
      // give more blocks.
      %tile_m = transform.tune.knob<"tile_m"> = 64 from options = [16, 32, 64, 128, 256] -> !transform.param<i64>
      %tile_n = transform.tune.knob<"tile_n"> = 32 from options = [16, 32, 64, 128, 256] -> !transform.param<i64>
      transform.egg.map_tiles %k tile_m(%tile_m) tile_n(%tile_n) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @tensor_tiling(%k: !transform.any_op) {
      // 128 threads a block, tiles 16 deep of k = 128.
      %tile_k = transform.tune.knob<"tile_k"> = 16 from options = [8, 16, 32] -> !transform.param<i64>
      %thread_m = transform.tune.knob<"thread_m"> = 4 from options = [1, 2, 4, 8] -> !transform.param<i64>
      %thread_n = transform.tune.knob<"thread_n"> = 4 from options = [1, 2, 4, 8] -> !transform.param<i64>
      transform.egg.tile_contraction %k tile_k(%tile_k) thread_m(%thread_m) thread_n(%thread_n) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @memory_optimization(%k: !transform.any_op) {
      // 4 elements of padding keep the transposed stores of a tile on different
      // banks.
      %stages = transform.tune.knob<"stages"> = 1 from options = [1, 2] -> !transform.param<i64>
      %padding = transform.tune.knob<"padding"> = 4 from options = [0, 4, 8] -> !transform.param<i64>
      transform.egg.stage_in_shared %k stages(%stages) padding(%padding) : !transform.any_op
      transform.yield
    }
  }

  module @matmul attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      // m = 64, n = 40, batch 1: too small for tiles of 128 x 128: smaller ones
      // give more blocks.
      %tile_m = transform.tune.knob<"tile_m"> = 64 from options = [16, 32, 64, 128, 256] -> !transform.param<i64>
      %tile_n = transform.tune.knob<"tile_n"> = 32 from options = [16, 32, 64, 128, 256] -> !transform.param<i64>
      transform.egg.map_tiles %k tile_m(%tile_m) tile_n(%tile_n) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @tensor_tiling(%k: !transform.any_op) {
      // 128 threads a block, tiles 16 deep of k = 128.
      %tile_k = transform.tune.knob<"tile_k"> = 16 from options = [8, 16, 32] -> !transform.param<i64>
      %thread_m = transform.tune.knob<"thread_m"> = 4 from options = [1, 2, 4, 8] -> !transform.param<i64>
      %thread_n = transform.tune.knob<"thread_n"> = 4 from options = [1, 2, 4, 8] -> !transform.param<i64>
      transform.egg.tile_contraction %k tile_k(%tile_k) thread_m(%thread_m) thread_n(%thread_n) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @memory_optimization(%k: !transform.any_op) {
      // 4 elements of padding keep the transposed stores of a tile on different
      // banks.
      %stages = transform.tune.knob<"stages"> = 1 from options = [1, 2] -> !transform.param<i64>
      %padding = transform.tune.knob<"padding"> = 4 from options = [0, 4, 8] -> !transform.param<i64>
      transform.egg.stage_in_shared %k stages(%stages) padding(%padding) : !transform.any_op
      transform.yield
    }
  }
}
