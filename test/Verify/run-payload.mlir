// RUN: egg-opt %s --split-input-file --egg-run-on-cpu -o /dev/null 2>&1 | FileCheck %s
// RUN: egg-opt %s --split-input-file --egg-run-on-cpu=precision=double -o /dev/null 2>&1 | FileCheck %s --check-prefix=DOUBLE

// Constants only, so that the values are known.
// CHECK: result 0 [3, 3, 3, 3]
// DOUBLE: result 0 [3, 3, 3, 3]
func.func @main() -> tensor<2x2xf32> {
  %one = arith.constant dense<1.0> : tensor<2x3xf32>
  %other = arith.constant dense<1.0> : tensor<3x2xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x2xf32>) -> tensor<2x2xf32>
  %0 = linalg.matmul ins(%one, %other : tensor<2x3xf32>, tensor<3x2xf32>) outs(%init : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

// One is lost beside 2^24 in f32 and kept in f64.
// CHECK: result 0 [0]
// DOUBLE: result 0 [1]
func.func @main() -> tensor<f32> {
  %x = arith.constant dense<[16777216.0, 1.0, -16777216.0]> : tensor<3xf32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<3xf32>) outs(%zero : tensor<f32>) {
  ^bb0(%in: f32, %acc: f32):
    %1 = arith.addf %acc, %in : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Half precision rounds after each addition; its conversions do nothing in
// double.
// CHECK: result 0 [2048, 2048]
// DOUBLE: result 0 [2049, 2049]
func.func @main() -> tensor<2xf16> {
  %x = arith.constant dense<2048.0> : tensor<2xf16>
  %one = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<2xf16>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<2xf16>) outs(%empty : tensor<2xf16>) {
  ^bb0(%in: f16, %out: f16):
    %1 = arith.extf %in : f16 to f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.truncf %2 : f32 to f16
    linalg.yield %3 : f16
  } -> tensor<2xf16>
  return %0 : tensor<2xf16>
}

// -----

// Scans, padding, slices, concatenation, integers and booleans.
// CHECK: result 0 [1, 2, 3, 4]
// CHECK: result 1 [7, 1, 1, 7, 7]
// CHECK: result 2 [1, 1, 7, 1]
// CHECK: result 3 [1, 0]
func.func @main() -> (tensor<4xf32>, tensor<5xf32>, tensor<4xi32>, tensor<2xi1>) {
  %ones = arith.constant dense<1.0> : tensor<4xf32>
  %scan = egg.scan <add> %ones dim = 0 : tensor<4xf32>
  %seven = arith.constant 7.0 : f32
  %slice = tensor.extract_slice %ones[1] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %pad = tensor.pad %slice low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %seven : f32
  } : tensor<2xf32> to tensor<5xf32>
  %a = arith.constant dense<1> : tensor<2xi32>
  %b = arith.constant dense<[7, 1]> : tensor<2xi32>
  %concat = tensor.concat dim(0) %a, %b : (tensor<2xi32>, tensor<2xi32>) -> tensor<4xi32>
  %c3 = arith.constant 3 : i32
  %empty = tensor.empty() : tensor<2xi1>
  %gt = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%b : tensor<2xi32>) outs(%empty : tensor<2xi1>) {
  ^bb0(%in: i32, %out: i1):
    %1 = arith.cmpi sgt, %in, %c3 : i32
    linalg.yield %1 : i1
  } -> tensor<2xi1>
  return %scan, %pad, %concat, %gt : tensor<4xf32>, tensor<5xf32>, tensor<4xi32>, tensor<2xi1>
}

// -----

// Only the first elements are printed; an argument returned as it is is a copy.
// CHECK: result 0 [0.{{[0-9]+}}, {{.*}}, ...]
func.func @main(%x: tensor<100xf32>) -> tensor<100xf32> {
  return %x : tensor<100xf32>
}

// -----

// Nothing but the argument, twice: no dialect of compute ops is loaded.
// CHECK: result 0 [[VALUES:\[.*\]]]
// CHECK: result 1 [[VALUES]]
func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  return %x, %x : tensor<3xf32>, tensor<3xf32>
}
