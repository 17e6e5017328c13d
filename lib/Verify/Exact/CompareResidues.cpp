//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CompareResidues.h"
#include "ExplainDifference.h"

using namespace egg;

void ExactTally::add(const ExactTally &other) {
  full += other.full;
  partial += other.partial;
  none += other.none;
  lost += other.lost;
  elements += other.elements;
  never += other.never;
}

/// Number of parts that differ.
static int compareElement(Residue expected, Residue got, ExactTally &tally) {
  if (expected.isPoison() || expected == Residue::unknown()) {
    ++tally.none;
    return 0;
  }
  if (!expected.isFinite() || !got.isFinite()) {
    bool equal = expected == got;
    tally.full += equal;
    return equal ? 0 : 2;
  }
  int equal = 0, wrong = 0, lost = 0;
  auto part = [&](bool known, bool gotKnown, bool same) {
    if (!known)
      return;
    lost += !gotKnown;
    equal += gotKnown && same;
    wrong += gotKnown && !same;
  };
  part(expected.hasA(), got.hasA(), expected.a() == got.a());
  part(expected.hasB(), got.hasB(), expected.b() == got.b());
  tally.lost += lost != 0;
  tally.full += equal == 2;
  tally.partial += equal == 1 && !wrong;
  return wrong;
}

std::optional<ExactDifference> egg::compareResidues(const HostTensor &expected,
                                                    const HostTensor &got,
                                                    Compared &compared,
                                                    const Compared *done) {
  std::vector<int64_t> wrong;
  int most = 0;
  ExactDifference difference;
  ExactTally &tally = compared.tally;
  compared.mask.resize(size_t(expected.getNumElements()));
  for (int64_t i = 0, e = expected.getNumElements(); i < e; ++i) {
    if (done && done->mask[size_t(i)])
      continue;
    int64_t comparedBefore = tally.getCompared();
    int parts;
    if (expected.isFloat()) {
      parts =
          compareElement(loadResidue(expected, i), loadResidue(got, i), tally);
    } else {
      parts = expected.getInteger(i) != got.getInteger(i);
      tally.full += !parts;
    }
    if (tally.getCompared() > comparedBefore)
      compared.mask[size_t(i)] = true;
    if (parts > 0)
      wrong.push_back(i);
    if (parts > most) {
      most = parts;
      difference.worst = i;
    }
  }
  if (wrong.empty())
    return std::nullopt;
  difference.count = int64_t(wrong.size());
  difference.total = expected.getNumElements();
  difference.index = expected.formatIndex(difference.worst);
  auto print = [&](const HostTensor &tensor) {
    return tensor.isFloat()
               ? loadResidue(tensor, difference.worst).str()
               : std::to_string(tensor.getInteger(difference.worst));
  };
  difference.expected = print(expected);
  difference.got = print(got);
  difference.suggestion =
      explainDifference(expected, got, wrong, difference.worst);
  return difference;
}
