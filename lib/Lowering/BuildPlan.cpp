//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Lowering/BuildPlan.h"
#include "LocatedError.h"
#include "egg/Kernel/KernelConfig.h"
#include "egg/Lowering/Arena.h"
#include "egg/Target/LaunchLimits.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using llvm::Error;
using llvm::Expected;

namespace egg {

char LocatedError::ID;

static Error errorAt(Location loc, const Twine &message) {
  return llvm::make_error<LocatedError>(loc, message.str());
}

template <typename T> static std::string printed(T &&value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

static std::string quoted(Type type) { return "'" + printed(type) + "'"; }

namespace {

class PlanBuilder {
public:
  PlanBuilder(ModuleOp module, const TargetInfo &target)
      : module(module), target(target) {}

  Expected<Plan> build();

private:
  /// A value as the steps use it: every reshape of it is the same.
  struct Lifetime {
    int64_t buffer = -1;
    int64_t bytes = 0;
    int64_t first = 0, last = 0;
  };

  Error addArguments(func::FuncOp main);
  Error addResults(func::FuncOp main, func::ReturnOp ret);
  Error visit(Operation &op);
  Error addAlias(Operation &op);
  Error addLaunch(func::CallOp call);
  Error readLaunch(func::FuncOp kernel, PlanStep &step);
  Error checkKernel(func::CallOp call, StringRef kernel);
  Expected<TensorSpec> describe(Type type, DictionaryAttr attributes,
                                Location loc, StringRef defaultKind,
                                StringRef defaultName);
  Expected<Value> use(Value value, Operation *user);
  Error placeArena();

  int64_t addBuffer(PlanBuffer::Kind kind, int64_t index, int64_t bytes) {
    plan.buffers.push_back({kind, index, 0, bytes});
    return plan.buffers.size() - 1;
  }

  ModuleOp module;
  const TargetInfo &target;
  Plan plan;
  /// The value whose buffer a value shares.
  DenseMap<Value, Value> rootOf;
  /// By root, in the order of definition.
  llvm::MapVector<Value, Lifetime> lifetimes;
  /// For each step, the roots it uses, until buffers have numbers.
  std::vector<SmallVector<Value>> stepRoots;
};

} // namespace

Expected<TensorSpec> PlanBuilder::describe(Type type, DictionaryAttr attributes,
                                           Location loc, StringRef defaultKind,
                                           StringRef defaultName) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return errorAt(loc, "@main has " + defaultName + " of type " +
                            quoted(type) +
                            "; import the module with tensors of static shape");
  TensorSpec spec;
  spec.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  spec.dtype = printed(tensor.getElementType());
  auto text = [&](StringRef key, StringRef fallback) {
    auto attribute =
        attributes ? attributes.getAs<StringAttr>(key) : StringAttr();
    return attribute ? attribute.str() : fallback.str();
  };
  spec.kind = text("egg.kind", defaultKind);
  spec.name = text(kNameAttrName, defaultName);
  if (!tensor.getElementType().isSignlessIntOrFloat() ||
      (tensor.getNumElements() != 0 && spec.sizeInBytes() == 0))
    return errorAt(loc, "@main has " + defaultName + " of type " +
                            quoted(type) +
                            "; element types are f64, f32, f16, bf16, i64, "
                            "i32, i16, i8 and i1");
  return spec;
}

Error PlanBuilder::addArguments(func::FuncOp main) {
  for (BlockArgument argument : main.getArguments()) {
    int64_t number = argument.getArgNumber();
    auto spec = describe(argument.getType(), main.getArgAttrDict(number),
                         argument.getLoc(), "input",
                         ("argument" + Twine(number)).str());
    if (!spec)
      return spec.takeError();
    Lifetime &lifetime = lifetimes[argument];
    lifetime.bytes = spec->sizeInBytes();
    lifetime.buffer =
        addBuffer(PlanBuffer::Kind::Argument, number, lifetime.bytes);
    rootOf[argument] = argument;
    plan.arguments.push_back(std::move(*spec));
  }
  return Error::success();
}

/// The root of an operand, or why it has none.
Expected<Value> PlanBuilder::use(Value value, Operation *user) {
  auto found = rootOf.find(value);
  if (found != rootOf.end())
    return found->second;
  Operation *definition = value.getDefiningOp();
  if (isa_and_nonnull<tensor::EmptyOp>(definition))
    return errorAt(user->getLoc(),
                   "'" + user->getName().getStringRef() +
                       "' uses a tensor.empty, which holds nothing; leave it "
                       "to the kernel");
  return errorAt(
      user->getLoc(),
      "'" + user->getName().getStringRef() +
          "' uses a constant of @main, and the plan holds none; run "
          "egg-import-torch, which copies those that are results, or move it "
          "into a kernel");
}

Error PlanBuilder::addAlias(Operation &op) {
  Value source = op.getOperand(0);
  Value result = op.getResult(0);
  // A reshape of a constant or an empty tensor is one; whoever uses it is told.
  auto found = rootOf.find(source);
  if (found == rootOf.end())
    return Error::success();
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (!type || !type.hasStaticShape())
    return errorAt(op.getLoc(),
                   "'" + op.getName().getStringRef() + "' has result type " +
                       quoted(result.getType()) + "; shapes must be static");
  Value root = found->second;
  rootOf[result] = root;
  return Error::success();
}

Error PlanBuilder::readLaunch(func::FuncOp kernel, PlanStep &step) {
  auto fail = [&](const Twine &what) {
    return errorAt(kernel.getLoc(),
                   "kernel '" + kernel.getName() + "' " + what);
  };
  auto launch = kernel->getAttrOfType<DictionaryAttr>(kLaunchAttrName);
  if (!launch)
    return fail("is called and has no egg.launch; materialize the kernels "
                "first (egg-materialize-kernels)");
  auto symbol = launch.getAs<SymbolRefAttr>("kernel");
  auto grid = launch.getAs<DenseI64ArrayAttr>("grid");
  auto block = launch.getAs<DenseI64ArrayAttr>("block");
  auto shared = launch.getAs<IntegerAttr>("dynamic_shared_memory");
  if (!symbol || !grid || grid.size() != 3 || !block || block.size() != 3)
    return fail("has an egg.launch without kernel, or without three extents "
                "of grid and block");
  step.kernel = symbol.getLeafReference().str();
  llvm::copy(grid.asArrayRef(), step.grid.begin());
  llvm::copy(block.asArrayRef(), step.block.begin());
  step.dynamicSharedMemory = shared ? shared.getInt() : 0;

  int64_t threads = 1;
  for (int i = 0; i < 3; ++i) {
    if (step.grid[i] < 1 || step.grid[i] > kMaxGrid[i])
      return fail("has grid extent " + Twine(step.grid[i]) + " in " +
                  Twine("xyz"[i]) + "; it must be 1 to " + Twine(kMaxGrid[i]));
    if (step.block[i] < 1 || step.block[i] > kMaxBlock[i])
      return fail("has block extent " + Twine(step.block[i]) + " in " +
                  Twine("xyz"[i]) + "; it must be 1 to " + Twine(kMaxBlock[i]));
    threads *= step.block[i];
  }
  if (threads > target.maxThreadsPerBlock)
    return fail("has " + Twine(threads) + " threads a block; " + target.chip +
                " takes " + Twine(target.maxThreadsPerBlock));
  if (step.dynamicSharedMemory < 0 ||
      step.dynamicSharedMemory > target.sharedMemoryPerBlock)
    return fail("asks for " + Twine(step.dynamicSharedMemory) +
                " bytes of dynamic shared memory; " + target.chip + " has " +
                Twine(target.sharedMemoryPerBlock));
  return Error::success();
}

/// Compares the call with the kernel's code, as far as that is still there.
Error PlanBuilder::checkKernel(func::CallOp call, StringRef kernel) {
  SmallVector<Type> types(call.getOperandTypes());
  llvm::append_range(types, call.getResultTypes());
  for (auto kernels : module.getOps<gpu::GPUModuleOp>()) {
    Operation *code = SymbolTable::lookupSymbolIn(kernels, kernel);
    if (!code)
      return errorAt(call.getLoc(), "no kernel '" + kernel + "' in @" +
                                        kernels.getName() +
                                        "; materialize the kernels again");
    auto function = dyn_cast<FunctionOpInterface>(code);
    if (!function || function.getNumArguments() != types.size())
      return errorAt(call.getLoc(),
                     "the call has " + Twine(types.size()) +
                         " operands and results, kernel '" + kernel +
                         "' takes " +
                         Twine(function ? function.getNumArguments() : 0));
    for (auto [type, parameter] :
         llvm::zip_equal(types, function.getArgumentTypes())) {
      auto buffer = dyn_cast<MemRefType>(parameter);
      if (!buffer) // already lowered to a pointer
        continue;
      auto tensor = cast<RankedTensorType>(type);
      Type element = tensor.getElementType();
      if (element.isSignlessInteger(1))
        element = IntegerType::get(element.getContext(), 8);
      if (buffer.getElementType() != element ||
          buffer.getNumElements() != tensor.getNumElements())
        return errorAt(call.getLoc(), "the call passes " + quoted(type) +
                                          " where kernel '" + kernel +
                                          "' takes " + quoted(parameter));
    }
  }
  return Error::success();
}

Error PlanBuilder::addLaunch(func::CallOp call) {
  auto kernel = module.lookupSymbol<func::FuncOp>(call.getCallee());
  if (!kernel)
    return errorAt(call.getLoc(),
                   "@main calls '" + call.getCallee() + "', which is unknown");
  PlanStep step;
  if (Error error = readLaunch(kernel, step))
    return error;
  int64_t time = plan.steps.size();
  SmallVector<Value> roots;
  for (Value operand : call.getOperands()) {
    Expected<Value> root = use(operand, call);
    if (!root)
      return root.takeError();
    lifetimes[*root].last = time;
    roots.push_back(*root);
  }
  for (OpResult result : call.getResults()) {
    auto spec = describe(result.getType(), {}, call.getLoc(), "output",
                         "a kernel's result");
    if (!spec)
      return spec.takeError();
    lifetimes[result] = {-1, spec->sizeInBytes(), time, time};
    rootOf[result] = result;
    roots.push_back(result);
  }
  if (Error error = checkKernel(call, step.kernel))
    return error;
  plan.steps.push_back(std::move(step));
  stepRoots.push_back(std::move(roots));
  return Error::success();
}

Error PlanBuilder::visit(Operation &op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return addLaunch(call);
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
          tensor::ReshapeOp>(op))
    return addAlias(op);
  // Constants and empty tensors are fine as long as nobody uses them here.
  if (op.hasTrait<OpTrait::ConstantLike>() || isa<tensor::EmptyOp>(op))
    return Error::success();
  return errorAt(op.getLoc(), "'" + op.getName().getStringRef() +
                                  "' is left in @main outside every kernel; "
                                  "form a kernel that holds it");
}

Error PlanBuilder::addResults(func::FuncOp main, func::ReturnOp ret) {
  std::vector<PlanStep> copies;
  for (OpOperand &operand : ret->getOpOperands()) {
    int64_t number = operand.getOperandNumber();
    auto spec =
        describe(operand.get().getType(), main.getResultAttrDict(number),
                 ret.getLoc(), "output", ("result" + Twine(number)).str());
    if (!spec)
      return spec.takeError();
    int64_t buffer =
        addBuffer(PlanBuffer::Kind::Result, number, spec->sizeInBytes());
    bool isEmpty = spec->sizeInBytes() == 0;
    plan.results.push_back(std::move(*spec));
    // Nothing to write.
    if (isEmpty)
      continue;
    Expected<Value> root = use(operand.get(), ret);
    if (!root)
      return root.takeError();
    Lifetime &lifetime = lifetimes[*root];
    if (lifetime.buffer < 0) {
      lifetime.buffer = buffer;
      continue;
    }
    PlanStep copy;
    copy.kind = PlanStep::Kind::Copy;
    copy.arguments = {lifetime.buffer, buffer};
    copies.push_back(std::move(copy));
  }
  // Launches first: a copy's source may be a result they write.
  llvm::append_range(plan.steps, copies);
  return Error::success();
}

Error PlanBuilder::placeArena() {
  SmallVector<Lifetime *> temporaries;
  SmallVector<ArenaRequest> requests;
  for (auto &[root, lifetime] : lifetimes)
    if (lifetime.buffer < 0) {
      temporaries.push_back(&lifetime);
      requests.push_back({lifetime.bytes, lifetime.first, lifetime.last});
    }
  std::optional<ArenaLayout> layout = planArena(requests);
  if (!layout)
    return errorAt(module.getLoc(),
                   "the temporaries of @main take more bytes than 64 bits "
                   "count; use smaller extents, or fewer kernels");
  for (auto [lifetime, offset] :
       llvm::zip_equal(temporaries, layout->offsets)) {
    lifetime->buffer = addBuffer(PlanBuffer::Kind::Arena, 0, lifetime->bytes);
    plan.buffers.back().offset = offset;
  }
  plan.arenaBytes = layout->bytes;
  for (auto [step, roots] : llvm::zip(plan.steps, stepRoots))
    for (Value root : roots)
      step.arguments.push_back(lifetimes[root].buffer);
  return Error::success();
}

Expected<Plan> PlanBuilder::build() {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || main.isExternal())
    return errorAt(module.getLoc(),
                   "the module has no function @main with a body");
  if (!main.getBody().hasOneBlock())
    return errorAt(main.getLoc(), "@main has control flow; a plan has none");
  plan.chip = target.chip;
  if (Error error = addArguments(main))
    return std::move(error);
  for (Operation &op : main.getBody().front().without_terminator())
    if (Error error = visit(op))
      return std::move(error);
  auto ret = cast<func::ReturnOp>(main.getBody().front().getTerminator());
  if (Error error = addResults(main, ret))
    return std::move(error);
  if (Error error = placeArena())
    return std::move(error);
  // The runtime reads what parsePlan accepts: nothing else may leave here.
  return parsePlan(toJSON(plan));
}

Expected<Plan> buildPlan(ModuleOp module, const TargetInfo &target) {
  return PlanBuilder(module, target).build();
}

} // namespace egg
