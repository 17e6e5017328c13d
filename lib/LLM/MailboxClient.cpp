//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/LLM/MailboxClient.h"
#include "egg/LLM/JsonText.h"
#include "egg/Support/Files.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatAdapters.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
namespace fs = llvm::sys::fs;

namespace egg {

namespace {

constexpr StringLiteral kRequest = ".request.json";
/// Digits of the hash in a file's name.
constexpr size_t kShownHash = 16;
/// Nobody asks more often: a higher number is of a file put there to no good.
constexpr int64_t kMostRequests = 999'999'999;

/// A request that is in the directory: its number, and its file's beginning.
using Requests = std::map<int64_t, std::string>;

class MailboxClient : public ChatClient {
public:
  MailboxClient(MailboxOptions options, Clock &clock)
      : options(std::move(options)), clock(clock) {}

  StringRef provider() const override { return "mailbox"; }
  StringRef model() const override { return options.model; }
  /// Its answer lies in the mailbox still.
  void passOver(const ChatRequest &request) override {
    ++occurrences[hashPrompt(request, provider(), model())];
  }

private:
  Expected<ChatAnswer> ask(const ChatRequest &request) override;
  Expected<Requests> list(StringRef shownHash, int64_t &last) const;
  Expected<std::string> post(const ChatRequest &request);
  struct Found {
    std::string text;
    /// When the file was written to.
    int64_t unixSeconds = 0;
  };
  Expected<std::optional<Found>> readAnswer(StringRef path) const;
  /// The answer's file, whichever of the two is there.
  Expected<std::optional<Found>> findAnswer(StringRef stem) const;

  std::string at(const Twine &name) const {
    SmallString<256> path(options.directory);
    sys::path::append(path, name);
    return path.str().str();
  }
  Error fail(const Twine &what, const Twine &remedy,
             ChatErrorKind kind = ChatErrorKind::Protocol) const {
    return makeChatError(kind, what, remedy);
  }

  MailboxOptions options;
  Clock &clock;
  std::map<std::string, int64_t> occurrences;
};

/// The requests of the hash that are there, and the highest number of any.
Expected<Requests> MailboxClient::list(StringRef shownHash,
                                       int64_t &last) const {
  Requests requests;
  last = 0;
  std::error_code code;
  for (fs::directory_iterator i(options.directory, code), end;
       !code && i != end; i.increment(code)) {
    StringRef name = sys::path::filename(i->path());
    StringRef stem = name;
    if (!stem.consume_back(kRequest))
      continue;
    auto [digits, hash] = stem.split('-');
    if (digits.empty() || !all_of(digits, isDigit))
      continue;
    int64_t number = 0;
    if (!to_integer(digits, number, 10) || number >= kMostRequests)
      return fail("mailbox '" + options.directory + "' has a request '" + name +
                      "', whose number is too large to count on",
                  "remove it");
    last = std::max(last, number);
    if (hash == shownHash)
      requests[number] = stem.str();
  }
  if (code)
    return fail("cannot read mailbox '" + options.directory +
                    "': " + code.message(),
                "name a directory that can be read");
  return requests;
}

/// Puts the request into the directory, unless it is there; its file's stem.
Expected<std::string> MailboxClient::post(const ChatRequest &request) {
  if (auto code = fs::create_directories(options.directory))
    return fail("cannot create mailbox '" + options.directory +
                    "': " + code.message(),
                "name a directory that can be created");
  std::string hash = hashPrompt(request, provider(), model());
  StringRef shownHash = StringRef(hash).take_front(kShownHash);
  int64_t occurrence = occurrences[hash]++, last = 0;
  Expected<Requests> requests = list(shownHash, last);
  if (!requests)
    return requests.takeError();
  if (occurrence < int64_t(requests->size()))
    return std::next(requests->begin(), occurrence)->second;
  std::string stem =
      formatv("{0}-{1}", fmt_align(last + 1, AlignStyle::Right, 4, '0'),
              shownHash)
          .str();
  // A link in its place would lead out of the mailbox.
  for (const std::string &file :
       {at(stem + ".request.md"), at(stem + kRequest)})
    if (fs::is_symlink_file(file))
      return fail("'" + file +
                      "' is a symbolic link, which is not written "
                      "through",
                  "remove it");
  // The .json is what marks a request as there, so it is written last.
  if (Error error =
          writeFileAtomically(at(stem + ".request.md"), renderRequest(request)))
    return std::move(error);
  if (Error error = writeFileAtomically(
          at(stem + kRequest), formatv("{0:2}\n", toJSONValue(request)).str()))
    return std::move(error);
  return stem;
}

/// The bytes of an answer, if the file is there. It may be anybody's: only a
/// regular file of a bounded size is read, and through no link, or who answers
/// could have any file sent to the model.
Expected<std::optional<MailboxClient::Found>>
MailboxClient::readAnswer(StringRef path) const {
  std::string name = path.str();
  int fd = ::open(name.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) {
    if (errno == ENOENT)
      return std::nullopt;
    if (errno == ELOOP)
      return fail("answer '" + path + "' is a symbolic link",
                  "write the answer to a file of that name");
    return fail("cannot read answer '" + path + "': " + strerror(errno),
                "make it readable");
  }
  struct stat status;
  std::string text;
  Error error = Error::success();
  if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
    error = fail("answer '" + path + "' is no regular file",
                 "write the answer to a file of that name");
  } else if (status.st_size > kMaxAnswerBytes) {
    error = fail("answer '" + path + "' has " + Twine(status.st_size) +
                     " bytes, the limit is " + Twine(kMaxAnswerBytes),
                 "ask for less", ChatErrorKind::BadAnswer);
  } else {
    text.resize(size_t(status.st_size));
    size_t got = 0;
    for (ssize_t n = 1; n > 0 && got < text.size(); got += size_t(n))
      if (n = ::read(fd, text.data() + got, text.size() - got); n < 0)
        n = 0;
    text.resize(got);
  }
  ::close(fd);
  if (error)
    return std::move(error);
  return Found{std::move(text), int64_t(status.st_mtime)};
}

Expected<std::optional<MailboxClient::Found>>
MailboxClient::findAnswer(StringRef stem) const {
  std::string paths[] = {at(stem + ".answer.txt"), at(stem + ".answer.json")};
  std::optional<Found> answer;
  for (const std::string &path : paths) {
    auto found = readAnswer(path);
    if (!found)
      return found.takeError();
    if (*found && answer)
      return fail("the mailbox has two answers, '" + paths[0] + "' and '" +
                      paths[1] + "'",
                  "remove one");
    if (*found)
      answer = std::move(*found);
  }
  // An empty one is about to be written.
  if (answer && answer->text.empty())
    return std::nullopt;
  return answer;
}

/// Whether a text can be seen to be all of an answer.
static bool isWhole(const ChatRequest &request, StringRef text) {
  if (request.schema.empty())
    return false;
  Expected<json::Value> value = parseUntrustedJson(stripMarkdownFence(text));
  bool parses = bool(value);
  if (!parses)
    consumeError(value.takeError());
  // "1" may be the beginning of "12".
  return parses && (value->getAsObject() || value->getAsArray());
}

Expected<ChatAnswer> MailboxClient::ask(const ChatRequest &request) {
  Expected<std::string> stem = post(request);
  if (!stem)
    return stem.takeError();
  double deadline = clock.seconds() + options.timeoutSeconds;
  std::optional<std::string> before;
  double since = clock.seconds();
  while (true) {
    Expected<std::optional<Found>> found = findAnswer(*stem);
    if (!found)
      return found.takeError();
    std::optional<std::string> text;
    if (*found)
      text = std::move((*found)->text);
    bool stays = text && text == before;
    if (!stays)
      since = clock.seconds();
    bool settled = stays && (isWhole(request, *text) ||
                             clock.seconds() - since >= options.settleSeconds ||
                             clock.unixSeconds() - (*found)->unixSeconds >=
                                 options.settleSeconds);
    if (settled) {
      ChatAnswer answer;
      answer.text = std::move(*text);
      answer.model = options.model;
      answer.usage = {inputTokenBound(request), request.maxOutputTokens,
                      /*known=*/false};
      return answer;
    }
    // One that may still grow is not judged, and not given up either.
    bool appears = text && !before;
    before = std::move(text);
    if (clock.seconds() >= deadline && !stays && !appears)
      return fail(formatv("no answer came into mailbox '{0}' within {1:f1} s",
                          options.directory, options.timeoutSeconds)
                      .str(),
                  "give " + *stem + ".request.md to a model and write its " +
                      "answer to " + *stem + ".answer.txt, then run again",
                  ChatErrorKind::TimedOut);
    clock.sleep(options.pollSeconds);
  }
}

} // namespace

std::unique_ptr<ChatClient> createMailboxClient(MailboxOptions options,
                                                Clock &clock) {
  return std::make_unique<MailboxClient>(std::move(options), clock);
}

} // namespace egg
