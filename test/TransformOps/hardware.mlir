// RUN: egg-opt %s --split-input-file --transform-interpreter | FileCheck %s

// CHECK: @map{{.*}} attributes {egg.config = {structure = "map", threads = 128 : i64, vector_width = 4 : i64}, egg.kernel}
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
    transform.egg.vectorize %k width(%c4) : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK: @rows{{.*}} attributes {egg.config = {rows_per_block = 8 : i64, structure = "rows", threads_per_row = 32 : i64, vector_width = 2 : i64}, egg.kernel}
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
    %c8 = transform.param.constant 8 : i64 -> !transform.param<i64>
    %c2 = transform.param.constant 2 : i64 -> !transform.param<i64>
    transform.egg.map_rows %k threads_per_row(%c32) rows_per_block(%c8) : !transform.any_op
    transform.egg.vectorize %k width(%c2) : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK: @product{{.*}} attributes {egg.config = {shared_padding = 8 : i64, stages = 2 : i64, structure = "contraction", thread_m = 8 : i64, thread_n = 2 : i64, tile_k = 16 : i64, tile_m = 128 : i64, tile_n = 32 : i64}, egg.kernel}
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
    %c128 = transform.param.constant 128 : i64 -> !transform.param<i64>
    %c32 = transform.param.constant 32 : i64 -> !transform.param<i64>
    %c16 = transform.param.constant 16 : i64 -> !transform.param<i64>
    %c8 = transform.param.constant 8 : i64 -> !transform.param<i64>
    %c2 = transform.param.constant 2 : i64 -> !transform.param<i64>
    transform.egg.map_tiles %k tile_m(%c128) tile_n(%c32) : !transform.any_op
    transform.egg.tile_contraction %k tile_k(%c16) thread_m(%c8) thread_n(%c2) : !transform.any_op
    transform.egg.stage_in_shared %k stages(%c2) padding(%c8) : !transform.any_op
    transform.yield
  }
}
