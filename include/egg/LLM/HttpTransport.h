//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// HttpTransport: one HTTP request and its answer, and nothing of what it is
// about: no retries, no redirects.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LLM_HTTPTRANSPORT_H
#define EGG_LLM_HTTPTRANSPORT_H

#include "egg/LLM/ApiKey.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace egg {

/// A POST. Times in seconds.
struct HttpRequest {
  /// http or https.
  std::string url;
  std::map<std::string, std::string> headers;
  std::string body;
  /// A header whose value is a prefix and a secret; null: none.
  std::string secretHeader, secretPrefix;
  const Secret *secret = nullptr;
  double connectSeconds = 10;
  /// Until the answer is whole.
  double totalSeconds = 600;
  /// Without any byte of it; unset: no limit of its own.
  std::optional<double> stallSeconds;
  /// Of the answer, as it comes and unpacked.
  size_t maxBytes = size_t(8) << 20;
};

struct HttpResponse {
  int status = 0;
  /// Names in lower case; of repeated ones the last.
  std::map<std::string, std::string> headers;
  std::string body;
};

/// Why there is no HttpResponse.
class HttpFailure : public llvm::ErrorInfo<HttpFailure> {
public:
  static char ID; // NOLINT(readability-identifier-naming): llvm::ErrorInfo

  enum class Kind {
    /// No connection: the server cannot have seen the request.
    NoConnection,
    /// The name does not resolve, or the certificate is not trusted: asking
    /// again does not help.
    Unusable,
    /// The connection broke when the request may have been seen.
    Lost,
    TimedOut,
    TooLarge,
    /// The other side does not speak HTTP, or the request is none.
    NotHttp
  };

  HttpFailure(Kind kind, std::string reason)
      : failure(kind), reason(std::move(reason)) {}
  Kind kind() const { return failure; }
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  Kind failure;
  std::string reason;
};

class HttpTransport {
public:
  /// Gets each piece of the body of an answer of status 200 as it comes; false
  /// ends the transfer, and the pieces so far are the answer.
  using OnPiece = llvm::function_ref<bool(llvm::StringRef piece)>;

  virtual ~HttpTransport();
  /// Errors are HttpFailures. With onPiece, a body of status 200 is not in the
  /// response.
  virtual llvm::Expected<HttpResponse> post(const HttpRequest &request,
                                            OnPiece onPiece = nullptr) = 0;
};

/// libcurl: HTTP and HTTPS with certificates checked, no redirects, the proxy
/// variables of curl (https_proxy, no_proxy, ...) and its variables for
/// certificates (CURL_CA_BUNDLE, SSL_CERT_FILE, SSL_CERT_DIR). An error in a
/// build without it (EGG_WITH_CURL=OFF).
llvm::Expected<std::unique_ptr<HttpTransport>> createCurlTransport();

} // namespace egg

#endif // EGG_LLM_HTTPTRANSPORT_H
