#pragma once

#include <optional>
#include <string>

#include "repose/base/json_write.h"
#include "repose/check/verdict.h"

#include "check_subject.h"

/// Surfaces of soft bodies count as gaps do: what lies within one of them touches none of its
/// balls. What they are said to be, taken over into the verdict as well.
repose::Judgement take_soft(const CheckSubject& subject, const repose::check::Input& input,
                            repose::check::Verdict& verdict);

/// The frames of a recording and moments between them, judged for overlap.
struct FramesJudged {
  using Answer = repose::check::Answer;

  int frames = 0, moments = 0;  // moments: the frames and what lies between
  repose::Moment worst_at;
  repose::check::Verdict worst;
  // ways from frame to frame that are single steps, every moment of them, and those that hold
  // several
  int ways = 0, longer_ways = 0;
  int left_out = 0;  // bodies that an edit put elsewhere or changed, over all ways: they went none
  Answer worst_way = Answer::not_judged;
  std::string why_way;
  double depth_on_ways = 0.0;  // of size: at no moment more
};

/// `between`: moments judged on the way from each frame to the next, as a film of the recording
/// shows them. `friction`: of all bodies; negative: their own.
repose::Result<FramesJudged> judge_frames(CheckSubject& subject, int between, double friction,
                                          repose::check::Settings settings);

/// One answer for the last frame and all that came before it.
void take_frames(const FramesJudged& frames, repose::check::Verdict& verdict);

void add_frames(const FramesJudged& frames, repose::Json& out);
/// Lines for people.
std::string to_line(const FramesJudged& frames);
