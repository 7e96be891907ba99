#include "progress.h"

#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace {

constexpr std::chrono::milliseconds kTerminalPause{100};
constexpr std::chrono::seconds kPlainPause{5};
constexpr double kPercent = 100.0;

std::string line(const repose::RunProgress& p) {
  std::string out = fmt::format("step {}", p.step);
  if (p.time > 0.0) out += fmt::format("  t = {:.4g} s", p.time);
  if (p.residual > 0.0) out += fmt::format("  residual {:.2g}", p.residual);
  if (p.fraction >= 0.0) out += fmt::format("  {:.0f} %", kPercent * p.fraction);
  if (p.seconds_left >= 0.0) out += fmt::format("  {} left", duration_text(p.seconds_left));
  return out;
}

}  // namespace

std::string duration_text(double seconds) {
  constexpr double kMinute = 60.0, kHour = 3600.0;
  if (seconds < kMinute) return fmt::format("{:.0f} s", seconds);
  if (seconds < kHour) return fmt::format("{:.0f} min", seconds / kMinute);
  return fmt::format("{:.1f} h", seconds / kHour);
}

ProgressLine::ProgressLine(bool quiet)
    : quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) != 0),
      next_(std::chrono::steady_clock::now() + (terminal_ ? kTerminalPause : kPlainPause)) {}

void ProgressLine::show(const repose::RunProgress& progress) {
  if (quiet_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  if (terminal_) {
    // back to the first column, and clear what the line before left over
    fmt::print(stderr, "\r{}\x1b[K", line(progress));
    std::fflush(stderr);
    drawn_ = true;
    next_ = now + kTerminalPause;
  } else {
    fmt::print(stderr, "{}\n", line(progress));
    next_ = now + kPlainPause;
  }
}

void ProgressLine::clear() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  drawn_ = false;
}
