#include "watch.h"

#include <chrono>
#include <cstdio>
#include <thread>

#include <fmt/format.h>

#include "messages.h"

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kPause{100};

/// Editors that put a new file in the place of the old one leave none for a moment.
fs::file_time_type saved_at(const fs::path& file) {
  std::error_code missing;
  return fs::last_write_time(file, missing);
}

}  // namespace

int at_every_save(const fs::path& file, const std::atomic<bool>& interrupt,
                  const std::function<int()>& act) {
  int answer = 0;
  while (!interrupt) {
    const auto seen = saved_at(file);
    answer = act();
    if (interrupt) break;
    std::fflush(stdout);  // whoever reads a pipe hears of each run when it is done
    show(stderr, fmt::format("watching {} (Ctrl-C ends)\n", file.string()));
    while (!interrupt && saved_at(file) == seen) std::this_thread::sleep_for(kPause);
    // a save in pieces ends within this
    std::this_thread::sleep_for(kPause);
  }
  return answer;
}
