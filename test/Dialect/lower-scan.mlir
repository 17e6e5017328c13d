// RUN: egg-opt %s --egg-lower-scan --canonicalize | FileCheck %s

// CHECK-LABEL: @inclusive
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>)
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.0
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[C4]] step
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %[[C8]] step %{{.*}} iter_args(%[[R:.*]] = %{{.*}}, %[[SUM:.*]] = %[[ZERO]])
// CHECK: %[[E:.*]] = tensor.extract %[[X]][%[[I]], %[[J]]]
// CHECK: %[[NEXT:.*]] = arith.addf %[[SUM]], %[[E]]
// CHECK: %[[S:.*]] = tensor.insert %[[NEXT]] into %[[R]][%[[I]], %[[J]]]
// CHECK: scf.yield %[[S]], %[[NEXT]]
func.func @inclusive(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = egg.scan <add> %x dim = 1 : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// Walks from the last element and stores what came before.
// CHECK-LABEL: @exclusive_reverse
// CHECK-SAME: (%[[X:.*]]: tensor<8xi32>)
// CHECK-DAG: %[[LEAST:.*]] = arith.constant -2147483648 : i32
// CHECK-DAG: %[[C7:.*]] = arith.constant 7 : index
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[R:.*]] = %{{.*}}, %[[MAX:.*]] = %[[LEAST]])
// CHECK: %[[P:.*]] = arith.subi %[[C7]], %[[I]]
// CHECK: %[[E:.*]] = tensor.extract %[[X]][%[[P]]]
// CHECK: %[[NEXT:.*]] = arith.maxsi %[[MAX]], %[[E]]
// CHECK: tensor.insert %[[MAX]] into %[[R]][%[[P]]]
func.func @exclusive_reverse(%x: tensor<8xi32>) -> tensor<8xi32> {
  %0 = egg.scan <max> %x dim = 0 {exclusive, reverse} : tensor<8xi32>
  return %0 : tensor<8xi32>
}

// CHECK-LABEL: @dynamic
// CHECK: tensor.dim
func.func @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = egg.scan <mul> %x dim = 0 : tensor<?xf32>
  return %0 : tensor<?xf32>
}
