// RUN: egg-opt %s --split-input-file --egg-lower-to-nvvm --verify-diagnostics

gpu.module @kernels {
  // expected-error @below {{argument 0 of kernel 'dynamic' has type 'memref<?xf32>'; pass a flat buffer}}
  gpu.func @dynamic(%a: memref<?xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{argument 1 of kernel 'bools' has type 'memref<4xi1>'; pass a flat buffer memref<Nxdtype> of static size (bool as i8)}}
  gpu.func @bools(%a: memref<4xf32>, %b: memref<4xi1>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{argument 0 of kernel 'scalar' has type 'f32'}}
  gpu.func @scalar(%a: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{kernel 'unknown_block' has no known_block_size}}
  gpu.func @unknown_block(%a: memref<4xf32>) kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{kernel 'wide' has 2048 threads a block, and sm_90a takes 1 to 1024}}
  gpu.func @wide(%a: memref<4xf32>) kernel attributes {known_block_size = array<i32: 1024, 2, 1>} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{kernel 'big' has 65536 bytes of shared memory a block, and sm_90a has 49152; use smaller tiles or fewer stages}}
  gpu.func @big(%a: memref<4xf32>) workgroup(%w: memref<128x128xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{kernel 'indices' has 49160 bytes of shared memory a block, and sm_90a has 49152; use smaller tiles or fewer stages}}
  gpu.func @indices(%a: memref<4xf32>) workgroup(%w: memref<6145xindex, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{needs a static size, elements that are numbers, and no layout}}
  gpu.func @buffers(%a: memref<4xf32>) workgroup(%w: memref<8xmemref<4xf32>, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{function 'helper' is no kernel}}
  gpu.func @helper(%a: memref<4xf32>) {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-note @below {{in kernel 'allocates'}}
  gpu.func @allocates(%a: memref<4xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error @below {{'memref.alloc' must not be in a kernel: kernels do not allocate}}
    %0 = memref.alloc() : memref<4xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-note @below {{in kernel 'copies'}}
  gpu.func @copies(%a: memref<4xf32>, %b: memref<4xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error @below {{'memref.copy' must not be in a kernel: it becomes a library call}}
    memref.copy %a, %b : memref<4xf32> to memref<4xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-note @below {{in kernel 'dynamic_shared'}}
  gpu.func @dynamic_shared(%a: memref<4xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error @below {{'gpu.dynamic_shared_memory' must not be in a kernel: it overlaps static shared memory}}
    %0 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-note @below {{in kernel 'prints'}}
  gpu.func @prints(%a: memref<4xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error @below {{'gpu.printf' must not be in a kernel}}
    gpu.printf "x"
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-note @below {{in kernel 'reduces'}}
  gpu.func @reduces(%a: memref<32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %x = memref.load %a[%t] : memref<32xf32>
    // expected-error @below {{'gpu.subgroup_reduce' must not be in a kernel: it does not lower for floating point}}
    %s = gpu.subgroup_reduce add %x : (f32) -> f32
    memref.store %s, %a[%t] : memref<32xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-note @below {{in kernel 'tensors'}}
  gpu.func @tensors(%a: memref<4xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error @below {{'tensor.empty' must not be in a kernel: ops of this dialect do not lower}}
    %0 = tensor.empty() : tensor<4xf32>
    gpu.return
  }
}

// -----

// An op that no conversion takes is found after them.

gpu.module @kernels {
  // expected-note @below {{in kernel 'integer_power'}}
  gpu.func @integer_power(%a: memref<32xi32>, %b: memref<32xi32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %x = memref.load %a[%t] : memref<32xi32>
    // expected-error @below {{'math.ipowi' does not lower to NVVM; build the kernel from other ops}}
    %p = math.ipowi %x, %x : i32
    memref.store %p, %b[%t] : memref<32xi32>
    gpu.return
  }
}
