// RUN: not egg-opt %s --egg-lower-to-nvvm=chip=sm_91 2>&1 | FileCheck %s

// LLVM would end the process on this chip; the pass asks the table first.
// CHECK: error: unknown chip 'sm_91'; known are sm_90a, {{.*}}sm_80
gpu.module @kernels {
}
