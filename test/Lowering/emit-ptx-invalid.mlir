// RUN: egg-opt %s --split-input-file --egg-lower-to-nvvm=chip=sm_75 --egg-emit-ptx --verify-diagnostics

// expected-error @below {{kernel code 'allocates' calls 'malloc', which has no body on the GPU}}
gpu.module @kernels {
  llvm.func @malloc(i64) -> !llvm.ptr
  gpu.func @allocates(%a: memref<4xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %n = llvm.mlir.constant(4 : i64) : i64
    %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
    %x = llvm.load %p : !llvm.ptr -> f32
    %c0 = arith.constant 0 : index
    memref.store %x, %a[%c0] : memref<4xf32>
    gpu.return
  }
}

// -----

// An intrinsic that the backend would turn into a library call.

// expected-error @below {{kernel code 'power' calls 'llvm.pow.f32', which has no body on the GPU}}
gpu.module @kernels {
  gpu.func @power(%a: memref<32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %x = memref.load %a[%t] : memref<32xf32>
    %y = llvm.call_intrinsic "llvm.pow.f32"(%x, %x) : (f32, f32) -> f32
    memref.store %y, %a[%t] : memref<32xf32>
    gpu.return
  }
}

// -----

// An instruction the chip lacks ends LLVM; here that is an error.

// expected-error @below {{LLVM crashed: Aborted compiling 'kernels' for sm_75}}
gpu.module @kernels {
  gpu.func @newer(%a: memref<32xi32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %x = memref.load %a[%t] : memref<32xi32>
    %all = arith.constant -1 : i32
    %y = llvm.call_intrinsic "llvm.nvvm.redux.sync.add"(%x, %all) : (i32, i32) -> i32
    memref.store %y, %a[%t] : memref<32xi32>
    gpu.return
  }
}
