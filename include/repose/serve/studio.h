#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "repose/base/result.h"

namespace repose::serve {

struct StudioOptions {
  std::string scene;                         // path or gallery name; empty: the gallery is shown
  int port = 0;                              // on the loopback address; 0: any that is free
  std::filesystem::path out = "studio-out";  // folder in which recordings are saved
  bool record = false;                       // every state, as it comes, in OUT/live
};

/// The live studio: an engine thread that steps a session, and a server thread that shows it to
/// pages on this machine. docs/studio.md tells the protocol, the limits and who is let in.
class Studio {
 public:
  /// Loads the scene and listens. Errors: the scene's, a port that is taken, a page that was not
  /// built.
  static Result<std::unique_ptr<Studio>> start(const StudioOptions& options);
  /// Ends both threads; connections are closed.
  ~Studio();
  Studio(const Studio&) = delete;
  Studio& operator=(const Studio&) = delete;

  /// What a browser opens: "http://127.0.0.1:PORT/?token=TOKEN".
  const std::string& address() const { return address_; }
  int port() const;
  const std::string& token() const;

 private:
  struct Inside;
  explicit Studio(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
  std::string address_;
};

}  // namespace repose::serve
