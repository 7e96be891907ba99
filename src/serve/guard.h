#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace repose::serve {

/// What a request says of itself, before anything is done for it.
struct Knock {
  std::string method;                 // "GET"
  std::string target;                 // as written: path and query
  int hosts = 0;                      // how many Host fields there are
  std::string host;                   // of the only one
  std::optional<std::string> origin;  // absent: none was sent
  bool upgrade = false;               // it asks for a socket
};

/// Whom the door opens to.
struct Door {
  int port = 0;
  std::string token;
};

enum class Way { refused, page, script, style, scene, socket };

struct Admission {
  Way way = Way::refused;
  int status = 403;         // HTTP's, where refused
  std::int64_t serial = 0;  // of the scene asked for
};

/// Looks at names only, letter by letter: nothing in a target is decoded, and no file is ever
/// looked for by it. The host is this machine's by number or name with our port, an origin is the
/// same host's; page, scene and socket want the token, a socket its origin too.
Admission admit(const Knock& knock, const Door& door);

/// True if both are the same; takes as long whatever they hold.
bool same_secret(std::string_view a, std::string_view b);

/// 32 hexadecimal digits that nobody can guess.
std::string make_token();

}  // namespace repose::serve
