//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The ops of upstream's that the Schedule library accepts. Their summaries are
// upstream's.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_TRANSFORMOPS_UPSTREAMWORDS_TD
#define EGG_TRANSFORMOPS_UPSTREAMWORDS_TD

include "egg/TransformOps/ScriptWord.td"

def KnobWord : UpstreamWord<"transform.tune.knob",
    ["algorithm", "parallel_mapping", "tensor_tiling", "memory_optimization"],
    [{%t = transform.tune.knob<"threads"> = 256 from options = [128, 256, 512] -> !transform.param<i64>}],
    ["options: 1 to 64 integers; the value after '=' must be one of them"]>;

def ParamWord : UpstreamWord<"transform.param.constant",
    ["algorithm", "parallel_mapping", "tensor_tiling", "memory_optimization"],
    [{%t = transform.param.constant 256 : i64 -> !transform.param<i64>}]>;

def MatchWord : UpstreamWord<"transform.structured.match", ["algorithm"],
    [{%ops = transform.structured.match ops{["linalg.matmul"]} in %f : (!transform.any_op) -> !transform.any_op}]>;

def MergeWord : UpstreamWord<"transform.merge_handles", ["algorithm"],
    [{%both = transform.merge_handles %a, %b : !transform.any_op}]>;

#endif // EGG_TRANSFORMOPS_UPSTREAMWORDS_TD
