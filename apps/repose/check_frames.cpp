#include "check_frames.h"

#include <algorithm>

#include <fmt/format.h>

#include "repose/check/way.h"

namespace {

using repose::Json;
using repose::check::Answer;
using repose::prove::both;

std::string to_text(const repose::Moment& moment) {
  return moment.share == 0.0 ? fmt::format("frame {}", moment.frame)
                             : fmt::format("{:.3g} of the way from frame {} to {}", moment.share,
                                           moment.frame, moment.frame + 1);
}

int badness(Answer answer) {
  if (answer == Answer::proven || answer == Answer::not_judged) return 0;
  return answer == Answer::undecided ? 1 : 2;
}

bool worse(const repose::check::Verdict& a, const repose::check::Verdict& b) {
  const int more = badness(a.answer) - badness(b.answer);
  return more > 0 || (more == 0 && a.gap_relative < b.gap_relative);
}

/// The way from the frame before, where it is one step: of longer ones the recording does not know
/// where the bodies went.
void judge_way(const CheckSubject& subject, int frame, const repose::check::Input& before,
               const repose::check::Input& now, const repose::check::Settings& settings,
               FramesJudged& out) {
  const auto& steps = subject.recording->steps();
  const auto f = static_cast<std::size_t>(frame);
  if (steps[f] != steps[f - 1] + 1) {
    ++out.longer_ways;
    return;
  }
  repose::check::WayTaken way;
  way.centers_go_straight = centers_go_straight(*subject.recording);
  way.put = put_by_edits(*subject.recording, steps[f - 1]);
  way.skins = skins_of(subject);
  auto verdict = repose::check::judge_way(before, now, way, settings);
  if (verdict.skins != Answer::not_judged && skins_count(subject)) {
    if (badness(verdict.skins) > badness(verdict.answer)) verdict.why = verdict.skins_why;
    verdict.answer = both(verdict.answer, verdict.skins);
  }
  ++out.ways;
  out.left_out += verdict.left_out;
  out.depth_on_ways = std::max(out.depth_on_ways, verdict.depth_relative);
  if (out.worst_way != Answer::not_judged && badness(verdict.answer) <= badness(out.worst_way))
    return;
  out.worst_way = verdict.answer;
  out.why_way = verdict.answer == Answer::proven
                    ? verdict.why
                    : fmt::format("from frame {} to {}: {}", frame - 1, frame, verdict.why);
}

std::string times(int count) {
  return count == 1 ? "a body" : fmt::format("{} times a body", count);
}

/// The ways count as the frames do.
void take_ways(const FramesJudged& frames, repose::check::Verdict& verdict) {
  if (badness(frames.worst_way) > badness(verdict.answer)) verdict.why = frames.why_way;
  verdict.overlap = both(verdict.overlap, frames.worst_way);
  verdict.answer = both(verdict.answer, frames.worst_way);
  if (frames.left_out > 0)
    verdict.why += fmt::format("; {} was put elsewhere or changed, which is no way to judge",
                               times(frames.left_out));
}

}  // namespace

repose::Judgement take_soft(const CheckSubject& subject, const repose::check::Input& input,
                            repose::check::Verdict& verdict) {
  repose::Judgement soft;
  repose::judge_soft(subject.world.problem, subject.world.state, input, skins_of(subject), soft);
  const bool promised = skins_count(subject);
  const Answer skins = promised ? soft.skins : Answer::not_judged;
  if (!promised && !soft.skins_why.empty())
    verdict.why += "; nothing is promised of skins with these settings: " + soft.skins_why;
  for (const auto& [answer, why] :
       {std::pair(soft.cover, &soft.cover_why), std::pair(skins, &soft.skins_why)}) {
    if (answer == Answer::not_judged || answer == Answer::proven) continue;
    const Answer both = repose::prove::both(verdict.answer, answer);
    if (both != verdict.answer) verdict.why = *why;
    verdict.answer = both;
    verdict.overlap = repose::prove::both(verdict.overlap, answer);
  }
  return soft;
}

repose::Result<FramesJudged> judge_frames(CheckSubject& subject, int between, double friction,
                                          repose::check::Settings settings) {
  settings.judge_balance = settings.judge_stability = settings.judge_fixed = false;
  FramesJudged out;
  out.frames = subject.recording->frame_count();
  const int parts = between + 1;
  repose::check::Input before;
  for (int k = 0; k < (out.frames - 1) * parts + 1; ++k) {
    const repose::Moment moment{k / parts, static_cast<double>(k % parts) / parts};
    if (auto done = take_moment(subject, moment); !done) return done.error();
    auto input = input_of(subject, friction);
    auto verdict = repose::check::check(input, settings);
    take_soft(subject, input, verdict);
    if (k % parts == 0) {
      if (moment.frame > 0) judge_way(subject, moment.frame, before, input, settings, out);
      before = std::move(input);
    }
    if (out.moments++ > 0 && !worse(verdict, out.worst)) continue;
    out.worst = std::move(verdict);
    out.worst_at = moment;
  }
  return out;
}

void take_frames(const FramesJudged& frames, repose::check::Verdict& verdict) {
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
  if (frames.ways + frames.longer_ways > 0)
    out["frames"]["ways"] = Json::Object{{"judged", frames.ways},
                                         {"of_several_steps", frames.longer_ways},
                                         {"left_out", frames.left_out},
                                         {"verdict", to_text(frames.worst_way)},
                                         {"depth_relative", repose::known(frames.depth_on_ways)},
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
  if (judged.ways > 0 && judged.worst_way == Answer::proven)
    out += fmt::format("                at none is an overlap deeper than {:.2g} of size\n",
                       judged.depth_on_ways);
  if (judged.left_out > 0)
    out += fmt::format("                {} was put elsewhere or changed: no way to judge\n",
                       times(judged.left_out));
  if (judged.longer_ways > 0)
    out += fmt::format(
        "  ways          {} hold several steps each and are not judged; run --prove judges every "
        "step\n",
        judged.longer_ways);
  return out;
}
