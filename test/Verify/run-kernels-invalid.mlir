// RUN: egg-opt %s --split-input-file --verify-diagnostics --egg-run-on-cpu

// expected-error @below {{out-of-bounds in kernel 'copy', block (0, 0, 0), thread (32, 0, 0): index 32 is outside dimension 0 of extent 32 [memref.load at loc(}}
module attributes {gpu.container_module} {
  func.func @main(%x: tensor<32xf32>) -> tensor<32xf32> {
    %0 = call @copy(%x) : (tensor<32xf32>) -> tensor<32xf32>
    return %0 : tensor<32xf32>
  }
  func.func private @copy(tensor<32xf32>) -> tensor<32xf32> attributes {egg.launch = {
      kernel = @kernels::@copy, grid = array<i64: 1, 1, 1>, block = array<i64: 64, 1, 1>, dynamic_shared_memory = 0 : i64}}
  gpu.module @kernels {
    gpu.func @copy(%x: memref<32xf32>, %y: memref<32xf32>) kernel {
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<32xf32>
      memref.store %v, %y[%t] : memref<32xf32>
      gpu.return
    }
  }
}

// -----

// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {gpu.container_module} {
  func.func @main(%x: tensor<32xf32>) -> tensor<32xf32> {
    %0 = call @copy(%x) : (tensor<32xf32>) -> tensor<32xf32>
    return %0 : tensor<32xf32>
  }
  func.func private @copy(tensor<32xf32>) -> tensor<32xf32> attributes {egg.launch = {
      kernel = @kernels::@copy, grid = array<i64: 1, 1, 1>, block = array<i64: 32, 1, 1>, dynamic_shared_memory = 0 : i64}}
  gpu.module @kernels {
    gpu.func @copy(%x: memref<32xf32>, %y: memref<32xf32>) kernel {
      // expected-error @+1 {{cannot run this kernel on the CPU: memory accesses of 'memref.copy' cannot be checked in this form}}
      memref.copy %x, %y : memref<32xf32> to memref<32xf32>
      gpu.return
    }
  }
}

// -----

// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {gpu.container_module} {
  func.func @main(%x: tensor<32xf32>) -> tensor<32xf32> {
    %0 = call @copy(%x) : (tensor<32xf32>) -> tensor<32xf32>
    return %0 : tensor<32xf32>
  }
  func.func private @copy(tensor<32xf32>) -> tensor<32xf32> attributes {egg.launch = {
      kernel = @kernels::@copy, grid = array<i64: 1, 1, 1>, block = array<i64: 32, 1, 1>, dynamic_shared_memory = 0 : i64}}
  gpu.module @kernels {
    // expected-error @+1 {{are not whole bytes; store i1 as i8}}
    gpu.func @copy(%x: memref<32xf32>, %y: memref<32xf32>) workgroup(%s : memref<32xi1, #gpu.address_space<workgroup>>) kernel {
      gpu.return
    }
  }
}

// -----

// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {gpu.container_module} {
  func.func @main(%x: tensor<32xf32>) -> tensor<32xf32> {
    %0 = call @copy(%x) : (tensor<32xf32>) -> tensor<32xf32>
    return %0 : tensor<32xf32>
  }
  func.func private @copy(tensor<32xf32>) -> tensor<32xf32> attributes {egg.launch = {
      kernel = @kernels::@copy, grid = array<i64: 1, 1, 1>, block = array<i64: 32, 1, 1>, dynamic_shared_memory = 0 : i64}}
  gpu.module @kernels {
    gpu.func @copy(%x: memref<32xf32>, %y: memref<32xf32>) kernel {
      %w = arith.constant 32 : i32
      %v = arith.constant dense<0.0> : vector<4xf32>
      // expected-error @+1 {{it shuffles more than 64 bits at once}}
      %r, %p = gpu.shuffle xor %v, %w, %w : vector<4xf32>
      gpu.return
    }
  }
}
