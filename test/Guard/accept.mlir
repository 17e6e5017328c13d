// RUN: egg-opt %s --split-input-file --transform-interpreter | FileCheck %s

// What is right goes through, and the printed script has no checks in it.
// CHECK-NOT: check_next

// CHECK-LABEL: @f
// CHECK: tensor.expand_shape
func.func @f(%a: tensor<8xi32>, %o: tensor<i32>) -> tensor<i32> {
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<8xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %d = arith.addi %b, %x : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    %a,%b,%c,%d = transform.structured.split_reduction %0 {split_factor=4,insert_split_dimension=0} : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: @f
// CHECK: scf.for
func.func @f(%a: tensor<8xi32>, %o: tensor<i32>) -> tensor<i32> {
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<8xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %d = arith.addi %b, %x : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    %a,%b,%c,%d = transform.structured.tile_reduction_using_for %0 by tile_sizes=[4] : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: @f
// CHECK: scf.forall
func.func @f(%a: tensor<8xi32>, %o: tensor<i32>) -> tensor<i32> {
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<8xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %d = arith.addi %b, %x : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    %a,%b,%c,%d = transform.structured.tile_reduction_using_forall %0 by tile_sizes=[4] : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: @f
// CHECK: scf.forall
func.func @f(%A: tensor<4x4xf32>, %B: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%A,%B: tensor<4x4xf32>,tensor<4x4xf32>) outs(%o: tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %a, %l = transform.structured.tile_using_forall %0 tile_sizes [2,2,0] : (!transform.any_op) -> (!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

// One worker has all of the reduction.
// CHECK-LABEL: @f
// CHECK: scf.forall
func.func @f(%A: tensor<4x4xf32>, %B: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%A,%B: tensor<4x4xf32>,tensor<4x4xf32>) outs(%o: tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %a, %l = transform.structured.tile_using_forall %0 tile_sizes [2,2,4] : (!transform.any_op) -> (!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: @f
// CHECK: linalg.fill
// CHECK-NEXT: tensor.extract_slice
// CHECK-NEXT: linalg.matmul
func.func @f(%A: tensor<4x4xf32>, %B: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%c0: f32) outs(%e: tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.matmul ins(%A,%B: tensor<4x4xf32>,tensor<4x4xf32>) outs(%f: tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.fuse %0 tile_sizes [2,2,0] : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: @f
// CHECK: tensor.pad
func.func @f(%a: tensor<7xi32>, %o: tensor<i32>) -> tensor<i32> {
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<7xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %d = arith.addi %b, %x : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    %a,%b,%c = transform.structured.pad %0 pad_to_multiple_of [8] {padding_values=[0 : i32, 0 : i32],padding_dimensions=[0]} : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: @f
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK: memref.load
func.func @f(%y: memref<64xf32>, %o: memref<64xf32>, %s: !gpu.async.token) {
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %n = gpu.launch async [%s] blocks(%a, %b, %c) in (%ga=%c1, %gb=%c1, %gc=%c1) threads(%d, %e, %g) in (%ta=%c1, %tb=%c1, %tc=%c1) {
    scf.forall (%i) in (64) {
      %v = memref.load %o[%i] : memref<64xf32>
      memref.store %v, %y[%i] : memref<64xf32>
    } {mapping = [#gpu.thread<x>]}
    
    scf.forall (%i) in (64) {
      %r = arith.subi %c63, %i : index
      %v = memref.load %y[%r] : memref<64xf32>
      memref.store %v, %o[%i] : memref<64xf32>
    } {mapping = [#gpu.thread<x>]}
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["gpu.launch"]} in %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.gpu.map_nested_forall_to_threads %0 block_dims = [64, 1, 1] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: @f
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK: memref.load
func.func @f(%y: memref<64xf32>, %o: memref<64xf32>, %s: !gpu.async.token) {
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %n = gpu.launch async [%s] blocks(%a, %b, %c) in (%ga=%c1, %gb=%c1, %gc=%c1) threads(%d, %e, %g) in (%ta=%c1, %tb=%c1, %tc=%c1) {
    scf.forall (%i) in (64) {
      %v = memref.load %o[%i] : memref<64xf32>
      memref.store %v, %y[%i] : memref<64xf32>
    } {mapping = [#gpu.thread<x>]}
    gpu.barrier
    scf.forall (%i) in (64) {
      %r = arith.subi %c63, %i : index
      %v = memref.load %y[%r] : memref<64xf32>
      memref.store %v, %o[%i] : memref<64xf32>
    } {mapping = [#gpu.thread<x>]}
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["gpu.launch"]} in %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.gpu.map_nested_forall_to_threads %0 block_dims = [64, 1, 1] sync_after_distribute = false : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Each thread reads what it wrote.
// CHECK-LABEL: @f
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @f(%y: memref<64xf32>, %o: memref<64xf32>, %s: !gpu.async.token) {
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %n = gpu.launch async [%s] blocks(%a, %b, %c) in (%ga=%c1, %gb=%c1, %gc=%c1) threads(%d, %e, %g) in (%ta=%c1, %tb=%c1, %tc=%c1) {
    scf.forall (%i) in (64) {
      %v = memref.load %o[%i] : memref<64xf32>
      memref.store %v, %y[%i] : memref<64xf32>
    } {mapping = [#gpu.thread<x>]}
    
    scf.forall (%i) in (64) {
      %r = arith.subi %c63, %i : index
      %v = memref.load %y[%i] : memref<64xf32>
      memref.store %v, %o[%i] : memref<64xf32>
    } {mapping = [#gpu.thread<x>]}
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["gpu.launch"]} in %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.gpu.map_nested_forall_to_threads %0 block_dims = [64, 1, 1] sync_after_distribute = false : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
