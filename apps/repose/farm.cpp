// repose farm JOB --out DIR
#include <chrono>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "repose/base/json_write.h"
#include "repose/base/whole_file.h"
#include "repose/farm/summary.h"
#include "repose/farm/work.h"

#include "command_line.h"
#include "commands.h"
#include "farm_on.h"
#include "interrupt.h"
#include "messages.h"
#include "progress.h"
#include "render_scene.h"

namespace {

namespace fs = std::filesystem;
namespace farm = repose::farm;
using repose::Done;
using repose::Json;
using repose::Result;

constexpr int kMostJobs = 4096;
// pixels of a picture on the page, and light paths for each
constexpr std::array kPictureSize = {400, 250};
constexpr int kPictureSamples = 4;

struct FarmOptions {
  std::string job;
  fs::path out;
  std::string on = "local", part;
  int jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  bool json = false, quiet = false;
};

/// How far it is: a moving line on a terminal, else a line now and then.
class FarmLine {
 public:
  explicit FarmLine(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}
  ~FarmLine() {
    if (drawn_) fmt::print(stderr, "\r\x1b[K");
  }
  FarmLine(const FarmLine&) = delete;
  FarmLine& operator=(const FarmLine&) = delete;

  void show(const farm::FarmProgress& p) {
    constexpr std::chrono::seconds kPlainPause{10};
    const auto now = std::chrono::steady_clock::now();
    if (quiet_ || (!terminal_ && now < next_)) return;
    next_ = now + kPlainPause;
    std::string text = fmt::format("{} of {} runs", p.ended, p.count);
    if (p.failed > 0) text += fmt::format(", {} failed", p.failed);
    if (p.seconds_left >= 0.0) text += fmt::format(", {} left", duration_text(p.seconds_left));
    fmt::print(stderr, "{}{}{}", terminal_ ? "\r" : "", text, terminal_ ? "\x1b[K" : "\n");
    std::fflush(stderr);
    drawn_ = terminal_;
  }

 private:
  bool quiet_, terminal_, drawn_ = false;
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now();
};

std::string own_program() {
  std::error_code failed;
  return fs::read_symlink("/proc/self/exe", failed).string();
}

Result<farm::FarmProgress> work_here(const farm::Job& job, const FarmOptions& options,
                                     const farm::Part& part) {
  FarmLine line(options.quiet);
  farm::WorkSettings settings;
  settings.tool = own_program();
  settings.folder = options.out;
  settings.workers = options.jobs;
  settings.part = part;
  settings.interrupt = &catch_interrupts();
  settings.progress = [&](const farm::FarmProgress& p) { line.show(p); };
  return farm::work(job, settings);
}

/// Draws runs whose recordings are there; a run that cannot be drawn has no picture.
std::map<std::int64_t, std::string> draw_runs(const farm::Job& job, const FarmOptions& options,
                                              const std::vector<farm::Row>& rows) {
  std::map<std::int64_t, std::string> out;
  std::error_code ignored;
  fs::create_directories(options.out / "pictures", ignored);
  for (const std::int64_t number : farm::runs_to_draw(job, rows)) {
    if (catch_interrupts()) break;
    const std::string name = fmt::format("pictures/{:06}.png", number);
    RenderOptions order;
    order.what = farm::run_folder(options.out, number).string();
    order.out = options.out / name;
    order.size = kPictureSize;
    order.samples = kPictureSamples;
    order.quiet = true;
    if (fs::exists(order.out, ignored) || render_scene(order)) out[number] = name;
  }
  return out;
}

void drop_recordings(const farm::Job& job, const FarmOptions& options,
                     const std::vector<farm::Row>& rows) {
  std::error_code ignored;
  for (const farm::Row& row : rows)
    if (!farm::keeps_recording(job, row))
      fs::remove(farm::run_folder(options.out, row.number) / "recording.repose", ignored);
}

Result<std::vector<farm::Row>> sum_up(const farm::Job& job, const FarmOptions& options) {
  auto ledger = farm::Ledger::open(farm::ledger_path(options.out, {}), job);
  if (!ledger) return ledger.error();
  auto rows = ledger->rows();
  if (!rows) return rows.error();
  const auto pictures = draw_runs(job, options, *rows);
  if (auto done = repose::write_whole(options.out / "summary.csv", farm::to_csv(job, *rows)); !done)
    return done.error();
  const auto page = farm::to_page(job, *rows, pictures);
  if (!page) return page.error();
  if (auto done = repose::write_whole(options.out / "index.html", *page); !done)
    return done.error();
  if (static_cast<std::int64_t>(rows->size()) == job.count()) drop_recordings(job, options, *rows);
  return rows;
}

/// What became of the farm, for people or as JSON; answers the exit code.
int tell_end(const farm::Job& job, const FarmOptions& options, const std::vector<farm::Row>& rows) {
  std::map<std::string, std::int64_t> counts;
  double cpu = 0.0;
  for (const farm::Row& row : rows) {
    ++counts[repose::name_of(row.outcome)];
    cpu += row.cpu_seconds;
  }
  const auto ended = static_cast<std::int64_t>(rows.size());
  const bool good = ended == job.count() && counts["done"] == ended;
  if (options.json) {
    Json::Object outcomes;
    for (const auto& [name, count] : counts) outcomes.emplace_back(name, count);
    const Json out = Json::Object{{"runs", job.count()},
                                  {"ended", ended},
                                  {"outcomes", std::move(outcomes)},
                                  {"cpu_seconds", cpu},
                                  {"page", (options.out / "index.html").string()}};
    tell("{}", out.tall());
  } else {
    std::string text = fmt::format("{} of {} runs ended", ended, job.count());
    for (const auto& [name, count] : counts)
      if (count > 0) text += fmt::format(", {} {}", count, name);
    tell("{}; {:.4g} s CPU\npage: {}\n", text, cpu, (options.out / "index.html").string());
  }
  if (ended < job.count()) fmt::print(stderr, "repose: stopped; the same command goes on\n");
  return good ? kDone : kPromiseMissed;
}

Result<Done> work_elsewhere(const farm::Job& job, const FarmOptions& options) {
  std::error_code failed;
  fs::create_directories(options.out, failed);
  if (failed) return repose::cannot_write(options.out, failed.value());
  const FarmPlace place{own_program(), fs::absolute(options.job).string(),
                        fs::absolute(options.out), options.jobs};
  if (auto done = options.on == "slurm" ? farm_on_slurm(place) : farm_on_mpi(place); !done)
    return done;
  return farm::gather(job, options.out);
}

int run_farm(const FarmOptions& options) {
  const auto job = farm::read_job(options.job);
  if (!job) return bad_input(job.error(), options.json);
  if (options.on != "local" && options.on != "slurm" && options.on != "mpi") {
    repose::InputError error;
    error.pointer = "--on";
    error.value = options.on;
    error.wrong = "there is no such place";
    error.right = "local, slurm or mpi";
    return bad_input(error, options.json);
  }
  if (!options.part.empty()) {
    const auto part = part_of(options.part);
    if (!part) return bad_input(part.error(), options.json);
    const auto done = work_here(*job, options, *part);
    if (!done) return bad_input(done.error(), options.json);
    return done->ended == done->count && done->failed == 0 ? kDone : kPromiseMissed;
  }
  if (options.on == "local") {
    // what parts have ended is not run again
    std::error_code failed;
    if (fs::exists(options.out / "parts", failed))
      if (const auto done = farm::gather(*job, options.out); !done)
        return bad_input(done.error(), options.json);
    if (const auto done = work_here(*job, options, {}); !done)
      return bad_input(done.error(), options.json);
  } else if (const auto done = work_elsewhere(*job, options); !done) {
    return bad_input(done.error(), options.json);
  }
  const auto rows = sum_up(*job, options);
  if (!rows) return bad_input(rows.error(), options.json);
  return tell_end(*job, options, *rows);
}

}  // namespace

void add_farm(CommandLine& program) {
  auto options = std::make_shared<FarmOptions>();
  program
      .subcommand("farm", "Run many scenes: a grid of settings and seeds, random starts",
                  [options] { return run_farm(*options); })
      .text("JOB", options->job, "What to run, as JSON (repose schema --farm, docs/farm.md)")
      .required()
      .path("--out", options->out, "Folder for runs, farm.sqlite, summary.csv and index.html")
      .required()
      .whole("--jobs", options->jobs, {1, kMostJobs}, "Runs side by side")
      .shows_default("one a core")
      .text("--on", options->on, "Where: local, slurm (sbatch) or mpi (mpirun)")
      .shows_default("local")
      .text("--part", options->part, "Work on part K of N alone, as K/N; mpi: as mpirun says")
      .flag("--json", options->json, "What became of it as JSON")
      .flag("--quiet", options->quiet, "No progress");
}
