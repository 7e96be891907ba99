// Runs a fuzz target on inputs made from its seeds, in a child process: what kills the child is
// saved and told, and the next child goes on.
//
//   fuzz_NAME [--seconds N] [--seed N] [--save FOLDER]   make and try inputs for N seconds
//   fuzz_NAME FILE...                                    try these inputs, each once
#include "fuzz/driver.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <new>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "repose/base/hash.h"

#include "fuzz/mutate.h"
#include "places.h"

namespace repose::fuzz {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;  // slower, and address space is no measure
#else
constexpr bool kSanitized = false;
#endif

/// One input may take this much processor time, and this long by the clock (it may sleep).
constexpr int kMostCpuSeconds = kSanitized ? 10 : 1;
constexpr int kMostClockSeconds = 30;
/// Address space that one input may add, or memory where address space is no measure.
constexpr std::size_t kMostMemory = std::size_t{256} << 20;
constexpr int kMostFailures = 10;

struct Options {
  double seconds = 10.0;
  std::uint64_t seed = 1;
  fs::path save = "found";
  std::vector<fs::path> files;
};

/// What a child leaves behind when it dies.
struct Shared {
  std::uint64_t next = 0;  // number of the input after the one below
  double slowest = 0.0;    // s of processor time
  bool finished = false;   // the child came to its own end
  std::uint64_t size = 0;  // of the input being tried
  char bytes[kMostBytes] = {};
};

Bytes read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  Bytes bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (bytes.size() > kMostBytes) bytes.resize(kMostBytes);
  return bytes;
}

fs::path make_scratch_folder() {
  std::string name = (fs::temp_directory_path() / "repose-fuzz-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    std::perror("fuzz: no scratch folder");
    std::exit(3);
  }
  return name;
}

std::size_t most_memory_so_far() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  constexpr std::size_t kKilobyte = 1024;
  return static_cast<std::size_t>(used.ru_maxrss) * kKilobyte;
}

double cpu_now() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  constexpr double kMicrosecond = 1e-6;
  return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         kMicrosecond * static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/// The signals' own action, which is death, is what the parent waits for.
void set_timers(int cpu_seconds, int clock_seconds) {
  const itimerval cpu{{0, 0}, {cpu_seconds, 0}};
  const itimerval clock{{0, 0}, {clock_seconds, 0}};
  setitimer(ITIMER_PROF, &cpu, nullptr);
  setitimer(ITIMER_REAL, &clock, nullptr);
}

void limit_memory() {
  if (kSanitized) return;
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t most = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + kMostMemory;
  const rlimit limit{most, most};
  setrlimit(RLIMIT_AS, &limit);
}

[[noreturn]] void too_much_memory() {
  constexpr char kText[] = "fuzz: the input asks for more memory than the limit\n";
  static_cast<void>(!write(STDERR_FILENO, kText, sizeof kText - 1));
  std::abort();
}

void prepare_child() {
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  limit_memory();
  // who catches bad_alloc and goes on has still asked for too much
  std::set_new_handler(too_much_memory);
}

void try_input(const Bytes& input, Shared& shared) {
  std::memcpy(shared.bytes, input.data(), input.size());
  shared.size = input.size();
  const double before = cpu_now();
  const std::size_t memory_before = most_memory_so_far();
  set_timers(kMostCpuSeconds, kMostClockSeconds);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  set_timers(0, 0);
  if (most_memory_so_far() > memory_before + kMostMemory) too_much_memory();
  shared.slowest = std::max(shared.slowest, cpu_now() - before);
}

/// Input number `n`: first every seed as it stands, then changed ones.
Bytes input_of(const Target& target, std::uint64_t seed, std::uint64_t n) {
  if (n < target.seeds.size()) return target.seeds[n];
  Random random(seed ^ (n * 0x9E3779B97F4A7C15ULL));
  Bytes input = target.seeds[random.below(target.seeds.size())];
  mutate(target, input, random);
  return input;
}

[[noreturn]] void be_child(const Target& target, const Options& options, Clock::time_point end,
                           Shared& shared) {
  prepare_child();
  const bool only_seeds = !options.files.empty();
  while (only_seeds ? shared.next < target.seeds.size() : Clock::now() < end) {
    const Bytes input = input_of(target, options.seed, shared.next);
    ++shared.next;
    try_input(input, shared);
  }
  shared.finished = true;
  _exit(0);
}

std::string death_of(int status) {
  if (WIFEXITED(status)) return fmt::format("ended the program with {}", WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  if (signal == SIGPROF) return fmt::format("took more than {} s", kMostCpuSeconds);
  if (signal == SIGALRM) return fmt::format("hung for {} s", kMostClockSeconds);
  return fmt::format("died of signal {} ({})", signal, strsignal(signal));
}

void save(const Shared& shared, const Options& options, const std::string& program, int status) {
  const Bytes bytes(shared.bytes, shared.size);
  Hash hash;
  hash.add(std::string_view(bytes));
  fs::create_directories(options.save);
  const fs::path path = options.save / (hash.hex() + ".bin");
  std::ofstream(path, std::ios::binary) << bytes;
  fmt::print(stderr, "{}: input {} of {} bytes {}\n  saved; again: {} {}\n", program,
             shared.next - 1, bytes.size(), death_of(status), program, path.string());
}

/// Children one after another until the time is over; answers how many inputs failed.
int drive(const Target& target, const Options& options, const std::string& program,
          Shared& shared) {
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(options.seconds));
  int failures = 0;
  while (failures < kMostFailures) {
    const pid_t child = fork();
    if (child < 0) {
      std::perror("fuzz: cannot fork");
      std::exit(3);
    }
    if (child == 0) be_child(target, options, end, shared);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (shared.finished) break;
    save(shared, options, program, status);
    ++failures;
  }
  return failures;
}

void add_corpus(const std::string& name, Target& target) {
  const fs::path folder = fs::path(tests::source_dir()) / "tests/fuzz/corpus" / name;
  std::error_code missing;
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder, missing)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) target.seeds.push_back(read_file(path));
}

Options read_options(int argc, char** argv) {
  Options out;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool has_value = i + 1 < argc;
    if (word == "--seconds" && has_value)
      out.seconds = std::stod(argv[++i]);
    else if (word == "--seed" && has_value)
      out.seed = std::stoull(argv[++i]);
    else if (word == "--save" && has_value)
      out.save = argv[++i];
    else
      out.files.emplace_back(word);
  }
  return out;
}

int run(int argc, char** argv) {
  const Options options = read_options(argc, argv);
  const std::string program = argv[0];
  const std::string file = fs::path(program).filename().string();
  const std::string name = file.starts_with("fuzz_") ? file.substr(5) : file;
  scratch_folder();
  Target target = fuzz::target();
  if (options.files.empty()) {
    add_corpus(name, target);
  } else {
    target.seeds.clear();
    for (const fs::path& path : options.files) target.seeds.push_back(read_file(path));
  }
  void* memory =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    std::perror("fuzz: no shared memory");
    return 3;
  }
  auto& shared = *new (memory) Shared;
  const int failures = drive(target, options, program, shared);
  std::error_code ignored;
  fs::remove_all(scratch_folder(), ignored);
  fmt::print("{}: {} inputs from {} seeds, {} failed, the slowest took {:.2g} s (seed {})\n", name,
             shared.next, target.seeds.size(), failures, shared.slowest, options.seed);
  return failures == 0 ? 0 : 1;
}

}  // namespace

const fs::path& scratch_folder() {
  static const fs::path kFolder = make_scratch_folder();
  return kFolder;
}

fs::path scratch_file(const std::string& name, const std::uint8_t* data, std::size_t size) {
  fs::path path = scratch_folder() / name;
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  return path;
}

}  // namespace repose::fuzz

int main(int argc, char** argv) {
  return repose::fuzz::run(argc, argv);
}
