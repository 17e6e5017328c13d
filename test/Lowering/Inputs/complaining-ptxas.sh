#!/bin/sh
# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Stands in for ptxas: assembles nothing, and reports what a bad kernel gets.
while [ $# -gt 0 ]; do
  [ "$1" = -o ] && printf ELF >"$2"
  shift
done
cat >&2 <<END
ptxas info    : (C7508) Potential Performance Loss: 'setmaxnreg' ignored
ptxas info    : Compiling entry function 'k' for 'sm_90a'
ptxas info    : Function properties for k
    48 bytes stack frame, 44 bytes spill stores, 40 bytes spill loads
ptxas info    : Used 255 registers, used 1 barriers, 2048 bytes smem
END
