#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "repose/base/result.h"

namespace repose::serve {

/// Bytes that several connections send at once.
using Bytes = std::shared_ptr<const std::string>;

/// The built front end.
struct Bundle {
  Bytes page, script, style;
};

// what one client may cost
inline constexpr std::size_t kMostBuffered = std::size_t{8} << 20;  // bytes of answers to it
inline constexpr std::size_t kMostMessage = std::size_t{4} << 20;   // bytes of a message from it
inline constexpr int kMostWaiting = 64;       // of its messages that have no answer yet
inline constexpr int kMostConnections = 256;  // of all clients

/// Called on the server's own thread; must not wait.
struct SocketEvents {
  std::function<void(int client, std::string text)> message;  // is answered exactly once
  std::function<void(int client)> left;
};

/// Listens on the loopback address and speaks HTTP and WebSocket on a thread of its own. It knows
/// nothing of sessions: texts come in and go out. All calls may come from any thread.
class Sockets {
 public:
  /// Port 0: any that is free. The error says why the port cannot be had.
  static Result<std::unique_ptr<Sockets>> listen(int port, const std::string& token, Bundle bundle,
                                                 SocketEvents events);
  ~Sockets();
  Sockets(const Sockets&) = delete;
  Sockets& operator=(const Sockets&) = delete;

  int port() const;
  /// Open sockets.
  int clients() const;

  /// In the order of the calls. A client that lets more than kMostBuffered wait is closed.
  void answer(int client, std::string text);
  /// Every client gets the newest as soon as it has taken what it was sent before; what came
  /// between is left out. A client that joins gets it first thing. Null: nothing new.
  void show(Bytes frame, Bytes status);
  /// What GET /scene/SERIAL answers from now on, of this serial and of all before it.
  void show_scene(std::int64_t serial, Bytes scene);

 private:
  struct Inside;
  explicit Sockets(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace repose::serve
