#include "repose/run/result.h"

#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace repose {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// A run that came to rest, judged good.
RunResult good() {
  RunResult out;
  out.scene = "balls";
  out.method = "pile";
  out.outcome.status = RunStatus::rest;
  out.outcome.final.worst_gap = out.outcome.worst_gap = 1e-12;
  out.verdict.overlap = out.verdict.balanced = check::Answer::proven;
  out.verdict.penetration = out.verdict.penetration_relative = 0.0;
  out.verdict.force = out.verdict.torque = 1e-9;
  return out;
}

TEST(result, a_proven_rest_exits_0) {
  EXPECT_EQ(exit_code(good()), 0);
}

TEST(result, every_promise_that_is_missed_exits_1) {
  RunResult overlap = good(), open = good(), unbalanced = good(), stopped = good(), frame = good();
  RunResult way = good(), motion = good();
  way.worst_way = check::WayVerdict{};
  motion.motion = MotionAudit{};
  motion.motion->told_most = 2.0;
  motion.motion->kinetic_off = 1e-6;
  motion.motion->compared = 3;
  overlap.verdict.overlap = check::Answer::missed;
  open.verdict.overlap = check::Answer::undecided;
  unbalanced.verdict.balanced = check::Answer::missed;
  stopped.outcome.status = RunStatus::stopped;
  frame.worst_frame = Judgement{};
  frame.worst_frame->overlap = check::Answer::undecided;
  for (const RunResult& r : {overlap, open, unbalanced, stopped, frame, way, motion}) {
    EXPECT_EQ(exit_code(r), 1);
    int missed = 0;
    for (const Promise& promise : promises(r)) missed += promise.kept ? 0 : 1;
    EXPECT_EQ(missed, 1);
  }
}

TEST(result, without_a_judge_the_methods_own_word_counts_and_is_named) {
  RunResult r = good();
  r.verdict = {};
  r.outcome.final.worst_gap = -1e-3;
  r.outcome.final.worst_gap_relative = -1e-2;
  EXPECT_EQ(exit_code(r), 1);
  const auto json = nlohmann::json::parse(to_json(r));
  EXPECT_EQ(json["penetration"]["source"], "method");
  EXPECT_EQ(json["penetration"]["final"], 1e-3);
  EXPECT_EQ(json["penetration"]["final_relative"], 1e-2);
}

TEST(result, what_is_not_known_is_null) {
  RunResult r = good();
  r.verdict = {};
  r.outcome.status = RunStatus::finished;
  r.outcome.final.worst_gap = r.outcome.worst_gap = kUnknown;
  r.outcome.final.force_residual = r.outcome.final.energy = kUnknown;
  const auto json = nlohmann::json::parse(to_json(r));
  EXPECT_TRUE(json["penetration"]["final"].is_null());
  EXPECT_TRUE(json["penetration"]["worst"].is_null());
  EXPECT_TRUE(json["balance"]["force"].is_null());
  EXPECT_TRUE(json["energy"]["end"].is_null());
  EXPECT_EQ(exit_code(r), 0) << "nothing was promised";
}

TEST(result, the_worst_overlap_is_never_less_than_what_the_judge_found_at_the_end) {
  RunResult r = good();
  r.verdict.penetration = 3e-6;
  r.verdict.penetration_relative = 3e-5;
  auto json = nlohmann::json::parse(to_json(r));
  EXPECT_EQ(json["penetration"]["worst"], 3e-6);
  EXPECT_EQ(json["penetration"]["worst_relative"], 3e-5);
  r.outcome.worst_gap = kUnknown;
  json = nlohmann::json::parse(to_json(r));
  EXPECT_EQ(json["penetration"]["worst"], 3e-6);
  EXPECT_EQ(json["penetration"]["worst_source"], "check at the end");
  r.outcome.worst_gap = -5e-6;
  json = nlohmann::json::parse(to_json(r));
  EXPECT_EQ(json["penetration"]["worst"], 5e-6);
  EXPECT_EQ(json["penetration"]["worst_source"], "method, and check at the end");
}

TEST(result, solve_is_everything_but_loading_recording_judging_and_reporting) {
  RunResult r = good();
  r.seconds = {.total = 10.0, .load = 1.0, .record = 2.0, .report = 3.0, .check = 0.5};
  r.stages = {{"find_pairs", 1.25}};
  const auto json = nlohmann::json::parse(to_json(r));
  EXPECT_EQ(json["seconds"]["solve"], 3.5);
  EXPECT_EQ(json["seconds"]["find_pairs"], 1.25);
}

TEST(result, facts_of_the_method_are_added_under_their_names) {
  RunResult r = good();
  r.facts = {{"joints", Json::Object{{"drift", 1e-9}}}};
  EXPECT_EQ(nlohmann::json::parse(to_json(r))["joints"]["drift"], 1e-9);
}

TEST(result, a_promise_of_the_method_that_is_missed_is_told_and_decides_the_exit_code) {
  RunResult r = good();
  r.own_promises = {{"joints hold", "drift at most 1e-6", "2e-6", false}};
  const auto json = nlohmann::json::parse(to_json(r));
  EXPECT_EQ(json["promises"].back()["name"], "joints hold");
  EXPECT_EQ(json["promises"].back()["kept"], false);
  EXPECT_EQ(json["exit_code"], 1);
}

}  // namespace
}  // namespace repose
