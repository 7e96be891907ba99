// repose check SCENE|DIR|POSES
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "repose/base/json.h"
#include "repose/base/json_write.h"
#include "repose/check/moments.h"
#include "repose/check/verdict.h"
#include "repose/check/way.h"
#include "repose/report/report.h"
#include "repose/run/judge.h"
#include "repose/run/judge_input.h"

#include "check_page.h"
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
constexpr repose::Range kTolerances{.min = 0.0, .max = 0.1};
constexpr repose::Range kFrictions{.min = 0.0, .max = 100.0};

struct Options {
  std::string what;
  fs::path poses, out;
  double tolerance = repose::check::Settings{}.tolerance;
  double friction = -1.0;  // negative: the materials' own
  bool json = false;
  bool prove = false;
  int between = 0;  // moments judged between two frames
};

repose::check::Input input_of(const CheckSubject& subject, const Options& options) {
  repose::check::Input input = repose::judge_input(subject.world.problem, subject.world.state);
  if (options.friction >= 0.0)
    for (auto& item : input.bodies) item.friction = options.friction;
  return input;
}

/// The frames of a recording and moments between them, judged for overlap.
struct FramesJudged {
  int frames = 0, moments = 0;  // moments: the frames and what lies between
  repose::Moment worst_at;
  repose::check::Verdict worst;
  // ways from frame to frame that are single steps, every moment of them, and those that hold
  // several
  int ways = 0, longer_ways = 0;
  Answer worst_way = Answer::not_judged;
  std::string why_way;
  std::optional<double> depth_on_ways;  // of size; of rigid bodies: at no moment more
};

std::string to_text(const repose::Moment& moment) {
  return moment.share == 0.0 ? fmt::format("frame {}", moment.frame)
                             : fmt::format("{:.3g} of the way from frame {} to {}", moment.share,
                                           moment.frame, moment.frame + 1);
}

int badness(Answer answer) {
  return answer == Answer::proven ? 0 : answer == Answer::undecided ? 1 : 2;
}

bool worse(const repose::check::Verdict& a, const repose::check::Verdict& b) {
  const int more = badness(a.answer) - badness(b.answer);
  return more > 0 || (more == 0 && a.gap_relative < b.gap_relative);
}

/// The way from the frame before, where it is one step: of longer ones the recording does not know
/// where the points went.
void judge_way(const CheckSubject& subject, int frame, const repose::check::Input& before,
               const repose::check::Input& now, const repose::check::Settings& settings,
               FramesJudged& out) {
  const auto& steps = subject.recording->steps();
  const auto f = static_cast<std::size_t>(frame);
  const bool same_bodies = std::equal(
      before.bodies.begin(), before.bodies.end(), now.bodies.begin(), now.bodies.end(),
      [](const auto& a, const auto& b) { return a.name == b.name && a.shape == b.shape; });
  if (steps[f] != steps[f - 1] + 1 || !same_bodies) {
    ++out.longer_ways;
    return;
  }
  const auto verdict = repose::check::check_way(before, now, settings);
  ++out.ways;
  if (out.worst_way != Answer::not_judged && badness(verdict.overlap) <= badness(out.worst_way))
    return;
  out.worst_way = verdict.overlap;
  out.why_way = verdict.why;
}

std::string way_text(const repose::check::Input& from, const repose::check::MomentVerdict& v,
                     int frame) {
  if (v.answer == Answer::proven) return "nothing overlaps on the way";
  const auto name = [&](int i) { return from.bodies[static_cast<std::size_t>(i)].name; };
  const std::string pair = name(v.body_a) + " and " + name(v.body_b);
  return to_text({frame, v.share}) + ": " +
         (v.answer == Answer::missed
              ? fmt::format("{} overlap by {:.3g} m or more", pair, v.depth)
              : fmt::format("{} are not shown to be free of each other", pair));
}

/// The way of rigid bodies from the frame before, where it is one step, for those that both have.
void judge_rigid_way(const CheckSubject& subject, int frame, const repose::check::Input& before,
                     const repose::check::Input& now, const repose::check::Settings& settings,
                     FramesJudged& out) {
  const auto& steps = subject.recording->steps();
  const auto f = static_cast<std::size_t>(frame);
  if (steps[f] != steps[f - 1] + 1) {
    ++out.longer_ways;
    return;
  }
  std::map<std::string_view, const repose::check::PlacedBody*> later;
  for (const auto& body : now.bodies) later.emplace(body.name, &body);
  const bool centers = centers_go_straight(*subject.recording);
  repose::check::Input both;
  std::vector<repose::check::Course> courses;
  for (const auto& body : before.bodies) {
    const auto found = later.find(body.name);
    if (found == later.end()) continue;
    both.bodies.push_back(body);
    courses.push_back({body.world_from_body, found->second->world_from_body,
                       centers ? body.center_body : repose::Vec3(repose::Vec3::Zero())});
  }
  const auto verdict =
      repose::check::judge_moments(both.bodies, courses, {.interrupt = settings.interrupt});
  ++out.ways;
  out.depth_on_ways = std::max(out.depth_on_ways.value_or(0.0), verdict.depth_relative);
  if (out.worst_way != Answer::not_judged && badness(verdict.answer) <= badness(out.worst_way))
    return;
  out.worst_way = verdict.answer;
  out.why_way = way_text(both, verdict, frame - 1);
}

repose::Result<FramesJudged> judge_frames(CheckSubject& subject, const Options& options,
                                          repose::check::Settings settings) {
  settings.judge_balance = settings.judge_stability = settings.judge_fixed = false;
  FramesJudged out;
  out.frames = subject.recording->frame_count();
  const int parts = options.between + 1;
  repose::check::Input before;
  for (int k = 0; k < (out.frames - 1) * parts + 1; ++k) {
    const repose::Moment moment{k / parts, static_cast<double>(k % parts) / parts};
    if (auto done = take_moment(subject, moment); !done) return done.error();
    auto input = input_of(subject, options);
    auto verdict = repose::check::check(input, settings);
    if (k % parts == 0) {
      const bool soft = repose::ways_are_judged(subject.world.problem);
      if (moment.frame > 0)
        (soft ? judge_way : judge_rigid_way)(subject, moment.frame, before, input, settings, out);
      before = std::move(input);
    }
    if (out.moments++ > 0 && !worse(verdict, out.worst)) continue;
    out.worst = std::move(verdict);
    out.worst_at = moment;
  }
  return out;
}

int exit_code(Answer answer) {
  return answer == Answer::proven ? kDone : kPromiseMissed;
}

/// The ways count as the frames do.
void take_ways(const FramesJudged& frames, repose::check::Verdict& verdict) {
  using repose::prove::both;
  if (badness(frames.worst_way) > badness(verdict.answer)) verdict.why = frames.why_way;
  verdict.overlap = both(verdict.overlap, frames.worst_way);
  verdict.answer = both(verdict.answer, frames.worst_way);
}

/// One answer for the last frame and all that came before it.
void take_frames(const FramesJudged& frames, repose::check::Verdict& verdict) {
  using repose::prove::both;
  const bool worse_before = badness(frames.worst.answer) > badness(verdict.answer);
  verdict.overlap = both(verdict.overlap, frames.worst.answer);
  verdict.answer = both(verdict.answer, frames.worst.answer);
  if (worse_before) verdict.why = fmt::format("{}: {}", to_text(frames.worst_at), frames.worst.why);
  if (frames.ways > 0) take_ways(frames, verdict);
}

void add_frames(const FramesJudged& frames, Json& out) {
  out["frames"] = Json::Object{{"count", frames.frames},
                               {"moments", frames.moments},
                               {"verdict", to_text(frames.worst.answer)},
                               {"worst_frame", frames.worst_at.frame},
                               {"worst_share", frames.worst_at.share},
                               {"gap_relative", repose::known(frames.worst.gap_relative)},
                               {"why", frames.worst.why}};
  const Json depth = frames.depth_on_ways ? repose::known(*frames.depth_on_ways) : Json();
  if (frames.ways + frames.longer_ways > 0)
    out["frames"]["ways"] = Json::Object{{"judged", frames.ways},
                                         {"of_several_steps", frames.longer_ways},
                                         {"verdict", to_text(frames.worst_way)},
                                         {"depth_relative", depth},
                                         {"why", frames.why_way}};
}

std::string to_line(const FramesJudged& judged) {
  std::string out = fmt::format(
      "  frames        {} and {} moments between judged for overlap: {}; worst is {:.6g}\n",
      judged.frames, judged.moments - judged.frames, to_text(judged.worst.answer),
      judged.worst_at.frame + judged.worst_at.share);
  if (judged.ways > 0)
    out += fmt::format("  ways          {} from frame to frame, every moment: {}\n", judged.ways,
                       to_text(judged.worst_way));
  if (judged.depth_on_ways && judged.worst_way == Answer::proven)
    out += fmt::format("                at none is an overlap deeper than {:.2g} of size\n",
                       *judged.depth_on_ways);
  if (judged.longer_ways > 0)
    out += fmt::format(
        "  ways          {} hold several steps each and are not judged; run --prove judges every "
        "step\n",
        judged.longer_ways);
  return out;
}

int check_subject(const Options& options) {
  auto subject = open_subject(options.what, options.poses.string());
  if (!subject) return bad_input(subject.error(), options.json);
  repose::check::Settings settings;
  settings.tolerance = options.tolerance;
  settings.interrupt = &catch_interrupts();
  settings.judge_balance = repose::loads_are_described(subject->world.problem);
  settings.judge_stability = settings.judge_balance && repose::loads_stay(subject->world.problem);
  const repose::check::Input input = input_of(*subject, options);
  repose::check::Verdict verdict = repose::check::check(input, settings);
  std::optional<FramesJudged> frames;
  if (options.prove && subject->recording) {
    auto judged = judge_frames(*subject, options, settings);
    if (!judged) return bad_input(judged.error(), options.json);
    frames = std::move(*judged);
    take_frames(*frames, verdict);
  }
  Json said = to_json(verdict, input);
  std::string text = to_summary(verdict, input);
  if (frames) {
    add_frames(*frames, said);
    text += to_line(*frames);
  }
  const int code = exit_code(verdict.answer);
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
  program
      .subcommand("check",
                  "Prove the poses of bodies: no overlap, balance, stability; or say why not",
                  [options] { return check_subject(*options); })
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
}
