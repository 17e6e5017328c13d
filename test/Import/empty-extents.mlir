// RUN: egg-opt %s --split-input-file --egg-import-torch | FileCheck %s
// RUN: egg-opt %s --split-input-file --egg-import-torch | egg-opt --split-input-file --egg-import-torch | FileCheck %s

#a = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (i)>

// What has no elements is empty, whatever computes it.
// CHECK-LABEL: @main
// CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<0x4xf32>
// CHECK-NEXT: return %[[E]] :
func.func @main(%x: tensor<0x4xf32> {egg.kind = "input", egg.name = "x"})
    -> (tensor<0x4xf32> {egg.kind = "output", egg.name = "y"}) {
  %e = tensor.empty() : tensor<0x4xf32>
  %0 = math.exp %x : tensor<0x4xf32>
  %1 = linalg.generic {indexing_maps = [#a, #a], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<0x4xf32>) outs(%e : tensor<0x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %2 = arith.addf %in, %in : f32
    linalg.yield %2 : f32
  } -> tensor<0x4xf32>
  %3 = "egg.scan"(%1) {dim = 1 : i64, kind = #egg.scan_kind<add>} : (tensor<0x4xf32>) -> tensor<0x4xf32>
  return %3 : tensor<0x4xf32>
}

// -----

#a = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (i)>

// A product over nothing is one, and what follows is computed as ever.
// CHECK-LABEL: @main
// CHECK: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NOT: reduction
// CHECK: egg.name = "add_0"
// CHECK: arith.addf %{{.*}}, %[[ONE]] : f32
func.func @main(%x: tensor<3x0xf32> {egg.kind = "input", egg.name = "x"},
                %b: tensor<3xf32> {egg.kind = "input", egg.name = "b"})
    -> (tensor<3xf32> {egg.kind = "output", egg.name = "y"}) {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<3xf32>
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %0 = linalg.generic {indexing_maps = [#a, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x0xf32>) outs(%f : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %2 = arith.mulf %in, %out : f32
    linalg.yield %2 : f32
  } -> tensor<3xf32>
  %1 = arith.addf %b, %0 : tensor<3xf32>
  return %1 : tensor<3xf32>
}

// -----

// A matrix product of depth zero is what it adds to.
// CHECK-LABEL: @main
// CHECK-SAME: %{{.*}}: tensor<3x0xf32> {{.*}}, %[[C:[a-z0-9]*]]: tensor<3x5xf32>
// CHECK-NEXT: return %[[C]]
func.func @main(%x: tensor<3x0xf32> {egg.kind = "input", egg.name = "x"},
                %w: tensor<0x5xf32> {egg.kind = "input", egg.name = "w"},
                %c: tensor<3x5xf32> {egg.kind = "input", egg.name = "c"})
    -> (tensor<3x5xf32> {egg.kind = "output", egg.name = "y"}) {
  %0 = linalg.matmul ins(%x, %w : tensor<3x0xf32>, tensor<0x5xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// -----

// Pieces without elements leave concatenations and insertions; around one,
// padding is all there is.
// CHECK-LABEL: @main
// CHECK-SAME: %{{.*}}: tensor<0x4xf32> {{.*}}, %[[Y:[a-z0-9]*]]: tensor<3x4xf32>
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-DAG: %[[E:.*]] = tensor.empty() : tensor<2x4xf32>
// CHECK-DAG: %[[F:.*]] = linalg.fill ins(%[[TWO]] : f32) outs(%[[E]]
// CHECK-DAG: %[[COPY:.*]] = linalg.copy {{.*}} ins(%[[F]] :
// CHECK: return %[[Y]], %[[COPY]], %[[Y]]
func.func @main(%x: tensor<0x4xf32> {egg.kind = "input", egg.name = "x"},
                %y: tensor<3x4xf32> {egg.kind = "input", egg.name = "y"})
    -> (tensor<3x4xf32> {egg.kind = "output", egg.name = "a"},
        tensor<2x4xf32> {egg.kind = "output", egg.name = "b"},
        tensor<3x4xf32> {egg.kind = "output", egg.name = "c"}) {
  %two = arith.constant 2.0 : f32
  %0 = tensor.concat dim(0) %x, %y : (tensor<0x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %1 = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %two : f32
  } : tensor<0x4xf32> to tensor<2x4xf32>
  %2 = tensor.insert_slice %x into %y[1, 0] [0, 4] [1, 1] : tensor<0x4xf32> into tensor<3x4xf32>
  return %0, %1, %2 : tensor<3x4xf32>, tensor<2x4xf32>, tensor<3x4xf32>
}
