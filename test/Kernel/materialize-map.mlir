// RUN: egg-opt %s --egg-materialize-kernels | FileCheck %s

// CHECK-LABEL: func.func private @relu(tensor<64x128xf32>) -> tensor<64x128xf32>
// CHECK-SAME: egg.launch = {block = array<i64: 256, 1, 1>, dynamic_shared_memory = 0 : i64, grid = array<i64: 8, 1, 1>, kernel = @kernels::@relu}

// A thread computes four neighbours: one 16-byte load, one 16-byte store, and
// 32-bit index arithmetic.
// CHECK-LABEL: gpu.func @relu
// CHECK-SAME: (%[[IN:.*]]: memref<8192xf32>, %[[OUT:.*]]: memref<8192xf32>) kernel
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 8, 1, 1>
// CHECK: %[[I:.*]] = arith.index_castui %{{.*}} : i32 to index
// CHECK: vector.load %[[IN]][%[[I]]] : memref<8192xf32>, vector<4xf32>
// CHECK-COUNT-4: arith.maximumf
// CHECK: vector.store %{{.*}}, %[[OUT]][%[[I]]]

// CHECK-LABEL: gpu.func @transpose
// Reading along the lanes would jump: single elements, neighbours to threads.
// CHECK-NOT: vector.load
// CHECK: memref.load
// CHECK: memref.store

// Nothing is left of the reshape but its index arithmetic, here none.
// CHECK-LABEL: gpu.func @reshape
// CHECK-NOT: div
// CHECK: vector.load
// CHECK: vector.store

// CHECK-LABEL: gpu.func @bools(
// CHECK-SAME: memref<64xf32>, %{{.*}}: memref<64xi8>)
// CHECK: arith.cmpf ogt
// CHECK: arith.extui %{{.*}} : i1 to i8

// 63 elements are no multiple of 4, and of the 256 threads 63 have work.
// CHECK-LABEL: gpu.func @remainder
// CHECK: %[[IN:.*]] = arith.cmpi ult, %{{.*}}, %c63_i32
// CHECK: scf.if %[[IN]]
// CHECK: memref.store

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#tr = affine_map<(d0, d1) -> (d1, d0)>func.func private @relu(%x: tensor<64x128xf32>) -> tensor<64x128xf32> attributes {egg.kernel, egg.config = {structure = "map", vector_width = 4 : i64}} {
  %e = tensor.empty() : tensor<64x128xf32>
  %c = arith.constant 0.0 : f32
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %a, %c : f32
    linalg.yield %m : f32
  } -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}

func.func private @transpose(%x: tensor<64x128xf32>) -> tensor<128x64xf32> attributes {egg.kernel, egg.config = {structure = "map", vector_width = 4 : i64}} {
  %e = tensor.empty() : tensor<128x64xf32>
  %0 = linalg.transpose ins(%x : tensor<64x128xf32>) outs(%e : tensor<128x64xf32>) permutation = [1, 0]
  return %0 : tensor<128x64xf32>
}

func.func private @reshape(%x: tensor<64x128xf32>) -> tensor<2x32x128xf32> attributes {egg.kernel, egg.config = {structure = "map", vector_width = 4 : i64}} {
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<64x128xf32> into tensor<8192xf32>
  %1 = tensor.expand_shape %0 [[0, 1, 2]] output_shape [2, 32, 128] : tensor<8192xf32> into tensor<2x32x128xf32>
  return %1 : tensor<2x32x128xf32>
}

func.func private @bools(%x: tensor<64xf32>) -> tensor<64xi1> attributes {egg.kernel, egg.config = {structure = "map"}} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xi1>
  %0 = linalg.map ins(%x : tensor<64xf32>) outs(%e : tensor<64xi1>) (%a: f32, %o: i1) {
    %p = arith.cmpf ogt, %a, %zero : f32
    linalg.yield %p : i1
  }
  return %0 : tensor<64xi1>
}

func.func private @remainder(%x: tensor<7x9xf32>) -> tensor<7x9xf32> attributes {egg.kernel, egg.config = {structure = "map", vector_width = 4 : i64}} {
  %e = tensor.empty() : tensor<7x9xf32>
  %0 = linalg.exp ins(%x : tensor<7x9xf32>) outs(%e : tensor<7x9xf32>) -> tensor<7x9xf32>
  return %0 : tensor<7x9xf32>
}
