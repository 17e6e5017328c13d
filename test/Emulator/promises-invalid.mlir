// RUN: egg-opt %s --split-input-file --verify-diagnostics --egg-emulate-kernel

// What a kernel promises to the GPU's compiler, or takes from the machine without
// its promise.

// expected-error @below {{invalid-operation in kernel 'k', block (0, 0, 0), thread (1, 0, 0): assumes what does not hold; the GPU's compiler builds on it}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 2, 1, 1>}} {
  gpu.module @m {
    llvm.func @k() attributes {nvvm.kernel} {
      %0 = llvm.mlir.constant(0 : i32) : i32
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %first = llvm.icmp "eq" %t, %0 : i32
      llvm.intr.assume %first : i1
      llvm.return
    }
  }
}

// -----

// expected-error @below {{data-race in kernel 'k', block (0, 0, 0), thread (0, 0, 0): reads element 0 of argument 0 through the read-only cache, in which writes of this launch are not seen; load it without 'invariant'}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>,
    buffers = [{dtype = "i32", shape = array<i64: 1>, role = "output"}], arguments = [{buffer = 0 : i64}]}} {
  gpu.module @m {
    llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
      %0 = llvm.mlir.constant(0 : i32) : i32
      llvm.store %0, %p : i32, !llvm.ptr<1>
      %1 = llvm.load %p invariant : !llvm.ptr<1> -> i32
      llvm.return
    }
  }
}

// -----

// The same as text.
// expected-error @below {{reads element 0 of argument 0 through the read-only cache}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>,
    buffers = [{dtype = "i32", shape = array<i64: 1>, role = "output"}], arguments = [{buffer = 0 : i64}]}} {
  gpu.module @m {
    llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
      %0 = llvm.mlir.constant(0 : i32) : i32
      llvm.store %0, %p : i32, !llvm.ptr<1>
      %1 = llvm.inline_asm has_side_effects "ld.global.nc.u32 $0, [$1];", "=r,l" %p : (!llvm.ptr<1>) -> i32
      llvm.return
    }
  }
}

// -----

// expected-error @below {{launch of 'k': an output is passed twice, one argument says noalias}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>,
    buffers = [{dtype = "i32", shape = array<i64: 1>, role = "output"}],
    arguments = [{buffer = 0 : i64}, {buffer = 0 : i64}]}} {
  gpu.module @m {
    llvm.func @k(%p: !llvm.ptr<1> {llvm.noalias}, %q: !llvm.ptr<1>) attributes {nvvm.kernel} {
      llvm.return
    }
  }
}

// -----

// 256 threads could have 240 registers each, 512 not.
// expected-error @below {{deadlock in kernel 'k', block (0, 0, 0), thread (273, 0, 0): waits for 240 registers a thread, with which its block would hold 65760 of 65536}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 512, 1, 1>}} {
  gpu.module @m {
    llvm.func @k() attributes {nvvm.kernel} {
      nvvm.setmaxregister increase 240
      llvm.return
    }
  }
}

// -----

// expected-error @below {{launch refused at kernel 'k': the grid has 65536 blocks along z; the GPU allows 65535; spread them over x}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 65536>, block = array<i64: 1, 1, 1>}} {
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
    llvm.func @inner() attributes {nvvm.kernel} {
      llvm.return
    }
    llvm.func @k() attributes {nvvm.kernel} {
      // expected-error @+1 {{the kernel calls the kernel 'inner'; a kernel is only launched: move what both do into a function that is none}}
      llvm.call @inner() : () -> ()
      llvm.return
    }
  }
}

// -----

// Neither is %warpid the number of a warp in its block, nor %smid that of a block.
// expected-error @below {{block (0, 0, 0), thread (0, 0, 0): reads element 1 of shared memory, which nothing has written}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 64, 1, 1>}} {
  gpu.module @m {
    llvm.mlir.global internal @x() {addr_space = 3 : i32} : !llvm.array<2 x i32>
    llvm.func @k() attributes {nvvm.kernel} {
      %0 = llvm.mlir.constant(0 : i32) : i32
      %x = llvm.mlir.addressof @x : !llvm.ptr<3>
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %w = nvvm.read.ptx.sreg.warpid : i32
      %first = llvm.icmp "eq" %t, %0 : i32
      llvm.cond_br %first, ^write, ^read
    ^write:
      llvm.store %0, %x : i32, !llvm.ptr<3>
      llvm.br ^read
    ^read:
      %p = llvm.getelementptr %x[%w] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %1 = llvm.load %p : !llvm.ptr<3> -> i32
      llvm.return
    }
  }
}

// -----

// All dynamic variables begin at one place, whatever their alignment.
// expected-error @below {{thread (1, 0, 0): writes element 0 of shared memory 'd16', which thread number 0 of the block wrote with no barrier between}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 2, 1, 1>, dynamic_shared_memory = 16 : i64}} {
  gpu.module @m {
    llvm.mlir.global internal @static() {addr_space = 3 : i32} : i32
    llvm.mlir.global external @d16() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i32>
    llvm.mlir.global external @d4() {addr_space = 3 : i32, alignment = 4 : i64} : !llvm.array<0 x i32>
    llvm.func @k() attributes {nvvm.kernel} {
      %0 = llvm.mlir.constant(0 : i32) : i32
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %s = llvm.mlir.addressof @static : !llvm.ptr<3>
      %a = llvm.mlir.addressof @d16 : !llvm.ptr<3>
      %b = llvm.mlir.addressof @d4 : !llvm.ptr<3>
      %first = llvm.icmp "eq" %t, %0 : i32
      %p = llvm.select %first, %a, %b : i1, !llvm.ptr<3>
      llvm.store %t, %p : i32, !llvm.ptr<3>
      llvm.return
    }
  }
}

// -----

#root = #llvm.tbaa_root<id = "r">
#int = #llvm.tbaa_type_desc<id = "int", members = {<#root, 0>}>
#tag = #llvm.tbaa_tag<base_type = #int, access_type = #int, offset = 0>
// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>,
    buffers = [{dtype = "i32", shape = array<i64: 1>}], arguments = [{buffer = 0 : i64}]}} {
  gpu.module @m {
    llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
      // expected-error @+1 {{tags of type-based alias analysis promise the GPU's compiler what is not checked here; leave them out}}
      %v = llvm.load %p {tbaa = [#tag]} : !llvm.ptr<1> -> i32
      llvm.return
    }
  }
}

// -----

#domain = #llvm.alias_scope_domain<id = distinct[0]<>, description = "d">
#scope = #llvm.alias_scope<id = distinct[1]<>, domain = #domain, description = "a">
// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>,
    buffers = [{dtype = "i32", shape = array<i64: 1>}], arguments = [{buffer = 0 : i64}]}} {
  gpu.module @m {
    llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
      // expected-error @+1 {{alias scopes promise the GPU's compiler what is not checked here; leave them out}}
      %v = llvm.load %p {noalias_scopes = [#scope]} : !llvm.ptr<1> -> i32
      llvm.return
    }
  }
}

// -----

// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>,
    buffers = [{dtype = "i32", shape = array<i64: 1>}], arguments = [{buffer = 0 : i64}]}} {
  gpu.module @m {
    // expected-error @+1 {{the attribute 'llvm.dereferenceable' promises the GPU's compiler what is not checked here; leave it out}}
    llvm.func @k(%p: !llvm.ptr<1> {llvm.dereferenceable = 64 : i64}) attributes {nvvm.kernel} {
      llvm.return
    }
  }
}

// -----

// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>,
    buffers = [{dtype = "i32", shape = array<i64: 1>}], arguments = [{buffer = 0 : i64}]}} {
  gpu.module @m {
    // expected-error @+1 {{the attribute 'llvm.readnone' promises the GPU's compiler}}
    llvm.func @k(%p: !llvm.ptr<1> {llvm.readnone}) attributes {nvvm.kernel} {
      llvm.return
    }
  }
}

// -----

// expected-error @below {{a kernel cannot be run on the CPU; the diagnostics say why}}
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>,
    buffers = [{dtype = "i32", shape = array<i64: 1>}], arguments = [{buffer = 0 : i64}]}} {
  gpu.module @m {
    // expected-error @+1 {{memory effects promise the GPU's compiler what is not checked here}}
    llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel, memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>} {
      llvm.return
    }
  }
}
