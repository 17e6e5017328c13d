// RUN: egg-opt %s --split-input-file --verify-diagnostics --egg-check-legality=remarks=false -o /dev/null

// Thirty-two threads start a sum at 1: the total is 31 too much.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @wrong_identity(%in: memref<8192xf32>, %out: memref<64xf32>) kernel attributes {
        known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %o = arith.constant 16 : i32
      %w = arith.constant 32 : i32
      %one = arith.constant 1.0 : f32
      %t = gpu.thread_id x
      %b = gpu.block_id x
      %row = arith.muli %b, %c128 : index
      %part = scf.for %i = %t to %c128 step %c32 iter_args(%acc = %one) -> f32 {
        %at = arith.addi %row, %i : index
        %x = memref.load %in[%at] : memref<8192xf32>
        // expected-error @below {{accumulators: kernel 'wrong_identity': arith.addf: partial results of several threads are combined, and each starts with more than the combiner's identity; it starts at 1.000000e+00 : f32; start the partial results with the identity, and add the first value once at the end}}
        %next = arith.addf %acc, %x : f32
        scf.yield %next : f32
      }
      %other, %valid = gpu.shuffle xor %part, %o, %w : f32
      %sum = arith.addf %part, %other : f32
      %first = arith.cmpi eq, %t, %c0 : index
      scf.if %first {
        memref.store %sum, %out[%b] : memref<64xf32>
      }
      gpu.return
    }
  }
}

// -----

// A fill inside of the reduction loop.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @filled(%in: memref<64x100xf32>, %out: memref<64xf32>) kernel attributes {
        known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c100 = arith.constant 100 : index
      %zero = arith.constant 0.0 : f32
      %t = gpu.thread_id x
      scf.for %i = %c0 to %c100 step %c1 {
        // expected-error @below {{accumulators: kernel 'filled': memref.store: fills the accumulator in every round of the reduction loop, so that only the last is kept; the sum is stored to the same element in each round; move the fill before the loop}}
        memref.store %zero, %out[%t] : memref<64xf32>
        %x = memref.load %in[%t, %i] : memref<64x100xf32>
        %acc = memref.load %out[%t] : memref<64xf32>
        %next = arith.addf %acc, %x : f32
        memref.store %next, %out[%t] : memref<64xf32>
      }
      gpu.return
    }
  }
}

// -----

// The same in registers: what the loop carries is not read.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @restarted(%in: memref<64x100xf32>, %out: memref<64xf32>) kernel attributes {
        known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c100 = arith.constant 100 : index
      %zero = arith.constant 0.0 : f32
      %t = gpu.thread_id x
      %sum = scf.for %i = %c0 to %c100 step %c1 iter_args(%acc = %zero) -> f32 {
        %x = memref.load %in[%t, %i] : memref<64x100xf32>
        // expected-error @below {{accumulators: kernel 'restarted': arith.addf: each round of the loop starts its result anew, so that only the last is kept; the value carried by the loop is never read; fill the accumulator before the loop}}
        %next = arith.addf %zero, %x : f32
        scf.yield %next : f32
      }
      memref.store %sum, %out[%t] : memref<64xf32>
      gpu.return
    }
  }
}

// -----

// A fill in each round of an outer loop is right.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @fill_per_row(%in: memref<64x100xf32>, %scratch: memref<64xf32>, %out: memref<64x10xf32>) kernel attributes {
        known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c10 = arith.constant 10 : index
      %zero = arith.constant 0.0 : f32
      %t = gpu.thread_id x
      scf.for %i = %c0 to %c10 step %c1 {
        memref.store %zero, %scratch[%t] : memref<64xf32>
        scf.for %j = %c0 to %c10 step %c1 {
          %x = memref.load %in[%t, %j] : memref<64x100xf32>
          %acc = memref.load %scratch[%t] : memref<64xf32>
          %next = arith.addf %acc, %x : f32
          memref.store %next, %scratch[%t] : memref<64xf32>
        }
        %sum = memref.load %scratch[%t] : memref<64xf32>
        memref.store %sum, %out[%t, %i] : memref<64x10xf32>
      }
      gpu.return
    }
  }
}

// -----

// One round: nothing is lost.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @once(%in: memref<64x100xf32>, %out: memref<64xf32>) kernel attributes {
        known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f32
      %t = gpu.thread_id x
      scf.for %i = %c0 to %c1 step %c1 {
        memref.store %zero, %out[%t] : memref<64xf32>
        %x = memref.load %in[%t, %i] : memref<64x100xf32>
        %acc = memref.load %out[%t] : memref<64xf32>
        %next = arith.addf %acc, %x : f32
        memref.store %next, %out[%t] : memref<64xf32>
      }
      gpu.return
    }
  }
}
