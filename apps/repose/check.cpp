// repose check SCENE|DIR|POSES
#include <filesystem>

#include <fmt/format.h>

#include "repose/base/json_write.h"
#include "repose/check/verdict.h"
#include "repose/report/report.h"
#include "repose/run/judge.h"
#include "repose/run/judge_input.h"

#include "check_frames.h"
#include "check_page.h"
#include "check_story.h"
#include "check_subject.h"
#include "command_line.h"
#include "commands.h"
#include "interrupt.h"
#include "messages.h"

namespace {

namespace fs = std::filesystem;
using repose::Json;
using repose::check::Answer;

constexpr int kMostMomentsBetween = 1000;
constexpr std::string_view kByItsOwnWord =
    "balance is not judged: by the recording's own word the run";
constexpr repose::Range kTolerances{.min = 0.0, .max = 0.1};
constexpr repose::Range kFrictions{.min = 0.0, .max = 100.0};

struct Options {
  std::string what;
  OpeningWords open;
  fs::path poses, out;
  double tolerance = repose::check::Settings{}.tolerance;
  double friction = -1.0;  // negative: the materials' own
  bool json = false;
  bool prove = false;
  int between = 0;  // moments judged between two frames
};

/// What is asked of a scene; of a run only what it claims, unless the poses are another's.
repose::check::Settings settings_of(const CheckSubject& subject, const Options& options) {
  const bool claims = !subject.claim || repose::claims_rest(subject.claim->status);
  repose::check::Settings out;
  out.tolerance = options.tolerance;
  out.interrupt = &catch_interrupts();
  const std::string hidden = repose::hidden_loads(subject.world.problem);
  out.judge_balance = claims && subject.loads_known && hidden.empty();
  if (claims && !hidden.empty()) out.no_balance = "balance is not judged: " + hidden;
  if (claims && !subject.loads_known)
    out.no_balance = "balance is not judged: not all loads that edits made are recorded";
  if (!claims)
    out.no_balance =
        fmt::format("{} {}", kByItsOwnWord,
                    subject.claim->status_told.empty() ? "came to no end"
                                                       : "ended as " + subject.claim->status_told);
  out.judge_stability = out.judge_balance && repose::loads_stay(subject.world.problem);
  return out;
}

/// What the run itself missed, and this judge does not find anew.
void take_claim(const repose::RunClaim& claim, repose::check::Verdict& verdict) {
  if (claim.missed.empty()) return;
  const repose::Promise& first = claim.missed.front();
  if (verdict.answer != Answer::missed)
    verdict.why = fmt::format("the run missed a promise: {}: {}; at its last state {}", first.name,
                              first.measured, verdict.why);
  verdict.answer = Answer::missed;
}

/// What a recording says beyond its scene and edits is no ground to prove anything on.
void take_story(const CheckSubject& subject, bool all_frames, repose::check::Verdict& verdict) {
  const std::string why = unexplained(subject, all_frames);
  if (why.empty()) return;
  if (verdict.answer == Answer::proven) verdict.why = why;
  for (Answer* answer : {&verdict.answer, &verdict.overlap, &verdict.balanced})
    if (*answer != Answer::not_judged) *answer = repose::prove::both(*answer, Answer::undecided);
}

/// As the run's own: a method that makes no claim of gaps has none to miss where nothing is found
/// against it.
int exit_code(const CheckSubject& subject, const repose::check::Verdict& verdict) {
  if (verdict.answer == Answer::proven) return kDone;
  const bool unclaimed = subject.claim && !subject.claim->no_overlap;
  const bool open_alone = verdict.overlap == Answer::undecided &&
                          verdict.answer == Answer::undecided &&
                          verdict.balanced == Answer::not_judged;
  return unclaimed && open_alone ? kDone : kPromiseMissed;
}

int check_subject(const Options& options) {
  auto subject = open_subject(options.what, options.poses.string(), options.open);
  if (!subject) return bad_input(subject.error(), options.json);
  const repose::check::Settings settings = settings_of(*subject, options);
  const repose::check::Input input = input_of(*subject, options.friction);
  repose::check::Verdict verdict = repose::check::check(input, settings);
  const repose::Judgement soft = take_soft(*subject, input, verdict);
  std::optional<FramesJudged> frames;
  if (options.prove && subject->recording) {
    auto judged = judge_frames(*subject, options.between, options.friction, settings);
    if (!judged) return bad_input(judged.error(), options.json);
    frames = std::move(*judged);
    take_frames(*frames, verdict);
  }
  if (subject->recording && options.poses.empty()) take_story(*subject, options.prove, verdict);
  if (subject->claim) take_claim(*subject->claim, verdict);
  Json said = to_json(verdict, input);
  if (soft.cover != Answer::not_judged) said["cover"] = to_text(soft.cover);
  if (soft.skins != Answer::not_judged) said["skins"] = to_text(soft.skins);
  std::string text = to_summary(verdict, input);
  if (const std::string told = told_of_run(*subject, verdict); !told.empty()) {
    said["told"] = told;
    // of one that claims no rest the line of balance says so
    if (settings.judge_balance || !settings.no_balance.starts_with(kByItsOwnWord))
      text += fmt::format("  told          {}\n", told);
  }
  if (frames) {
    add_frames(*frames, said);
    text += to_line(*frames);
  }
  const int code = exit_code(*subject, verdict);
  const std::string json = said.tall();
  tell("{}", options.json ? json : text + "\n");
  if (options.out.empty()) return code;
  std::error_code ignored;
  fs::create_directories(options.out, ignored);
  if (auto done = repose::report::write_page(json, options.out / "check.json"); !done)
    return bad_input(done.error(), false);
  if (auto done = write_check_page(*subject, input, verdict, options.out / "check.html"); !done)
    return bad_input(done.error(), false);
  if (!options.json) tell("written to {}\n", options.out.string());
  return code;
}

}  // namespace

void add_check(CommandLine& program) {
  auto options = std::make_shared<Options>();
  Command& command = program.subcommand(
      "check", "Prove the poses of bodies: no overlap, balance, stability; or say why not",
      [options] { return check_subject(*options); });
  command
      .text("WHAT", options->what,
            "A scene (path or gallery name), the folder of a run, or a poses file")
      .required()
      .path("--poses", options->poses,
            "JSON or CSV with poses for the scene's bodies (see docs/check.md)")
      .number("--tolerance", options->tolerance, kTolerances,
              "Overlap up to this fraction of the smaller body's size is no fault")
      .shows_default(fmt::format("{}", options->tolerance))
      .number("--friction", options->friction, kFrictions, "For all bodies, instead of their own")
      .flag("--prove", options->prove,
            "Of a run: judge every frame and every way from one to the next for overlap as well")
      .whole("--between", options->between, {0, kMostMomentsBetween},
             "With --prove: judge so many moments on the way from each frame to the next")
      .path("--out", options->out, "Folder for check.json and the page check.html")
      .flag("--json", options->json, "The verdict as JSON");
  add_opening(command, options->open);
}
