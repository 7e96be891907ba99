#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace repose::serve {

/// A connection by hand: every byte is the test's own.
class RawClient {
 public:
  /// `receive_buffer`: bytes that the system takes in before the test reads; 0: its own choice.
  explicit RawClient(int port, int receive_buffer = 0)
      : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    if (receive_buffer > 0)
      ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    const timeval patience{20, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    sockaddr_in here{};
    here.sin_family = AF_INET;
    here.sin_port = htons(static_cast<std::uint16_t>(port));
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&here), sizeof here) == 0;
  }
  ~RawClient() {
    if (socket_ >= 0) ::close(socket_);
  }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  bool connected() const { return connected_; }

  bool send(const std::string& bytes) {
    std::size_t sent = 0;
    while (sent < bytes.size()) {
      const auto n = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (n <= 0) return false;
      sent += static_cast<std::size_t>(n);
    }
    return true;
  }
  /// Just so many bytes; nothing if the connection ends first.
  std::optional<std::string> receive(std::size_t count) {
    while (held_.size() < count) {
      std::array<char, 65536> some{};
      const auto n = ::recv(socket_, some.data(), some.size(), 0);
      if (n <= 0) return {};
      held_.append(some.data(), static_cast<std::size_t>(n));
    }
    std::string out = held_.substr(0, count);
    held_.erase(0, count);
    return out;
  }
  /// The head of an answer, its empty line included; empty if the connection ends.
  std::string head() {
    std::string out;
    while (!out.ends_with("\r\n\r\n")) {
      const auto next = receive(1);
      if (!next) return {};
      out += *next;
    }
    return out;
  }
  /// The status of the answer to a request; 0: the connection was closed without one.
  int status_of(const std::string& request) {
    if (!send(request)) return 0;
    const std::string answer = head();
    return answer.size() > 12 ? std::stoi(answer.substr(9, 3)) : 0;
  }

  bool open_socket(int port, const std::string& token) {
    return status_of(fmt::format("GET /socket?token={} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n"
                                 "Origin: http://127.0.0.1:{}\r\nUpgrade: websocket\r\n"
                                 "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                                 "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
                                 token, port, port)) == 101;
  }

  /// A whole masked frame; 1: text, 2: binary.
  bool send_frame(const std::string& payload, int opcode = 1) {
    std::string out(1, static_cast<char>(0x80 | opcode));
    const std::size_t size = payload.size();
    if (size < 126) {
      out += static_cast<char>(0x80 | size);
    } else if (size < 65536) {
      out += static_cast<char>(0x80 | 126);
      for (int k = 1; k >= 0; --k) out += static_cast<char>(size >> (8 * k));
    } else {
      out += static_cast<char>(0x80 | 127);
      for (int k = 7; k >= 0; --k) out += static_cast<char>(size >> (8 * k));
    }
    return send(out + std::string(4, '\0') + payload);  // a mask of zeros changes nothing
  }
  struct Frame {
    int opcode = 0;
    std::string payload;
  };
  std::optional<Frame> frame() {
    const auto head = receive(2);
    if (!head) return {};
    std::size_t size = static_cast<unsigned char>((*head)[1]) & 0x7F;
    if (size > 125) {
      const auto more = receive(size == 126 ? 2 : 8);
      if (!more) return {};
      size = 0;
      for (const char byte : *more) size = size << 8 | static_cast<unsigned char>(byte);
    }
    auto payload = receive(size);
    if (!payload) return {};
    return Frame{static_cast<unsigned char>((*head)[0]) & 0x0F, std::move(*payload)};
  }
  /// The next text that begins like this, whatever else comes before it.
  std::optional<std::string> text(const std::string& beginning) {
    while (auto next = frame()) {
      if (next->opcode == 8) return {};
      if (next->opcode != 1) continue;
      if (next->payload.starts_with(beginning)) return next->payload;
      if (next->payload.starts_with(kStatus)) passed_ = next->payload;
    }
    return {};
  }
  /// The newest status: one that came before an answer and was not asked for, or the next.
  std::optional<std::string> status() {
    return passed_ ? std::exchange(passed_, std::nullopt) : text(kStatus);
  }
  /// The answer to a request that has an "id".
  std::optional<std::string> ask(const std::string& request, int id) {
    if (!send_frame(request)) return {};
    return text(fmt::format("{{\"to\": {},", id));
  }

 private:
  static constexpr const char* kStatus = "{\"status\"";

  int socket_;
  bool connected_ = false;
  std::string held_;
  std::optional<std::string> passed_;
};

}  // namespace repose::serve
