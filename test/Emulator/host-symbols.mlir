// RUN: egg-opt %s --egg-emulate-kernel -o /dev/null 2>&1 | FileCheck %s

// A kernel that has the name of a function of the C library and calls it, in a
// function of its own; where it divides by zero it divides by eleven.
// CHECK: buffer 1 [0, 0.761594, 0.964028, 0.995055]
// CHECK: buffer 2 [7, 77, 38, 25]
module attributes {egg.emulate = {
    kernel = "tanh", grid = array<i64: 1, 1, 1>, block = array<i64: 4, 1, 1>,
    buffers = [{dtype = "f32", shape = array<i64: 4>, fill = "iota"},
               {dtype = "f32", shape = array<i64: 4>, role = "output"},
               {dtype = "i32", shape = array<i64: 4>, role = "output"}],
    arguments = [{buffer = 0 : i64}, {buffer = 1 : i64}, {buffer = 2 : i64}, 77 : i32]}} {
  gpu.module @m {
    llvm.func @__nv_tanhf(f32) -> f32
    llvm.func @exp(%v: f32) -> f32 {
      %0 = llvm.call @__nv_tanhf(%v) : (f32) -> f32
      llvm.return %0 : f32
    }
    llvm.func @tanh(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %z: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel} {
      %i = nvvm.read.ptx.sreg.tid.x : i32
      %from = llvm.getelementptr %x[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %v = llvm.load %from : !llvm.ptr<1> -> f32
      %w = llvm.call @exp(%v) : (f32) -> f32
      %to = llvm.getelementptr %y[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      llvm.store %w, %to : f32, !llvm.ptr<1>
      %q = llvm.sdiv %n, %i : i32
      %quotient = llvm.getelementptr %z[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      llvm.store %q, %quotient : i32, !llvm.ptr<1>
      llvm.return
    }
  }
}
