// What is given is used or is an error, never replaced by another one.
// RUN: not egg-opt %s --egg-lower-to-nvvm --egg-emit-ptx=libdevice=%t.none 2>&1 | FileCheck %s --check-prefix=LIBDEVICE
// RUN: not egg-opt %s --egg-lower-to-nvvm --egg-emit-ptx=libdevice=%s 2>&1 | FileCheck %s --check-prefix=BITCODE
// RUN: not egg-opt %s --egg-lower-to-nvvm --egg-emit-ptx='cuda-path=%t.none' 2>&1 | FileCheck %s --check-prefix=ROOT

// LIBDEVICE: error: no usable libdevice at '{{.*}}.none'; correct the path
// BITCODE: error: cannot read libdevice '{{.*}}emit-ptx-toolchain.mlir'
// ROOT: error: no usable libdevice at '{{.*}}.none/nvvm/libdevice/libdevice.10.bc'
gpu.module @kernels {
  gpu.func @exp(%a: memref<32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %x = memref.load %a[%t] : memref<32xf32>
    %y = math.exp %x : f32
    memref.store %y, %a[%t] : memref<32xf32>
    gpu.return
  }
}
