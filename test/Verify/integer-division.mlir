// RUN: egg-opt %s --egg-run-on-cpu -o /dev/null 2>&1 | FileCheck %s

// Division by zero, and of the least integer by minus one, is division by
// eleven: here, where nothing may trap, and in kernels alike.
// CHECK: result 0 [0, -195225786, 3, 0]
// CHECK: result 1 [7, -2, 1, 0]
// CHECK: result 2 [0, 0, 3, 0]
// CHECK: result 3 [0, -195225786, 3, 0]
func.func @main() -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %a = arith.constant dense<[7, -2147483648, 7, 0]> : tensor<4xi32>
  %b = arith.constant dense<[0, -1, 2, 0]> : tensor<4xi32>
  %e = tensor.empty() : tensor<4xi32>
  %0:4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<4xi32>, tensor<4xi32>) outs(%e, %e, %e, %e : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32, %p: i32, %q: i32, %r: i32):
    %1 = arith.divsi %x, %y : i32
    %2 = arith.remsi %x, %y : i32
    %3 = arith.divui %x, %y : i32
    %4 = arith.floordivsi %x, %y : i32
    linalg.yield %1, %2, %3, %4 : i32, i32, i32, i32
  } -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>)
  return %0#0, %0#1, %0#2, %0#3 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}
