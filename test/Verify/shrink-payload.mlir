// RUN: egg-opt %s --split-input-file --egg-shrink-payload="max-work=200000 multiples=16" | FileCheck %s
// RUN: egg-opt %s --split-input-file --egg-shrink-payload="variant=odd max-work=200000 multiples=16" | FileCheck %s --check-prefix=ODD
// RUN: egg-opt %s --split-input-file --egg-shrink-payload=variant=least | FileCheck %s --check-prefix=LEAST
// RUN: egg-opt %s --split-input-file --egg-shrink-payload="split-parts=32" | FileCheck %s --check-prefix=SPLIT

// Whole tiles stay whole; the remainder of 1000 modulo 16 stays 8.
// CHECK-LABEL: @main
// ODD-LABEL: @main
// LEAST-LABEL: @main
// SPLIT-LABEL: @main
// CHECK: linalg.matmul ins({{.*}} : tensor<48x48xf32>, tensor<48x40xf32>) outs({{.*}} : tensor<48x40xf32>)
// Different primes, so that swapped operands do not fit.
// ODD: linalg.matmul ins({{.*}} : tensor<[[M:47|43|41]]x[[K:47|43|41]]xf32>, tensor<[[K]]x[[N:47|43|41]]xf32>)
// LEAST: linalg.matmul ins({{.*}} : tensor<1x1xf32>, tensor<1x1xf32>)
func.func @main(%a: tensor<1024x2048xf32>, %b: tensor<2048x1000xf32>) -> tensor<1024x1000xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1024x1000xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1024x1000xf32>) -> tensor<1024x1000xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<1024x2048xf32>, tensor<2048x1000xf32>) outs(%init : tensor<1024x1000xf32>) -> tensor<1024x1000xf32>
  return %0 : tensor<1024x1000xf32>
}

// -----

// The window and the padding stay; the input follows the output.
// CHECK-LABEL: @main
// ODD-LABEL: @main
// LEAST-LABEL: @main
// SPLIT-LABEL: @main
// CHECK: tensor<16x16x24xf32> to tensor<16x16x26xf32>
// CHECK: linalg.conv_1d_ncw_fcw {{.*}} ins({{.*}} : tensor<16x16x26xf32>, tensor<16x16x3xf32>) outs({{.*}} : tensor<16x16x12xf32>)
// LEAST: tensor<1x1x2xf32> to tensor<1x1x4xf32>
// LEAST: linalg.conv_1d_ncw_fcw {{.*}} ins({{.*}} : tensor<1x1x4xf32>, tensor<1x1x3xf32>) outs({{.*}} : tensor<1x1x1xf32>)
func.func @main(%x: tensor<32x64x1000xf32>, %w: tensor<128x64x3xf32>) -> tensor<32x128x500xf32> {
  %zero = arith.constant 0.0 : f32
  %pad = tensor.pad %x low[0, 0, 1] high[0, 0, 1] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<32x64x1000xf32> to tensor<32x64x1002xf32>
  %empty = tensor.empty() : tensor<32x128x500xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x128x500xf32>) -> tensor<32x128x500xf32>
  %0 = linalg.conv_1d_ncw_fcw {strides = dense<2> : vector<1xi64>} ins(%pad, %w : tensor<32x64x1002xf32>, tensor<128x64x3xf32>) outs(%init : tensor<32x128x500xf32>) -> tensor<32x128x500xf32>
  return %0 : tensor<32x128x500xf32>
}

// -----

// Products follow their factors.
// CHECK-LABEL: @main
// ODD-LABEL: @main
// LEAST-LABEL: @main
// SPLIT-LABEL: @main
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0], [1, 2]] output_shape [[[N:[0-9]+]], [[G:[0-9]+]], [[C:[0-9]+]]]
// ODD: output_shape [[[N:[0-9]+]], [[G:[0-9]+]], [[C:[0-9]+]]]
func.func @main(%x: tensor<112x4096xf32>) -> tensor<112x64x64xf32> {
  %0 = tensor.expand_shape %x [[0], [1, 2]] output_shape [112, 64, 64] : tensor<112x4096xf32> into tensor<112x64x64xf32>
  return %0 : tensor<112x64x64xf32>
}

// -----

// Parts of a row stay equal parts; an end stays the end; a splat follows.
// CHECK-LABEL: @main
// ODD-LABEL: @main
// LEAST-LABEL: @main
// SPLIT-LABEL: @main
// CHECK: arith.constant dense<1.000000e+00> : tensor<[[PART:[0-9]+]]xf32>
// CHECK: tensor.extract_slice %{{.*}}[[[PART]]] [[[PART]]] [1]
// LEAST: tensor.extract_slice %{{.*}}[1] [1] [1] : tensor<3xf32> to tensor<1xf32>
// LEAST: tensor.extract_slice %{{.*}}[2] [1] [1] : tensor<3xf32> to tensor<f32>
func.func @main(%x: tensor<30000xf32>) -> (tensor<10000xf32>, tensor<f32>) {
  %ones = arith.constant dense<1.0> : tensor<10000xf32>
  %mid = tensor.extract_slice %x[10000] [10000] [1] : tensor<30000xf32> to tensor<10000xf32>
  %sum = arith.addf %mid, %ones : tensor<10000xf32>
  %last = tensor.extract_slice %x[29999] [1] [1] : tensor<30000xf32> to tensor<f32>
  return %sum, %last : tensor<10000xf32>, tensor<f32>
}

// -----

// Transposed convolutions spread their input: stride and offset stay.
// CHECK-LABEL: @main
// ODD-LABEL: @main
// LEAST-LABEL: @main
// SPLIT-LABEL: @main
// LEAST: tensor.insert_slice %{{.*}}[0, 3] [1, 1] [1, 2] : tensor<1x1xf32> into tensor<1x7xf32>
func.func @main(%x: tensor<16x1000xf32>, %y: tensor<16x2005xf32>) -> tensor<16x2005xf32> {
  %0 = tensor.insert_slice %x into %y[0, 3] [16, 1000] [1, 2] : tensor<16x1000xf32> into tensor<16x2005xf32>
  return %0 : tensor<16x2005xf32>
}

// -----

// Constants that are not splats keep their shapes, and with them what they
// meet; so do extents that an index is computed from.
// CHECK-LABEL: @main
// ODD-LABEL: @main
// LEAST-LABEL: @main
// SPLIT-LABEL: @main
// LEAST: linalg.generic {{.*}} ins(%{{.*}} : tensor<3xf32>) outs(%{{.*}} : tensor<3xf32>)
// LEAST: tensor<2000xf32>
func.func @main(%x: tensor<1000xf32>) -> (tensor<3xf32>, tensor<2000xf32>) {
  %c999 = arith.constant 999 : index
  %c2 = arith.constant 2 : index
  %k = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %e3 = tensor.empty() : tensor<3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%k : tensor<3xf32>) outs(%e3 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.negf %in : f32
    linalg.yield %1 : f32
  } -> tensor<3xf32>
  %e = tensor.empty() : tensor<2000xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<2000xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %h = arith.divui %i, %c2 : index
    %j = arith.subi %c999, %h : index
    %v = tensor.extract %x[%j] : tensor<1000xf32>
    linalg.yield %v : f32
  } -> tensor<2000xf32>
  return %0, %2 : tensor<3xf32>, tensor<2000xf32>
}

// -----

// A reduction that a script splits into 32 keeps shares of several elements.
// CHECK-LABEL: @main
// ODD-LABEL: @main
// LEAST-LABEL: @main
// SPLIT-LABEL: @main
// SPLIT: linalg.reduce { arith.addf } ins(%{{.*}} : tensor<64xf32>)
func.func @main(%x: tensor<100000xf32>) -> tensor<f32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<100000xf32>) outs(%zero : tensor<f32>) dimensions = [0]
  return %0 : tensor<f32>
}

// -----

// Indices that are constants keep what they index large enough, the wrap of
// negative ones around them; where their values are computed with, all of it.
// CHECK-LABEL: @main
// ODD-LABEL: @main
// LEAST-LABEL: @main
// SPLIT-LABEL: @main
// LEAST-SAME: tensor<1x121xf32>
// LEAST-SAME: tensor<128xf32>
func.func @main(%x: tensor<64x128xf32>, %y: tensor<128xf32>) -> (tensor<64x4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c128 = arith.constant 128 : i64
  %k = arith.constant dense<[3, 0, 7, 120]> : tensor<4xi64>
  %e = tensor.empty() : tensor<64x4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%k : tensor<4xi64>) outs(%e : tensor<64x4xf32>) {
  ^bb0(%at: i64, %out: f32):
    %i = linalg.index 0 : index
    %isNegative = arith.cmpi slt, %at, %c0 : i64
    %wrapped = arith.addi %at, %c128 : i64
    %chosen = arith.select %isNegative, %wrapped, %at : i64
    %j = arith.index_cast %chosen : i64 to index
    %v = tensor.extract %x[%i, %j] : tensor<64x128xf32>
    linalg.yield %v : f32
  } -> tensor<64x4xf32>
  %e4 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%k : tensor<4xi64>) outs(%e4 : tensor<4xf32>) {
  ^bb0(%at: i64, %out: f32):
    %next = arith.addi %at, %c1 : i64
    %j = arith.index_cast %next : i64 to index
    %v = tensor.extract %y[%j] : tensor<128xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %0, %1 : tensor<64x4xf32>, tensor<4xf32>
}
