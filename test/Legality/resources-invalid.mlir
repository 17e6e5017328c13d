// RUN: egg-opt %s --split-input-file --verify-diagnostics --egg-check-legality=remarks=false -o /dev/null

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // expected-error @below {{resources: kernel 'tall': gpu.func: a grid that is too long; 65536 blocks along y; at most 65535; give each block more work, or spread the grid over x}}
    gpu.func @tall(%out: memref<64xf32>) kernel attributes {
        known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 65536, 1>} {
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // expected-error @below {{a number of threads that no block has; 2048 threads; sm_90a takes 1 to 1024; choose smaller blocks}}
    gpu.func @wide(%out: memref<64xf32>) kernel attributes {
        known_block_size = array<i32: 64, 32, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // expected-error @below {{a block that is too long; 128 threads along z; at most 64; spread the threads over other dimensions}}
    gpu.func @deep(%out: memref<64xf32>) kernel attributes {
        known_block_size = array<i32: 1, 1, 128>, known_grid_size = array<i32: 1, 1, 1>} {
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // expected-error @below {{more static shared memory than a kernel may have; 65536 bytes; sm_90a has 49152; use smaller tiles or fewer stages}}
    gpu.func @static(%out: memref<64xf32>)
        workgroup(%tile: memref<16384xf32, #gpu.address_space<workgroup>>) kernel attributes {
        known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  func.func private @k(tensor<64xf32>) -> tensor<64xf32> attributes {egg.launch = {kernel = @kernels::@dynamic,
      grid = array<i64: 1, 1, 1>, block = array<i64: 64, 1, 1>, dynamic_shared_memory = 300000 : i64}}
  gpu.module @kernels {
    // expected-error @below {{more shared memory than a block may have; 0 bytes static and 300000 dynamic; sm_90a has 232448; use smaller tiles or fewer stages}}
    gpu.func @dynamic(%in: memref<64xf32>, %out: memref<64xf32>) kernel attributes {
        known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  func.func private @k(tensor<64xf32>) -> tensor<64xf32> attributes {egg.launch = {kernel = @kernels::@other,
      grid = array<i64: 2, 1, 1>, block = array<i64: 64, 1, 1>, dynamic_shared_memory = 0 : i64}}
  gpu.module @kernels {
    // expected-error @below {{the launch has another grid than the kernel was made for; 2, 1, 1 at the call, 1, 1, 1 in the kernel; materialize the kernel again}}
    gpu.func @other(%in: memref<64xf32>, %out: memref<64xf32>) kernel attributes {
        known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      gpu.return
    }
  }
}
