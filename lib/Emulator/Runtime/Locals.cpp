//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Memory of single threads and variables of the module, and the spaces that
// addresses may point into.
//
//===----------------------------------------------------------------------===//
#include "Launch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace egg;
using namespace egg::simt;

llvm::StringRef egg::simt::stringifySpace(Space space) {
  switch (space) {
  case Space::Generic:
    return "any";
  case Space::Global:
    return "global";
  case Space::Shared:
    return "shared";
  case Space::Constant:
    return "constant";
  case Space::Local:
    return "local";
  }
  llvm_unreachable("all spaces are listed");
}

/// Whether an address said to be in one space may be used for what is in
/// another; if not, that is a fault.
bool Launch::checkSpace(Thread &thread, int32_t site, bool write, Space said,
                        Space actual, const llvm::Twine &where) {
  if (said == Space::Generic || said == actual)
    return true;
  stop(
      SimtFault::Kind::WrongSpace, thread, site,
      llvm::formatv("{0} {1} memory at an address in {2} memory ({3}); cast an "
                    "address only to the space that it points into",
                    write ? "writes" : "reads", stringifySpace(said),
                    stringifySpace(actual), where.str()));
  return false;
}

/// Before an alloca whose size is known only when it is executed.
void Launch::reserveLocal(Thread &thread, int32_t site, int64_t bytes) {
  int64_t room = running->roomBelow(__builtin_frame_address(0)) -
                 (int64_t(stacks.bytes()) - kLocalBytes) / 2;
  if (bytes < 0 || bytes > room)
    stop(SimtFault::Kind::InvalidOperation, thread, site,
         llvm::formatv("asks for {0} bytes of local memory; a thread is "
                       "emulated with {1} in all",
                       uint64_t(bytes), kLocalBytes));
}

void Launch::enterLocal(Thread &thread, const char *base, int64_t bytes) {
  llvm::erase_if(thread.locals, [&](const LocalVariable &other) {
    return other.base < base + bytes && base < other.base + other.bytes;
  });
  thread.locals.push_back({base, bytes, std::vector<bool>(bytes)});
}

LocalVariable *Launch::findLocal(Thread &thread, const char *address) {
  for (LocalVariable &variable : thread.locals)
    if (address >= variable.base && address < variable.base + variable.bytes)
      return &variable;
  return nullptr;
}

bool Launch::checkLocal(Thread &thread, int32_t site, LocalVariable &variable,
                        const char *address, int64_t bytes, bool write,
                        Space space) {
  if (!checkSpace(thread, site, write, space, Space::Local,
                  "a variable of the thread"))
    return false;
  int64_t offset = address - variable.base;
  if (offset < 0 || offset + bytes > variable.bytes) {
    stop(SimtFault::Kind::OutOfBounds, thread, site,
         llvm::formatv("{0} bytes {1} to {2} of a local variable of {3} bytes: "
                       "outside",
                       write ? "writes" : "reads", offset, offset + bytes - 1,
                       variable.bytes));
    return false;
  }
  auto first = variable.written.begin() + offset, last = first + bytes;
  if (write) {
    std::fill(first, last, true);
    return true;
  }
  auto unwritten = std::find(first, last, false);
  if (!spec.checkAccesses || unwritten == last)
    return true;
  stop(SimtFault::Kind::UninitializedRead, thread, site,
       llvm::formatv("reads byte {0} of a local variable of {1} bytes, which "
                     "nothing has written",
                     unwritten - variable.written.begin(), variable.bytes));
  return false;
}

void Launch::localAccess(Thread &thread, int32_t number, const char *base,
                         const char *address) {
  const Site &site = (*spec.sites)[number];
  if (LocalVariable *variable = findLocal(thread, base))
    checkLocal(thread, number, *variable, address, site.bytes, site.write,
               site.space);
}

void Launch::variableAccess(Thread &thread, int32_t number, const char *base,
                            int64_t bytes, const char *address) {
  const Site &site = (*spec.sites)[number];
  if (!checkSpace(thread, number, site.write, site.space, site.home,
                  "a variable of the module"))
    return;
  int64_t offset = address - base;
  if (offset < 0 || offset + site.bytes > bytes)
    stop(SimtFault::Kind::OutOfBounds, thread, number,
         llvm::formatv("reads bytes {0} to {1} of a variable of the module of "
                       "{2} bytes: outside",
                       offset, offset + site.bytes - 1, bytes));
}

void Launch::assumptionFails(Thread &thread, int32_t site) {
  stop(SimtFault::Kind::InvalidOperation, thread, site,
       "assumes what does not hold; the GPU's compiler builds on it");
}

void Launch::unreachable(Thread &thread, int32_t site) {
  stop(SimtFault::Kind::InvalidOperation, thread, site,
       "comes to a place that is said never to be reached; what happens from "
       "there on is not defined");
}
