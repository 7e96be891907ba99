#include "farm/pool.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace repose::farm {
namespace {

/// Between being told to end and being ended, s.
constexpr double kGrace = 3.0;
constexpr int kCannotStart = 127;

InputError cannot_start(const std::string& program, int system_error) {
  InputError error;
  error.file = program;
  error.wrong = fmt::format("a process cannot be started: {}", std::strerror(system_error));
  return error;
}

double seconds_of(const timeval& t) {
  constexpr double kMicro = 1e-6;
  return static_cast<double>(t.tv_sec) + kMicro * static_cast<double>(t.tv_usec);
}

/// In the new process; never comes back. Nothing here takes memory: another thread of the parent
/// may have held its lock.
[[noreturn]] void become(const Process& process, char* const* words, int parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kCannotStart);  // it died before the line above
  setpgid(0, 0);                                 // Ctrl-C is the parent's to tell
  if (process.memory_mb > 0.0) {
    const auto bytes = static_cast<rlim_t>(process.memory_mb * (1 << 20));
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_DATA, &limit);
  }
  const int log = open(process.log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(nothing, STDIN_FILENO);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  execv(words[0], words);
  _exit(kCannotStart);
}

}  // namespace

Pool::~Pool() {
  for (const Running& one : running_) kill(one.pid, SIGKILL);
  for (const Running& one : running_) {
    waitpid(one.pid, nullptr, 0);
    close(one.watch);
  }
}

Result<Done> Pool::start(std::int64_t number, const Process& process) {
  std::vector<char*> words;
  for (const std::string& word : process.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const int parent = getpid();
  const int pid = fork();
  if (pid < 0) return cannot_start(process.words[0], errno);
  if (pid == 0) become(process, words.data(), parent);
  const int watch = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  if (watch < 0) {
    const int why = errno;
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
    return cannot_start(process.words[0], why);
  }
  running_.push_back({number, pid, watch, process.seconds, Clock::now(), false});
  return Done{};
}

void Pool::end_late(Running& one) const {
  if (one.seconds <= 0.0) return;
  const std::chrono::duration<double> taken = Clock::now() - one.since;
  if (taken.count() < one.seconds) return;
  kill(one.pid, taken.count() < one.seconds + kGrace ? SIGTERM : SIGKILL);
  one.asked = true;
}

std::vector<Ended> Pool::wait(std::chrono::milliseconds wait) {
  std::vector<pollfd> watched;
  for (Running& one : running_) {
    end_late(one);
    watched.push_back({one.watch, POLLIN, 0});
  }
  poll(watched.data(), watched.size(), static_cast<int>(wait.count()));
  std::vector<Ended> out;
  std::vector<Running> left;
  for (const Running& one : running_) {
    int status = 0;
    rusage used{};
    if (wait4(one.pid, &status, WNOHANG, &used) != one.pid) {
      left.push_back(one);
      continue;
    }
    close(one.watch);
    Ended ended;
    ended.number = one.number;
    ended.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    ended.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    ended.timed_out = one.asked;
    ended.cpu_seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
    ended.wall_seconds = std::chrono::duration<double>(Clock::now() - one.since).count();
    constexpr double kKilobytes = 1024.0;
    ended.memory_mb = static_cast<double>(used.ru_maxrss) / kKilobytes;
    out.push_back(ended);
  }
  running_ = std::move(left);
  return out;
}

}  // namespace repose::farm
