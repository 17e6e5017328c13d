// RUN: egg-opt %s --egg-materialize-kernels | FileCheck %s

// Softmax: both reductions and the map in one kernel, the row read three times.
// CHECK-LABEL: gpu.func @softmax
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %cst{{.*}}) -> (f32)
// CHECK: vector.load
// CHECK: arith.maximumf
// CHECK: gpu.shuffle xor
// CHECK: memref.store %{{.*}}#gpu.address_space<workgroup>
// CHECK: gpu.barrier
// CHECK: scf.for
// CHECK: math.exp
// CHECK: arith.addf
// CHECK: gpu.barrier
// CHECK: scf.for
// CHECK: arith.divf
// CHECK: vector.store

// One thread a row: no shuffle, no shared memory; the surplus threads of the
// last block are masked.
// CHECK-LABEL: gpu.func @alone
// CHECK-SAME: known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 2, 1, 1>
// CHECK: arith.cmpi ult, %{{.*}}, %c100_i32
// CHECK-NOT: gpu.shuffle
// CHECK-NOT: gpu.barrier
// CHECK: memref.store

// A long sum is a sum of sums of 64 steps: rounding errors stay small.
// CHECK-LABEL: gpu.func @long_sum
// CHECK: scf.for %[[FIRST:.*]] = %c0_i32 to %c4096_i32 step %c64_i32 iter_args
// CHECK: %[[LAST:.*]] = arith.minsi
// CHECK: scf.for %{{.*}} = %[[FIRST]] to %[[LAST]] step %c1_i32 iter_args(%{{.*}} = %cst
// CHECK: arith.addf
// CHECK: arith.addf
// CHECK: memref.store

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#tr = affine_map<(d0, d1) -> (d1, d0)>func.func private @softmax(%x: tensor<8x1024xf32>) -> tensor<8x1024xf32> attributes {egg.kernel, egg.config = {structure = "rows", vector_width = 4 : i64, threads_per_row = 128 : i64}} {
  %e = tensor.empty() : tensor<8x1024xf32>
  %r = tensor.empty() : tensor<8xf32>
  %c = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %f0 = linalg.fill ins(%ninf : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %f1 = linalg.fill ins(%c : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x1024xf32>) outs(%f0 : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %a, %o : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  %ex = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %max : tensor<8x1024xf32>, tensor<8xf32>) outs(%e : tensor<8x1024xf32>) {
  ^bb0(%a: f32, %mx: f32, %o: f32):
    %m = arith.subf %a, %mx : f32
    %n = math.exp %m : f32
    linalg.yield %n : f32
  } -> tensor<8x1024xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%ex : tensor<8x1024xf32>) outs(%f1 : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.addf %a, %o : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%ex, %sum : tensor<8x1024xf32>, tensor<8xf32>) outs(%e : tensor<8x1024xf32>) {
  ^bb0(%a: f32, %mx: f32, %o: f32):
    %m = arith.divf %a, %mx : f32
    linalg.yield %m : f32
  } -> tensor<8x1024xf32>
  return %y : tensor<8x1024xf32>
}

func.func private @alone(%x: tensor<100x5xf32>) -> tensor<100xf32> attributes {egg.kernel, egg.config = {structure = "rows", threads_per_row = 1 : i64, rows_per_block = 64 : i64}} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<100xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<100xf32>) -> tensor<100xf32>
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<100x5xf32>) outs(%f : tensor<100xf32>) dimensions = [1]
  return %0 : tensor<100xf32>
}

func.func private @long_sum(%x: tensor<128x4096x100xf32>) -> tensor<128x100xf32> attributes {egg.kernel, egg.config = {structure = "rows", threads_per_row = 1 : i64, rows_per_block = 128 : i64}} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x100xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x100xf32>) -> tensor<128x100xf32>
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<128x4096x100xf32>) outs(%f : tensor<128x100xf32>) dimensions = [1]
  return %0 : tensor<128x100xf32>
}
