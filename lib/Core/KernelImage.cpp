//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Core/KernelImage.h"
#include "JSON.h"
#include "llvm/Support/Base64.h"

using namespace llvm;

namespace egg {

json::Value toJSONValue(const KernelResources &resources) {
  return json::Object{{"kernel", resources.kernel},
                      {"registers", resources.registers},
                      {"sharedMemory", resources.sharedMemory},
                      {"stack", resources.stack},
                      {"spillStores", resources.spillStores},
                      {"spillLoads", resources.spillLoads}};
}

bool fromJSON(const json::Value &value, KernelResources &resources,
              json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("kernel", resources.kernel) &&
         map.map("registers", resources.registers) &&
         map.map("sharedMemory", resources.sharedMemory) &&
         map.map("stack", resources.stack) &&
         map.map("spillStores", resources.spillStores) &&
         map.map("spillLoads", resources.spillLoads);
}

json::Value toJSONValue(const KernelImage &image) {
  return json::Object{{"chip", image.chip},
                      {"ptx", detail::textToJSON(image.ptx)},
                      {"cubin", encodeBase64(image.cubin)},
                      {"kernels", detail::textsToJSON(image.kernels)},
                      {"resources", detail::arrayToJSON(image.resources)},
                      {"warnings", detail::textsToJSON(image.warnings)},
                      {"libdeviceHash", image.libdeviceHash}};
}

bool fromJSON(const json::Value &value, KernelImage &image, json::Path path) {
  json::ObjectMapper map(value, path);
  std::string encoded;
  if (!map || !map.map("chip", image.chip) || !map.map("ptx", image.ptx) ||
      !map.map("cubin", encoded) || !map.map("kernels", image.kernels) ||
      !map.map("resources", image.resources) ||
      !map.map("warnings", image.warnings) ||
      !map.map("libdeviceHash", image.libdeviceHash))
    return false;
  std::vector<char> decoded;
  if (Error error = decodeBase64(encoded, decoded)) {
    consumeError(std::move(error));
    path.field("cubin").report("expected base 64");
    return false;
  }
  image.cubin.assign(decoded.begin(), decoded.end());
  return true;
}

std::string toJSON(const KernelImage &image) {
  return detail::printIndented(toJSONValue(image));
}

Expected<KernelImage> parseKernelImage(StringRef text) {
  return detail::parseDocument<KernelImage>(text, "kernel image");
}

} // namespace egg
