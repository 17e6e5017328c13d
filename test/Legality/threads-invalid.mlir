// RUN: egg-opt %s --split-input-file --verify-diagnostics --egg-check-legality=remarks=false -o /dev/null

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @half(%out: memref<64xf32>) kernel attributes {
        known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %c32 = arith.constant 32 : index
      %t = gpu.thread_id x
      %first = arith.cmpi ult, %t, %c32 : index
      scf.if %first {
        // expected-error @below {{barriers: kernel 'half': gpu.barrier: threads of one block do not all come to it; thread 0 of block 0 comes to it where thread 32 of block 0 does not; move it out of the condition, or make the condition the same in all threads}}
        gpu.barrier
      }
      gpu.return
    }
  }
}

// -----

// A loop whose threads make different numbers of rounds.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @rounds(%out: memref<64xf32>) kernel attributes {
        known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %c64 = arith.constant 64 : index
      %c100 = arith.constant 100 : index
      %t = gpu.thread_id x
      scf.for %i = %t to %c100 step %c64 {
        // expected-error @below {{gpu.barrier: threads of one block do not all come to it; thread 0 of block 0 comes to it where thread 36 of block 0 does not}}
        gpu.barrier
      }
      gpu.return
    }
  }
}

// -----

// Uniform in a warp is enough for a shuffle, not for a barrier.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @warps(%out: memref<64xf32>) kernel attributes {
        known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %o = arith.constant 1 : i32
      %w = arith.constant 32 : i32
      %one = arith.constant 1.0 : f32
      %t = gpu.thread_id x
      %warp = arith.divui %t, %c32 : index
      %first = arith.cmpi eq, %warp, %c0 : index
      scf.if %first {
        %x, %valid = gpu.shuffle xor %one, %o, %w : f32
      }
      %lane = arith.remui %t, %c32 : index
      %low = arith.cmpi ult, %lane, %c16 : index
      scf.if %low {
        // expected-error @below {{barriers: kernel 'warps': gpu.shuffle: threads of one warp do not all come to it; thread 0 of block 0 comes to it where thread 16 of block 0 does not}}
        %x, %valid = gpu.shuffle xor %one, %o, %w : f32
      }
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @part(%out: memref<48xf32>) kernel attributes {
        known_block_size = array<i32: 48, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %o = arith.constant 1 : i32
      %w = arith.constant 32 : i32
      %one = arith.constant 1.0 : f32
      // expected-error @below {{gpu.shuffle: a shuffle needs whole warps; the last warp of a block has 16 of 32 threads; make the number of threads a multiple of 32}}
      %x, %valid = gpu.shuffle xor %one, %o, %w : f32
      gpu.return
    }
  }
}

// -----

// A reduction over threads without a combine: each has a part of the sum.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @no_combine(%in: memref<8192xf32>, %out: memref<64xf32>) kernel attributes {
        known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 64, 1, 1>} {
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %zero = arith.constant 0.0 : f32
      %t = gpu.thread_id x
      %b = gpu.block_id x
      %row = arith.muli %b, %c128 : index
      %sum = scf.for %i = %t to %c128 step %c32 iter_args(%acc = %zero) -> f32 {
        %at = arith.addi %row, %i : index
        %x = memref.load %in[%at] : memref<8192xf32>
        %next = arith.addf %acc, %x : f32
        scf.yield %next : f32
      }
      // expected-error @below {{conflicts: kernel 'no_combine': memref.store: threads write different values to one element: a reduction that is spread over threads without a combine, or a missing guard; thread 0 of block 0 and thread 1 of block 0 both write element 0 of argument 1; combine the partial results first, or let one thread store}}
      memref.store %sum, %out[%b] : memref<64xf32>
      gpu.return
    }
  }
}

// -----

// Blocks that overlap by one element.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @overlap(%in: memref<1000xf32>, %out: memref<1000xf32>) kernel attributes {
        known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 8, 1, 1>} {
      %c63 = arith.constant 63 : index
      %t = gpu.thread_id x
      %b = gpu.block_id x
      %0 = arith.muli %b, %c63 : index
      %at = arith.addi %0, %t : index
      %from = arith.addi %at, %t : index
      %x = memref.load %in[%from] : memref<1000xf32>
      // expected-error @below {{thread 63 of block 0 and thread 0 of block 1 both write element 63 of argument 1}}
      memref.store %x, %out[%at] : memref<1000xf32>
      gpu.return
    }
  }
}

// -----

// Equal values do no harm.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @same(%in: memref<64xf32>, %out: memref<64xf32>) kernel attributes {
        known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>} {
      %b = gpu.block_id x
      %x = memref.load %in[%b] : memref<64xf32>
      memref.store %x, %out[%b] : memref<64xf32>
      gpu.return
    }
  }
}

// -----

// Another thread's element, without a barrier.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @mirror(%in: memref<64xf32>, %out: memref<64xf32>)
        workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>) kernel attributes {
        known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %c63 = arith.constant 63 : index
      %t = gpu.thread_id x
      %mirror = arith.subi %c63, %t : index
      %x = memref.load %in[%t] : memref<64xf32>
      memref.store %x, %tile[%t] : memref<64xf32, #gpu.address_space<workgroup>>
      // expected-error @below {{shared-races: kernel 'mirror': memref.load: no barrier is between it and another thread's access to the same place of shared memory; thread 63 of block 0 writes element 63, thread 0 of block 0 reads it; put a barrier between, or use another buffer}}
      %y = memref.load %tile[%mirror] : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %y, %out[%t] : memref<64xf32>
      gpu.return
    }
  }
}

// -----

// The next round overwrites what is still read: one barrier of two is missing.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @next_round(%in: memref<6400xf32>, %out: memref<64xf32>)
        workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>) kernel attributes {
        known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
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
        // expected-error @below {{memref.store: no barrier is between it and another thread's access to the same place of shared memory; thread 63 of block 0, loop variable 0 reads element 0, thread 0 of block 0, loop variable 1 writes it}}
        memref.store %v, %tile[%t] : memref<64xf32, #gpu.address_space<workgroup>>
        gpu.barrier
        %x = memref.load %tile[%mirror] : memref<64xf32, #gpu.address_space<workgroup>>
        %next = arith.addf %acc, %x : f32
        scf.yield %next : f32
      }
      memref.store %sum, %out[%t] : memref<64xf32>
      gpu.return
    }
  }
}

// -----

// Two threads at one place of shared memory.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @slots(%in: memref<64xf32>, %out: memref<64xf32>)
        workgroup(%tile: memref<32xf32, #gpu.address_space<workgroup>>) kernel attributes {
        known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %c32 = arith.constant 32 : index
      %t = gpu.thread_id x
      %lane = arith.remui %t, %c32 : index
      %x = memref.load %in[%t] : memref<64xf32>
      // expected-error @below {{shared-races: kernel 'slots': memref.store: threads write different values to one place of shared memory; thread 32 of block 0 writes element 0, thread 0 of block 0 writes it; let one thread store}}
      memref.store %x, %tile[%lane] : memref<32xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %y = memref.load %tile[%lane] : memref<32xf32, #gpu.address_space<workgroup>>
      memref.store %y, %out[%t] : memref<64xf32>
      gpu.return
    }
  }
}
