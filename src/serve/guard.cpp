#include "guard.h"

#include <charconv>
#include <random>

#include <fmt/format.h>

#include "repose/base/check.h"

namespace repose::serve {

namespace {

constexpr int kBadRequest = 400;
constexpr int kForbidden = 403;
constexpr int kNotFound = 404;
constexpr int kMethodNotAllowed = 405;
constexpr int kUpgradeRequired = 426;

constexpr std::string_view kScene = "/scene/";
constexpr std::string_view kQuery = "token=";

/// The serial of "/scene/12"; nothing where the path is another or spelled another way.
std::optional<std::int64_t> scene_serial(std::string_view path) {
  if (!path.starts_with(kScene)) return {};
  const std::string_view digits = path.substr(kScene.size());
  std::int64_t out = 0;
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  const bool whole = failed == std::errc{} && end == digits.data() + digits.size();
  if (!whole || fmt::format("{}", out) != digits || out < 0) return {};
  return out;
}

Way way_of(std::string_view path) {
  if (path == "/") return Way::page;
  if (path == "/studio.js") return Way::script;
  if (path == "/studio.css") return Way::style;
  if (path == "/socket") return Way::socket;
  return scene_serial(path) ? Way::scene : Way::refused;
}

Admission refused(int status) {
  return {Way::refused, status, 0};
}

}  // namespace

bool same_secret(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned different = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    different |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return different == 0;
}

std::string make_token() {
  std::random_device device("/dev/urandom");
  std::string out;
  constexpr int kWords = 4;
  for (int i = 0; i < kWords; ++i) out += fmt::format("{:08x}", device());
  return out;
}

Admission admit(const Knock& knock, const Door& door) {
  REPOSE_CHECK(!door.token.empty());
  if (knock.hosts != 1) return refused(kBadRequest);
  // a page of another name that leads here (DNS rebinding) has another host
  const bool here = knock.host == fmt::format("127.0.0.1:{}", door.port) ||
                    knock.host == fmt::format("localhost:{}", door.port);
  if (!here) return refused(kForbidden);
  if (knock.origin && *knock.origin != "http://" + knock.host) return refused(kForbidden);
  if (knock.method != "GET") return refused(kMethodNotAllowed);

  const std::string_view target = knock.target;
  const auto mark = target.find('?');
  const std::string_view path = target.substr(0, mark);
  const bool asks = mark != std::string_view::npos;
  const std::string_view query = asks ? target.substr(mark + 1) : std::string_view{};
  const Way way = way_of(path);
  if (way == Way::refused) return refused(kNotFound);
  if (way == Way::script || way == Way::style)
    return asks || knock.upgrade ? refused(kNotFound) : Admission{way, 200, 0};

  const bool knows =
      query.starts_with(kQuery) && same_secret(query.substr(kQuery.size()), door.token);
  if (!knows) return refused(kForbidden);
  if (way == Way::socket && !knock.origin) return refused(kForbidden);
  if (way == Way::socket && !knock.upgrade) return refused(kUpgradeRequired);
  if (way != Way::socket && knock.upgrade) return refused(kBadRequest);
  return {way, 200, way == Way::scene ? *scene_serial(path) : 0};
}

}  // namespace repose::serve
