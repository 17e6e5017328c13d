// RUN: egg-opt %s --egg-lower-to-nvvm=chip=sm_90a --egg-emit-ptx=dump-ptx=%t.ptx | FileCheck %s --check-prefix=IR
// RUN: FileCheck %s --input-file=%t.ptx
// The same input gives the same bytes, in a child or not.
// RUN: egg-opt %s --egg-lower-to-nvvm=chip=sm_90a --egg-emit-ptx='dump-ptx=%t.again isolate=false' -o %t.out
// RUN: cmp %t.ptx %t.again
// RUN: egg-opt %s --egg-lower-to-nvvm=chip=sm_80 --egg-emit-ptx=dump-ptx=- -o %t.out | FileCheck %s --check-prefix=SM80

// IR-NOT: gpu.module
// IR: gpu.binary @kernels [#gpu.object<#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx80">, assembly = "
// CHECK: .version 8.0
// CHECK: .target sm_90a
// SM80: .target sm_80
gpu.module @kernels {
  // CHECK-LABEL: .entry copy4(
  // CHECK: .reqntid 256, 1, 1
  // CHECK: ld.global.nc.v4.b32
  // CHECK: st.global.v4.b32
  // CHECK-NOT: ld.global
  gpu.func @copy4(%in: memref<1024xf32>, %out: memref<1024xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    %i = arith.muli %t, %c4 : index
    %v = vector.load %in[%i] : memref<1024xf32>, vector<4xf32>
    vector.store %v, %out[%i] : memref<1024xf32>, vector<4xf32>
    gpu.return
  }
  // Eight halves are one access of 16 bytes; a longer vector is several.
  // CHECK-LABEL: .entry wide(
  // CHECK-DAG: ld.global.nc.v4.b32
  // CHECK-DAG: ld.global.nc.v4.b32
  // CHECK-DAG: ld.global.nc.v4.b32
  gpu.func @wide(%h: memref<1024xf16>, %in: memref<1024xf32>, %out: memref<1024xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c8 = arith.constant 8 : index
    %t = gpu.thread_id x
    %i = arith.muli %t, %c8 : index
    %a = vector.load %h[%i] : memref<1024xf16>, vector<8xf16>
    %b = vector.load %in[%i] : memref<1024xf32>, vector<8xf32>
    %x = arith.extf %a : vector<8xf16> to vector<8xf32>
    %y = arith.addf %x, %b : vector<8xf32>
    vector.store %y, %out[%i] : memref<1024xf32>, vector<8xf32>
    gpu.return
  }
  // Unproved alignment: single elements, never a fault.
  // CHECK-LABEL: .entry unaligned(
  // CHECK-NOT: ld.global.nc.v
  // CHECK: ld.global.nc.b32
  // CHECK: ret;
  gpu.func @unaligned(%in: memref<1024xf32>, %out: memref<1024xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c3 = arith.constant 3 : index
    %t = gpu.thread_id x
    %i = arith.muli %t, %c3 : index
    %v = vector.load %in[%i] : memref<1024xf32>, vector<4xf32>
    vector.store %v, %out[%i] : memref<1024xf32>, vector<4xf32>
    gpu.return
  }
  // Products and sums are not fused unless the kernel says so; 64-bit integers
  // are one access.
  // CHECK-LABEL: .entry arithmetic(
  // CHECK-DAG: ld.global.nc.b64
  // CHECK-DAG: fma.rn.f32
  // CHECK-DAG: mul.rn.f32
  // CHECK-DAG: add.rn.f32
  // CHECK: ret;
  gpu.func @arithmetic(%n: memref<32xi64>, %a: memref<32xf32>, %out: memref<32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %i = memref.load %n[%t] : memref<32xi64>
    %x = memref.load %a[%t] : memref<32xf32>
    %y = arith.sitofp %i : i64 to f32
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %p, %x : f32
    %f = math.fma %x, %y, %s : f32
    memref.store %f, %out[%t] : memref<32xf32>
    gpu.return
  }
}
