// RUN: egg-opt %s --egg-materialize-kernels | FileCheck %s

// CHECK-LABEL: gpu.func @mm
// CHECK-SAME: workgroup(%[[A:.*]] : memref<288xf32, {{.*}}, %[[B:.*]] : memref<288xf32,
// The 100 rows are no multiple of the tile's 32; the test leaves the loop.
// CHECK: arith.cmpi ult, %{{.*}}, %c100_i32
// Four rows of four columns a thread.
// CHECK: scf.for {{.*}} -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>)
// CHECK: gpu.barrier
// CHECK: vector.fma
// CHECK: gpu.barrier
// CHECK: scf.if
// The bias is added to registers.
// CHECK: arith.addf
// CHECK: vector.store

// Padding is a test, not a copy; the filter's reductions are one K.
// CHECK-LABEL: gpu.func @conv
// CHECK: scf.for
// CHECK: arith.cmpi ult, %{{.*}}, %c16_i32
// CHECK: scf.if
// CHECK: vector.fma

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#tr = affine_map<(d0, d1) -> (d1, d0)>func.func private @mm(%a: tensor<100x64xf32>, %b: tensor<64x96xf32>, %bias: tensor<96xf32>) -> tensor<100x96xf32> attributes {egg.kernel, egg.config = {structure = "contraction", tile_m = 32 : i64, tile_n = 32 : i64, tile_k = 8 : i64, shared_padding = 4 : i64}} {
  %e = tensor.empty() : tensor<100x96xf32>
  %c = arith.constant 0.0 : f32
  %f1 = linalg.fill ins(%c : f32) outs(%e : tensor<100x96xf32>) -> tensor<100x96xf32>
  %mm = linalg.matmul ins(%a, %b : tensor<100x64xf32>, tensor<64x96xf32>) outs(%f1 : tensor<100x96xf32>) -> tensor<100x96xf32>
  %y = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d1)>, #id], iterator_types = ["parallel", "parallel"]} ins(%mm, %bias : tensor<100x96xf32>, tensor<96xf32>) outs(%e : tensor<100x96xf32>) {
  ^bb0(%x: f32, %mx: f32, %o: f32):
    %m = arith.addf %x, %mx : f32
    linalg.yield %m : f32
  } -> tensor<100x96xf32>
  return %y : tensor<100x96xf32>
}

func.func private @conv(%a: tensor<2x3x16x16xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<2x8x16x16xf32> attributes {egg.kernel, egg.config = {structure = "contraction", tile_m = 8 : i64, tile_n = 64 : i64, tile_k = 8 : i64}} {
  %c = arith.constant 0.0 : f32
  %p = tensor.pad %a low[0,0,1,1] high[0,0,1,1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %c : f32
  } : tensor<2x3x16x16xf32> to tensor<2x3x18x18xf32>
  %e = tensor.empty() : tensor<2x8x16x16xf32>
  %f1 = linalg.fill ins(%c : f32) outs(%e : tensor<2x8x16x16xf32>) -> tensor<2x8x16x16xf32>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%p, %w : tensor<2x3x18x18xf32>, tensor<8x3x3x3xf32>) outs(%f1 : tensor<2x8x16x16xf32>) -> tensor<2x8x16x16xf32>
  return %y : tensor<2x8x16x16xf32>
}

// The second operand is a fused transpose: neighbouring threads walk K, which
// is contiguous in the buffer behind it.
// CHECK-LABEL: gpu.func @linear
// CHECK: scf.for
// CHECK-COUNT-2: vector.load %arg{{[01]}}[{{.*}}] : memref<4096xf32>, vector<2xf32>
// CHECK: gpu.barrier
func.func private @linear(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {egg.kernel, egg.config = {structure = "contraction"}} {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %wt = linalg.transpose ins(%w : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) permutation = [1, 0]
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.matmul ins(%x, %wt : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
