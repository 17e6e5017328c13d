// RUN: egg-opt %s --split-input-file --egg-lower-to-nvvm=chip=sm_90a | FileCheck %s

// Arguments: only those never stored to are readonly. @main is left alone.

// CHECK-LABEL: func.func @main
// CHECK: call @ew
func.func @main(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %0 = call @ew(%x) : (tensor<1024xf32>) -> tensor<1024xf32>
  return %0 : tensor<1024xf32>
}
func.func private @ew(tensor<1024xf32>) -> tensor<1024xf32>

// CHECK: gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx80">]
gpu.module @kernels {
  // CHECK-LABEL: llvm.func @ew
  // CHECK-SAME: %{{.*}}: !llvm.ptr {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}
  // CHECK-SAME: %{{.*}}: !llvm.ptr {llvm.align = 16 : i64, llvm.noalias})
  // CHECK-SAME: nvvm.kernel
  // CHECK-NOT: nvvm.maxntid
  // CHECK-SAME: nvvm.reqntid = array<i32: 256, 1, 1>
  gpu.func @ew(%in: memref<1024xf32>, %out: memref<1024xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    %i = arith.muli %t, %c4 : index
    // CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
    %v = vector.load %in[%i] : memref<1024xf32>, vector<4xf32>
    // CHECK: llvm.call @__nv_expf
    %e = math.exp %v : vector<4xf32>
    // CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr
    vector.store %e, %out[%i] : memref<1024xf32>, vector<4xf32>
    gpu.return
  }
}

// -----

// A vector access is as aligned as its index is proved to be.

// CHECK-LABEL: llvm.func @alignment
gpu.module @kernels {
  gpu.func @alignment(%in: memref<4096xf32>, %h: memref<4096xf16>, %out: memref<4096xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %t = gpu.thread_id x
    // 32-bit index arithmetic, as emitters write it.
    %t32 = arith.index_cast %t : index to i32
    %s = arith.constant 2 : i32
    %q32 = arith.shli %t32, %s : i32
    %q = arith.index_cast %q32 : i32 to index
    // CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
    %a = vector.load %in[%q] : memref<4096xf32>, vector<4xf32>
    %even = arith.muli %t, %c2 : index
    // CHECK: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr -> vector<4xf32>
    %b = vector.load %in[%even] : memref<4096xf32>, vector<4xf32>
    %odd = arith.addi %q, %c1 : index
    // CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
    %c = vector.load %in[%odd] : memref<4096xf32>, vector<4xf32>
    // Four halves at a multiple of four: eight bytes.
    // CHECK: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr -> vector<4xf16>
    %d = vector.load %h[%q] : memref<4096xf16>, vector<4xf16>
    %dx = arith.extf %d : vector<4xf16> to vector<4xf32>
    %sum = scf.for %k = %c0 to %c128 step %c8 iter_args(%acc = %zero) -> vector<4xf32> {
      %p = arith.addi %k, %q : index
      // CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
      %x = vector.load %in[%p] : memref<4096xf32>, vector<4xf32>
      %y = arith.addf %acc, %x : vector<4xf32>
      scf.yield %y : vector<4xf32>
    }
    %r0 = arith.addf %a, %b : vector<4xf32>
    %r1 = arith.addf %c, %dx : vector<4xf32>
    %r2 = arith.addf %r0, %r1 : vector<4xf32>
    %r3 = arith.addf %r2, %sum : vector<4xf32>
    vector.store %r3, %out[%q] : memref<4096xf32>, vector<4xf32>
    gpu.return
  }
}

// -----

// Shared memory, shuffles of every width, constants in global memory.

gpu.module @kernels {
  // CHECK: llvm.mlir.global private constant @table
  // CHECK-SAME: addr_space = 1
  memref.global "private" constant @table : memref<4xf32, 1> = dense<[1.0, 2.0, 3.0, 4.0]>
  // CHECK: llvm.mlir.global internal @__wg_block_0() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x f32>
  // CHECK-LABEL: llvm.func @block
  gpu.func @block(%h: memref<32xbf16>, %out: memref<32xf32>)
      workgroup(%tile: memref<4x16xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %one = arith.constant 1 : i32
    %warp = arith.constant 32 : i32
    %t = gpu.thread_id x
    %v = memref.load %h[%t] : memref<32xbf16>
    // CHECK: llvm.bitcast %{{.*}} : bf16 to i16
    // CHECK: llvm.zext %{{.*}} : i16 to i32
    // CHECK: nvvm.shfl.sync bfly %{{.*}} : i32 -> i32
    %s, %ok = gpu.shuffle xor %v, %one, %warp : bf16
    %f = arith.extf %s : bf16 to f32
    %i = arith.andi %t, %c3 : index
    // CHECK: llvm.store %{{.*}}, %{{.*}} : f32, !llvm.ptr<3>
    memref.store %f, %tile[%i, %c0] : memref<4x16xf32, #gpu.address_space<workgroup>>
    // CHECK: nvvm.barrier0
    gpu.barrier
    // CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
    %x = vector.load %tile[%i, %c0] : memref<4x16xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    %y = vector.reduction <add>, %x : vector<4xf32> into f32
    %g = memref.get_global @table : memref<4xf32, 1>
    // CHECK: llvm.load %{{.*}} : !llvm.ptr<1> -> f32
    %k = memref.load %g[%i] : memref<4xf32, 1>
    %z = arith.mulf %y, %k : f32
    memref.store %z, %out[%t] : memref<32xf32>
    gpu.return
  }
}
