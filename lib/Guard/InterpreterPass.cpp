//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// transform-interpreter behind checks.
//
//===----------------------------------------------------------------------===//
#include "Containment/Isolation.h"
#include "Containment/Recover.h"
#include "egg/Guard/GuardOps.h"
#include "egg/Guard/Passes.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"

namespace egg {
#define GEN_PASS_DEF_GUARDEDINTERPRETER
#include "egg/Guard/Passes.h.inc"
} // namespace egg

using namespace mlir;

/// The operation below `root` with the tag, or `root` where there is no tag to
/// look for; null, with an error, unless there is one.
static Operation *findPayloadRoot(Operation *root, StringRef tag) {
  if (tag.empty())
    return root;
  SmallVector<Operation *> found;
  root->walk([&](Operation *op) {
    auto attr = op->getAttrOfType<StringAttr>(
        transform::TransformDialect::kTargetTagAttrName);
    if (attr && attr.getValue() == tag)
      found.push_back(op);
  });
  if (found.size() == 1)
    return found.front();
  Operation *at = found.empty() ? root : found[1];
  at->emitError() << (found.empty() ? "no" : "more than one")
                  << " operation has the target tag '" << tag
                  << "'; one is needed";
  return nullptr;
}

/// What `description` says (see the pass's option), for a trailing argument.
static FailureOr<SmallVector<transform::MappedValue>>
bindArgument(Operation *root, StringRef description) {
  SmallVector<transform::MappedValue> bound;
  if (description.consume_front("#")) {
    Builder builder(root->getContext());
    SmallVector<StringRef> numbers;
    description.split(numbers, ';', -1, /*KeepEmpty=*/false);
    for (StringRef text : numbers) {
      int64_t number;
      if (text.trim().getAsInteger(0, number))
        return root->emitError() << "'" << text << "' in "
                                 << "debug-bind-trailing-args is no integer";
      bound.push_back(builder.getI64IntegerAttr(number));
    }
    return bound;
  }
  bool results = description.consume_front("^");
  root->walk([&](Operation *op) {
    if (op->getName().getStringRef() != description)
      return;
    if (!results) {
      bound.push_back(op);
      return;
    }
    for (Value value : op->getResults())
      bound.push_back(value);
  });
  return bound;
}

namespace {
class GuardedInterpreterPass
    : public egg::IsolatedPass<
          egg::impl::GuardedInterpreterBase<GuardedInterpreterPass>> {
public:
  using IsolatedPass::IsolatedPass;

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<transform::TransformDialect>();
  }

private:
  void runHere() override {
    Operation *root = getOperation();
    Operation *payload = findPayloadRoot(root, debugPayloadRootTag);
    if (!payload)
      return signalPassFailure();
    RaggedArray<transform::MappedValue> bindings;
    bindings.push_back(ArrayRef<Operation *>{payload});
    for (const std::string &description : debugBindTrailingArgs) {
      auto bound = bindArgument(payload, description);
      if (failed(bound))
        return signalPassFailure();
      bindings.push_back(std::move(*bound));
    }

    // The checks go into copies: the script may be printed afterwards, and
    // passes that run beside this one share the library.
    OwningOpRef<Operation *> script(root->clone());
    OwningOpRef<ModuleOp> library;
    if (ModuleOp shared = transform::detail::getPreloadedTransformModule(
            root->getContext())) {
      library = OwningOpRef<ModuleOp>(shared.clone());
      egg::insertChecks(*library);
    }
    egg::insertChecks(*script);
    transform::TransformOpInterface entry =
        transform::detail::findTransformEntryPoint(
            *script, library ? *library : ModuleOp(), entryPoint);
    if (!entry) {
      root->emitError() << "could not find transform entry point: "
                        << entryPoint
                        << " in either payload or transform module";
      return signalPassFailure();
    }
    transform::TransformOptions options;
    options.enableExpensiveChecks(!disableExpensiveChecks);
    LogicalResult result =
        egg::runRecovering(root, "the interpretation of this script", [&] {
          return transform::applyTransformNamedSequence(
              std::move(bindings), entry, library ? *library : ModuleOp(),
              options);
        });
    if (failed(result))
      signalPassFailure();
  }
};
} // namespace
