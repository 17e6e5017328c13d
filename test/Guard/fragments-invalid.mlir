// RUN: egg-opt %s --split-input-file --convert-gpu-to-nvvm --verify-diagnostics

gpu.module @k {
  gpu.func @w(%a: !gpu.mma_matrix<16x16xf16, "COp">) kernel {
    // expected-error @below {{on matrix fragments}}
    %0 = gpu.subgroup_mma_elementwise negatef %a : (!gpu.mma_matrix<16x16xf16, "COp">) -> !gpu.mma_matrix<16x16xf16, "COp">
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @w(%a: !gpu.mma_matrix<16x16xf16, "COp">) kernel {
    // expected-error @below {{on matrix fragments}}
    %0 = gpu.subgroup_mma_elementwise extf %a : (!gpu.mma_matrix<16x16xf16, "COp">) -> !gpu.mma_matrix<16x16xf16, "COp">
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @w(%a: !gpu.mma_matrix<16x16xsi8, "COp">) kernel {
    // expected-error @below {{on matrix fragments}}
    %0 = gpu.subgroup_mma_elementwise addi %a, %a : (!gpu.mma_matrix<16x16xsi8, "COp">, !gpu.mma_matrix<16x16xsi8, "COp">) -> !gpu.mma_matrix<16x16xsi8, "COp">
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @w(%a: !gpu.mma_matrix<16x16xsi8, "COp">) kernel {
    // expected-error @below {{on matrix fragments}}
    %0 = gpu.subgroup_mma_elementwise muli %a, %a : (!gpu.mma_matrix<16x16xsi8, "COp">, !gpu.mma_matrix<16x16xsi8, "COp">) -> !gpu.mma_matrix<16x16xsi8, "COp">
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @w(%a: !gpu.mma_matrix<16x16xsi8, "COp">) kernel {
    // expected-error @below {{on matrix fragments}}
    %0 = gpu.subgroup_mma_elementwise subi %a, %a : (!gpu.mma_matrix<16x16xsi8, "COp">, !gpu.mma_matrix<16x16xsi8, "COp">) -> !gpu.mma_matrix<16x16xsi8, "COp">
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @w(%a: !gpu.mma_matrix<16x16xsi8, "COp">) kernel {
    // expected-error @below {{on matrix fragments}}
    %0 = gpu.subgroup_mma_elementwise divs %a, %a : (!gpu.mma_matrix<16x16xsi8, "COp">, !gpu.mma_matrix<16x16xsi8, "COp">) -> !gpu.mma_matrix<16x16xsi8, "COp">
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @w(%a: !gpu.mma_matrix<16x16xui8, "COp">) kernel {
    // expected-error @below {{on matrix fragments}}
    %0 = gpu.subgroup_mma_elementwise divu %a, %a : (!gpu.mma_matrix<16x16xui8, "COp">, !gpu.mma_matrix<16x16xui8, "COp">) -> !gpu.mma_matrix<16x16xui8, "COp">
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @w(%a: !gpu.mma_matrix<16x16xsi8, "COp">) kernel {
    // expected-error @below {{on matrix fragments}}
    %0 = gpu.subgroup_mma_elementwise negates %a : (!gpu.mma_matrix<16x16xsi8, "COp">) -> !gpu.mma_matrix<16x16xsi8, "COp">
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @w(%a: !gpu.mma_matrix<16x16xf16, "COp">) kernel {
    // expected-error @below {{on matrix fragments}}
    %0 = gpu.subgroup_mma_elementwise subf %a, %a : (!gpu.mma_matrix<16x16xf16, "COp">, !gpu.mma_matrix<16x16xf16, "COp">) -> !gpu.mma_matrix<16x16xf16, "COp">
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @w(%a: !gpu.mma_matrix<16x16xf16, "COp">) kernel {
    // expected-error @below {{on matrix fragments}}
    %0 = gpu.subgroup_mma_elementwise addf %a : (!gpu.mma_matrix<16x16xf16, "COp">) -> !gpu.mma_matrix<16x16xf16, "COp">
    gpu.return
  }
}
