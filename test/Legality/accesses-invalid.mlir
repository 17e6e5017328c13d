// RUN: egg-opt %s --split-input-file --verify-diagnostics --egg-check-legality=remarks=false -o /dev/null

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @no_guard(%out: memref<1000xf32>) kernel attributes {
        known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
      %one = arith.constant 1.0 : f32
      %c256 = arith.constant 256 : index
      %t = gpu.thread_id x
      %b = gpu.block_id x
      %0 = arith.muli %b, %c256 : index
      %item = arith.addi %0, %t : index
      // expected-error @below {{bounds: kernel 'no_guard': memref.store: writes outside of its buffer; thread 232 of block 3: index 1000 of 1000; choose tile sizes or vector widths whose remainders the kernel handles, or guard the access}}
      memref.store %one, %out[%item] : memref<1000xf32>
      gpu.return
    }
  }
}

// -----

// The guard is one too wide: only one thread of the last block shows it.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @off_by_one(%in: memref<1000xf32>, %out: memref<1024xf32>) kernel attributes {
        known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
      %zero = arith.constant 0.0 : f32
      %c256 = arith.constant 256 : index
      %c1000 = arith.constant 1000 : index
      %t = gpu.thread_id x
      %b = gpu.block_id x
      %0 = arith.muli %b, %c256 : index
      %item = arith.addi %0, %t : index
      %runs = arith.cmpi ule, %item, %c1000 : index
      scf.if %runs {
        // expected-error @below {{bounds: kernel 'off_by_one': memref.load: reads outside of its buffer; thread 232 of block 3: index 1000 of 1000}}
        %v = memref.load %in[%item] : memref<1000xf32>
        memref.store %v, %out[%item] : memref<1024xf32>
      }
      gpu.return
    }
  }
}

// -----

// Below zero, and the last lanes of a vector.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @edges(%in: memref<66xf32>, %out: memref<64xf32>) kernel attributes {
        known_block_size = array<i32: 17, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %t = gpu.thread_id x
      %before = arith.subi %t, %c1 : index
      // expected-error @below {{memref.load: reads outside of its buffer; thread 0 of block 0: index -1 of 66}}
      %x = memref.load %in[%before] : memref<66xf32>
      %at = arith.muli %t, %c4 : index
      // expected-error @below {{vector.load: reads outside of its buffer; thread 16 of block 0: index 64 of 66 (4 elements from there)}}
      %v = vector.load %in[%at] : memref<66xf32>, vector<4xf32>
      %y = vector.extract %v[0] : f32 from vector<4xf32>
      %s = arith.addf %x, %y : f32
      memref.store %s, %out[%t] : memref<64xf32>
      gpu.return
    }
  }
}

// -----

// The last round of a loop, in two dimensions.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @loop(%in: memref<32x100xf32>, %out: memref<32xf32>) kernel attributes {
        known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c101 = arith.constant 101 : index
      %zero = arith.constant 0.0 : f32
      %t = gpu.thread_id x
      %sum = scf.for %i = %c0 to %c101 step %c1 iter_args(%acc = %zero) -> f32 {
        // expected-error @below {{memref.load: reads outside of its buffer; thread 0 of block 0, loop variable 100: index 100 of 100}}
        %x = memref.load %in[%t, %i] : memref<32x100xf32>
        %next = arith.addf %acc, %x : f32
        scf.yield %next : f32
      }
      memref.store %sum, %out[%t] : memref<32xf32>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @misaligned(%in: memref<1028xf32>, %out: memref<1024xf32>) kernel attributes {
        known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %t = gpu.thread_id x
      %to = arith.muli %t, %c4 : index
      %from = arith.addi %to, %c1 : index
      // expected-error @below {{alignment: kernel 'misaligned': vector.load: moves 16 bytes at once and does not start at a multiple of 16; thread 0 of block 0: byte 4 of the buffer; choose a vector width that divides the rows and offsets of the tensor, or a tile whose start is a multiple of it}}
      %v = vector.load %in[%from] : memref<1028xf32>, vector<4xf32>
      vector.store %v, %out[%to] : memref<1024xf32>, vector<4xf32>
      gpu.return
    }
  }
}

// -----

// Rows of 6 elements: only the odd ones are misaligned.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @odd_rows(%in: memref<32x6xf32>, %out: memref<32x8xf32>) kernel attributes {
        known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %c0 = arith.constant 0 : index
      %t = gpu.thread_id x
      // expected-error @below {{does not start at a multiple of 16; thread 1 of block 0: byte 24 of the buffer}}
      %v = vector.load %in[%t, %c0] : memref<32x6xf32>, vector<4xf32>
      vector.store %v, %out[%t, %c0] : memref<32x8xf32>, vector<4xf32>
      gpu.return
    }
  }
}

// -----

// 2^32 and more becomes small again in 32 bits: inside of the buffer, and wrong.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @wraps(%in: memref<1048576xf32>, %out: memref<1048576xf32>) kernel attributes {
        known_block_size = array<i32: 1024, 1, 1>, known_grid_size = array<i32: 1024, 1, 1>} {
      %c1024 = arith.constant 1024 : i32
      %c8192 = arith.constant 8192 : i32
      %mask = arith.constant 1048575 : i32
      %tx = gpu.thread_id x
      %bx = gpu.block_id x
      %t = arith.index_castui %tx : index to i32
      %b = arith.index_castui %bx : index to i32
      %0 = arith.muli %b, %c1024 : i32
      %item = arith.addi %0, %t : i32
      %far = arith.muli %item, %c8192 : i32
      %near = arith.andi %far, %mask : i32
      %from = arith.index_castui %near : i32 to index
      %to = arith.index_castui %item : i32 to index
      // expected-error @below {{index-width: kernel 'wraps': memref.load: its index leaves its type and wraps around; thread 0 of block 512: index 0 of 1048576; compute indices above 2^31 in 64 bits, or cut the tensor into parts}}
      %v = memref.load %in[%from] : memref<1048576xf32>
      memref.store %v, %out[%to] : memref<1048576xf32>
      gpu.return
    }
  }
}
