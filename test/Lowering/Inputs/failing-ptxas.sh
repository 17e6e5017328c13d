#!/bin/sh
# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Stands in for a ptxas that does not accept the PTX.
echo "ptxas kernels.ptx, line 7; error : Feature 'x' requires .target sm_100" >&2
exit 255
