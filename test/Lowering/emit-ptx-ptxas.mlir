// RUN: egg-opt %s --egg-lower-to-nvvm --egg-emit-ptx='cubin ptxas=%S/Inputs/complaining-ptxas.sh' --verify-diagnostics | FileCheck %s
// RUN: not egg-opt %s --egg-lower-to-nvvm --egg-emit-ptx='cubin ptxas=%S/Inputs/failing-ptxas.sh' 2>&1 | FileCheck %s --check-prefix=FAILED
// RUN: not egg-opt %s --egg-lower-to-nvvm --egg-emit-ptx='cubin ptxas=%t.none' 2>&1 | FileCheck %s --check-prefix=NONE

// What ptxas complains of is a warning where the kernel is.

// CHECK: bin = "ELF"
// FAILED: error: ptxas for sm_90a exited with code 255: ptxas kernels.ptx, line 7; error : Feature 'x' requires .target sm_100
// NONE: error: no usable ptxas at '{{.*}}.none'; correct the path

// expected-warning @below {{(C7508) Potential Performance Loss: 'setmaxnreg' ignored}}
gpu.module @kernels {
  // expected-warning @below {{kernel 'k' spills registers: 44 bytes stored, 40 bytes loaded; give a thread less to hold}}
  gpu.func @k(%a: memref<32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
}
