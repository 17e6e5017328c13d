//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The transform.egg.* operations: the words a schedule is written in.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_TRANSFORMOPS_TRANSFORMOPS_TD
#define EGG_TRANSFORMOPS_TRANSFORMOPS_TD

include "egg/TransformOps/AlgorithmOps.td"
include "egg/TransformOps/HardwareOps.td"

#endif // EGG_TRANSFORMOPS_TRANSFORMOPS_TD
