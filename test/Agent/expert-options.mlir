// RUN: egg-opt %s --split-input-file --egg-propose -o /dev/null | FileCheck %s

// An option is legal next to the other chosen numbers: 32 deep, two tiles of
// 128 x 128 would need more shared memory than a block has.

// CHECK-LABEL: // Proposed by EGG's expert.
// CHECK: %tile_m = transform.tune.knob<"tile_m"> = 128 from options = [16, 32, 64, 128, 256] ->
// CHECK: %tile_k = transform.tune.knob<"tile_k"> = 8 from options = [8, 16] ->
// CHECK: // The next tiles are on their way while these are multiplied; 4 elements
// CHECK: %stages = transform.tune.knob<"stages"> = 2 from options = [1, 2] ->
func.func @main(%a: tensor<2048x2048xf32>, %b: tensor<2048x2048xf32>) -> tensor<2048x2048xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2048x2048xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %0 = linalg.matmul {egg.name = "matmul_0"} ins(%a, %b : tensor<2048x2048xf32>, tensor<2048x2048xf32>) outs(%f : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  return %0 : tensor<2048x2048xf32>
}

// -----

// More small tiles than multiprocessors: one stage is enough.

// CHECK-LABEL: // Proposed by EGG's expert.
// CHECK: // One stage: tiles as small as these leave a multiprocessor room for
// CHECK-NEXT: // several blocks, and one loads while another multiplies; 4 elements of
// CHECK: %stages = transform.tune.knob<"stages"> = 1 from options = [1, 2] ->
func.func @main(%a: tensor<896x64xf32>, %b: tensor<64x896xf32>) -> tensor<896x896xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<896x896xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<896x896xf32>) -> tensor<896x896xf32>
  %0 = linalg.matmul {egg.name = "matmul_0"} ins(%a, %b : tensor<896x64xf32>, tensor<64x896xf32>) outs(%f : tensor<896x896xf32>) -> tensor<896x896xf32>
  return %0 : tensor<896x896xf32>
}

// -----

// A block of 1024 threads a row has no room for another row. Both reductions
// read the row; the mean is one value, and what is added last reads another
// tensor.

// CHECK-LABEL: // Proposed by EGG's expert.
// CHECK: // reduce_add_0 reduces 200 rows of 65536 elements.
// CHECK-NEXT: // Reductions over the same rows share the kernel: reduce_add_1.
// CHECK-NEXT: // Between the reductions, computed in registers as the row is read again:
// CHECK-NEXT: // sub_0.
// CHECK-NEXT: // After the last reduction, computed in registers: add_0.
// CHECK-NEXT: // What follows element by element stays in registers: div_0.
// CHECK: %threads_per_row = transform.tune.knob<"threads_per_row"> = 1024 from options = [32, 64, 128, 256, 512, 1024] ->
// CHECK: %rows_per_block = transform.tune.knob<"rows_per_block"> = 1 from options = [1] ->
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#one = affine_map<(d0) -> (d0)>
func.func @main(%a: tensor<200x65536xf32>, %b: tensor<200x65536xf32>) -> tensor<200x65536xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<200x65536xf32>
  %er = tensor.empty() : tensor<200xf32>
  %f = linalg.fill ins(%z : f32) outs(%er : tensor<200xf32>) -> tensor<200xf32>
  %0 = linalg.generic {egg.name = "reduce_add_0", indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
    ins(%a : tensor<200x65536xf32>) outs(%f : tensor<200xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %s = arith.addf %x, %acc : f32
    linalg.yield %s : f32
  } -> tensor<200xf32>
  %1 = linalg.generic {egg.name = "div_0", indexing_maps = [#one, #one], iterator_types = ["parallel"]}
    ins(%0 : tensor<200xf32>) outs(%er : tensor<200xf32>) {
  ^bb0(%x: f32, %out: f32):
    %n = arith.constant 65536.0 : f32
    %s = arith.divf %x, %n : f32
    linalg.yield %s : f32
  } -> tensor<200xf32>
  %2 = linalg.generic {egg.name = "sub_0", indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
    ins(%a, %1 : tensor<200x65536xf32>, tensor<200xf32>) outs(%e : tensor<200x65536xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %s = arith.subf %x, %m : f32
    linalg.yield %s : f32
  } -> tensor<200x65536xf32>
  %3 = linalg.generic {egg.name = "reduce_add_1", indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
    ins(%2 : tensor<200x65536xf32>) outs(%f : tensor<200xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %q = arith.mulf %x, %x : f32
    %s = arith.addf %q, %acc : f32
    linalg.yield %s : f32
  } -> tensor<200xf32>
  %4 = linalg.generic {egg.name = "add_0", indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
    ins(%b, %3 : tensor<200x65536xf32>, tensor<200xf32>) outs(%e : tensor<200x65536xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %s = arith.addf %x, %m : f32
    linalg.yield %s : f32
  } -> tensor<200x65536xf32>
  return %4 : tensor<200x65536xf32>
}

// -----

// CHECK-LABEL: // Proposed by EGG's expert.
// CHECK: // Bound by the launch, which takes longer than moving 24 bytes: the
func.func @main(%a: tensor<1xi64>, %b: tensor<1xi64>) -> tensor<1xi64> {
  %e = tensor.empty() : tensor<1xi64>
  %0 = linalg.add {egg.name = "add_0"} ins(%a, %b : tensor<1xi64>, tensor<1xi64>) outs(%e : tensor<1xi64>) -> tensor<1xi64>
  return %0 : tensor<1xi64>
}

// -----

// CHECK-LABEL: // Proposed by EGG's expert.
// CHECK: // Bound by memory: 256 threads keep a multiprocessor full at up to 32
// CHECK: %threads = transform.tune.knob<"threads"> = 256 from options = [128, 256, 512, 1024] ->
func.func @main(%a: tensor<1048576xf32>) -> tensor<1048576xf32> {
  %e = tensor.empty() : tensor<1048576xf32>
  %0 = linalg.exp {egg.name = "exp_0"} ins(%a : tensor<1048576xf32>) outs(%e : tensor<1048576xf32>) -> tensor<1048576xf32>
  return %0 : tensor<1048576xf32>
}
