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

// expected-error @below {{launch of 'k': a block asks for more shared memory than there is}}
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
