// RUN: egg-opt %s --split-input-file --transform-interpreter --verify-diagnostics

func.func private @map(%a: tensor<8xf32>) -> tensor<8xf32> attributes {egg.kernel} {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %k = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %c100 = transform.param.constant 100 : i64 -> !transform.param<i64>
    // expected-error @below {{kernel @map: threads is 100, but a block has a multiple of 32 threads, from 32 to 1024; write 96 or 128}}
    transform.egg.map_elements %k threads(%c100) : !transform.any_op
    transform.yield
  }
}

// -----

func.func private @map(%a: tensor<8xf32>) -> tensor<8xf32> attributes {egg.kernel} {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %k = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %c128 = transform.param.constant 128 : i64 -> !transform.param<i64>
    transform.egg.map_elements %k threads(%c128) : !transform.any_op
    // expected-error @below {{kernel @map is mapped already}}
    transform.egg.map_elements %k threads(%c128) : !transform.any_op
    transform.yield
  }
}

// -----

func.func private @map(%a: tensor<8xf32>) -> tensor<8xf32> attributes {egg.kernel} {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %k = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %c4 = transform.param.constant 4 : i64 -> !transform.param<i64>
    // expected-error @below {{kernel @map is not mapped yet}}
    transform.egg.vectorize %k width(%c4) : !transform.any_op
    transform.yield
  }
}

// -----

func.func private @map(%a: tensor<8xf32>) -> tensor<8xf32> attributes {egg.kernel} {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %k = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %c128 = transform.param.constant 128 : i64 -> !transform.param<i64>
    %c8 = transform.param.constant 8 : i64 -> !transform.param<i64>
    transform.egg.map_elements %k threads(%c128) : !transform.any_op
    // expected-error @below {{kernel @map: width is 8, but it must be a power of two from 1 to 4; write 4 (an access has at most 16 bytes, and an element of the first result has 4)}}
    transform.egg.vectorize %k width(%c8) : !transform.any_op
    transform.yield
  }
}

// -----

func.func private @map(%a: tensor<8xf32>) -> tensor<8xf32> attributes {egg.kernel} {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %k = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %c128 = transform.param.constant 128 : i64 -> !transform.param<i64>
    %c1 = transform.param.constant 1 : i64 -> !transform.param<i64>
    %c0 = transform.param.constant 0 : i64 -> !transform.param<i64>
    transform.egg.map_elements %k threads(%c128) : !transform.any_op
    // expected-error @below {{kernel @map has structure map, and this op is for structure contraction; remove it}}
    transform.egg.stage_in_shared %k stages(%c1) padding(%c0) : !transform.any_op
    transform.yield
  }
}

// -----

func.func private @map(%a: tensor<8xf32>) -> tensor<8xf32> attributes {egg.kernel} {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %k = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %c128 = transform.param.constant 128 : i64 -> !transform.param<i64>
    %c4 = transform.param.constant 4 : i64 -> !transform.param<i64>
    transform.egg.map_elements %k threads(%c128) : !transform.any_op
    // expected-error @below {{kernel @map has structure map, and this op is for structure scan; remove it}}
    transform.egg.unroll_scan %k items(%c4) : !transform.any_op
    transform.yield
  }
}

// -----

func.func private @map(%a: tensor<8xf32>) -> tensor<8xf32> attributes {egg.kernel} {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %k = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %c32 = transform.param.constant 32 : i64 -> !transform.param<i64>
    %c1 = transform.param.constant 1 : i64 -> !transform.param<i64>
    // expected-error @below {{kernel @map cannot have structure rows; use map_elements}}
    transform.egg.map_rows %k threads_per_row(%c32) rows_per_block(%c1) : !transform.any_op
    transform.yield
  }
}

// -----

func.func private @rows(%a: tensor<8x4xf32>) -> tensor<8xf32> attributes {egg.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<8x4xf32>) outs(%f : tensor<8xf32>) dimensions = [1]
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %k = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %c128 = transform.param.constant 128 : i64 -> !transform.param<i64>
    // expected-error @below {{kernel @rows cannot have structure map; use map_rows}}
    transform.egg.map_elements %k threads(%c128) : !transform.any_op
    transform.yield
  }
}

// -----

func.func private @rows(%a: tensor<8x4xf32>) -> tensor<8xf32> attributes {egg.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<8x4xf32>) outs(%f : tensor<8xf32>) dimensions = [1]
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %k = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %c128 = transform.param.constant 128 : i64 -> !transform.param<i64>
    // expected-error @below {{kernel @rows cannot have structure scan; use map_rows}}
    transform.egg.map_scan %k threads(%c128) : !transform.any_op
    transform.yield
  }
}

// -----

func.func private @rows(%a: tensor<8x4xf32>) -> tensor<8xf32> attributes {egg.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<8x4xf32>) outs(%f : tensor<8xf32>) dimensions = [1]
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %k = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %c48 = transform.param.constant 48 : i64 -> !transform.param<i64>
    %c2 = transform.param.constant 2 : i64 -> !transform.param<i64>
    // expected-error @below {{threads_per_row is 48, but it must be a power of two from 1 to 1024; write 32 or 64}}
    transform.egg.map_rows %k threads_per_row(%c48) rows_per_block(%c2) : !transform.any_op
    transform.yield
  }
}

// -----

func.func private @rows(%a: tensor<8x4xf32>) -> tensor<8xf32> attributes {egg.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<8x4xf32>) outs(%f : tensor<8xf32>) dimensions = [1]
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %k = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %c32 = transform.param.constant 32 : i64 -> !transform.param<i64>
    %c0 = transform.param.constant 0 : i64 -> !transform.param<i64>
    // expected-error @below {{rows_per_block is 0, but it must be from 1 to 1024; write 1}}
    transform.egg.map_rows %k threads_per_row(%c32) rows_per_block(%c0) : !transform.any_op
    transform.yield
  }
}

// -----

func.func private @rows(%a: tensor<8x4xf32>) -> tensor<8xf32> attributes {egg.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<8x4xf32>) outs(%f : tensor<8xf32>) dimensions = [1]
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %k = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %c256 = transform.param.constant 256 : i64 -> !transform.param<i64>
    %c8 = transform.param.constant 8 : i64 -> !transform.param<i64>
    // expected-error @below {{threads_per_row * rows_per_block is 2048, but a block has a multiple of 32 threads, from 32 to 1024; choose them for a smaller block}}
    transform.egg.map_rows %k threads_per_row(%c256) rows_per_block(%c8) : !transform.any_op
    transform.yield
  }
}

// -----

func.func private @rows(%a: tensor<8x4xf32>) -> tensor<8xf32> attributes {egg.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<8x4xf32>) outs(%f : tensor<8xf32>) dimensions = [1]
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %k = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %c16 = transform.param.constant 16 : i64 -> !transform.param<i64>
    %c3 = transform.param.constant 3 : i64 -> !transform.param<i64>
    // expected-error @below {{threads_per_row * rows_per_block is 48}}
    transform.egg.map_rows %k threads_per_row(%c16) rows_per_block(%c3) : !transform.any_op
    transform.yield
  }
}

// -----

func.func private @product(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> attributes {egg.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x6xf32>) outs(%f : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %k = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %c64 = transform.param.constant 64 : i64 -> !transform.param<i64>
    %c48 = transform.param.constant 48 : i64 -> !transform.param<i64>
    // expected-error @below {{tile_n is 48, but it must be a power of two from 4 to 256; write 32 or 64}}
    transform.egg.map_tiles %k tile_m(%c64) tile_n(%c48) : !transform.any_op
    transform.yield
  }
}

// -----

func.func private @product(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> attributes {egg.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x6xf32>) outs(%f : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %k = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %c64 = transform.param.constant 64 : i64 -> !transform.param<i64>
    %c12 = transform.param.constant 12 : i64 -> !transform.param<i64>
    %c4 = transform.param.constant 4 : i64 -> !transform.param<i64>
    transform.egg.map_tiles %k tile_m(%c64) tile_n(%c64) : !transform.any_op
    // expected-error @below {{tile_k is 12, but it must be a power of two from 1 to 64; write 8 or 16}}
    transform.egg.tile_contraction %k tile_k(%c12) thread_m(%c4) thread_n(%c4) : !transform.any_op
    transform.yield
  }
}

// -----

func.func private @product(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> attributes {egg.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x6xf32>) outs(%f : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %k = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %c4 = transform.param.constant 4 : i64 -> !transform.param<i64>
    %c64 = transform.param.constant 64 : i64 -> !transform.param<i64>
    %c8 = transform.param.constant 8 : i64 -> !transform.param<i64>
    transform.egg.map_tiles %k tile_m(%c4) tile_n(%c64) : !transform.any_op
    // expected-error @below {{thread_m is 8, but it must divide tile_m, which is 4; write 4 or a smaller power of two}}
    transform.egg.tile_contraction %k tile_k(%c8) thread_m(%c8) thread_n(%c4) : !transform.any_op
    transform.yield
  }
}

// -----

func.func private @product(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> attributes {egg.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x6xf32>) outs(%f : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %k = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %c16 = transform.param.constant 16 : i64 -> !transform.param<i64>
    %c8 = transform.param.constant 8 : i64 -> !transform.param<i64>
    %c4 = transform.param.constant 4 : i64 -> !transform.param<i64>
    transform.egg.map_tiles %k tile_m(%c16) tile_n(%c16) : !transform.any_op
    // expected-error @below {{(tile_m / thread_m) * (tile_n / thread_n) is 16, but a block has a multiple of 32 threads, from 32 to 1024; choose them for a larger block}}
    transform.egg.tile_contraction %k tile_k(%c8) thread_m(%c4) thread_n(%c4) : !transform.any_op
    transform.yield
  }
}

// -----

func.func private @product(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> attributes {egg.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x6xf32>) outs(%f : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %k = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %c256 = transform.param.constant 256 : i64 -> !transform.param<i64>
    %c128 = transform.param.constant 128 : i64 -> !transform.param<i64>
    %c64 = transform.param.constant 64 : i64 -> !transform.param<i64>
    %c8 = transform.param.constant 8 : i64 -> !transform.param<i64>
    transform.egg.map_tiles %k tile_m(%c256) tile_n(%c128) : !transform.any_op
    // expected-error @below {{are 98304 bytes of shared memory, but a block has 49152; make one of them smaller}}
    transform.egg.tile_contraction %k tile_k(%c64) thread_m(%c8) thread_n(%c8) : !transform.any_op
    transform.yield
  }
}

// -----

func.func private @product(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> attributes {egg.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x6xf32>) outs(%f : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %k = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %c64 = transform.param.constant 64 : i64 -> !transform.param<i64>
    %c3 = transform.param.constant 3 : i64 -> !transform.param<i64>
    %c0 = transform.param.constant 0 : i64 -> !transform.param<i64>
    transform.egg.map_tiles %k tile_m(%c64) tile_n(%c64) : !transform.any_op
    // expected-error @below {{stages is 3, but it must be from 1 to 2; write 2}}
    transform.egg.stage_in_shared %k stages(%c3) padding(%c0) : !transform.any_op
    transform.yield
  }
}

// -----

func.func private @product(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> attributes {egg.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x6xf32>) outs(%f : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %k = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %c64 = transform.param.constant 64 : i64 -> !transform.param<i64>
    %c1 = transform.param.constant 1 : i64 -> !transform.param<i64>
    %c33 = transform.param.constant 33 : i64 -> !transform.param<i64>
    transform.egg.map_tiles %k tile_m(%c64) tile_n(%c64) : !transform.any_op
    // expected-error @below {{padding is 33, but it must be from 0 to 32; write 32}}
    transform.egg.stage_in_shared %k stages(%c1) padding(%c33) : !transform.any_op
    transform.yield
  }
}

// -----

func.func private @product(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> attributes {egg.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x6xf32>) outs(%f : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %k = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %c64 = transform.param.constant 64 : i64 -> !transform.param<i64>
    %c1 = transform.param.constant 1 : i64 -> !transform.param<i64>
    %c3 = transform.param.constant 3 : i64 -> !transform.param<i64>
    transform.egg.map_tiles %k tile_m(%c64) tile_n(%c64) : !transform.any_op
    // expected-error @below {{kernel @product: padding is 3, but it must be a multiple of 4, since a thread with thread_m = 4 and thread_n = 4 reads 4 elements at once; write 0 or 4}}
    transform.egg.stage_in_shared %k stages(%c1) padding(%c3) : !transform.any_op
    transform.yield
  }
}

// -----

func.func private @product(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> attributes {egg.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x6xf32>) outs(%f : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %k = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %c64 = transform.param.constant 64 : i64 -> !transform.param<i64>
    %c16 = transform.param.constant 16 : i64 -> !transform.param<i64>
    %c2 = transform.param.constant 2 : i64 -> !transform.param<i64>
    %c1 = transform.param.constant 1 : i64 -> !transform.param<i64>
    %c5 = transform.param.constant 5 : i64 -> !transform.param<i64>
    transform.egg.map_tiles %k tile_m(%c64) tile_n(%c16) : !transform.any_op
    transform.egg.tile_contraction %k tile_k(%c16) thread_m(%c2) thread_n(%c1) : !transform.any_op
    // expected-error @below {{padding is 5, but it must be a multiple of 2, since a thread with thread_m = 2 and thread_n = 1 reads 2 elements at once; write 4 or 6}}
    transform.egg.stage_in_shared %k stages(%c1) padding(%c5) : !transform.any_op
    transform.yield
  }
}

// -----

func.func private @product(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> attributes {egg.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x6xf32>) outs(%f : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %k = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %c512 = transform.param.constant 512 : i64 -> !transform.param<i64>
    %c64 = transform.param.constant 64 : i64 -> !transform.param<i64>
    // expected-error @below {{tile_m is 512, but it must be a power of two from 4 to 256; write 256}}
    transform.egg.map_tiles %k tile_m(%c512) tile_n(%c64) : !transform.any_op
    transform.yield
  }
}

// -----

func.func private @product(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> attributes {egg.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x6xf32>) outs(%f : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %k = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %c0 = transform.param.constant 0 : i64 -> !transform.param<i64>
    %c64 = transform.param.constant 64 : i64 -> !transform.param<i64>
    // expected-error @below {{tile_m is 0, but it must be a power of two from 4 to 256; write 4}}
    transform.egg.map_tiles %k tile_m(%c0) tile_n(%c64) : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %k = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %c128 = transform.param.constant 128 : i64 -> !transform.param<i64>
    // expected-error @below {{expects a handle to one kernel function}}
    transform.egg.map_elements %m threads(%c128) : !transform.any_op
    transform.yield
  }
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func private @last(%a: tensor<8x4xf32>, %f: tensor<8xf32>) -> tensor<8xf32> attributes {egg.kernel} {
  // expected-note @below {{the reduction}}
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
    ins(%a : tensor<8x4xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %s = arith.subf %acc, %x : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %k = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %c32 = transform.param.constant 32 : i64 -> !transform.param<i64>
    %c8 = transform.param.constant 8 : i64 -> !transform.param<i64>
    // expected-error @below {{kernel @last has a reduction whose partial results cannot be combined; threads_per_row must be 1}}
    transform.egg.map_rows %k threads_per_row(%c32) rows_per_block(%c8) : !transform.any_op
    transform.yield
  }
}
