#include "repose/run/result.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "repose/base/json.h"
#include "repose/base/json_write.h"
#include "repose/base/text.h"
#include "repose/base/version.h"
#include "repose/run/advice.h"

namespace repose {

namespace {

Json known(const std::optional<double>& number) {
  return number ? repose::known(*number) : Json();
}

/// Depth of the overlap that a gap means; NaN stays NaN.
double depth(double gap) {
  return std::isnan(gap) ? gap : std::max(0.0, -gap);
}

bool judged(check::Answer answer) {
  return answer != check::Answer::not_judged;
}

/// The larger of two depths; one that is not known does not lessen the other.
Json deeper(double method, const std::optional<double>& judge) {
  if (!judge || !std::isfinite(*judge)) return repose::known(method);
  return repose::known(std::isnan(method) ? *judge : std::max(method, *judge));
}

Json penetration(const RunResult& r) {
  const bool checked = judged(r.verdict.overlap);
  const Audit& audit = r.outcome.final;
  Json out = Json::Object{};
  out["final"] = checked ? known(r.verdict.penetration) : repose::known(depth(audit.worst_gap));
  out["final_relative"] = checked ? known(r.verdict.penetration_relative)
                                  : repose::known(depth(audit.worst_gap_relative));
  if (r.worst_frame) {
    out["worst"] = known(r.worst_frame->penetration);
    out["worst_relative"] = known(r.worst_frame->penetration_relative);
  } else {
    // the method's own word for the way there, the judge's for its end
    out["worst"] = deeper(depth(r.outcome.worst_gap), r.verdict.penetration);
    out["worst_relative"] =
        deeper(depth(r.outcome.worst_gap_relative), r.verdict.penetration_relative);
  }
  out["source"] = checked ? "check" : "method";
  const bool method_spoke = !std::isnan(r.outcome.worst_gap);
  out["worst_source"] = r.worst_frame  ? "check"
                        : !checked     ? "method"
                        : method_spoke ? "method, and check at the end"
                                       : "check at the end";
  return out;
}

Json balance(const RunResult& r) {
  const bool checked = judged(r.verdict.balanced);
  Json out = Json::Object{};
  out["force"] = checked ? known(r.verdict.force) : repose::known(r.outcome.final.force_residual);
  out["torque"] =
      checked ? known(r.verdict.torque) : repose::known(r.outcome.final.torque_residual);
  out["source"] = checked ? "check" : "method";
  return out;
}

Json seconds(const RunResult& r) {
  Json out = Json::Object{};
  out["total"] = r.seconds.total;
  out["solve"] = r.seconds.solve();
  out["load"] = r.seconds.load;
  out["record"] = r.seconds.record;
  out["check"] = r.seconds.check;
  out["report"] = r.seconds.report;
  for (const auto& [stage, spent] : r.stages) out[stage] = spent;
  return out;
}

std::string skins_between(const RunResult& r) {
  if (!r.worst_way || !judged(r.worst_way->skins)) return "not judged";
  std::string out = to_text(r.worst_way->skins);
  if (!r.worst_way->skins_why.empty()) out += ": " + r.worst_way->skins_why;
  return out;
}

Json verdict(const RunResult& r) {
  Json out = Json::Object{};
  out["overlap"] = to_text(r.verdict.overlap);
  out["balance"] = to_text(r.verdict.balanced);
  out["rest"] = to_text(r.verdict.balanced);  // its old name
  out["why"] = r.verdict.why;
  if (const auto& place = r.verdict.place)
    out["place"] = Json::Array{place->x(), place->y(), place->z()};
  if (judged(r.verdict.cover)) out["cover"] = to_text(r.verdict.cover);
  if (const Judgement& said = r.worst_frame ? *r.worst_frame : r.verdict; judged(said.skins))
    out["skins"] = Json::Object{{"answer", to_text(said.skins)},
                                {"judged", r.worst_frame ? "in every frame" : "in the last state"},
                                {"between_frames", skins_between(r)},
                                {"why", said.skins_why}};
  if (r.worst_frame) out["frames"] = to_text(r.worst_frame->overlap);
  if (r.worst_way) {
    out["ways"] = Json::Object{{"overlap", to_text(r.worst_way->answer)},
                               {"judged", r.ways},
                               {"left_out", r.left_out_of_ways},
                               {"why", r.worst_way->why}};
  }
  if (r.verdict.details.object()) out["details"] = r.verdict.details;
  return out;
}

Json sums_json(const MotionSums& sums) {
  const auto vector = [](const Vec3& v) { return Json::Array{v.x(), v.y(), v.z()}; };
  return Json::Object{{"mass", sums.mass},
                      {"momentum", vector(sums.momentum)},
                      {"angular_momentum", vector(sums.angular_momentum)},
                      {"kinetic_energy", sums.kinetic_energy},
                      {"gravity_energy", sums.gravity_energy}};
}

Json motion(const MotionAudit& audit) {
  return Json::Object{{"start", sums_json(audit.first)},
                      {"end", sums_json(audit.last)},
                      {"kinetic_energy_off", audit.kinetic_off}};
}

/// The kinetic energy that a method tells is the one its own masses and velocities have.
std::optional<Promise> motion_promise(const RunResult& r) {
  constexpr double kSame = 1e-9;  // of the largest that was told
  if (!r.motion || r.motion->compared == 0) return std::nullopt;
  const double off = r.motion->told_most > 0.0 ? r.motion->kinetic_off / r.motion->told_most
                                               : r.motion->kinetic_off;
  return Promise{"kinetic energy as told", fmt::format("{:g} of the largest", kSame),
                 fmt::format("{:.3g} in {} frames", off, r.motion->compared), off <= kSame};
}

/// The method promises no overlap if it speaks of gaps at all.
bool promises_no_overlap(const RunResult& r) {
  return !std::isnan(r.outcome.final.worst_gap);
}

std::string relative_text(const std::optional<double>& relative) {
  return relative ? fmt::format("{:.3g} of the smaller body's size", *relative) : "unknown depth";
}

/// A method's fact: it promises that skins stay apart.
constexpr std::string_view kSkinsKept = "skins_kept";

Promise end_promise(const RunResult& r) {
  const RunStatus status = r.outcome.status;
  std::string measured = fmt::format("{} after {}", to_text(status), count_of(r.steps, "step"));
  if (!r.outcome.why.empty()) measured += ": " + r.outcome.why;
  const bool kept =
      status != RunStatus::stopped && status != RunStatus::stuck && status != RunStatus::moving;
  // 0: the method has no such test
  if (!kept && r.outcome.last.residual > 0.0)
    measured += fmt::format(" ({:.3g} from rest)", r.outcome.last.residual);
  return {kComesToItsEnd, "rest, a jam or the end of its time", measured, kept};
}

/// Absent where neither the method nor the judge speaks of overlap.
std::optional<Promise> overlap_promise(const RunResult& r) {
  Promise out{kNoOverlapAtLast, "proven", "", true};
  if (judged(r.verdict.overlap)) {
    out.measured = to_text(r.verdict.overlap);
    if (r.verdict.penetration_relative.value_or(1.0) > 0.0)
      out.measured += ", at most " + relative_text(r.verdict.penetration_relative);
    // a method that makes no claim of gaps has none to miss while nothing is found against it
    out.kept = r.verdict.overlap == check::Answer::proven ||
               (r.verdict.overlap == check::Answer::undecided && !promises_no_overlap(r));
    return out;
  }
  if (!promises_no_overlap(r)) return std::nullopt;
  out.promised = "by the method's own audit";
  out.measured = relative_text(depth(r.outcome.final.worst_gap_relative));
  out.kept = r.outcome.final.worst_gap >= 0.0;
  return out;
}

/// Of surfel bodies: their balls are walls without holes, in the last state or in every frame.
std::optional<Promise> cover_promise(const RunResult& r) {
  const Judgement& said = r.worst_frame ? *r.worst_frame : r.verdict;
  if (!judged(said.cover)) return std::nullopt;
  std::string measured = to_text(said.cover);
  if (!said.cover_why.empty()) measured += ": " + said.cover_why;
  return Promise{
      r.worst_frame ? "surfaces without holes in any frame" : "surfaces without holes at the end",
      "proven", measured, said.cover == check::Answer::proven};
}

/// Of lattice bodies whose method keeps skins apart.
std::optional<Promise> skins_promise(const RunResult& r) {
  const Judgement& said = r.worst_frame ? *r.worst_frame : r.verdict;
  const bool kept = std::any_of(r.facts.begin(), r.facts.end(),
                                [](const auto& fact) { return fact.first == kSkinsKept; });
  if (!kept || !judged(said.skins)) return std::nullopt;
  std::string measured = to_text(said.skins);
  if (!said.skins_why.empty()) measured += ": " + said.skins_why;
  if (!r.worst_way)
    return Promise{"skins apart at the end", "proven", measured,
                   said.skins == check::Answer::proven};
  return Promise{
      "skins apart in every frame and between", "proven",
      measured + ", between frames " + skins_between(r),
      said.skins == check::Answer::proven && r.worst_way->skins == check::Answer::proven};
}

/// Only a state that is called rest promises balance.
std::optional<Promise> rest_promise(const RunResult& r) {
  if (!claims_rest(r.outcome.status) || !judged(r.verdict.balanced)) return std::nullopt;
  const std::string force = r.verdict.force ? fmt::format("{:.3g}", *r.verdict.force) : "unknown";
  return Promise{
      kBalanceAtRest, "proven",
      fmt::format("{}: unbalanced force at most {} of weight, by forces of the judge's own",
                  to_text(r.verdict.balanced), force),
      r.verdict.balanced == check::Answer::proven};
}

Json promise_json(const Promise& p, const RunResult& r) {
  Json::Object out{
      {"name", p.name}, {"promised", p.promised}, {"measured", p.measured}, {"kept", p.kept}};
  if (!p.kept) out.emplace_back("try", advice(p, r));
  return out;
}

}  // namespace

double RunSeconds::solve() const {
  return std::max(0.0, total - load - record - report - check);
}

std::string to_json(const RunResult& r) {
  Json out = Json::Object{};
  out["scene"] = r.scene;
  out["method"] = r.method;
  out["status"] = to_text(r.outcome.status);
  out["why"] = r.outcome.why;
  out["steps"] = r.steps;
  out["frames"] = r.outcome.frames;
  out["seconds"] = seconds(r);
  out["penetration"] = penetration(r);
  out["balance"] = balance(r);
  out["energy"] = Json::Object{{"start", repose::known(r.outcome.first.energy)},
                               {"end", repose::known(r.outcome.final.energy)}};
  if (r.motion) out["motion"] = motion(*r.motion);
  out["bodies"] = r.bodies;
  out["contacts"] = r.contacts;
  out["threads"] = r.threads;
  out["state_hash"] = r.hash;
  out["version"] = kVersion;
  out["verdict"] = verdict(r);
  out["promises"] = Json::Array{};
  for (const Promise& p : promises(r)) out["promises"].push_back(promise_json(p, r));
  out["exit_code"] = exit_code(r);
  for (const auto& [name, fact] : r.facts) out[name] = fact;
  return out.tall();
}

std::vector<Promise> promises(const RunResult& r) {
  std::vector<Promise> out = {end_promise(r)};
  if (const auto overlap = overlap_promise(r)) out.push_back(*overlap);
  if (r.worst_frame)
    out.push_back({"no overlap in any frame", "proven",
                   fmt::format("{}, at most {}", to_text(r.worst_frame->overlap),
                               relative_text(r.worst_frame->penetration_relative)),
                   r.worst_frame->overlap == check::Answer::proven});
  if (const auto cover = cover_promise(r)) out.push_back(*cover);
  if (const auto skins = skins_promise(r)) out.push_back(*skins);
  if (r.worst_way) {
    const bool proven = r.worst_way->answer == check::Answer::proven;
    out.push_back({"no overlap on the way from step to step", "proven",
                   fmt::format("{} {} {} ways: {}", to_text(r.worst_way->answer),
                               proven ? "on" : "on the worst of", r.ways, r.worst_way->why),
                   proven});
  }
  if (const auto told = motion_promise(r)) out.push_back(*told);
  if (const auto rest = rest_promise(r)) out.push_back(*rest);
  out.insert(out.end(), r.own_promises.begin(), r.own_promises.end());
  return out;
}

int exit_code(const RunResult& r) {
  const auto all = promises(r);
  return std::all_of(all.begin(), all.end(), [](const Promise& p) { return p.kept; }) ? 0 : 1;
}

namespace {

std::string text_in(const JsonView& object, const char* name) {
  const auto value = object.find(name);
  return value && value->kind() == JsonKind::text ? value->text() : std::string();
}

/// Negative where there is none.
long count_in(const JsonView& object, const char* name) {
  const auto value = object.find(name);
  return value && value->kind() == JsonKind::number ? std::lround(value->number()) : -1;
}

bool kept(const JsonView& promise) {
  const auto value = promise.find("kept");
  return value && value->kind() == JsonKind::boolean && value->boolean();
}

void take_promise(const JsonView& row, RunClaim& out) {
  if (row.kind() != JsonKind::object) return;
  const Promise promise{text_in(row, "name"), text_in(row, "promised"), text_in(row, "measured"),
                        kept(row)};
  // kept though not decided: nothing was claimed
  if (promise.name == kNoOverlapAtLast && promise.kept)
    out.no_overlap =
        promise.measured.rfind(check::to_text(check::Answer::undecided), 0) == std::string::npos;
  if (promise.kept || promise.name == kNoOverlapAtLast || promise.name == kBalanceAtRest) return;
  out.missed.push_back(promise);
}

}  // namespace

RunClaim claim_of(const std::string& result_json) {
  RunClaim out;
  const auto read = JsonDocument::parse(result_json, "result");
  if (!read || (*read)->root().kind() != JsonKind::object) {
    out.missed.push_back({kComesToItsEnd, "", "it was cut short and has no result", false});
    return out;
  }
  const JsonView result = (*read)->root();
  out.status_told = text_in(result, "status");
  out.status = named<RunStatus>(out.status_told).value_or(RunStatus::stopped);
  out.frames = count_in(result, "frames");
  out.steps = count_in(result, "steps");
  if (const auto all = result.find("promises"); all && all->kind() == JsonKind::array)
    all->each([&](const JsonView& row) {
      take_promise(row, out);
      return true;
    });
  return out;
}

}  // namespace repose
