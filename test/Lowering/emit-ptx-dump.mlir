// RUN: not egg-opt %s --egg-lower-to-nvvm --egg-emit-ptx=dump-ptx=%t.none/k.ptx 2>&1 | FileCheck %s

// CHECK: error: cannot write '{{.*}}.none/k.ptx': No such file or directory
gpu.module @kernels {
  gpu.func @nothing(%a: memref<32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
}
