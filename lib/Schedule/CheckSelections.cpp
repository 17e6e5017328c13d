//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CheckSelections.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace egg {

/// Options that a message lists.
static constexpr size_t kMaxListed = 16;

/// As a script writes it: an i64 is the number alone.
static std::string print(Attribute value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto integer = dyn_cast<IntegerAttr>(value);
  if (integer && integer.getType().isSignlessInteger(64))
    os << integer.getInt();
  else
    value.print(os);
  return StringRef(text).take_front(80).str();
}

LogicalResult checkSelections(ModuleOp schedule) {
  WalkResult result = schedule.walk([](transform::tune::KnobOp knob) {
    // Nothing of the op is verified yet: attributes may be missing.
    auto name = knob->getAttrOfType<StringAttr>("name");
    Attribute selected = knob->getAttr("selected");
    auto options = knob->getAttrOfType<ArrayAttr>("options");
    if (!name || !selected || !options || llvm::is_contained(options, selected))
      return WalkResult::advance();
    std::string list;
    for (Attribute option : options.getValue().take_front(kMaxListed))
      list += (list.empty() ? "" : ", ") + print(option);
    if (options.size() > kMaxListed)
      list += ", ...";
    emitError(knob.getLoc())
        << "[accept] knob \"" << name.getValue().take_front(80) << "\" is "
        << print(selected) << ", and its options are [" << list
        << "]; choose one of them, or add it to them, if the op that uses it "
           "allows it";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

} // namespace egg
