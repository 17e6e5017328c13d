// RUN: egg-opt %s --egg-materialize-kernels | FileCheck %s

// CHECK-LABEL: gpu.func @cs
// CHECK-SAME: workgroup(%[[TOTALS:.*]] : memref<2xf32,
// CHECK: scf.for
// The line of 1000 ends inside a thread's share of the last chunk.
// CHECK: arith.cmpi ult, %{{.*}}, %c1000_i32
// CHECK: gpu.shuffle up
// CHECK: gpu.barrier
// CHECK: memref.load %[[TOTALS]]
// CHECK: gpu.barrier
// CHECK: memref.store

func.func private @cs(%a: tensor<4x1000xf32>) -> tensor<4x1000xf32> attributes {egg.kernel, egg.config = {structure = "scan", threads = 64 : i64}} {
  %r = egg.scan <add> %a dim = 1 : tensor<4x1000xf32>
  return %r : tensor<4x1000xf32>
}
