//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What agents are told of an op beside its summary and example. The vocabulary
// (egg/TransformOps/Vocabulary.h) is generated from these records.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_TRANSFORMOPS_SCRIPTWORD_TD
#define EGG_TRANSFORMOPS_SCRIPTWORD_TD

/// An op of ours that schedules may hold: the sequences that accept it, and
/// which numbers it allows, a line each.
class ScriptWord<list<string> stages, list<string> ranges = []> {
  list<string> scriptStages = stages;
  list<string> legalRanges = ranges;
}

/// An op of upstream's that they may hold.
class UpstreamWord<string op, list<string> stages, string example,
                   list<string> ranges = []> : ScriptWord<stages, ranges> {
  string upstreamOp = op;
  string scriptExample = example;
}

#endif // EGG_TRANSFORMOPS_SCRIPTWORD_TD
