#include "repose/farm/work.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <deque>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "repose/base/json.h"
#include "repose/base/json_write.h"
#include "repose/base/plain_file.h"
#include "repose/base/whole_file.h"

#include "farm/pool.h"

namespace repose::farm {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostResult = std::uint64_t{1} << 28;  // bytes
constexpr std::size_t kMostWords = 2000;                       // characters kept of a log's end
constexpr std::chrono::milliseconds kLook{200};                // at clocks and Ctrl-C

/// While alive, no other process works on this part of the folder; a kill lets go.
class Lock {
 public:
  static Result<Lock> take(const fs::path& path) {
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0) return cannot_write(path, errno);
    if (flock(file, LOCK_EX | LOCK_NB) == 0) return Lock(file);
    close(file);
    InputError error;
    error.file = path.string();
    error.wrong = "another farm works in this folder";
    error.right = "wait for it, or another folder";
    return error;
  }
  Lock(Lock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  Lock& operator=(Lock&&) = delete;
  ~Lock() {
    if (file_ >= 0) close(file_);
  }

 private:
  explicit Lock(int file) : file_(file) {}
  int file_;
};

std::string end_of(const fs::path& log) {
  auto text = read_plain_file(log.string(), kMostResult, "a log");
  if (!text) return {};
  while (!text->empty() && text->back() == '\n') text->pop_back();
  return text->size() > kMostWords ? text->substr(text->size() - kMostWords) : *text;
}

std::string text_at(const JsonView& view, const char* name) {
  const auto found = view.find(name);
  return found && found->kind() == JsonKind::text ? found->text() : std::string();
}

std::optional<double> number_at(const JsonView& view, const char* object, const char* name) {
  const auto outer = view.find(object);
  const auto found = outer ? outer->find(name) : std::nullopt;
  if (!found || found->kind() != JsonKind::number) return std::nullopt;
  return found->number();
}

std::optional<std::int64_t> whole_at(const JsonView& view, const char* name) {
  const auto found = view.find(name);
  return found ? found->integer() : std::nullopt;
}

/// What result.json says; false where there is none.
bool take_result(const fs::path& path, Row* row) {
  const auto document = JsonDocument::read(path.string());
  if (!document) return false;
  const JsonView root = (*document)->root();
  row->status = text_at(root, "status");
  row->why = text_at(root, "why");
  row->hash = text_at(root, "state_hash");
  row->steps = whole_at(root, "steps");
  row->bodies = whole_at(root, "bodies");
  row->contacts = whole_at(root, "contacts");
  row->penetration_relative = number_at(root, "penetration", "worst_relative");
  row->force = number_at(root, "balance", "force");
  if (const auto verdict = root.find("verdict")) {
    row->overlap = text_at(*verdict, "overlap");
    row->balance = text_at(*verdict, "balance");
    if (row->balance.empty()) row->balance = text_at(*verdict, "rest");  // of older runs
  }
  return true;
}

std::string variation_json(const Job& job, const Order& order) {
  Json::Object out;
  const auto add = [&](const std::string& name, const std::string& text) {
    const auto value = JsonDocument::parse(text, "");
    out.emplace_back(name, value ? Json((*value)->root()) : Json(text));
  };
  for (std::size_t k = 0; k < job.axes.size(); ++k) add(job.axes[k].name, order.axis_values[k]);
  for (const auto& [pointer, value] : order.drawn) add(pointer, value);
  return Json(std::move(out)).line();
}

/// Exit codes of the tool.
enum Code { kKept = 0, kMissedPromise = 1, kBad = 2 };

class Worker {
 public:
  /// `gathered`: what other parts have ended already, where this is one of several.
  Worker(const Job& job, const WorkSettings& settings, Ledger ledger,
         std::optional<Ledger> gathered)
      : job_(job),
        settings_(settings),
        ledger_(std::move(ledger)),
        gathered_(std::move(gathered)) {}

  Result<FarmProgress> run() {
    if (auto done = find_waiting(); !done) return done.error();
    while (!waiting_.empty() || pool_.size() > 0) {
      if (settings_.interrupt != nullptr && *settings_.interrupt) break;
      if (auto done = fill(); !done) return done.error();
      for (const Ended& ended : pool_.wait(kLook))
        if (auto done = take(ended); !done) return done.error();
      show();
    }
    return progress_;
  }

 private:
  Result<Done> find_waiting() {
    std::vector<Row> rows;
    for (const Ledger* ledger : {&ledger_, gathered_ ? &*gathered_ : nullptr}) {
      if (ledger == nullptr) continue;
      auto some = ledger->rows();
      if (!some) return some.error();
      rows.insert(rows.end(), some->begin(), some->end());
    }
    std::vector<bool> there(static_cast<std::size_t>(job_.count()), false);
    for (const Row& row : rows) {
      if (row.number < 0 || row.number >= job_.count()) continue;
      const auto k = static_cast<std::size_t>(row.number);
      const bool ours = row.number % settings_.part.parts == settings_.part.part;
      progress_.failed += !there[k] && ours && row.outcome != Outcome::done;
      there[k] = true;
    }
    for (std::int64_t k = settings_.part.part; k < job_.count(); k += settings_.part.parts) {
      ++progress_.count;
      if (there[static_cast<std::size_t>(k)])
        ++progress_.ended;
      else
        waiting_.push_back(k);
    }
    before_ = progress_.ended;
    return Done{};
  }

  Result<Done> fill() {
    while (!waiting_.empty() && pool_.size() < static_cast<std::size_t>(settings_.workers)) {
      const std::int64_t number = waiting_.front();
      waiting_.pop_front();
      const fs::path folder = run_folder(settings_.folder, number);
      std::error_code failed;
      fs::create_directories(folder, failed);
      if (failed) return cannot_write(folder, failed.value());
      Process process{
          {settings_.tool}, folder / "log.txt", job_.limits.seconds, job_.limits.memory_mb};
      for (std::string& word : run_words(job_, order_of(job_, number)))
        process.words.push_back(std::move(word));
      process.words.insert(process.words.end(),
                           {"--out", folder.string(), "--threads", "1", "--no-pages", "--quiet"});
      if (auto done = pool_.start(number, process); !done) return done;
    }
    return Done{};
  }

  Result<Done> take(const Ended& ended) {
    const fs::path folder = run_folder(settings_.folder, ended.number);
    const Order order = order_of(job_, ended.number);
    Row row;
    row.number = ended.number;
    row.scene = order.scene;
    row.variation = variation_json(job_, order);
    row.exit_code = ended.exit_code;
    row.cpu_seconds = ended.cpu_seconds;
    row.wall_seconds = ended.wall_seconds;
    row.memory_mb = ended.memory_mb;
    const std::string said = end_of(folder / "log.txt");
    const bool told = (ended.exit_code == kKept || ended.exit_code == kMissedPromise) &&
                      take_result(folder / "result.json", &row);
    if (ended.timed_out) {
      row.outcome = Outcome::timed_out;
      row.why = fmt::format("over its limit of {} s", job_.limits.seconds);
    } else if (told) {
      row.outcome = ended.exit_code == kKept ? Outcome::done : Outcome::missed;
      if (row.outcome == Outcome::missed && !said.empty()) row.why = said;
    } else if (ended.exit_code == kBad) {
      row.outcome = Outcome::refused;
      row.why = said;
    } else if (said.find("out of memory") != std::string::npos) {
      row.outcome = Outcome::out_of_memory;
      row.why = fmt::format("over its limit of {} MB", job_.limits.memory_mb);
    } else {
      row.why = ended.signal != 0 ? fmt::format("ended by signal {}", ended.signal)
                                  : fmt::format("exit code {}: {}", ended.exit_code, said);
      const auto deaths = ledger_.add_death(ended.number, row.why);
      if (!deaths) return deaths.error();
      row.tries = *deaths;
      if (*deaths <= job_.limits.retries) {
        waiting_.push_back(ended.number);
        return Done{};
      }
    }
    return write_down(row, folder);
  }

  Result<Done> write_down(Row& row, const fs::path& folder) {
    const auto deaths = ledger_.deaths();
    if (!deaths) return deaths.error();
    if (const auto found = deaths->find(row.number);
        found != deaths->end() && row.outcome != Outcome::died)
      row.tries = found->second + 1;
    ++progress_.ended;
    progress_.failed += row.outcome != Outcome::done;
    // recordings that the page may draw are dropped after it
    const bool drawn = progress_.ended <= job_.pictures;
    if (!drawn && !keeps_recording(job_, row)) {
      std::error_code ignored;
      fs::remove(folder / "recording.repose", ignored);
    }
    return ledger_.add(row);
  }

  void show() {
    using Seconds = std::chrono::duration<double>;
    progress_.wall_seconds = Seconds(std::chrono::steady_clock::now() - start_).count();
    const auto now = progress_.ended - before_;
    if (now > 0)
      progress_.seconds_left = progress_.wall_seconds *
                               static_cast<double>(progress_.count - progress_.ended) /
                               static_cast<double>(now);
    if (settings_.progress) settings_.progress(progress_);
  }

  const Job& job_;
  const WorkSettings& settings_;
  Ledger ledger_;
  std::optional<Ledger> gathered_;
  Pool pool_;
  std::deque<std::int64_t> waiting_;
  std::int64_t before_ = 0;  // ended in an earlier session
  FarmProgress progress_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

bool keeps_recording(const Job& job, const Row& row) {
  return job.recordings == Keep::all ||
         (job.recordings == Keep::failures && row.outcome != Outcome::done);
}

fs::path ledger_path(const fs::path& folder, const Part& part) {
  if (part.parts == 1) return folder / "farm.sqlite";
  return folder / "parts" / fmt::format("{}-of-{}.sqlite", part.part, part.parts);
}

fs::path run_folder(const fs::path& folder, std::int64_t number) {
  return folder / "runs" / fmt::format("{:06}", number);
}

Result<FarmProgress> work(const Job& job, const WorkSettings& settings) {
  const fs::path path = ledger_path(settings.folder, settings.part);
  std::error_code failed;
  fs::create_directories(path.parent_path(), failed);
  if (failed) return cannot_write(path.parent_path(), failed.value());
  fs::path lock_path = path;
  auto lock = Lock::take(lock_path.replace_extension(".lock"));
  if (!lock) return lock.error();
  auto ledger = Ledger::open(path, job);
  if (!ledger) return ledger.error();
  std::optional<Ledger> gathered;
  if (const fs::path all = ledger_path(settings.folder, {});
      all != path && fs::exists(all, failed)) {
    auto opened = Ledger::open(all, job);
    if (!opened) return opened.error();
    gathered.emplace(std::move(*opened));
  }
  return Worker(job, settings, std::move(*ledger), std::move(gathered)).run();
}

Result<Done> gather(const Job& job, const fs::path& folder) {
  auto all = Ledger::open(ledger_path(folder, {}), job);
  if (!all) return all.error();
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder / "parts", failed)) {
    if (entry.path().extension() != ".sqlite") continue;
    const auto part = Ledger::open(entry.path(), job);
    if (!part) return part.error();
    const auto rows = part->rows();
    if (!rows) return rows.error();
    for (const Row& row : *rows)
      if (auto done = all->add(row); !done) return done;
  }
  return Done{};
}

}  // namespace repose::farm
