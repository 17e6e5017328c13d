// RUN: egg-opt %s --canonicalize | egg-opt | FileCheck %s

// CHECK-LABEL: @round_trip
// CHECK: egg.scan <mul> %{{.*}} dim = 0 : tensor<4x8xi32>
// CHECK: egg.scan <max> %{{.*}} dim = 1 {exclusive, reverse} : tensor<4x8xi32>
func.func @round_trip(%x: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %0 = egg.scan <mul> %x dim = 0 : tensor<4x8xi32>
  %1 = egg.scan <max> %0 dim = 1 {reverse, exclusive} : tensor<4x8xi32>
  return %1 : tensor<4x8xi32>
}

// CHECK-LABEL: @one_element
// CHECK-SAME: (%[[X:.*]]: tensor<4x1xf32>)
// CHECK-NEXT: return %[[X]]
func.func @one_element(%x: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %0 = egg.scan <add> %x dim = 1 : tensor<4x1xf32>
  return %0 : tensor<4x1xf32>
}

// The neutral element, not the element itself.
// CHECK-LABEL: @one_element_exclusive
// CHECK: egg.scan
func.func @one_element_exclusive(%x: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %0 = egg.scan <add> %x dim = 1 {exclusive} : tensor<4x1xf32>
  return %0 : tensor<4x1xf32>
}
