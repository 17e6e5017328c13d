// RUN: egg-opt %s --egg-materialize-kernels --split-input-file --verify-diagnostics

// expected-error @below {{kernel 'unmapped' has no valid 'egg.config'; its hardware sequences must map it to the GPU}}
func.func private @unmapped(%x: tensor<4xf32>) -> tensor<4xf32> attributes {egg.kernel} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{kernel 'wrong' cannot be materialized with structure 'rows'}}
func.func private @wrong(%x: tensor<4xf32>) -> tensor<4xf32> attributes {egg.kernel, egg.config = {structure = "rows"}} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{a kernel's arguments and results must be tensors of static shape}}
func.func private @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> attributes {egg.kernel, egg.config = {structure = "map"}} {
  return %x : tensor<?xf32>
}

// -----

// expected-error @below {{reductions in one kernel must have the same rows: this one has 8, the first has 4; form separate kernels}}
func.func private @rows(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) attributes {egg.kernel, egg.config = {structure = "rows"}} {
  %zero = arith.constant 0.0 : f32
  %e4 = tensor.empty() : tensor<4xf32>
  %e8 = tensor.empty() : tensor<8xf32>
  %f4 = linalg.fill ins(%zero : f32) outs(%e4 : tensor<4xf32>) -> tensor<4xf32>
  %f8 = linalg.fill ins(%zero : f32) outs(%e8 : tensor<8xf32>) -> tensor<8xf32>
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%f4 : tensor<4xf32>) dimensions = [1]
  // expected-note @below {{this op}}
  %1 = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%f8 : tensor<8xf32>) dimensions = [0]
  return %0, %1 : tensor<4xf32>, tensor<8xf32>
}

// -----

// The product needs every row of the softmax-like sum.
// expected-error @below {{a result needs a reduction's result at several rows; give it its own kernel}}
func.func private @several(%x: tensor<4x8xf32>) -> tensor<4x4xf32> attributes {egg.kernel, egg.config = {structure = "rows"}} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %e2 = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%0, %0 : tensor<4xf32>, tensor<4xf32>) outs(%e2 : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// -----

// expected-error @below {{kernel 'big': tile and thread sizes ask for 4096 threads; a block has at most 1024}}
func.func private @big(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {egg.kernel, egg.config = {structure = "contraction", thread_m = 1 : i64, thread_n = 1 : i64}} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----

// expected-error @below {{kernel 'deep': the tiles need 65536 bytes of shared memory; static shared memory has 49152}}
func.func private @deep(%a: tensor<64x128xf32>, %b: tensor<128x64xf32>) -> tensor<64x64xf32> attributes {egg.kernel, egg.config = {structure = "contraction", tile_k = 128 : i64}} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<64x128xf32>, tensor<128x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----

// A reduction that cannot be split between threads.
// expected-error @below {{kernel 'order': a reduction whose partial results cannot be combined needs threads_per_row = 1}}
func.func private @order(%x: tensor<4x64xf32>) -> tensor<4xf32> attributes {egg.kernel, egg.config = {structure = "rows", threads_per_row = 32 : i64}} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x64xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %half = arith.divf %o, %a : f32
    %s = arith.addf %half, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A schedule's op refuses it at its own place; a config by hand is refused here.
// expected-error @below {{kernel 'padded': shared_padding is 3, but it must be a multiple of 4, the elements that a thread reads at once}}
func.func private @padded(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {egg.kernel, egg.config = {structure = "contraction", shared_padding = 3 : i64}} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
