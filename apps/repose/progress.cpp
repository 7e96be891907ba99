#include "progress.h"

#include <cmath>
#include <csignal>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace {

constexpr std::chrono::milliseconds kTerminalPause{100};
constexpr std::chrono::seconds kPlainPause{5};
constexpr double kPercent = 100.0;

std::string far_text(const repose::RunProgress& p) {
  std::string out = fmt::format("step {}", p.step);
  if (p.time > 0.0) out += fmt::format("  t = {:.4g} s", p.time);
  if (p.residual > 0.0) out += fmt::format("  {:.2g} from rest", p.residual);
  if (p.fraction >= 0.0) out += fmt::format("  {:.0f} %", kPercent * p.fraction);
  return out;
}

}  // namespace

std::string duration_text(double seconds) {
  constexpr long kMinute = 60, kHour = 3600;
  const long whole = std::lround(seconds);
  if (whole < kMinute) return fmt::format("{} s", whole);
  if (whole < kHour) return fmt::format("{} min {:02} s", whole / kMinute, whole % kMinute);
  return fmt::format("{} h {:02} min", whole / kHour, whole % kHour / kMinute);
}

ProgressLine::ProgressLine(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {
  if (!quiet_) drawer_ = std::thread([this] { draw_on(); });
}

ProgressLine::~ProgressLine() {
  clear();
  {
    const std::lock_guard lock(lock_);
    ends_ = true;
  }
  changed_.notify_all();
  if (drawer_.joinable()) drawer_.join();
}

void ProgressLine::stage(const std::string& name) {
  const std::lock_guard lock(lock_);
  stage_ = name;
  far_.clear();
  seconds_left_ = -1.0;
  hidden_ = false;
}

void ProgressLine::show(const repose::RunProgress& progress) {
  if (quiet_) return;
  const std::lock_guard lock(lock_);
  far_ = far_text(progress);
  seconds_left_ = progress.seconds_left;
}

void ProgressLine::show(double share) {
  if (quiet_) return;
  const std::lock_guard lock(lock_);
  far_ = fmt::format("{:.0f} %", kPercent * share);
}

void ProgressLine::clear() {
  const std::lock_guard lock(lock_);
  hidden_ = true;
  if (!drawn_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  drawn_ = false;
}

std::string ProgressLine::line() const {
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
  std::string out = fmt::format("{:<8} {:>6}", stage_, duration_text(spent.count()));
  if (!far_.empty()) out += "  " + far_;
  if (seconds_left_ >= 0.0) out += fmt::format("  about {} left", duration_text(seconds_left_));
  return out;
}

void ProgressLine::draw_on() {
  // signals are for the main thread
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  std::unique_lock lock(lock_);
  while (!ends_) {
    if (terminal_)
      changed_.wait_for(lock, kTerminalPause);
    else
      changed_.wait_for(lock, kPlainPause);
    if (ends_ || hidden_) continue;
    if (!terminal_) {
      fmt::print(stderr, "{}\n", line());
      continue;
    }
    // back to the first column, and clear what the line before left over
    fmt::print(stderr, "\r{}\x1b[K", line());
    std::fflush(stderr);
    drawn_ = true;
  }
}
