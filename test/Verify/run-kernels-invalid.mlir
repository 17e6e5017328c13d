// RUN: egg-opt %s --split-input-file --verify-diagnostics --egg-run-on-cpu

// expected-error @below {{out-of-bounds in kernel 'copy', block (0, 0, 0), thread (32, 0, 0): reads element 32 of argument 0, which is outside [llvm.load at loc(}}
module attributes {gpu.container_module} {
  func.func @main(%x: tensor<32xf32>) -> tensor<32xf32> {
    %0 = call @copy(%x) : (tensor<32xf32>) -> tensor<32xf32>
    return %0 : tensor<32xf32>
  }
  func.func private @copy(tensor<32xf32>) -> tensor<32xf32> attributes {egg.launch = {
      kernel = @kernels::@copy, grid = array<i64: 1, 1, 1>, block = array<i64: 64, 1, 1>, dynamic_shared_memory = 0 : i64}}
  gpu.module @kernels {
    gpu.func @copy(%x: memref<32xf32>, %y: memref<32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<32xf32>
      memref.store %v, %y[%t] : memref<32xf32>
      gpu.return
    }
  }
}

// -----

// expected-error @below {{the kernels do not lower; the diagnostics say why}}
module attributes {gpu.container_module} {
  func.func @main(%x: tensor<32xf32>) -> tensor<32xf32> {
    %0 = call @copy(%x) : (tensor<32xf32>) -> tensor<32xf32>
    return %0 : tensor<32xf32>
  }
  func.func private @copy(tensor<32xf32>) -> tensor<32xf32> attributes {egg.launch = {
      kernel = @kernels::@copy, grid = array<i64: 1, 1, 1>, block = array<i64: 32, 1, 1>, dynamic_shared_memory = 0 : i64}}
  gpu.module @kernels {
    // expected-note @+1 {{in kernel 'copy'}}
    gpu.func @copy(%x: memref<32xf32>, %y: memref<32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      // expected-error @+1 {{'memref.copy' must not be in a kernel: it becomes a library call}}
      memref.copy %x, %y : memref<32xf32> to memref<32xf32>
      gpu.return
    }
  }
}

// -----

// expected-error @below {{launch refused at kernel 'copy': the block is not the one the kernel requires; launch it with the block that nvvm.reqntid states}}
module attributes {gpu.container_module} {
  func.func @main(%x: tensor<32xf32>) -> tensor<32xf32> {
    %0 = call @copy(%x) : (tensor<32xf32>) -> tensor<32xf32>
    return %0 : tensor<32xf32>
  }
  func.func private @copy(tensor<32xf32>) -> tensor<32xf32> attributes {egg.launch = {
      kernel = @kernels::@copy, grid = array<i64: 1, 1, 1>, block = array<i64: 16, 1, 1>, dynamic_shared_memory = 0 : i64}}
  gpu.module @kernels {
    gpu.func @copy(%x: memref<32xf32>, %y: memref<32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      gpu.return
    }
  }
}
