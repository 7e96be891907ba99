#include "cad_child.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace repose::handover {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kMostWait{180};
constexpr std::size_t kMostBytes = std::size_t{120} << 20;
constexpr int kRefused = 2;  // its exit code for a file that it does not take
constexpr const char* kProgram = "repose-cad";

/// Beside this program, where the build put it, or along the path.
std::string helper() {
  if (const char* said = std::getenv("REPOSE_CAD")) return said;
  std::error_code none;
  const fs::path own = fs::read_symlink("/proc/self/exe", none);
  for (const fs::path& place : {own.parent_path() / kProgram, fs::path(REPOSE_CAD_PROGRAM)})
    if (fs::exists(place, none)) return place.string();
  return kProgram;
}

/// In the child: becomes the helper, or ends with the code of a missing program.
[[noreturn]] void become(const std::vector<char*>& words, int in, int out) {
  constexpr int kMissing = 127;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nowhere = open("/dev/null", O_WRONLY);
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  execvp(words[0], words.data());
  _exit(kMissing);
}

/// Both ends of a pipe, closed with it; children do not inherit them.
struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() { [[maybe_unused]] const int failed = pipe2(ends, O_CLOEXEC); }
  ~Pipe() { close_end(0), close_end(1); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_end(int which) {
    if (ends[which] >= 0) close(ends[which]);
    ends[which] = -1;
  }
};

/// Feeds and reads until the child closes its end; false where it took too long or wrote too much.
CadAnswer::End talk(Pipe& to, Pipe& from, const std::string& input, std::string& text) {
  const auto until = Clock::now() + kMostWait;
  std::size_t fed = 0;
  std::vector<char> buffer(std::size_t{1} << 16);
  while (true) {
    if (fed == input.size()) to.close_end(1);
    pollfd both[2] = {{from.ends[0], POLLIN, 0}, {to.ends[1], POLLOUT, 0}};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
    if (left.count() <= 0) return CadAnswer::End::too_slow;
    if (poll(both, to.ends[1] >= 0 ? 2 : 1, static_cast<int>(left.count())) < 0 && errno != EINTR)
      return CadAnswer::End::fell_over;
    if (to.ends[1] >= 0 && (both[1].revents & (POLLOUT | POLLERR)) != 0) {
      const ssize_t n = write(to.ends[1], input.data() + fed, input.size() - fed);
      fed = n > 0 ? fed + static_cast<std::size_t>(n) : input.size();
    }
    if ((both[0].revents & (POLLIN | POLLHUP)) == 0) continue;
    const ssize_t n = read(from.ends[0], buffer.data(), buffer.size());
    if (n <= 0) return CadAnswer::End::done;
    text.append(buffer.data(), static_cast<std::size_t>(n));
    if (text.size() > kMostBytes) return CadAnswer::End::too_large;
  }
}

}  // namespace

CadAnswer run_cad(const std::vector<std::string>& words, const std::string& input) {
  const std::string program = helper();
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  CadAnswer out;
  Pipe to, from;
  if (to.ends[0] < 0 || from.ends[0] < 0) return out;
  const int pid = fork();
  if (pid < 0) return out;
  if (pid == 0) become(argv, to.ends[0], from.ends[1]);
  to.close_end(0);
  from.close_end(1);
  struct sigaction ignore {
  }, before{};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &before);
  out.end = talk(to, from, input, out.text);
  sigaction(SIGPIPE, &before, nullptr);
  if (out.end != CadAnswer::End::done) kill(pid, SIGKILL);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  if (out.end != CadAnswer::End::done) return out;
  constexpr int kMissing = 127;
  if (WIFSIGNALED(status))
    out.end = WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL
                  ? CadAnswer::End::too_slow
                  : CadAnswer::End::fell_over;
  else if (WEXITSTATUS(status) == kMissing)
    out.end = CadAnswer::End::missing;
  else if (WEXITSTATUS(status) == kRefused)
    out.end = CadAnswer::End::refused;
  else if (WEXITSTATUS(status) != 0)
    out.end = CadAnswer::End::fell_over;
  return out;
}

}  // namespace repose::handover
