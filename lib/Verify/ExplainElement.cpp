//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ExplainElement.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace egg;

namespace {

/// Elements of one input from `begin` to before `end`.
struct Range {
  size_t input;
  int64_t begin, end;
};

class ElementExplainer {
public:
  ElementExplainer(PayloadProgram &reference, llvm::ArrayRef<HostTensor> inputs,
                   size_t result, int64_t element)
      : reference(reference), result(result), element(element) {
    for (const HostTensor &input : inputs)
      exact.push_back(input.isFloat() ? input.convertTo("f64") : input);
  }

  /// Single elements that matter, the first few.
  std::vector<Range> find(size_t wanted);
  /// Whether there may be more of them than were found.
  bool stoppedEarly = false;

private:
  /// The element's value; none if the run fails.
  std::optional<double> evaluate(llvm::ArrayRef<HostTensor> inputs);
  bool matters(const Range &range);

  PayloadProgram &reference;
  std::vector<HostTensor> exact;
  size_t result;
  int64_t element;
  std::optional<double> before;
  int runs = 0;
};

} // namespace

std::optional<double>
ElementExplainer::evaluate(llvm::ArrayRef<HostTensor> inputs) {
  ++runs;
  auto results = reference.run(inputs);
  if (!results) {
    llvm::consumeError(results.takeError());
    return std::nullopt;
  }
  const HostTensor &tensor = (*results)[result];
  return tensor.isFloat() ? tensor.getFloat(element)
                          : double(tensor.getInteger(element));
}

bool ElementExplainer::matters(const Range &range) {
  std::vector<HostTensor> changed = exact;
  // Each by another amount, so that sums of them do not stay.
  for (int64_t i = range.begin; i < range.end; ++i) {
    double value = exact[range.input].getFloat(i);
    changed[range.input].setFloat(
        i, std::isfinite(value) ? value * 1.25 + 0.5 + 0x1p-10 * double(i % 61)
                                : 1);
  }
  std::optional<double> after = evaluate(changed);
  return after && *after != *before &&
         !(std::isnan(*after) && std::isnan(*before));
}

std::vector<Range> ElementExplainer::find(size_t wanted) {
  std::vector<Range> found;
  before = evaluate(exact);
  if (!before)
    return found;
  std::vector<Range> waiting;
  for (size_t input = exact.size(); input-- > 0;)
    if (exact[input].isFloat() && exact[input].getNumElements() > 0)
      waiting.push_back({input, 0, exact[input].getNumElements()});
  while (!waiting.empty()) {
    if (found.size() == wanted || runs >= kExplainRuns) {
      stoppedEarly = true;
      break;
    }
    Range range = waiting.back();
    waiting.pop_back();
    if (!matters(range))
      continue;
    if (range.end - range.begin == 1) {
      found.push_back(range);
      continue;
    }
    int64_t middle = (range.begin + range.end) / 2;
    waiting.push_back({range.input, middle, range.end});
    waiting.push_back({range.input, range.begin, middle});
  }
  return found;
}

std::string egg::explainElement(PayloadProgram &reference,
                                llvm::ArrayRef<HostTensor> inputs,
                                llvm::ArrayRef<TensorSpec> arguments,
                                size_t result, int64_t element) {
  ElementExplainer explainer(reference, inputs, result, element);
  std::string text;
  for (const Range &range : explainer.find(4)) {
    const std::string &name = arguments[range.input].name;
    text += llvm::formatv(
        "{0}{1}{2} = {3}", text.empty() ? "" : ", ",
        name.empty() ? "argument " + std::to_string(range.input) : name,
        inputs[range.input].formatIndex(range.begin),
        llvm::format("%.9g", inputs[range.input].getFloat(range.begin)));
  }
  if (!text.empty() && explainer.stoppedEarly)
    text += " and others";
  return text;
}
