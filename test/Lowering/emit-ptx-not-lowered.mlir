// RUN: egg-opt %s --split-input-file --egg-emit-ptx --verify-diagnostics

// expected-error @below {{kernels 'kernels' are not lowered; run egg-lower-to-nvvm first}}
gpu.module @kernels {
}

// -----

// A target that LLVM does not have is refused before LLVM sees it.

// expected-error @below {{unknown chip 'sm_12345'}}
gpu.module @kernels [#nvvm.target<chip = "sm_12345">] {
}
