//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/LLM/HttpTransport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>
#include <curl/curl.h>

using namespace llvm;
using Kind = egg::HttpFailure::Kind;

namespace egg {

namespace {

/// Of all header lines together.
constexpr size_t kMaxHeaderBytes = 64 << 10;

/// A list of header lines, overwritten before it is freed: one has the key.
class HeaderLines {
public:
  HeaderLines() = default;
  HeaderLines(const HeaderLines &) = delete;
  ~HeaderLines() {
    for (curl_slist *line = lines; line; line = line->next)
      ::explicit_bzero(line->data, strlen(line->data));
    ::curl_slist_free_all(lines);
  }
  void add(const std::string &line) {
    lines = ::curl_slist_append(lines, line.c_str());
  }
  curl_slist *get() const { return lines; }

private:
  curl_slist *lines = nullptr;
};

/// One request under way: what curl's callbacks fill.
struct Transfer {
  Transfer(const HttpRequest &request, HttpTransport::OnPiece onPiece)
      : request(request), onPiece(onPiece) {}

  double now() const {
    return std::chrono::duration<double>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

  const HttpRequest &request;
  HttpTransport::OnPiece onPiece;
  CURL *handle = nullptr;
  HttpResponse response;
  size_t bytes = 0, headerBytes = 0;
  double lastByte = now();
  bool tooLarge = false, stopped = false, stalled = false;
};

size_t takeHeader(char *data, size_t, size_t size, void *user) {
  auto &transfer = *static_cast<Transfer *>(user);
  transfer.lastByte = transfer.now();
  transfer.headerBytes += size;
  if (transfer.headerBytes > kMaxHeaderBytes) {
    transfer.tooLarge = true;
    return 0;
  }
  StringRef line(data, size);
  // Of several answers (100 Continue, a proxy's) only the last one counts.
  if (line.starts_with("HTTP/"))
    transfer.response.headers.clear();
  auto [name, value] = line.split(':');
  if (name.size() != line.size())
    transfer.response.headers[name.trim().lower()] = value.trim().str();
  return size;
}

size_t takeBody(char *data, size_t, size_t size, void *user) {
  auto &transfer = *static_cast<Transfer *>(user);
  transfer.lastByte = transfer.now();
  transfer.bytes += size;
  if (transfer.bytes > transfer.request.maxBytes) {
    transfer.tooLarge = true;
    return 0;
  }
  long status = 0;
  ::curl_easy_getinfo(transfer.handle, CURLINFO_RESPONSE_CODE, &status);
  if (!transfer.onPiece || status != 200) {
    transfer.response.body.append(data, size);
    return size;
  }
  if (transfer.onPiece(StringRef(data, size)))
    return size;
  transfer.stopped = true;
  return 0;
}

int watch(void *user, curl_off_t, curl_off_t, curl_off_t, curl_off_t sent) {
  auto &transfer = *static_cast<Transfer *>(user);
  curl_off_t uploaded = curl_off_t(transfer.request.body.size());
  // Until the request is out, the connect time-out and the total one hold.
  if (sent < uploaded)
    transfer.lastByte = transfer.now();
  std::optional<double> limit = transfer.request.stallSeconds;
  transfer.stalled = limit && transfer.now() - transfer.lastByte > *limit;
  return transfer.stalled;
}

/// Sets options; curl's return codes only tell of options it was built without.
class Options {
public:
  explicit Options(CURL *handle) : handle(handle) {}
  template <typename T> void set(CURLoption option, T value) {
    if (::curl_easy_setopt(handle, option, value) != CURLE_OK)
      failed = true;
  }
  bool failed = false;

private:
  CURL *handle;
};

/// As the command-line tool does; the library alone does not.
void setCertificates(Options &options) {
  const char *bundle = ::getenv("CURL_CA_BUNDLE");
  if (!bundle || !*bundle)
    bundle = ::getenv("SSL_CERT_FILE");
  if (bundle && *bundle)
    options.set(CURLOPT_CAINFO, bundle);
  if (const char *folder = ::getenv("SSL_CERT_DIR"); folder && *folder)
    options.set(CURLOPT_CAPATH, folder);
}

Error failure(Kind kind, const Twine &reason) {
  return make_error<HttpFailure>(kind, reason.str());
}

class CurlTransport : public HttpTransport {
public:
  Expected<HttpResponse> post(const HttpRequest &request,
                              OnPiece onPiece) override;

private:
  static Error explain(CURLcode code, const Transfer &transfer,
                       StringRef detail);
};

Error CurlTransport::explain(CURLcode code, const Transfer &transfer,
                             StringRef detail) {
  const HttpRequest &request = transfer.request;
  std::string reason =
      detail.empty() ? ::curl_easy_strerror(code) : detail.trim().str();
  if (transfer.tooLarge)
    return failure(Kind::TooLarge, "the answer is larger than " +
                                       Twine(request.maxBytes) + " bytes");
  if (transfer.stalled)
    return failure(
        Kind::TimedOut,
        formatv("nothing came for {0:f1} s", *request.stallSeconds).str());
  double connected = 0;
  ::curl_easy_getinfo(transfer.handle, CURLINFO_CONNECT_TIME, &connected);
  switch (code) {
  case CURLE_COULDNT_RESOLVE_HOST:
  case CURLE_COULDNT_RESOLVE_PROXY:
  case CURLE_COULDNT_CONNECT:
  case CURLE_SSL_CONNECT_ERROR:
    return failure(Kind::NoConnection, reason);
  case CURLE_OPERATION_TIMEDOUT:
    if (connected == 0)
      return failure(
          Kind::NoConnection,
          formatv("no connection within {0:f1} s",
                  std::min(request.connectSeconds, request.totalSeconds))
              .str());
    return failure(
        Kind::TimedOut,
        formatv("no whole answer within {0:f1} s", request.totalSeconds).str());
  case CURLE_PEER_FAILED_VERIFICATION:
  case CURLE_SSL_CACERT_BADFILE:
  case CURLE_SSL_CERTPROBLEM:
    return failure(Kind::Unusable, reason);
  case CURLE_URL_MALFORMAT:
  case CURLE_UNSUPPORTED_PROTOCOL:
  case CURLE_WEIRD_SERVER_REPLY:
    return failure(Kind::NotHttp, reason);
  default:
    return failure(Kind::Lost, reason);
  }
}

Expected<HttpResponse> CurlTransport::post(const HttpRequest &request,
                                           OnPiece onPiece) {
  std::unique_ptr<CURL, void (*)(CURL *)> handle(::curl_easy_init(),
                                                 ::curl_easy_cleanup);
  if (!handle)
    return failure(Kind::Unusable, "libcurl cannot be started");
  HeaderLines lines;
  for (const auto &[name, value] : request.headers)
    lines.add(name + ": " + value);
  // curl would otherwise ask whether it may send a large body, and wait.
  lines.add("Expect:");
  if (request.secret && !request.secret->empty()) {
    std::string line = request.secretHeader + ": " + request.secretPrefix +
                       request.secret->reveal().str();
    lines.add(line);
    ::explicit_bzero(line.data(), line.size());
  }
  Transfer transfer(request, onPiece);
  transfer.handle = handle.get();
  char detail[CURL_ERROR_SIZE] = "";
  Options options(handle.get());
  options.set(CURLOPT_URL, request.url.c_str());
  options.set(CURLOPT_PROTOCOLS_STR, "http,https");
  options.set(CURLOPT_FOLLOWLOCATION, 0L);
  options.set(CURLOPT_SSL_VERIFYPEER, 1L);
  options.set(CURLOPT_SSL_VERIFYHOST, 2L);
  options.set(CURLOPT_NOSIGNAL, 1L);
  options.set(CURLOPT_USERAGENT, "egg");
  options.set(CURLOPT_HTTPHEADER, lines.get());
  // A proxy is not told what is for the server.
  options.set(CURLOPT_HEADEROPT, long(CURLHEADER_SEPARATE));
  options.set(CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.size()));
  options.set(CURLOPT_POSTFIELDS, request.body.data());
  options.set(CURLOPT_CONNECTTIMEOUT_MS, long(request.connectSeconds * 1000));
  options.set(CURLOPT_TIMEOUT_MS, long(request.totalSeconds * 1000));
  options.set(CURLOPT_ERRORBUFFER, detail);
  options.set(CURLOPT_HEADERFUNCTION, takeHeader);
  options.set(CURLOPT_HEADERDATA, &transfer);
  options.set(CURLOPT_WRITEFUNCTION, takeBody);
  options.set(CURLOPT_WRITEDATA, &transfer);
  options.set(CURLOPT_NOPROGRESS, 0L);
  options.set(CURLOPT_XFERINFOFUNCTION, watch);
  options.set(CURLOPT_XFERINFODATA, &transfer);
  setCertificates(options);
  if (options.failed)
    return failure(Kind::Unusable,
                   "this libcurl lacks what is needed: HTTPS, or a limit on "
                   "protocols (7.85 or newer)");
  CURLcode code = ::curl_easy_perform(handle.get());
  if (code != CURLE_OK && !transfer.stopped)
    return explain(code, transfer, detail);
  long status = 0;
  ::curl_easy_getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &status);
  transfer.response.status = int(status);
  return std::move(transfer.response);
}

} // namespace

Expected<std::unique_ptr<HttpTransport>> createCurlTransport() {
  static const CURLcode started = ::curl_global_init(CURL_GLOBAL_DEFAULT);
  if (started != CURLE_OK)
    return createStringError(inconvertibleErrorCode(),
                             "libcurl cannot be started: %s",
                             ::curl_easy_strerror(started));
  return std::make_unique<CurlTransport>();
}

} // namespace egg
