// RUN: egg-opt %s --split-input-file --egg-emit-plan=file=%t.json --verify-diagnostics
// Nothing is written when there is no plan.
// RUN: not ls %t.json

// expected-error @below {{the module has no function @main with a body}}
module {
}

// -----

// expected-error @below {{@main has argument0 of type 'tensor<?xf32>'; import the module with tensors of static shape}}
func.func @main(%x: tensor<?xf32>) {
  return
}

// -----

// expected-error @below {{@main has argument0 of type 'tensor<4xcomplex<f32>>'; element types are}}
func.func @main(%x: tensor<4xcomplex<f32>>) {
  return
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'arith.addf' is left in @main outside every kernel; form a kernel that holds it}}
  %0 = arith.addf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @main() -> tensor<4xf32> {
  %0 = arith.constant dense<1.0> : tensor<4xf32>
  // expected-error @below {{'func.return' uses a constant of @main, and the plan holds none; run egg-import-torch, which copies those that are results, or move it into a kernel}}
  return %0 : tensor<4xf32>
}

// -----

func.func @main() -> tensor<2x2xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  %2 = tensor.empty() : tensor<2x2xf32>
  // expected-error @below {{'func.return' uses a tensor.empty, which holds nothing; leave it to the kernel}}
  return %2 : tensor<2x2xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.constant dense<1.0> : tensor<4xf32>
  // expected-error @below {{'func.call' uses a constant of @main}}
  %1 = call @k(%x, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @k(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> attributes {
  egg.launch = {kernel = @kernels::@k, grid = array<i64: 1, 1, 1>, block = array<i64: 32, 1, 1>, dynamic_shared_memory = 0 : i64}}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %1 = call @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// expected-error @below {{kernel 'k' is called and has no egg.launch; materialize the kernels first}}
func.func private @k(tensor<4xf32>) -> tensor<4xf32>

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %1 = call @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// expected-error @below {{kernel 'k' has an egg.launch without kernel, or without three extents of grid and block}}
func.func private @k(tensor<4xf32>) -> tensor<4xf32> attributes {
  egg.launch = {kernel = @kernels::@k, grid = array<i64: 1>, block = array<i64: 32, 1, 1>}}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %1 = call @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// expected-error @below {{kernel 'k' has grid extent 65536 in y; it must be 1 to 65535}}
func.func private @k(tensor<4xf32>) -> tensor<4xf32> attributes {
  egg.launch = {kernel = @kernels::@k, grid = array<i64: 1, 65536, 1>, block = array<i64: 32, 1, 1>}}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %1 = call @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// expected-error @below {{kernel 'k' has block extent 0 in x; it must be 1 to 1024}}
func.func private @k(tensor<4xf32>) -> tensor<4xf32> attributes {
  egg.launch = {kernel = @kernels::@k, grid = array<i64: 1, 1, 1>, block = array<i64: 0, 1, 1>}}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %1 = call @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// expected-error @below {{kernel 'k' has 2048 threads a block; sm_90a takes 1024}}
func.func private @k(tensor<4xf32>) -> tensor<4xf32> attributes {
  egg.launch = {kernel = @kernels::@k, grid = array<i64: 1, 1, 1>, block = array<i64: 1024, 2, 1>}}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %1 = call @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// expected-error @below {{kernel 'k' asks for 300000 bytes of dynamic shared memory; sm_90a has 232448}}
func.func private @k(tensor<4xf32>) -> tensor<4xf32> attributes {
  egg.launch = {kernel = @kernels::@k, grid = array<i64: 1, 1, 1>, block = array<i64: 32, 1, 1>, dynamic_shared_memory = 300000 : i64}}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{the call passes 'tensor<4xf32>' where kernel 'k' takes 'memref<8xf32>'}}
  %1 = call @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @k(tensor<4xf32>) -> tensor<4xf32> attributes {
  egg.launch = {kernel = @kernels::@k, grid = array<i64: 1, 1, 1>, block = array<i64: 32, 1, 1>}}
gpu.module @kernels {
  gpu.func @k(%a: memref<4xf32>, %b: memref<8xf32>) kernel {
    gpu.return
  }
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{the call has 2 operands and results, kernel 'k' takes 1}}
  %1 = call @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @k(tensor<4xf32>) -> tensor<4xf32> attributes {
  egg.launch = {kernel = @kernels::@k, grid = array<i64: 1, 1, 1>, block = array<i64: 32, 1, 1>}}
gpu.module @kernels {
  gpu.func @k(%a: memref<4xf32>) kernel {
    gpu.return
  }
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{no kernel 'k' in @kernels; materialize the kernels again}}
  %1 = call @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @k(tensor<4xf32>) -> tensor<4xf32> attributes {
  egg.launch = {kernel = @kernels::@k, grid = array<i64: 1, 1, 1>, block = array<i64: 32, 1, 1>}}
gpu.module @kernels {
}
