// RUN: egg-opt %s --split-input-file --egg-run-on-cpu="elements=4" -o /dev/null 2>&1 | FileCheck %s

// The sum of a row of ones: strided partial sums, shuffles, then the warps'
// sums through shared memory.
// CHECK: result 0 [1000, 1000, 1000]
module attributes {gpu.container_module} {
  func.func @main() -> tensor<3xf32> {
    %0 = call @ones() : () -> tensor<3000xf32>
    %1 = call @row_sum(%0) : (tensor<3000xf32>) -> tensor<3xf32>
    return %1 : tensor<3xf32>
  }
  func.func private @ones() -> tensor<3000xf32> attributes {egg.launch = {
      kernel = @kernels::@ones, grid = array<i64: 3, 1, 1>, block = array<i64: 250, 1, 1>, dynamic_shared_memory = 0 : i64}}
  func.func private @row_sum(tensor<3000xf32>) -> tensor<3xf32> attributes {egg.launch = {
      kernel = @kernels::@row_sum, grid = array<i64: 3, 1, 1>, block = array<i64: 64, 1, 1>, dynamic_shared_memory = 0 : i64}}
  gpu.module @kernels {
    gpu.func @ones(%y: memref<3000xf32>) kernel attributes {known_block_size = array<i32: 250, 1, 1>, known_grid_size = array<i32: 3, 1, 1>} {
      %c4 = arith.constant 4 : index
      %one = arith.constant dense<1.0> : vector<4xf32>
      %i = gpu.global_id x
      %at = arith.muli %i, %c4 : index
      vector.store %one, %y[%at] : memref<3000xf32>, vector<4xf32>
      gpu.return
    }
    gpu.func @row_sum(%x: memref<3000xf32>, %y: memref<3xf32>)
        workgroup(%sums : memref<2xf32, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 3, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c1000 = arith.constant 1000 : index
      %w = arith.constant 32 : i32
      %zero = arith.constant 0.0 : f32
      %t = gpu.thread_id x
      %b = gpu.block_id x
      %d = gpu.block_dim x
      %row = arith.muli %b, %c1000 : index
      %part = scf.for %i = %t to %c1000 step %d iter_args(%acc = %zero) -> f32 {
        %at = arith.addi %row, %i : index
        %v = memref.load %x[%at] : memref<3000xf32>
        %next = arith.addf %acc, %v : f32
        scf.yield %next : f32
      }
      %o1 = arith.constant 1 : i32
      %o2 = arith.constant 2 : i32
      %o4 = arith.constant 4 : i32
      %o8 = arith.constant 8 : i32
      %o16 = arith.constant 16 : i32
      %s0, %v0 = gpu.shuffle xor %part, %o1, %w : f32
      %p0 = arith.addf %part, %s0 : f32
      %s1, %v1 = gpu.shuffle xor %p0, %o2, %w : f32
      %p1 = arith.addf %p0, %s1 : f32
      %s2, %v2 = gpu.shuffle xor %p1, %o4, %w : f32
      %p2 = arith.addf %p1, %s2 : f32
      %s3, %v3 = gpu.shuffle xor %p2, %o8, %w : f32
      %p3 = arith.addf %p2, %s3 : f32
      %s4, %v4 = gpu.shuffle xor %p3, %o16, %w : f32
      %p4 = arith.addf %p3, %s4 : f32
      %lane = gpu.lane_id
      %warp = arith.divui %t, %c32 : index
      %first = arith.cmpi eq, %lane, %c0 : index
      scf.if %first {
        memref.store %p4, %sums[%warp] : memref<2xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %leads = arith.cmpi eq, %t, %c0 : index
      scf.if %leads {
        %a = memref.load %sums[%c0] : memref<2xf32, #gpu.address_space<workgroup>>
        %c = memref.load %sums[%c1] : memref<2xf32, #gpu.address_space<workgroup>>
        %sum = arith.addf %a, %c : f32
        memref.store %sum, %y[%b] : memref<3xf32>
      }
      gpu.return
    }
  }
}
