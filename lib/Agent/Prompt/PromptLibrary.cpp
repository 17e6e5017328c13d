//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Agent/PromptLibrary.h"
#include "egg/Support/Files.h"
#include "egg/Support/Hash.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Mustache.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace egg {

static constexpr size_t kMaxFileBytes = 256 << 10;

namespace {
constexpr struct {
  const char *path, *content;
} kFiles[] = {
#include "PromptData.inc"
};

constexpr StringLiteral kRoles[] = {"analyst", "coder", "debugger"};
constexpr StringLiteral kTasks[] = {"judge", "seed", "optimise", "diagnose",
                                    "repair"};
constexpr StringLiteral kSchemas[] = {"judgement", "script", "diagnosis"};
} // namespace

static Error makeError(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

/// The files that a library is made of, without examples and parts.
static std::vector<std::string> requiredPrompts() {
  std::vector<std::string> names;
  for (StringRef role : kRoles)
    for (StageKind stage :
         {StageKind::Algorithm, StageKind::ParallelMapping,
          StageKind::TensorTiling, StageKind::MemoryOptimization})
      names.push_back(
          ("system/" + role + "/" + stringifyStageKind(stage)).str());
  for (StringRef task : kTasks)
    names.push_back(("user/" + task).str());
  return names;
}

std::vector<std::string> findPlaceholders(StringRef body) {
  std::vector<std::string> names;
  while (true) {
    size_t at = body.find("{{");
    if (at == StringRef::npos)
      return names;
    StringRef tag = body.drop_front(at + 2);
    body = tag;
    tag = tag.take_front(tag.find("}}"));
    tag = tag.ltrim("{#^/&! ");
    std::string name;
    if (tag.consume_front(">"))
      name = ">";
    name += tag.trim().str();
    if (!is_contained(names, name))
      names.push_back(name);
  }
}

/// Checks that every section is closed, inside out.
static Error checkSections(StringRef name, StringRef body) {
  SmallVector<StringRef> open;
  while (true) {
    size_t at = body.find("{{");
    if (at == StringRef::npos)
      break;
    body = body.drop_front(at + 2);
    size_t end = body.find("}}");
    if (end == StringRef::npos)
      return makeError(name + ".md: a '{{' has no '}}'");
    StringRef tag = body.take_front(end);
    if (tag.starts_with("#") || tag.starts_with("^"))
      open.push_back(tag.drop_front().trim());
    if (tag.starts_with("/")) {
      if (open.empty() || open.back() != tag.drop_front().trim())
        return makeError(name + ".md: '{{" + tag +
                         "}}' closes no section that is open; close '" +
                         (open.empty() ? StringRef() : open.back()) +
                         "' first");
      open.pop_back();
    }
  }
  if (!open.empty())
    return makeError(name + ".md: section '" + open.back() +
                     "' is not closed; write '{{/" + open.back() + "}}'");
  return Error::success();
}

Expected<PromptFile> parsePromptFile(StringRef name, StringRef text) {
  auto fail = [&](const Twine &message) {
    return makeError(name + ".md: " + message);
  };
  if (text.size() > kMaxFileBytes)
    return fail("the file has " + Twine(text.size()) + " bytes; at most " +
                Twine(kMaxFileBytes) + " are read");
  if (!text.consume_front("---\n"))
    return fail("no front matter; begin with a line '---', then 'name: " +
                name + "', role, stage, inputs, version, and '---'");
  size_t end = text.find("\n---\n");
  if (end == StringRef::npos)
    return fail("the front matter does not end; write a line '---' after it");
  PromptFile file;
  StringSet<> seen;
  for (StringRef line : split(text.take_front(end), '\n')) {
    auto [key, value] = line.split(':');
    key = key.trim();
    value = value.trim();
    if (!seen.insert(key).second)
      return fail("front matter has '" + key + "' twice");
    if (key == "name")
      file.name = value.str();
    else if (key == "role")
      file.role = value.str();
    else if (key == "stage")
      file.stage = value.str();
    else if (key == "version") {
      if (value.getAsInteger(10, file.version) || file.version < 1)
        return fail("version is '" + value + "'; write a number from 1");
    } else if (key == "inputs") {
      for (StringRef input : split(value, ','))
        if (!input.trim().empty())
          file.inputs.push_back(input.trim().str());
    } else
      return fail("front matter has '" + key +
                  "', which is none of name, role, stage, inputs, version");
  }
  for (StringRef key : {"name", "role", "stage", "inputs", "version"})
    if (!seen.contains(key))
      return fail("front matter has no '" + key + "'");
  if (file.name != name)
    return fail("name is '" + file.name + "'; write the path, '" + name + "'");
  if (file.role != "any" && !is_contained(kRoles, file.role))
    return fail("role is '" + file.role +
                "'; write analyst, coder, debugger or any");
  if (file.stage != "any" && !symbolizeStageKind(file.stage))
    return fail("stage is '" + file.stage + "'; write a stage or any");
  file.body = text.drop_front(end + 5).ltrim('\n').str();
  if (StringRef(file.body).trim().empty())
    return fail("nothing follows the front matter");
  if (Error error = checkSections(name, file.body))
    return std::move(error);
  return file;
}

static Error checkInputs(const PromptFile &file,
                         const std::map<std::string, PromptFile> &parts) {
  StringSet<> used;
  SmallVector<const PromptFile *> queue = {&file};
  while (!queue.empty()) {
    const PromptFile *next = queue.pop_back_val();
    for (const std::string &placeholder : findPlaceholders(next->body)) {
      StringRef name = placeholder;
      if (!name.consume_front(">")) {
        used.insert(name);
        if (!is_contained(file.inputs, name))
          return makeError(file.name + ".md: '{{" + name + "}}' (in " +
                           next->name + ".md) is not among its inputs; add " +
                           "it to the front matter, or correct it");
        continue;
      }
      auto part = parts.find(name.str());
      if (part == parts.end())
        return makeError(next->name + ".md: there is no parts/" + name +
                         ".md, which '{{>" + name + "}}' names");
      if (next != &file)
        return makeError(next->name + ".md: a part that uses a part ('{{>" +
                         name + "}}'); write it out");
      queue.push_back(&part->second);
    }
  }
  for (const std::string &input : file.inputs)
    if (!used.contains(input))
      return makeError(file.name + ".md: input '" + input +
                       "' is not used; write '{{{" + input +
                       "}}}', or take it out of the front matter");
  return Error::success();
}

Error PromptLibrary::addExamples(const Files &files, StringRef where) {
  auto index = files.find("examples/examples.json");
  if (index == files.end())
    return makeError(where + "/examples/examples.json is missing");
  Expected<json::Value> document = json::parse(index->second);
  if (!document)
    return makeError("examples/examples.json: " +
                     toString(document.takeError()));
  json::Path::Root root("examples.json");
  const json::Array *array = document->getAsArray();
  for (const json::Value &value : array ? *array : json::Array()) {
    PromptExample example;
    json::ObjectMapper map(value, root);
    if (!map || !map.map("name", example.name) ||
        !map.map("structure", example.structure) ||
        !map.map("kinds", example.kinds) ||
        !map.map("teaches", example.teaches))
      return makeError("examples/examples.json: " + toString(root.getError()));
    for (auto [file, text] : {std::pair("payload.mlir", &example.payload),
                              std::pair("schedule.mlir", &example.schedule)}) {
      auto found = files.find("examples/" + example.name + "/" + file);
      if (found == files.end())
        return makeError(where + "/examples/" + example.name + "/" + file +
                         " is missing; examples.json names it");
      *text = found->second;
    }
    pairs.push_back(std::move(example));
  }
  if (pairs.empty())
    return makeError("examples/examples.json: no list of examples");
  return Error::success();
}

Expected<PromptLibrary> PromptLibrary::build(const Files &files,
                                             StringRef where) {
  PromptLibrary library;
  std::map<std::string, PromptFile> parts;
  std::string all;
  for (const auto &[path, text] : files) {
    all += path + "\n" + text;
    StringRef name = path;
    if (!name.consume_back(".md"))
      continue;
    Expected<PromptFile> file = parsePromptFile(name, text);
    if (!file)
      return file.takeError();
    if (name.consume_front("parts/"))
      parts[name.str()] = *file;
    library.prompts.push_back(std::move(*file));
  }
  library.digest = sha256(all);
  for (const std::string &name : requiredPrompts())
    if (!files.count(name + ".md"))
      return makeError(where + "/" + name +
                       ".md is missing; copy the built-in prompts and change "
                       "those");
  for (const PromptFile &file : library.prompts)
    if (!StringRef(file.name).starts_with("parts/"))
      if (Error error = checkInputs(file, parts))
        return std::move(error);
  for (StringRef name : kSchemas) {
    auto found = files.find(("schemas/" + name + ".json").str());
    if (found == files.end())
      return makeError(where + "/schemas/" + name + ".json is missing");
    Expected<json::Value> schema = json::parse(found->second);
    if (!schema)
      return makeError("schemas/" + name +
                       ".json: " + toString(schema.takeError()));
    library.schemas[name.str()] = found->second;
  }
  if (Error error = library.addExamples(files, where))
    return std::move(error);
  return library;
}

Expected<PromptLibrary> PromptLibrary::embedded() {
  Files files;
  for (const auto &file : kFiles)
    files[file.path] = file.content;
  return build(files, "prompts");
}

Expected<PromptLibrary> PromptLibrary::fromDirectory(StringRef path) {
  Files files;
  std::error_code code;
  for (sys::fs::recursive_directory_iterator it(path, code), end;
       it != end && !code; it.increment(code)) {
    StringRef file = it->path(), extension = sys::path::extension(file);
    if (extension != ".md" && extension != ".json" && extension != ".mlir")
      continue;
    Expected<std::string> text = readFile(file);
    if (!text)
      return text.takeError();
    SmallString<128> relative = file;
    sys::path::replace_path_prefix(relative, path, "");
    files[StringRef(relative).ltrim('/').str()] = std::move(*text);
  }
  if (code)
    return makeError("cannot read the prompts in '" + path + "': " +
                     code.message() + "; give a directory like prompts/");
  return build(files, path);
}

const PromptFile &PromptLibrary::get(StringRef name) const {
  auto found = find_if(
      prompts, [&](const PromptFile &file) { return file.name == name; });
  assert(found != prompts.end() && "required prompts are there");
  return *found;
}

StringRef PromptLibrary::schema(StringRef name) const {
  auto found = schemas.find(name.str());
  assert(found != schemas.end() && "required schemas are there");
  return found->second;
}

Expected<std::string>
PromptLibrary::render(StringRef name,
                      const std::map<std::string, std::string> &inputs) const {
  const PromptFile &file = get(name);
  json::Object values;
  for (const std::string &input : file.inputs) {
    auto found = inputs.find(input);
    if (found == inputs.end())
      return makeError(name + ".md: nothing gives its input '" + input +
                       "'; take it out");
    // A section of nothing is left out.
    values[input] = found->second.empty()
                        ? json::Value(nullptr)
                        : json::Value(json::fixUTF8(found->second));
  }
  BumpPtrAllocator allocator;
  StringSaver saver(allocator);
  mustache::MustacheContext context(allocator, saver);
  mustache::Template body(file.body, context);
  // Nothing here is HTML.
  body.overrideEscapeCharacters(DenseMap<char, std::string>());
  for (const PromptFile &part : prompts)
    if (StringRef(part.name).starts_with("parts/"))
      body.registerPartial(StringRef(part.name).drop_front(6).str(), part.body);
  std::string text;
  raw_string_ostream os(text);
  body.render(std::move(values), os);
  return text;
}

} // namespace egg
