// REQUIRES: ptxas
// RUN: egg-opt %s --egg-lower-to-nvvm=chip=sm_90a --egg-emit-ptx='report-resources dump-ptx=%t.ptx' --verify-diagnostics | FileCheck %s --check-prefix=IR
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: egg-opt %s --egg-lower-to-nvvm=chip=sm_80 --egg-emit-ptx=report-resources --verify-diagnostics -o %t.out

// Every structure that the kernels of EGG have, written by hand: ptxas accepts
// the PTX for both chips, with nothing spilled.

// IR: gpu.binary @kernels
// IR-SAME: properties = {egg.libdevice = "{{[0-9a-f]+}}"}, assembly =
// IR-SAME: bin = "\7FELF
gpu.module @kernels {
  memref.global "private" constant @table : memref<4xf32, 1> = dense<[1.0, 2.0, 3.0, 4.0]>

  // Elementwise with libdevice; the square root is the exact one.
  // CHECK-LABEL: .entry map(
  // CHECK: ld.global.nc.v4.b32
  // CHECK: sqrt.rn.f32
  // CHECK-NOT: sqrt.approx
  // CHECK: st.global.v4.b32
  // expected-remark-re @below {{kernel 'map': {{[0-9]+}} registers, 0 bytes of shared memory, 0 bytes of stack}}
  gpu.func @map(%in: memref<4096xf32>, %out: memref<4096xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c4 = arith.constant 4 : index
    %c1024 = arith.constant 1024 : index
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %bi = arith.muli %b, %c1024 : index
    %ti = arith.muli %t, %c4 : index
    %i = arith.addi %bi, %ti : index
    %v = vector.load %in[%i] : memref<4096xf32>, vector<4xf32>
    %e = math.exp %v : vector<4xf32>
    %s = math.sqrt %e : vector<4xf32>
    %r = math.tanh %s : vector<4xf32>
    vector.store %r, %out[%i] : memref<4096xf32>, vector<4xf32>
    gpu.return
  }

  // The maximum of a row of 1024 by a block of 256: thread, warp, block.
  // expected-remark-re @below {{kernel 'rows': {{[0-9]+}} registers, 32 bytes of shared memory}}
  gpu.func @rows(%in: memref<16384xf32>, %out: memref<16xf32>)
      workgroup(%partial: memref<8xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c1024 = arith.constant 1024 : index
    %w = arith.constant 32 : i32
    %o1 = arith.constant 1 : i32
    %o2 = arith.constant 2 : i32
    %row = gpu.block_id x
    %t = gpu.thread_id x
    %base = arith.muli %row, %c1024 : index
    %ti = arith.muli %t, %c4 : index
    %i = arith.addi %base, %ti : index
    %v = vector.load %in[%i] : memref<16384xf32>, vector<4xf32>
    %m0 = vector.reduction <maximumf>, %v : vector<4xf32> into f32
    %s1, %p1 = gpu.shuffle xor %m0, %o1, %w : f32
    %m1 = arith.maximumf %m0, %s1 : f32
    %s2, %p2 = gpu.shuffle xor %m1, %o2, %w : f32
    %m2 = arith.maximumf %m1, %s2 : f32
    %warp = arith.divui %t, %c32 : index
    memref.store %m2, %partial[%warp] : memref<8xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      %m = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %m2) -> f32 {
        %x = memref.load %partial[%k] : memref<8xf32, #gpu.address_space<workgroup>>
        %y = arith.maximumf %acc, %x : f32
        scf.yield %y : f32
      }
      memref.store %m, %out[%row] : memref<16xf32>
    }
    gpu.return
  }

  // C = A * B, 64x64 by 64x64: tiles of 16x16 in shared memory, a padded row,
  // four columns a thread in a vector accumulator.
  // CHECK-LABEL: .entry contraction(
  // CHECK: fma.rn.f32
  // expected-remark-re @below {{kernel 'contraction': {{[0-9]+}} registers, 2304 bytes of shared memory}}
  gpu.func @contraction(%a: memref<4096xf32>, %b: memref<4096xf32>, %c: memref<4096xf32>)
      workgroup(%ta: memref<16x16xf32, #gpu.address_space<workgroup>>,
                %tb: memref<16x20xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 4, 16, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %col = arith.muli %tx, %c4 : index
    %m0 = arith.muli %by, %c16 : index
    %n0 = arith.muli %bx, %c16 : index
    %m = arith.addi %m0, %ty : index
    %n = arith.addi %n0, %col : index
    %arow = arith.muli %m, %c64 : index
    %sum = scf.for %k0 = %c0 to %c64 step %c16 iter_args(%acc = %zero) -> vector<4xf32> {
      %ka = arith.addi %k0, %col : index
      %ia = arith.addi %arow, %ka : index
      %va = vector.load %a[%ia] : memref<4096xf32>, vector<4xf32>
      vector.store %va, %ta[%ty, %col] : memref<16x16xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      %kb = arith.addi %k0, %ty : index
      %brow = arith.muli %kb, %c64 : index
      %ib = arith.addi %brow, %n : index
      %vb = vector.load %b[%ib] : memref<4096xf32>, vector<4xf32>
      vector.store %vb, %tb[%ty, %col] : memref<16x20xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      gpu.barrier
      %next = scf.for %k = %c0 to %c16 step %c1 iter_args(%inner = %acc) -> vector<4xf32> {
        %x = memref.load %ta[%ty, %k] : memref<16x16xf32, #gpu.address_space<workgroup>>
        %xs = vector.broadcast %x : f32 to vector<4xf32>
        %y = vector.load %tb[%k, %col] : memref<16x20xf32, #gpu.address_space<workgroup>>, vector<4xf32>
        %f = math.fma %xs, %y, %inner : vector<4xf32>
        scf.yield %f : vector<4xf32>
      }
      gpu.barrier
      scf.yield %next : vector<4xf32>
    }
    %crow = arith.muli %m, %c64 : index
    %ic = arith.addi %crow, %n : index
    vector.store %sum, %c[%ic] : memref<4096xf32>, vector<4xf32>
    gpu.return
  }

  // Types: i1 in bytes, i64 indices, f64, f16 and bf16 through f32, a table.
  // expected-remark @below {{kernel 'types'}}
  gpu.func @types(%d: memref<64xf64>, %h: memref<64xf16>, %b: memref<64xbf16>, %i: memref<64xi64>,
                  %mask: memref<64xi8>, %out: memref<64xbf16>, %flags: memref<64xi8>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0 : i8
    %three = arith.constant 3 : i64
    %t = gpu.thread_id x
    %m = memref.load %mask[%t] : memref<64xi8>
    %on = arith.cmpi ne, %m, %zero : i8
    %r = scf.if %on -> f32 {
      %x = memref.load %d[%t] : memref<64xf64>
      %e = math.exp %x : f64
      %f = arith.truncf %e : f64 to f32
      scf.yield %f : f32
    } else {
      %x = memref.load %h[%t] : memref<64xf16>
      %g = math.erf %x : f16
      %y = memref.load %b[%t] : memref<64xbf16>
      %l = math.log %y : bf16
      %gf = arith.extf %g : f16 to f32
      %lf = arith.extf %l : bf16 to f32
      %s = arith.addf %gf, %lf : f32
      scf.yield %s : f32
    }
    %j = memref.load %i[%t] : memref<64xi64>
    %j3 = arith.andi %j, %three : i64
    %jx = arith.index_cast %j3 : i64 to index
    %g = memref.get_global @table : memref<4xf32, 1>
    %k = memref.load %g[%jx] : memref<4xf32, 1>
    %q = arith.divf %r, %k : f32
    %nan = arith.cmpf uno, %q, %q : f32
    %flag = arith.extui %nan : i1 to i8
    memref.store %flag, %flags[%t] : memref<64xi8>
    %o = arith.truncf %q : f32 to bf16
    memref.store %o, %out[%t] : memref<64xbf16>
    gpu.return
  }
}
