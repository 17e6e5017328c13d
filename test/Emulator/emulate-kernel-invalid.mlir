// RUN: egg-opt %s --split-input-file --verify-diagnostics --egg-emulate-kernel

// expected-error @below {{the module has no attribute 'egg.emulate' that describes a launch}}
module {}

// -----

// expected-error @below {{egg.emulate: name the kernel: kernel = "..."}}
module attributes {egg.emulate = {}} {}

// -----

// expected-error @below {{egg.emulate: 'block' must be array<i64: x, y, z> of positive extents}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 0, 1, 1>}} {}

// -----

// expected-error @below {{egg.emulate: buffer 0 needs a dtype such as "f32"}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>, buffers = [{dtype = "f33"}]}} {}

// -----

// expected-error @below {{egg.emulate: buffer 0 is too large}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>, buffers = [{dtype = "f32", shape = array<i64: 50000, 50000>}]}} {}

// -----

// expected-error @below {{egg.emulate: buffer 0 has no 'filled': it may have dtype, shape, role, fill, values}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>,
    buffers = [{dtype = "f32", shape = array<i64: 4>, filled = "zeros"}]}} {
}

// -----

// expected-error @below {{egg.emulate: argument 0 has no 'offset': it may have buffer}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>,
    buffers = [{dtype = "f32", shape = array<i64: 4>}], arguments = [{buffer = 0 : i64, offset = 4 : i64}]}} {
}

// -----

// expected-error @below {{egg.emulate: the launch has no 'cluster': it may have kernel, grid, block, dynamic_shared_memory, buffers, arguments}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>, cluster = array<i64: 1, 1, 1>}} {
}

// -----

// expected-error @below {{egg.emulate: argument 0 names no buffer}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>, arguments = [{buffer = 0 : i64}]}} {}

// -----

// expected-error @below {{egg.emulate: argument 0 has an unknown swizzle: use 0, 32, 64 or 128}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>, buffers = [{dtype = "f32", shape = array<i64: 4>}], arguments = [{map_of = 0 : i64, swizzle = 7 : i64}]}} {}

// -----

// expected-error @below {{the launch names 'k', which the module does not have}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>}} {}

// -----

// expected-error @below {{tensor map: strides are multiples of 16 bytes}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>, buffers = [{dtype = "f32", shape = array<i64: 15>}], arguments = [{map_of = 0 : i64, dims = array<i64: 3, 5>, strides = array<i64: 12>, box = array<i64: 4, 4>}]}} {
  gpu.module @m {
    llvm.func @k(%a: !llvm.ptr) attributes {nvvm.kernel} {
      llvm.return
    }
  }
}

// -----

// expected-error @below {{launch of 'k': an argument is not of the kind that the kernel takes}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>, arguments = [1.0 : f64]}} {
  gpu.module @m {
    llvm.func @k(%a: f32) attributes {nvvm.kernel} {
      llvm.return
    }
  }
}

// -----

// expected-error @below {{launch refused at kernel 'k': a block asks for 250000 bytes of shared memory; the largest chip has 232448; use smaller tiles or fewer stages}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>, dynamic_shared_memory = 250000 : i64}} {
  gpu.module @m {
    llvm.func @k() attributes {nvvm.kernel} {
      llvm.return
    }
  }
}

// -----

// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>}} {
  gpu.module @m {
    llvm.func @k() attributes {nvvm.kernel} {
      // expected-error @+1 {{the inline PTX instruction 'brkpt' has no emulation in this form}}
      llvm.inline_asm has_side_effects asm_dialect = att "brkpt;", "" : () -> ()
      llvm.return
    }
  }
}

// -----

// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>}} {
  gpu.module @m {
    llvm.func @k() attributes {nvvm.kernel} {
      // expected-error @+1 {{'nvvm.read.ptx.sreg.clock' in this form has no counterpart there}}
      %0 = nvvm.read.ptx.sreg.clock : i32
      llvm.return
    }
  }
}

// -----

// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>}} {
  gpu.module @m {
    llvm.func @k(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %n: i64) attributes {nvvm.kernel} {
      // expected-error @+1 {{memory accesses of 'llvm.intr.memcpy' cannot be checked in this form}}
      "llvm.intr.memcpy"(%a, %b, %n) <{isVolatile = false}> : (!llvm.ptr<1>, !llvm.ptr<1>, i64) -> ()
      llvm.return
    }
  }
}

// -----

// Its zero-size internal variable is what gpu.dynamic_shared_memory leaves.
// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>}} {
  gpu.module @m {
    // expected-error @+1 {{shared variable 'dyn' has no size and internal linkage, so it overlaps static shared memory when lowered; make it external}}
    llvm.mlir.global internal @dyn() {addr_space = 3 : i32} : !llvm.array<0 x i8>
    llvm.func @k() attributes {nvvm.kernel} {
      llvm.return
    }
  }
}

// -----

// expected-error @below {{launch refused at kernel 'k': a block has 2048 threads; the GPU allows 1 to 1024; use a smaller block: more blocks, or more work a thread}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 2048, 1, 1>}} {
  gpu.module @m {
    llvm.func @k() attributes {nvvm.kernel} {
      llvm.return
    }
  }
}

// -----

// expected-error @below {{launch refused at kernel 'k': a block has 128 threads along z; the GPU allows 64; spread them over other dimensions}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 128>}} {
  gpu.module @m {
    llvm.func @k() attributes {nvvm.kernel} {
      llvm.return
    }
  }
}

// -----

// ptxas counts all constants of a module, with the gaps between them.
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>}} {
  gpu.module @m {
    llvm.mlir.global internal constant @all() {addr_space = 4 : i32} : !llvm.array<16384 x f32>
    llvm.func @k() attributes {nvvm.kernel} {
      llvm.return
    }
  }
}

// -----

// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>}} {
  gpu.module @m {
    llvm.mlir.global internal constant @one(1 : i8) {addr_space = 4 : i32} : i8
    llvm.mlir.global internal constant @rest() {addr_space = 4 : i32} : !llvm.array<16383 x f32>
    // expected-error @below {{with 'last' the module has more than 65536 bytes of constant memory, which is all that a GPU has; put large tables into global memory (address space 1)}}
    llvm.mlir.global internal constant @last(1 : i8) {addr_space = 4 : i32} : i8
    llvm.func @k() attributes {nvvm.kernel} {
      llvm.return
    }
  }
}

// -----

// expected-error @below {{launch refused at kernel 'k': a block has 128 threads; the kernel states 1 to 64; use a smaller block}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 128, 1, 1>}} {
  gpu.module @m {
    llvm.func @k() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 64, 1, 1>} {
      llvm.return
    }
  }
}

// -----

// expected-error @below {{launch refused at kernel 'k': a block has 49156 bytes of static shared memory; the GPU allows 49152; use dynamic shared memory, whose bytes the launch states, or smaller tiles}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>}} {
  gpu.module @m {
    llvm.mlir.global internal @tile() {addr_space = 3 : i32} : !llvm.array<12289 x f32>
    llvm.func internal @helper() {
      %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
      llvm.return
    }
    llvm.func @k() attributes {nvvm.kernel} {
      llvm.call @helper() : () -> ()
      llvm.return
    }
  }
}

// -----

// expected-error @below {{launch refused at kernel 'k': the grid is empty or does not consist of whole clusters; make its extents multiples of the cluster's}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>}} {
  gpu.module @m {
    llvm.func @k() attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 3, 1, 1>} {
      llvm.return
    }
  }
}

// -----

// expected-error @below {{launch refused at kernel 'k': a cluster has 32 blocks; the GPU allows 16; use a smaller cluster}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 32, 1, 1>, block = array<i64: 1, 1, 1>}} {
  gpu.module @m {
    llvm.func @k() attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 32, 1, 1>} {
      llvm.return
    }
  }
}

// -----

// What the host has, and a GPU does not.
// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>}} {
  gpu.module @m {
    llvm.func @fabsf(f32) -> f32
    llvm.func @k(%x: f32) attributes {nvvm.kernel} {
      // expected-error @+1 {{the kernel calls 'fabsf', which the GPU does not have; use llvm.intr.* or __nv_fabsf}}
      %0 = llvm.call @fabsf(%x) : (f32) -> f32
      llvm.return
    }
  }
}

// -----

// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>}} {
  gpu.module @m {
    llvm.func @memcpy(!llvm.ptr, !llvm.ptr, i64) -> !llvm.ptr
    llvm.func @k(%p: !llvm.ptr, %n: i64) attributes {nvvm.kernel} {
      // expected-error @+1 {{the kernel calls 'memcpy', which the GPU does not have; use llvm.intr.* or a function of libdevice (__nv_*)}}
      %0 = llvm.call @memcpy(%p, %p, %n) : (!llvm.ptr, !llvm.ptr, i64) -> !llvm.ptr
      llvm.return
    }
  }
}

// -----

// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>}} {
  gpu.module @m {
    llvm.func @egg_barrier(!llvm.ptr)
    llvm.func @k(%p: !llvm.ptr) attributes {nvvm.kernel} {
      // expected-error @+1 {{the kernel calls 'egg_barrier', which the GPU does not have}}
      llvm.call @egg_barrier(%p) : (!llvm.ptr) -> ()
      llvm.return
    }
  }
}

// -----

// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>}} {
  gpu.module @m {
    llvm.func @__nv_j0f(f32) -> f32
    llvm.func @k(%x: f32) attributes {nvvm.kernel} {
      // expected-error @+1 {{the kernel calls '__nv_j0f', which the emulator does not have; use another function of libdevice, or add it to lib/Emulator/DeviceMath.cpp}}
      %0 = llvm.call @__nv_j0f(%x) : (f32) -> f32
      llvm.return
    }
  }
}

// -----

// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>}} {
  gpu.module @m {
    llvm.func @llvm.memset.p0.i64(!llvm.ptr, i8, i64, i1)
    llvm.func @k(%p: !llvm.ptr, %n: i64) attributes {nvvm.kernel} {
      %f = llvm.mlir.constant(false) : i1
      %b = llvm.mlir.constant(0 : i8) : i8
      // expected-error @+1 {{the kernel calls the intrinsic 'llvm.memset.p0.i64' by its name; write it as an operation (llvm.intr.*, nvvm.*), whose accesses can be checked}}
      llvm.call @llvm.memset.p0.i64(%p, %b, %n, %f) : (!llvm.ptr, i8, i64, i1) -> ()
      llvm.return
    }
  }
}

// -----

// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>}} {
  gpu.module @m {
    llvm.func @f() {
      llvm.return
    }
    llvm.func @k() attributes {nvvm.kernel} {
      %f = llvm.mlir.addressof @f : !llvm.ptr
      // expected-error @+1 {{the kernel calls a function that is not named; call functions by name with llvm.call}}
      llvm.call %f() : !llvm.ptr, () -> ()
      llvm.return
    }
  }
}

// -----

// Two functions that call each other.
// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>}} {
  gpu.module @m {
    llvm.func @even(%n: i32) -> i32 {
      %0 = llvm.call @odd(%n) : (i32) -> i32
      llvm.return %0 : i32
    }
    llvm.func @odd(%n: i32) -> i32 {
      // expected-error @+1 {{the kernel calls 'even', which has not returned: recursion is not emulated; write a loop}}
      %0 = llvm.call @even(%n) : (i32) -> i32
      llvm.return %0 : i32
    }
    llvm.func @k(%n: i32) attributes {nvvm.kernel} {
      %0 = llvm.call @even(%n) : (i32) -> i32
      llvm.return
    }
  }
}

// -----

// A helper's variables count for whoever calls it.
// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>}} {
  gpu.module @m {
    llvm.func @f() {
      %n = llvm.mlir.constant(4096 : i32) : i32
      %p = llvm.alloca %n x f32 : (i32) -> !llvm.ptr
      llvm.return
    }
    // expected-error @+1 {{'k' and what it calls have more than 32768 bytes of local variables, with which a thread is emulated; make them smaller, or use shared memory}}
    llvm.func @k() attributes {nvvm.kernel} {
      %n = llvm.mlir.constant(4097 : i32) : i32
      %p = llvm.alloca %n x f32 : (i32) -> !llvm.ptr
      llvm.call @f() : () -> ()
      llvm.return
    }
  }
}

// -----

// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>}} {
  gpu.module @m {
    // expected-error @+1 {{'k' and what it calls have more than 32768 bytes of local variables}}
    llvm.func @k() attributes {nvvm.kernel} {
      %n = llvm.mlir.constant(8589934592 : i64) : i64
      %p = llvm.alloca %n x i8 : (i64) -> !llvm.ptr
      llvm.return
    }
  }
}

// -----

// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>}} {
  gpu.module @m {
    llvm.mlir.global internal @count(0 : i32) {addr_space = 1 : i32} : i32
    llvm.func @k(%n: i32) attributes {nvvm.kernel} {
      %p = llvm.mlir.addressof @count : !llvm.ptr<1>
      // expected-error @+1 {{cannot run this kernel on the CPU: it writes to '@count', a variable of the module, where accesses are not ordered; pass a buffer as an argument}}
      llvm.store %n, %p : i32, !llvm.ptr<1>
      llvm.return
    }
  }
}
