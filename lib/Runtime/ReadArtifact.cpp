//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reads an artifact directory, and refuses files that are not those which its
// report says were checked.
//
//===----------------------------------------------------------------------===//
#include "SHA256.h"
#include "egg/Runtime/LoadedModule.h"
#include "nlohmann/json.hpp"
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <sys/stat.h>

namespace egg::runtime {
namespace {

/// The file's bytes; empty where it does not exist.
Status readFile(const std::string &path, bool required, std::string &bytes) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    if (!required)
      return Status::success();
    return {EGG_BAD_ARTIFACT, "cannot read " + path + " (" +
                                  std::strerror(errno) +
                                  "); is this an artifact directory?"};
  }
  std::ostringstream contents;
  contents << file.rdbuf();
  if (file.bad())
    return {EGG_BAD_ARTIFACT, "cannot read all of " + path};
  bytes = std::move(contents).str();
  return Status::success();
}

/// The member if it is a string. Reports of earlier versions lack some.
std::string recorded(const nlohmann::json &report, const char *key) {
  auto it = report.find(key);
  return it != report.end() && it->is_string() ? it->get<std::string>() : "";
}

/// Checks the files against report.json. A directory made by hand has none.
Status checkRecorded(const std::string &directory, const Artifact &artifact) {
  std::string text;
  Status status =
      readFile(directory + "/report.json", /*required=*/false, text);
  if (!status.ok() || text.empty())
    return status;
  auto bad = [&](const std::string &what) {
    return Status{EGG_BAD_ARTIFACT, what + "; compile the module again"};
  };
  nlohmann::json report =
      nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!report.is_object())
    return bad(directory + "/report.json is not a JSON object");
  struct File {
    const char *name, *key;
    const std::string &bytes;
  };
  for (const File &file : {File{"plan.json", "plan_sha256", artifact.plan},
                           {"kernels.cubin", "cubin_sha256", artifact.cubin},
                           {"kernels.ptx", "ptx_sha256", artifact.ptx}}) {
    std::string hash = recorded(report, file.key);
    if (!hash.empty() && !file.bytes.empty() && sha256(file.bytes) != hash)
      return bad(directory + "/" + file.name +
                 " is not the file that report.json records");
  }
  if (!artifact.cubin.empty() && !recorded(report, "plan_sha256").empty() &&
      recorded(report, "cubin_sha256").empty())
    return bad(directory + "/kernels.cubin is no part of the artifact: "
                           "report.json records none");
  return Status::success();
}

} // namespace

Result<Artifact> readArtifact(const std::string &directory) {
  struct stat info = {};
  if (stat(directory.c_str(), &info) != 0 || !S_ISDIR(info.st_mode))
    return Status{EGG_BAD_ARTIFACT, directory + " is not a directory"};
  Artifact artifact;
  for (Status status :
       {readFile(directory + "/plan.json", /*required=*/true, artifact.plan),
        readFile(directory + "/kernels.cubin", false, artifact.cubin),
        readFile(directory + "/kernels.ptx", false, artifact.ptx)})
    if (!status.ok())
      return status;
  if (Status status = checkRecorded(directory, artifact); !status.ok())
    return status;
  return artifact;
}

} // namespace egg::runtime
