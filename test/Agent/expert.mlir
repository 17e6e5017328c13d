// RUN: egg-opt %s --split-input-file --egg-propose -o /dev/null | FileCheck %s

// What follows a product element by element joins it; the bias is broadcast
// where it is read.

// CHECK-LABEL: // Proposed by EGG's expert.
// CHECK: module attributes {transform.with_named_sequence, egg.schedule = 1 : i64,
// CHECK-NEXT: egg.target = "sm_90a",
// CHECK-NEXT: egg.payload = "{{[0-9a-f]+}}"} {
// CHECK: // matmul_0 is a sum of products of two operands: 1 x (256 x 512 x 64)
// CHECK-NEXT: // (batch, m, n, k).
// CHECK: %[[OPS:.+]] = transform.egg.select %f
// CHECK-SAME: ["matmul_0", "add_0",
// CHECK-NEXT: "max_0"]
// CHECK: transform.egg.form_kernel %[[OPS]]
// CHECK-NEXT: {name = "matmul_add_relu"}
// CHECK: module @matmul_add_relu attributes {transform.with_named_sequence} {
// CHECK: transform.named_sequence @parallel_mapping
// CHECK: %tile_m = transform.tune.knob<"tile_m"> = 64 from options = [16, 32, 64, 128, 256] -> !transform.param<i64>
// CHECK: transform.egg.map_tiles %k tile_m(%tile_m) tile_n(%tile_n) : !transform.any_op
// CHECK: transform.named_sequence @tensor_tiling
// CHECK: transform.egg.tile_contraction %k
// CHECK: transform.named_sequence @memory_optimization
// CHECK: // One stage needs the least shared memory; a multiprocessor has one block
// CHECK-NEXT: // at most, so 2, which loads the next tiles while these are multiplied,
// CHECK-NEXT: // may be worth a try; 4 elements of padding
// CHECK: %stages = transform.tune.knob<"stages"> = 1 from options = [1, 2]
// CHECK: transform.egg.stage_in_shared %k
#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
func.func @main(%a: tensor<256x64xf32>, %b: tensor<64x512xf32>, %c: tensor<512xf32>) -> tensor<256x512xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x512xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<256x512xf32>) -> tensor<256x512xf32>
  %0 = linalg.matmul {egg.name = "matmul_0"} ins(%a, %b : tensor<256x64xf32>, tensor<64x512xf32>) outs(%f : tensor<256x512xf32>) -> tensor<256x512xf32>
  %1 = linalg.generic {egg.name = "add_0", indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
    ins(%0, %c : tensor<256x512xf32>, tensor<512xf32>) outs(%e : tensor<256x512xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<256x512xf32>
  %2 = linalg.generic {egg.name = "max_0", indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%1 : tensor<256x512xf32>) outs(%e : tensor<256x512xf32>) {
  ^bb0(%x: f32, %out: f32):
    %zero = arith.constant 0.0 : f32
    %s = arith.maximumf %x, %zero : f32
    linalg.yield %s : f32
  } -> tensor<256x512xf32>
  return %2 : tensor<256x512xf32>
}

// -----

// Reductions over the same rows share a kernel when there are many rows.

// CHECK-LABEL: // Proposed by EGG's expert.
// CHECK: // reduce_max_0 reduces 4096 rows of 512 elements.
// CHECK: // Reductions over the same rows share the kernel: reduce_add_0.
// CHECK-NEXT: // Between the reductions, computed in registers as the row is read again:
// CHECK-NEXT: // map_0.
// CHECK-NEXT: // After the last reduction, computed in registers as the row is read again:
// CHECK-NEXT: // div_0.
// CHECK: transform.egg.select %f ["reduce_max_0", "map_0",
// CHECK-NEXT: "reduce_add_0", "div_0"]
// CHECK: {name = "softmax_rows"}
// CHECK-NOT: transform.egg.select
// CHECK: // 4096 rows of 512 elements; a warp a row combines through shuffles
// CHECK-NEXT: // alone.
// CHECK-NEXT: %threads_per_row = transform.tune.knob<"threads_per_row"> = 32 from options = [32, 64, 128] ->
// CHECK-NEXT: %rows_per_block = transform.tune.knob<"rows_per_block"> = 8 from options = [1, 2, 4, 8, 16, 32] ->
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @main(%a: tensor<4096x512xf32>) -> tensor<4096x512xf32> {
  %z = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<4096x512xf32>
  %er = tensor.empty() : tensor<4096xf32>
  %fm = linalg.fill ins(%inf : f32) outs(%er : tensor<4096xf32>) -> tensor<4096xf32>
  %fs = linalg.fill ins(%z : f32) outs(%er : tensor<4096xf32>) -> tensor<4096xf32>
  %0 = linalg.generic {egg.name = "reduce_max_0", indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
    ins(%a : tensor<4096x512xf32>) outs(%fm : tensor<4096xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %s = arith.maximumf %x, %acc : f32
    linalg.yield %s : f32
  } -> tensor<4096xf32>
  %1 = linalg.generic {egg.name = "map_0", indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
    ins(%a, %0 : tensor<4096x512xf32>, tensor<4096xf32>) outs(%e : tensor<4096x512xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %d = arith.subf %x, %m : f32
    %s = math.exp %d : f32
    linalg.yield %s : f32
  } -> tensor<4096x512xf32>
  %2 = linalg.generic {egg.name = "reduce_add_0", indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
    ins(%1 : tensor<4096x512xf32>) outs(%fs : tensor<4096xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %s = arith.addf %x, %acc : f32
    linalg.yield %s : f32
  } -> tensor<4096xf32>
  %3 = linalg.generic {egg.name = "div_0", indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
    ins(%1, %2 : tensor<4096x512xf32>, tensor<4096xf32>) outs(%e : tensor<4096x512xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %s = arith.divf %x, %m : f32
    linalg.yield %s : f32
  } -> tensor<4096x512xf32>
  return %3 : tensor<4096x512xf32>
}

// -----

// A few huge rows: each is shared among blocks, the statistic has its kernels,
// and a thread an element writes the result; the difference is computed twice.

// CHECK-LABEL: // Proposed by EGG's expert.
// CHECK: // reduce_add_0 reduces 4 rows of 1000000 elements: too few rows to fill the
// CHECK: %reduce_add_0_parts = transform.tune.knob<"reduce_add_0_parts"> = 512 from
// CHECK: transform.egg.split_reduction %reduce_add_0_whole
// CHECK-NEXT: parts(%reduce_add_0_parts)
// CHECK: transform.egg.select %f ["reduce_add_0_partial"]
// CHECK: {name = "partial_reduce_add"}
// CHECK: transform.egg.select %f ["reduce_add_0"]
// CHECK: transform.egg.split_reduction %reduce_add_1_whole
// CHECK: // Others read it too; computed again, since that is cheaper than a round
// CHECK-NEXT: // trip through memory: sub_0.
// CHECK: %[[OPS:.+]] = transform.egg.select %f ["mul_0",
// CHECK-NEXT: "reduce_add_1_partial"]
// CHECK: %[[AGAIN:.+]] = transform.egg.select %f ["sub_0"]
// CHECK: transform.egg.form_kernel %[[OPS]] recompute(%[[AGAIN]])
// CHECK: transform.egg.select %f ["reduce_add_1"]
// CHECK: transform.egg.select %f ["sub_0", "mul_1"]
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @main(%a: tensor<4x1000000xf32>) -> tensor<4x1000000xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x1000000xf32>
  %er = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%z : f32) outs(%er : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.generic {egg.name = "reduce_add_0", indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
    ins(%a : tensor<4x1000000xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %s = arith.addf %x, %acc : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %1 = linalg.generic {egg.name = "sub_0", indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
    ins(%a, %0 : tensor<4x1000000xf32>, tensor<4xf32>) outs(%e : tensor<4x1000000xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %s = arith.subf %x, %m : f32
    linalg.yield %s : f32
  } -> tensor<4x1000000xf32>
  %2 = linalg.generic {egg.name = "mul_0", indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%1 : tensor<4x1000000xf32>) outs(%e : tensor<4x1000000xf32>) {
  ^bb0(%x: f32, %out: f32):
    %s = arith.mulf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<4x1000000xf32>
  %3 = linalg.generic {egg.name = "reduce_add_1", indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
    ins(%2 : tensor<4x1000000xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %s = arith.addf %x, %acc : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %4 = linalg.generic {egg.name = "mul_1", indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
    ins(%1, %3 : tensor<4x1000000xf32>, tensor<4xf32>) outs(%e : tensor<4x1000000xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %s = arith.mulf %x, %m : f32
    linalg.yield %s : f32
  } -> tensor<4x1000000xf32>
  return %4 : tensor<4x1000000xf32>
}

// -----

// A window is short: a thread computes an element. Arithmetic before it would
// be repeated for each window, so it has its own kernel; padding would not.

// CHECK-LABEL: // Proposed by EGG's expert.
// CHECK: transform.egg.select %f ["pad_0", "pooling_nchw_max_0"]
// CHECK: {name = "max_pool2d"}
// CHECK: transform.egg.select %f ["exp_0"]
// CHECK: // 65536 rows of 9 elements; short rows: a thread a row, nothing to
// CHECK-NEXT: // combine.
// CHECK-NEXT: %threads_per_row = transform.tune.knob<"threads_per_row"> = 1 from
#id4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @main(%a: tensor<4x16x32x32xf32>) -> tensor<4x16x32x32xf32> {
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<4x16x32x32xf32>
  %0 = linalg.generic {egg.name = "exp_0", indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%a : tensor<4x16x32x32xf32>) outs(%e : tensor<4x16x32x32xf32>) {
  ^bb0(%x: f32, %out: f32):
    %s = math.exp %x : f32
    linalg.yield %s : f32
  } -> tensor<4x16x32x32xf32>
  %p = tensor.pad %0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %inf : f32
  } {egg.name = "pad_0"} : tensor<4x16x32x32xf32> to tensor<4x16x34x34xf32>
  %w = tensor.empty() : tensor<3x3xf32>
  %f = linalg.fill ins(%inf : f32) outs(%e : tensor<4x16x32x32xf32>) -> tensor<4x16x32x32xf32>
  %1 = linalg.pooling_nchw_max {egg.name = "pooling_nchw_max_0", dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%p, %w : tensor<4x16x34x34xf32>, tensor<3x3xf32>) outs(%f : tensor<4x16x32x32xf32>) -> tensor<4x16x32x32xf32>
  return %1 : tensor<4x16x32x32xf32>
}

// -----

// Pointwise ops of one size share a kernel, two results included.

// CHECK-LABEL: // Proposed by EGG's expert.
// CHECK: // Element by element with one pass over memory: exp_0, neg_0, abs_0.
// CHECK: transform.egg.select %f ["exp_0", "neg_0",
// CHECK: // Bound by the launch, which takes longer than moving 384 bytes: the
// CHECK-NEXT: // number of threads matters little.
// CHECK: transform.egg.map_elements %k threads(%threads)
// CHECK: // 16 bytes an access: 8 elements of 2 bytes, where they are contiguous.
// CHECK: transform.egg.vectorize %k width(%width)
func.func @main(%a: tensor<64xf16>) -> (tensor<64xf16>, tensor<64xf16>) {
  %e = tensor.empty() : tensor<64xf16>
  %0 = linalg.exp {egg.name = "exp_0"} ins(%a : tensor<64xf16>) outs(%e : tensor<64xf16>) -> tensor<64xf16>
  %1 = linalg.negf {egg.name = "neg_0"} ins(%0 : tensor<64xf16>) outs(%e : tensor<64xf16>) -> tensor<64xf16>
  %2 = linalg.abs {egg.name = "abs_0"} ins(%0 : tensor<64xf16>) outs(%e : tensor<64xf16>) -> tensor<64xf16>
  return %1, %2 : tensor<64xf16>, tensor<64xf16>
}

// -----

// CHECK-LABEL: // Proposed by EGG's expert.
// CHECK: // scan_add_0 is a scan.
// CHECK: {name = "cumsum"}
// CHECK: transform.egg.map_scan %k threads(%threads)
// CHECK: transform.egg.unroll_scan %k items(%items)
func.func @main(%a: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %0 = egg.scan <add> %a dim = 1 {egg.name = "scan_add_0"} : tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}
