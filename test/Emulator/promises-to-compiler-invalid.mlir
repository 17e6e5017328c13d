// RUN: egg-opt %s --split-input-file --verify-diagnostics --egg-emulate-kernel

// What a kernel lets the GPU's compiler do that the emulator does not follow.

// Assembly that touches memory and does not say so.
// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>,
    buffers = [{dtype = "f32", shape = array<i64: 1>}], arguments = [{buffer = 0 : i64}]}} {
  gpu.module @m {
    llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
      // expected-error @below {{the inline PTX instruction 'ld.global.f32' touches memory or meets other threads, but the operation declares no side effect: the compiler may merge it with its like, move it over barriers and stores, or drop it; add 'has_side_effects'}}
      %0 = llvm.inline_asm "ld.global.f32 $0, [$1];", "=f,l" %p : (!llvm.ptr<1>) -> f32
      llvm.return
    }
  }
}

// -----

// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 32, 1, 1>}} {
  gpu.module @m {
    llvm.func @k() attributes {nvvm.kernel} {
      // expected-error @below {{the inline PTX instruction 'bar.sync' touches memory or meets other threads}}
      llvm.inline_asm "{ .reg .pred P; bar.sync 0; }", "" : () -> ()
      llvm.return
    }
  }
}

// -----

// A clobber of memory, or memory that nothing writes, is enough; arithmetic needs
// neither.
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>,
    buffers = [{dtype = "f32", shape = array<i64: 1>}], arguments = [{buffer = 0 : i64}]}} {
  gpu.module @m {
    llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
      %0 = llvm.inline_asm "ld.global.f32 $0, [$1];", "=f,l,~{memory}" %p : (!llvm.ptr<1>) -> f32
      %1 = llvm.inline_asm "ld.global.nc.f32 $0, [$1];", "=f,l" %p : (!llvm.ptr<1>) -> f32
      %2 = llvm.inline_asm "ex2.approx.f32 $0, $1;", "=f,f" %1 : (f32) -> f32
      llvm.return
    }
  }
}

// -----

// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>}} {
  gpu.module @m {
    // expected-error @below {{the function 'k' has the attribute 'denormal_fp_math_f32' = 'preserve-sign', which changes what its operations compute, and is not emulated; leave it out}}
    llvm.func @k() attributes {nvvm.kernel, denormal_fp_math_f32 = "preserve-sign"} {
      llvm.return
    }
  }
}

// -----

// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>}} {
  gpu.module @m {
    // expected-error @below {{the function 'k' has the attribute 'no_nans_fp_math', which}}
    llvm.func @k() attributes {nvvm.kernel, no_nans_fp_math = true} {
      llvm.return
    }
  }
}

// -----

// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>}} {
  gpu.module @m {
    // expected-error @below {{the function 'k' has the attribute 'nvptx-f32ftz' = 'true', which}}
    llvm.func @k() attributes {nvvm.kernel, passthrough = [["nvptx-f32ftz", "true"]]} {
      llvm.return
    }
  }
}

// -----

// Of a function that it calls, and with a name that is not known.
// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>}} {
  gpu.module @m {
    // expected-error @below {{the function 'help' has the attribute 'something', which}}
    llvm.func @help() attributes {passthrough = ["something"]} {
      llvm.return
    }
    llvm.func @k() attributes {nvvm.kernel} {
      llvm.call @help() : () -> ()
      llvm.return
    }
  }
}

// -----

// The defaults.
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>}} {
  gpu.module @m {
    llvm.func @k() attributes {nvvm.kernel, denormal_fp_math_f32 = "ieee", no_nans_fp_math = false, passthrough = ["noinline", ["denormal-fp-math", "ieee,ieee"]]} {
      llvm.return
    }
  }
}

// -----

// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>}} {
  // expected-error @below {{the module's target has the flag 'ftz', which}}
  gpu.module @m [#nvvm.target<chip = "sm_90a", flags = {ftz}>] {
    llvm.func @k() attributes {nvvm.kernel} {
      llvm.return
    }
  }
}

// -----

// The backend has code for the approximation alone, and for nothing of others.
// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>}} {
  gpu.module @m {
    llvm.func @k() attributes {nvvm.kernel} {
      %0 = llvm.mlir.constant(1.0 : f32) : f32
      %1 = llvm.intr.sin(%0) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32
      // expected-error @below {{the GPU's backend has no code for 'llvm.intr.sin' of 'f32'; call the function of libdevice (__nv_*)}}
      %2 = llvm.intr.sin(%0) : (f32) -> f32
      llvm.return
    }
  }
}

// -----

// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>}} {
  gpu.module @m {
    llvm.func @k() attributes {nvvm.kernel} {
      %0 = llvm.mlir.constant(1.0 : f32) : f32
      // expected-error @below {{the GPU's backend has no code for 'llvm.intr.exp' of 'f32'}}
      %1 = llvm.intr.exp(%0) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32
      llvm.return
    }
  }
}

// -----

// Atomic accesses whose order other blocks do not see.
// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>,
    buffers = [{dtype = "i32", shape = array<i64: 1>}], arguments = [{buffer = 0 : i64}]}} {
  gpu.module @m {
    llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
      %one = llvm.mlir.constant(1 : i32) : i32
      // expected-error @below {{an atomic access of scope 'block' orders nothing for the threads of other blocks, which this memory may be shared with, and that is not followed here; use 'device' or no scope}}
      %0 = llvm.atomicrmw add %p, %one syncscope("block") monotonic : !llvm.ptr<1>, i32
      llvm.return
    }
  }
}

// -----

// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>,
    buffers = [{dtype = "i32", shape = array<i64: 1>}], arguments = [{buffer = 0 : i64}]}} {
  gpu.module @m {
    llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
      %one = llvm.mlir.constant(1 : i32) : i32
      // expected-error @below {{an atomic access of scope 'cluster' orders nothing for the threads of other clusters}}
      %0 = llvm.load %p atomic syncscope("cluster") monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
      llvm.return
    }
  }
}

// -----

// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>,
    buffers = [{dtype = "i32", shape = array<i64: 1>}], arguments = [{buffer = 0 : i64}]}} {
  gpu.module @m {
    llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
      %one = llvm.mlir.constant(1 : i32) : i32
      // expected-error @below {{an atomic access of scope 'block'}}
      llvm.store %one, %p atomic syncscope("block") monotonic {alignment = 4 : i64} : i32, !llvm.ptr<1>
      llvm.return
    }
  }
}

// -----

// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>,
    buffers = [{dtype = "i32", shape = array<i64: 1>}], arguments = [{buffer = 0 : i64}]}} {
  gpu.module @m {
    llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
      %one = llvm.mlir.constant(1 : i32) : i32
      // expected-error @below {{the scope 'agent' is none that the GPU's backend knows; use 'block', 'cluster', 'device' or none}}
      %0 = llvm.cmpxchg %p, %one, %one syncscope("agent") monotonic monotonic : !llvm.ptr<1>, i32
      llvm.return
    }
  }
}

// -----

// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>,
    buffers = [{dtype = "i32", shape = array<i64: 1>}], arguments = [{buffer = 0 : i64}]}} {
  gpu.module @m {
    llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
      %one = llvm.mlir.constant(1 : i32) : i32
      // expected-error @below {{the scope 'workgroup' is none that the GPU's backend knows}}
      llvm.fence syncscope("workgroup") acquire
      llvm.return
    }
  }
}

// -----

// Of the block's own memory.
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>}} {
  gpu.module @m {
    llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 4 : i64} : !llvm.array<1 x i32>
    llvm.func @k() attributes {nvvm.kernel} {
      %one = llvm.mlir.constant(1 : i32) : i32
      %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
      llvm.store %one, %slot : i32, !llvm.ptr<3>
      %0 = llvm.atomicrmw add %slot, %one syncscope("block") monotonic : !llvm.ptr<3>, i32
      llvm.fence syncscope("block") acquire
      %1 = llvm.atomicrmw add %slot, %one syncscope("device") monotonic : !llvm.ptr<3>, i32
      llvm.return
    }
  }
}
