// RUN: egg-opt %s --split-input-file --egg-shrink-payload=max-work=20000 2>&1 | FileCheck %s --implicit-check-not=remark:
// RUN: egg-opt %s --split-input-file --egg-shrink-payload="variant=odd max-work=20000" 2>&1 | FileCheck %s --check-prefix=ODD --implicit-check-not=remark:
// RUN: egg-opt %s --split-input-file --egg-shrink-payload=max-work=300 -o /dev/null 2>&1 | FileCheck %s --check-prefix=LITTLE --implicit-check-not=remark:
// RUN: egg-opt %s --split-input-file --egg-shrink-payload=max-work=300 2>/dev/null | FileCheck %s --check-prefix=APART

// A causal mask has no constant and costs nothing: no extent has to be large.
// CHECK-LABEL: @main
// ODD-LABEL: @main
#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4096x4096xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4096x4096xf32>) outs(%e : tensor<4096x4096xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %keep = arith.cmpi sge, %i, %j : index
    %1 = arith.select %keep, %in, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<4096x4096xf32>
  return %0 : tensor<4096x4096xf32>
}

// -----

// The constant and one element beyond; of the other extent what the work
// allows.
// LITTLE: shrink-constants.mlir:[[@LINE+8]]:8: remark: the constant 1000 is met by an index that does not reach it at the smaller extents; raise max-work
// CHECK-LABEL: @main
// CHECK-SAME: tensor<{{[0-9]+}}x{{10(0[2-9]|[1-9][0-9])}}xf32>
// ODD-LABEL: @main
// ODD-SAME: tensor<{{[0-9]+}}x{{10(0[2-9]|[1-9][0-9])}}xf32>
#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<4096x4100xf32>) -> tensor<4096x4100xf32> {
  %zero = arith.constant 0.0 : f32
  %c = arith.constant 1000 : index
  %e = tensor.empty() : tensor<4096x4100xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4096x4100xf32>) outs(%e : tensor<4096x4100xf32>) {
  ^bb0(%in: f32, %out: f32):
    %j = linalg.index 1 : index
    %keep = arith.cmpi slt, %j, %c : index
    %1 = arith.select %keep, %in, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<4096x4100xf32>
  return %0 : tensor<4096x4100xf32>
}

// -----

// Positions that one op writes and another compares.
// LITTLE: shrink-constants.mlir:[[@LINE+19]]:10: remark: the constant 2500 is met by
// CHECK-LABEL: @main
// CHECK-SAME: tensor<{{2(50[2-9]|5[1-9][0-9]|[6-9][0-9][0-9])}}xf32>
// ODD-LABEL: @main
// ODD-SAME: tensor<{{2(50[2-9]|5[1-9][0-9]|[6-9][0-9][0-9])}}xf32>
#one = affine_map<(i) -> (i)>
func.func @main(%x: tensor<5000xf32>) -> tensor<5000xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5000xi64>
  %e1 = tensor.empty() : tensor<5000xf32>
  %at = linalg.generic {indexing_maps = [#one], iterator_types = ["parallel"]} outs(%e : tensor<5000xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %1 = arith.index_cast %i : index to i64
    linalg.yield %1 : i64
  } -> tensor<5000xi64>
  %0 = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
      ins(%x, %at : tensor<5000xf32>, tensor<5000xi64>) outs(%e1 : tensor<5000xf32>) {
  ^bb0(%in: f32, %position: i64, %out: f32):
    %c = arith.constant 2500 : i64
    %keep = arith.cmpi ne, %position, %c : i64
    %1 = arith.select %keep, %in, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<5000xf32>
  return %0 : tensor<5000xf32>
}

// -----

// A product of indices is followed no further: its loops keep their extents.
// LITTLE: remark: the constant 300 is met by
// CHECK-LABEL: @main
// CHECK-SAME: tensor<40x30xf32>
// ODD-LABEL: @main
// ODD-SAME: tensor<40x30xf32>
#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<40x30xf32>) -> tensor<40x30xf32> {
  %zero = arith.constant 0.0 : f32
  %c = arith.constant 300 : index
  %e = tensor.empty() : tensor<40x30xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<40x30xf32>) outs(%e : tensor<40x30xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %ij = arith.muli %i, %j : index
    %keep = arith.cmpi slt, %ij, %c : index
    %1 = arith.select %keep, %in, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<40x30xf32>
  return %0 : tensor<40x30xf32>
}

// -----

// The tenth element, the first of the second half and the last stay apart and
// in their order.
// CHECK-LABEL: @main
// ODD-LABEL: @main
// APART: tensor.extract_slice %{{.*}}[9] [1] [1] : tensor<[[N:[0-9]+]]xf32>
// APART: tensor.extract_slice %{{.*}}[{{1[0-9]|[2-9][0-9]}}] [{{[0-9]+}}] [1] : tensor<[[N]]xf32>
func.func @main(%x: tensor<2000xf32>) -> (tensor<f32>, tensor<1000xf32>, tensor<f32>) {
  %tenth = tensor.extract_slice %x[9] [1] [1] : tensor<2000xf32> to tensor<f32>
  %half = tensor.extract_slice %x[1000] [1000] [1] : tensor<2000xf32> to tensor<1000xf32>
  %last = tensor.extract_slice %x[1999] [1] [1] : tensor<2000xf32> to tensor<f32>
  return %tenth, %half, %last : tensor<f32>, tensor<1000xf32>, tensor<f32>
}
