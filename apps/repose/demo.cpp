// repose demo: one experiment of each method, and a page that shows them
#include <algorithm>
#include <array>
#include <thread>

#include <fmt/format.h>
#include <tbb/global_control.h>

#include "repose/base/stage_clock.h"
#include "repose/base/text.h"
#include "repose/base/whole_file.h"
#include "repose/record/recording.h"
#include "repose/report/page.h"
#include "repose/run/catalogue.h"
#include "repose/scene/gallery.h"

#include "command_line.h"
#include "commands.h"
#include "interrupt.h"
#include "messages.h"
#include "render_scene.h"
#include "run_scene.h"

namespace {

namespace fs = std::filesystem;
using repose::report::Card;

/// What a stranger sees first; every method of the catalogue has one here.
constexpr std::array kExperiments = {"still/tea-set",    "place/torus-on-cone",
                                     "pile/box-64",      "mechanism/block-feeder",
                                     "molecule/hammock", "surfel/newtons-cradle"};

/// The run that moves at the head of the page, and its film: pixels, pictures a second, s.
constexpr const char* kHeroScene = "pile/box-64";
constexpr const char* kHeroFilm = "hero.apng";
constexpr std::array kHeroSize = {720, 320};
constexpr int kHeroPictures = 8;
constexpr double kHeroSeconds = 2.0;

/// Said before anything is done.
constexpr const char* kBefore =
    "Repose runs one experiment of each method, judges each, and draws a page of them all.\n"
    "That takes about half a minute; Ctrl-C keeps what is done.\n";

/// Where to go from here.
constexpr const char* kNext = R"(Next:
  ./repose list                               the gallery; pictures in docs/gallery.md
  ./repose new my.json                        a scene of your own, with comments
  ./repose run my.json --out mine --watch     runs it at every save; mine/report.html follows
)";

/// The method whose scenes have no run.
constexpr const char* kNothingMoves = "still";

struct Shown {
  Card card;
  std::vector<std::string> row;
  int code = kDone;
};

/// What was promised and missed first, or what was proven.
std::string outcome_of(const repose::RunResult& result) {
  for (const repose::Promise& promise : promises(result))
    if (!promise.kept) return fmt::format("Missed: {} ({}).", promise.name, promise.measured);
  std::string out = claims_rest(result.outcome.status)
                        ? fmt::format("At rest; the contacts carry every body: {}. ",
                                      to_text(result.verdict.balanced))
                    : result.method == kNothingMoves ? "Judged as it stands. "
                                                     : "Ran to its end. ";
  return out + fmt::format("No overlap: {}.", to_text(result.verdict.overlap));
}

/// What the page says under its title.
std::string summary_of(const std::vector<Shown>& all) {
  const auto kept =
      std::count_if(all.begin(), all.end(), [](const Shown& shown) { return shown.code == kDone; });
  const auto count = static_cast<std::ptrdiff_t>(all.size());
  if (kept == count)
    return fmt::format(
        "{} just ran on this machine. In every one the judge, which knows shapes and places "
        "alone, proved that no body enters another.",
        repose::count_of(count, "experiment"));
  return fmt::format("{} just ran on this machine; {} kept every promise.",
                     repose::count_of(count, "experiment"), kept);
}

std::string about_of(const std::string& name) {
  const auto gallery = repose::list_gallery();
  if (gallery)
    for (const auto& scene : *gallery)
      if (scene.name == name) return scene.about;
  return {};
}

/// Deepest overlap that the judge could not rule out, of body size.
std::string overlap_text(const std::optional<double>& relative) {
  if (!relative) return "not known";
  return *relative > 0.0 ? fmt::format("below {:.1e}", *relative) : "none";
}

repose::Result<Shown> show(const std::string& name, const fs::path& folder,
                           const std::atomic<bool>& interrupt) {
  RunOptions options;
  options.scene = name;
  options.out = folder / name;
  options.interrupt = &interrupt;
  const double start = repose::cpu_seconds();
  auto report = run_scene(options);
  if (!report) return report.error();
  const repose::RunResult& result = report->result;
  Shown shown;
  shown.code = report->broken.empty() ? exit_code(result) : kOurFault;
  const auto method = repose::find_method(result.method);
  shown.card.kind = result.method;
  shown.card.title = method ? (*method)->about : name;
  shown.card.about = fmt::format("{}: {}", name, about_of(name));
  shown.card.link = name + "/report.html";
  shown.card.picture = name + "/still.png";
  shown.card.outcome = outcome_of(result);
  shown.card.good = shown.code == kDone;
  const auto recording = repose::Recording::open(options.out / "recording.repose");
  if (recording && recording->frame_count() > 2) {
    shown.card.curve = recording->series("energy");
    shown.card.curve_caption = "energy, J";
  }
  const auto relative = result.verdict.penetration_relative;
  shown.row = {name,
               to_text(result.verdict.overlap),
               overlap_text(relative),
               to_text(result.outcome.status),
               std::to_string(result.bodies),
               std::to_string(result.steps),
               fmt::format("{:.2f}", repose::cpu_seconds() - start)};
  return shown;
}

/// Draws the film at the head of the page from its run; without it the still picture stands there.
repose::report::Hero draw_hero(const fs::path& folder, const std::vector<Shown>& all) {
  repose::report::Hero hero;
  for (const Shown& shown : all) {
    if (shown.row.front() != kHeroScene) continue;
    hero.picture = shown.card.picture;
    hero.link = shown.card.link;
    hero.caption = about_of(kHeroScene) + " Click it to turn it and to step through the run.";
    RenderOptions film;
    film.what = (folder / kHeroScene).string();
    film.out = folder / kHeroFilm;
    film.size = kHeroSize;
    film.frames_per_second = kHeroPictures;
    film.even_seconds = kHeroSeconds;
    if (render_scene(film)) hero.moving = kHeroFilm;
  }
  return hero;
}

repose::Result<repose::Done> write_index(const fs::path& path, const std::vector<Shown>& all,
                                         const repose::report::Hero& hero) {
  std::vector<Card> cards;
  repose::report::Table table;
  table.heads = {"scene", "no overlap", "at most, of size", "ended", "bodies", "steps", "CPU s"};
  table.numeric = {false, false, true, false, true, true, true};
  for (const Shown& shown : all) {
    cards.push_back(shown.card);
    table.rows.push_back(shown.row);
  }
  repose::report::Page page("Repose");
  page.lead("Bodies that do not pass through each other, and the proof.");
  page.lead(summary_of(all));
  if (!hero.picture.empty()) page.hero(hero);
  page.cards(cards);
  page.section("What was measured");
  page.paragraph(
      "The verdict is computed from shapes and poses alone, by code that had no part in the run.");
  page.table(table);
  const auto html = page.html();
  if (!html) return html.error();
  return repose::write_whole(path, *html);
}

int demo(const fs::path& folder) {
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism,
                                    std::max(1U, std::thread::hardware_concurrency()));
  const std::atomic<bool>& interrupt = catch_interrupts();
  fmt::print(stderr, "{}", kBefore);
  std::vector<Shown> all;
  int code = kDone;
  for (const char* name : kExperiments) {
    if (interrupt) break;
    fmt::print(stderr, "[{}/{}] {}\n", all.size() + 1, kExperiments.size(), name);
    auto shown = show(name, folder, interrupt);
    if (!shown) return bad_input(shown.error(), false);
    tell("{:<24} {}\n", name, shown->card.outcome);
    code = std::max(code, shown->code);
    all.push_back(std::move(*shown));
  }
  repose::report::Hero hero;
  if (!interrupt) {
    fmt::print(stderr, "Drawing the page\n");
    hero = draw_hero(folder, all);
  }
  const auto written = write_index(folder / "index.html", all, hero);
  if (!written) return bad_input(written.error(), false);
  tell("Page: file://{}\n", fs::absolute(folder / "index.html").lexically_normal().string());
  tell("{}", kNext);
  return code;
}

}  // namespace

void add_demo(CommandLine& program) {
  auto folder = std::make_shared<fs::path>("demo");
  program
      .subcommand("demo", "Run one experiment of each method, show them all",
                  [folder] { return demo(*folder); })
      .path("--out", *folder, "Folder for the page and the runs")
      .shows_default(folder->string());
}
