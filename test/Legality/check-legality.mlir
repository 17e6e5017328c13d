// RUN: egg-opt %s --split-input-file --verify-diagnostics --egg-check-legality -o /dev/null

// Rows of 1000 elements with vectors of 4; the guard leaves the last threads out.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    // expected-remark @below {{kernel 'guarded' proved: bounds 2 of 2, alignment 2 of 2, index-width 2 of 2, conflicts 1 of 1, resources 9 of 9}}
    gpu.func @guarded(%in: memref<4000xf32>, %out: memref<4000xf32>) kernel attributes {
        known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
      %c4 = arith.constant 4 : index
      %c256 = arith.constant 256 : index
      %c1000 = arith.constant 1000 : index
      %t = gpu.thread_id x
      %b = gpu.block_id x
      %0 = arith.muli %b, %c256 : index
      %item = arith.addi %0, %t : index
      %runs = arith.cmpi ult, %item, %c1000 : index
      scf.if %runs {
        %at = arith.muli %item, %c4 : index
        %v = vector.load %in[%at] : memref<4000xf32>, vector<4xf32>
        vector.store %v, %out[%at] : memref<4000xf32>, vector<4xf32>
      }
      gpu.return
    }
  }
}

// -----

// An unsigned comparison after a subtraction tests both bounds, also of what
// was divided before the test.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    // expected-remark @below {{kernel 'halo' proved: bounds 2 of 2, index-width 2 of 2, conflicts 1 of 1, resources 9 of 9}}
    gpu.func @halo(%in: memref<50xf32>, %out: memref<100xf32>) kernel attributes {
        known_block_size = array<i32: 100, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %c-1 = arith.constant -1 : i32
      %c2 = arith.constant 2 : i32
      %c99 = arith.constant 99 : i32
      %zero = arith.constant 0.0 : f32
      %tx = gpu.thread_id x
      %t = arith.index_castui %tx : index to i32
      %moved = arith.addi %t, %c-1 : i32
      %half = arith.divui %moved, %c2 : i32
      %inside = arith.cmpi ult, %moved, %c99 : i32
      %v = scf.if %inside -> f32 {
        %at = arith.index_castui %half : i32 to index
        %x = memref.load %in[%at] : memref<50xf32>
        scf.yield %x : f32
      } else {
        scf.yield %zero : f32
      }
      memref.store %v, %out[%tx] : memref<100xf32>
      gpu.return
    }
  }
}

// -----

// What memory decides is left to the emulator.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    // expected-remark @below {{kernel 'gather' proved: bounds 2 of 3, index-width 3 of 3, barriers 0 of 1, conflicts 1 of 1, resources 9 of 9}}
    gpu.func @gather(%table: memref<50xf32>, %which: memref<64xi32>, %out: memref<64xf32>) kernel attributes {
        known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %c0 = arith.constant 0 : i32
      %t = gpu.thread_id x
      %i = memref.load %which[%t] : memref<64xi32>
      %at = arith.index_cast %i : i32 to index
      // expected-remark @below {{undecided bounds: kernel 'gather': memref.load: a value in memory decides its index}}
      %v = memref.load %table[%at] : memref<50xf32>
      %some = arith.cmpi eq, %i, %c0 : i32
      scf.if %some {
        // expected-remark @below {{undecided barriers: kernel 'gather': gpu.barrier: a value in memory decides which threads come to it}}
        gpu.barrier
      }
      memref.store %v, %out[%t] : memref<64xf32>
      gpu.return
    }
  }
}

// -----

// Two buffers in turn, one barrier a round: the round after next comes after
// the barrier.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    // expected-remark @below {{shared-races 1 of 1}}
    gpu.func @double_buffer(%in: memref<6400xf32>, %out: memref<64xf32>)
        workgroup(%tile: memref<128xf32, #gpu.address_space<workgroup>>) kernel attributes {
        known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c63 = arith.constant 63 : index
      %c64 = arith.constant 64 : index
      %c100 = arith.constant 100 : index
      %zero = arith.constant 0.0 : f32
      %t = gpu.thread_id x
      %mirror = arith.subi %c63, %t : index
      %sum = scf.for %i = %c0 to %c100 step %c1 iter_args(%acc = %zero) -> f32 {
        %row = arith.muli %i, %c64 : index
        %from = arith.addi %row, %t : index
        %v = memref.load %in[%from] : memref<6400xf32>
        %turn = arith.remui %i, %c2 : index
        %base = arith.muli %turn, %c64 : index
        %to = arith.addi %base, %t : index
        memref.store %v, %tile[%to] : memref<128xf32, #gpu.address_space<workgroup>>
        gpu.barrier
        %at = arith.addi %base, %mirror : index
        %x = memref.load %tile[%at] : memref<128xf32, #gpu.address_space<workgroup>>
        %next = arith.addf %acc, %x : f32
        scf.yield %next : f32
      }
      memref.store %sum, %out[%t] : memref<64xf32>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // expected-remark @below {{undecided bounds: kernel 'unknown': gpu.func: the kernel does not say its launch (known_block_size and known_grid_size)}}
    // expected-remark @below {{kernel 'unknown' proved: bounds 0 of 1, resources 2 of 2}}
    gpu.func @unknown(%out: memref<64xf32>) kernel {
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // expected-remark @below {{undecided bounds: kernel 'jumps': gpu.func: its control flow is not structured; write it with scf}}
    // expected-remark @below {{kernel 'jumps' proved: bounds 0 of 1, resources 9 of 9}}
    gpu.func @jumps(%out: memref<64xf32>) kernel attributes {
        known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      cf.br ^next
    ^next:
      gpu.return
    }
  }
}

// -----

// Elements that are no numbers of fixed width have a size all the same.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    // expected-remark @below {{kernel 'elements' proved: bounds 6 of 6, index-width 6 of 6, barriers 1 of 1, conflicts 1 of 1, shared-races 3 of 3, resources 9 of 9}}
    gpu.func @elements(%in: memref<64xvector<4xf32>>, %out: memref<64xcomplex<f32>>)
        workgroup(%a: memref<64xindex, #gpu.address_space<workgroup>>,
                  %b: memref<64xvector<4xf32>, #gpu.address_space<workgroup>>,
                  %c: memref<64xcomplex<f32>, #gpu.address_space<workgroup>>) kernel attributes {
        known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %t = gpu.thread_id x
      %v = memref.load %in[%t] : memref<64xvector<4xf32>>
      memref.store %t, %a[%t] : memref<64xindex, #gpu.address_space<workgroup>>
      memref.store %v, %b[%t] : memref<64xvector<4xf32>, #gpu.address_space<workgroup>>
      %z = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
      memref.store %z, %c[%t] : memref<64xcomplex<f32>, #gpu.address_space<workgroup>>
      gpu.barrier
      %x = memref.load %c[%t] : memref<64xcomplex<f32>, #gpu.address_space<workgroup>>
      memref.store %x, %out[%t] : memref<64xcomplex<f32>>
      gpu.return
    }
  }
}
