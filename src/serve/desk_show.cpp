// What pages are told of a desk.
#include <cmath>
#include <set>

#include "repose/report/report.h"
#include "repose/run/support.h"

#include "desk.h"

namespace repose::serve {

namespace {

Json value_json(const SettingValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
  if (const auto* number = std::get_if<double>(&value)) return known(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  const auto& v = std::get<std::array<double, 3>>(value);
  return Json::Array{known(v[0]), known(v[1]), known(v[2])};
}

const char* type_name(SettingType type) {
  switch (type) {
    case SettingType::boolean:
      return "boolean";
    case SettingType::integer:
      return "integer";
    case SettingType::number:
      return "number";
    case SettingType::choice:
      return "choice";
    case SettingType::text:
      return "text";
    case SettingType::vector:
      break;
  }
  return "vector";
}

Json settings_json(const std::vector<SettingInfo>& rows) {
  Json::Array out;
  for (const SettingInfo& row : rows) {
    Json::Object shown = {{"name", row.name},
                          {"type", type_name(row.type)},
                          {"default", value_json(row.default_value)},
                          {"unit", row.unit},
                          {"meaning", row.meaning}};
    if (row.type == SettingType::number || row.type == SettingType::integer)
      shown.emplace_back("range", row.range.text());
    if (!row.choices.empty())
      shown.emplace_back("choices", Json::Array(row.choices.begin(), row.choices.end()));
    out.push_back(std::move(shown));
  }
  return out;
}

Json camera_json(const ViewChoice& view) {
  if (!view.eye || !view.target) return {};
  const auto point = [](const std::array<double, 3>& v) {
    return Json::Array{known(v[0]), known(v[1]), known(v[2])};
  };
  return Json::Object{
      {"eye", point(*view.eye)}, {"target", point(*view.target)}, {"fov", view.view_angle_deg}};
}

Json judgement_json(const std::optional<Judgement>& said) {
  if (!said) return {};
  const auto number = [](const std::optional<double>& x) { return x ? known(*x) : Json(); };
  return Json::Object{{"overlap", check::to_text(said->overlap)},
                      {"balanced", check::to_text(said->balanced)},
                      {"penetration", number(said->penetration)},
                      {"penetration_relative", number(said->penetration_relative)},
                      {"force", number(said->force)},
                      {"torque", number(said->torque)},
                      {"why", said->why},
                      {"details", said->details}};
}

}  // namespace

std::string Desk::scene_bytes() {
  const std::int64_t serial = this->serial();
  const Vec3& gravity = session_->problem().gravity;
  // without gravity a plane is looked at as it is drawn on paper
  const Vec3 still = method_->support.plane() ? Vec3::UnitY() : Vec3::UnitZ();
  const Vec3 up = gravity.norm() > 0.0 ? Vec3(-gravity.normalized()) : still;
  Json::Array samples, edits, forces, joints;
  const auto names = [](const auto& every, const auto& does, Json::Array& out) {
    for (std::size_t i = 0; i < every.size(); ++i)
      if (does(i)) out.push_back(std::string(every[i]));
  };
  names(
      kNames<EditKind>,
      [&](std::size_t i) {
        const auto kind = static_cast<EditKind>(i);
        return carries_out(*method_, kind) && (kind != EditKind::freeze || method_->support.frozen);
      },
      edits);
  names(
      kNames<ForceKind>,
      [&](std::size_t i) { return includes(method_->support.forces, static_cast<ForceKind>(i)); },
      forces);
  names(
      kNames<JointKind>,
      [&](std::size_t i) { return includes(method_->support.joints, static_cast<JointKind>(i)); },
      joints);
  std::set<std::string> bodies;
  for (const Body& body : session_->problem().bodies) bodies.insert(body.name);
  Json::Array plots;
  for (const Sample& sample : samples_of(audit_, last_)) {
    samples.push_back(sample.name);
    const report::PlotSeries shown = report::worded_series(sample.name, bodies);
    plots.push_back(Json::Object{{"plot", shown.plot}, {"name", shown.name}, {"unit", shown.unit}});
  }
  Json::Object head = {{"format", "repose-live"},
                       {"version", 1},
                       {"serial", serial},
                       {"scene", scene_.name},
                       {"about", scene_.about},
                       {"opened", opened_},
                       {"method", method_->name},
                       {"methodAbout", method_->about},
                       {"touch", to_text(touch())},
                       {"plane", method_->support.plane()},
                       {"hasTime", method_->support.speeds},
                       {"up", Json::Array{up.x(), up.y(), up.z()}},
                       {"camera", camera_json(scene_.view)},
                       {"settings", settings_json(method_->settings)},
                       {"samples", std::move(samples)},
                       {"plots", std::move(plots)},
                       {"edits", std::move(edits)},
                       {"forces", std::move(forces)},
                       {"joints", std::move(joints)},
                       {"bounces", method_->support.bounces()},
                       {"offCentre", method_->support.off_centre},
                       {"ties", serial_ties_}};
  return scene_packet(session_->problem(), session_->state(), drawings_, std::move(head));
}

Json Desk::status() {
  if (!is_open()) return Json::Object{{"serial", 0}};
  Json::Object settings;
  for (const auto& [name, value] : session_->settings())
    settings.emplace_back(name, value_json(value));
  Json::Object stages;
  for (const auto& [name, seconds] : session_->clock().seconds())
    stages.emplace_back(name, known(seconds));
  Json::Array hands;
  for (const auto& [client, hand] : hands_)
    hands.push_back(Json::Object{{"body", hand.body}, {"force", known(hand_force(hand))}});
  const State& state = session_->state();
  return Json::Object{{"serial", serial()},
                      {"scene", scene_.name},
                      {"running", running_},
                      {"pace", pace_},
                      {"step", state.step},
                      {"time", known(state.time)},
                      {"hash", state_hash(state)},
                      {"result", repose::to_text(last_.status)},
                      {"why", why_},
                      {"undo", session_->undoable()},
                      {"redo", session_->redoable()},
                      {"contacts", state.contacts.size()},
                      {"energy", known(audit_.energy)},
                      {"worstGap", known(audit_.worst_gap)},
                      {"settings", std::move(settings)},
                      {"stages", std::move(stages)},
                      {"hands", std::move(hands)},
                      {"edits", log_.count(session_->state_number())},
                      {"branch", branch_},
                      {"branches", branches_.size()},
                      {"verdict", judgement_json(judgement_)}};
}

}  // namespace repose::serve
