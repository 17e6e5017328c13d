// RUN: egg-opt %s --split-input-file --egg-emit-plan=chip=sm_90a -o %t.out | FileCheck %s
// RUN: FileCheck %s --input-file=%t.out --check-prefix=IR

// The module itself stays as it is.
// IR: func.func @main

// A chain: temporaries share the arena when their lives do not meet; a result
// lives in its own buffer, also while a later kernel reads it.

// CHECK:      "version": 1,
// CHECK-NEXT: "chip": "sm_90a",
// CHECK-NEXT: "arenaBytes": 4352,
// CHECK-NEXT: "arguments": [
// CHECK-NEXT:   {"dtype":"f32","kind":"parameter","name":"fc.weight","shape":[16,64]},
// CHECK-NEXT:   {"dtype":"f32","kind":"input","name":"x","shape":[16,64]}
// CHECK-NEXT: ],
// CHECK-NEXT: "results": [
// CHECK-NEXT:   {"dtype":"f32","kind":"output","name":"output_0","shape":[1024]},
// CHECK-NEXT:   {"dtype":"f32","kind":"buffer_update","name":"mean","shape":[16]}
// CHECK-NEXT: ],
// CHECK-NEXT: "buffers": [
// CHECK-NEXT:   {"bytes":4096,"index":0,"kind":"argument"},
// CHECK-NEXT:   {"bytes":4096,"index":1,"kind":"argument"},
// CHECK-NEXT:   {"bytes":4096,"index":0,"kind":"result"},
// CHECK-NEXT:   {"bytes":64,"index":1,"kind":"result"},
// CHECK-NEXT:   {"bytes":4096,"kind":"arena","offset":0},
// CHECK-NEXT:   {"bytes":64,"kind":"arena","offset":4096},
// CHECK-NEXT:   {"bytes":4096,"kind":"arena","offset":0}
// CHECK-NEXT: ],
// CHECK-NEXT: "steps": [
// CHECK-NEXT:   {"arguments":[0,1,4],"block":[256,1,1],"dynamicSharedMemory":0,"grid":[4,1,1],"kernel":"ew","kind":"launch"},
// CHECK-NEXT:   {"arguments":[4,3,5],"block":[32,1,1],"dynamicSharedMemory":1024,"grid":[16,2,1],"kernel":"stats","kind":"launch"},
// CHECK-NEXT:   {"arguments":[3,5,6],"block":[32,1,1],"dynamicSharedMemory":0,"grid":[16,1,1],"kernel":"spread","kind":"launch"},
// CHECK-NEXT:   {"arguments":[1,6,2],"block":[256,1,1],"dynamicSharedMemory":0,"grid":[4,1,1],"kernel":"ew","kind":"launch"}
// CHECK-NEXT: ]
func.func @main(%w: tensor<16x64xf32> {egg.kind = "parameter", egg.name = "fc.weight"},
                %x: tensor<16x64xf32> {egg.kind = "input", egg.name = "x"})
    -> (tensor<1024xf32> {egg.kind = "output", egg.name = "output_0"},
        tensor<16xf32> {egg.kind = "buffer_update", egg.name = "mean"}) {
  %0 = call @ew(%w, %x) : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  %1:2 = call @stats(%0) : (tensor<16x64xf32>) -> (tensor<16xf32>, tensor<16xf32>)
  %2 = call @spread(%1#0, %1#1) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16x64xf32>
  %3 = call @ew(%x, %2) : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  %4 = tensor.collapse_shape %3 [[0, 1]] : tensor<16x64xf32> into tensor<1024xf32>
  return %4, %1#0 : tensor<1024xf32>, tensor<16xf32>
}
func.func private @ew(tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32> attributes {
  egg.launch = {kernel = @kernels::@ew, grid = array<i64: 4, 1, 1>, block = array<i64: 256, 1, 1>, dynamic_shared_memory = 0 : i64}}
func.func private @stats(tensor<16x64xf32>) -> (tensor<16xf32>, tensor<16xf32>) attributes {
  egg.launch = {kernel = @kernels::@stats, grid = array<i64: 16, 2, 1>, block = array<i64: 32, 1, 1>, dynamic_shared_memory = 1024 : i64}}
func.func private @spread(tensor<16xf32>, tensor<16xf32>) -> tensor<16x64xf32> attributes {
  egg.launch = {kernel = @kernels::@spread, grid = array<i64: 16, 1, 1>, block = array<i64: 32, 1, 1>, dynamic_shared_memory = 0 : i64}}

// -----

// Results that are arguments, and values returned twice, are copied last.
// Booleans take a byte.

// CHECK:      "buffers": [
// CHECK-NEXT:   {"bytes":8,"index":0,"kind":"argument"},
// CHECK-NEXT:   {"bytes":2,"index":0,"kind":"result"},
// CHECK-NEXT:   {"bytes":8,"index":1,"kind":"result"},
// CHECK-NEXT:   {"bytes":2,"index":2,"kind":"result"}
// CHECK-NEXT: ],
// CHECK-NEXT: "steps": [
// CHECK-NEXT:   {"arguments":[0,1],{{.*}}"kernel":"is_zero","kind":"launch"},
// CHECK-NEXT:   {"arguments":[0,2],"kind":"copy"},
// CHECK-NEXT:   {"arguments":[1,3],"kind":"copy"}
// CHECK-NEXT: ]
func.func @main(%x: tensor<2xf32>) -> (tensor<2xi1>, tensor<1x2xf32>, tensor<2xi1>) {
  %unused = arith.constant dense<0.0> : tensor<2xf32>
  %empty = tensor.empty() : tensor<2xf32>
  %0 = call @is_zero(%x) : (tensor<2xf32>) -> tensor<2xi1>
  %1 = tensor.expand_shape %x [[0, 1]] output_shape [1, 2] : tensor<2xf32> into tensor<1x2xf32>
  return %0, %1, %0 : tensor<2xi1>, tensor<1x2xf32>, tensor<2xi1>
}
func.func private @is_zero(tensor<2xf32>) -> tensor<2xi1> attributes {
  egg.launch = {kernel = @kernels::@is_zero, grid = array<i64: 1, 1, 1>, block = array<i64: 32, 1, 1>, dynamic_shared_memory = 0 : i64}}
gpu.module @kernels {
  gpu.func @is_zero(%a: memref<2xf32>, %b: memref<2xi8>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
}
