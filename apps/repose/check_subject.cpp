#include "check_subject.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "repose/base/setting_values.h"
#include "repose/handover/handover.h"
#include "repose/run/catalogue.h"
#include "repose/run/judge_input.h"
#include "repose/run/load_edit.h"
#include "repose/run/session.h"
#include "repose/run/time_reached.h"
#include "repose/shape/cover.h"
#include "repose/shape/make.h"

#include "poses_file.h"

namespace {

namespace fs = std::filesystem;
using repose::InputError;
using repose::Result;

InputError mistake(const std::string& file, const std::string& value, const std::string& wrong,
                   const std::string& right) {
  InputError error;
  error.file = file;
  error.value = value;
  error.wrong = wrong;
  error.right = right;
  return error;
}

Result<CheckSubject> subject_of(const Result<repose::Scene>& scene) {
  if (!scene) return scene.error();
  auto world = repose::build_world(*scene);
  if (!world) return world.error();
  CheckSubject out;
  out.name = scene->name;
  out.scene = *scene;
  out.world = std::move(*world);
  out.settings = scene->method.settings;
  return out;
}

/// The problem with every body that an event of the scene adds.
repose::Problem whole_cast(const repose::Problem& problem) {
  repose::Problem out = problem;
  for (const repose::TimedEvent& event : problem.events) {
    const repose::Edit& edit = event.edit;
    if (edit.kind == repose::EditKind::add && edit.body) out.bodies.push_back(*edit.body);
    const int of = out.find_body(edit.target);
    if (edit.kind != repose::EditKind::replicate || of < 0) continue;
    out.bodies.push_back(repose::Body(out.bodies[static_cast<std::size_t>(of)]));
    out.bodies.back().name = repose::text_or(edit.values, "name", "");
  }
  return out;
}

/// The kind of an edit, which its text begins with.
std::optional<repose::EditKind> kind_of(const repose::RecordedEvent& event) {
  if (event.kind != "edit") return std::nullopt;
  return repose::named<repose::EditKind>(event.text.substr(0, event.text.find(' ')));
}

/// Forces and joints of bodies that are there.
void keep_what_acts_on_bodies(const repose::Problem& cast, repose::Problem& problem) {
  const auto absent = [&](const std::string& body) {
    return cast.find_body(body) >= 0 && problem.find_body(body) < 0;
  };
  const auto idle = [&](const auto& part) { return absent(part.body_a) || absent(part.body_b); };
  problem.forces = cast.forces;
  problem.joints = cast.joints;
  std::erase_if(problem.forces, idle);
  std::erase_if(problem.joints, idle);
}

/// An event of the scene had happened when a frame was recorded. Where edits were recorded they
/// tell; what the studio saves has every edit as an event at its step.
bool had_happened(const repose::TimedEvent& event, const repose::Recording& recording,
                  const repose::RecordedFrame& frame) {
  const auto is_edit = [](const repose::RecordedEvent& e) { return e.kind == "edit"; };
  if (std::ranges::any_of(recording.events(), is_edit))
    return std::ranges::any_of(recording.events(), [&](const repose::RecordedEvent& e) {
      return kind_of(e) == event.edit.kind && e.target == event.edit.target && e.step <= frame.step;
    });
  if (const auto* at = std::get_if<repose::AtStep>(&event.when)) return at->step <= frame.step;
  if (const auto* at = std::get_if<repose::AtTime>(&event.when))
    return repose::time_reached(frame.time, frame.step, at->time);
  return false;
}

long step_of(const repose::TimedEvent& event, const repose::RecordedFrame& frame) {
  const auto* at = std::get_if<repose::AtStep>(&event.when);
  return at != nullptr ? std::min(at->step, frame.step) : frame.step;
}

/// Where all bodies stood at the last frame up to a step.
struct Stood {
  repose::Problem problem;
  repose::State state;
};
Result<Stood> stood_at(const repose::Recording& recording, long step) {
  const auto& steps = recording.steps();
  const auto after = std::upper_bound(steps.begin(), steps.end(), step);
  const auto frame = recording.frame(std::max(0, static_cast<int>(after - steps.begin()) - 1));
  if (!frame) return frame.error();
  Stood out;
  for (std::size_t k = 0; k < frame->bodies.size(); ++k) {
    repose::Body body;
    body.name = recording.bodies()[static_cast<std::size_t>(frame->bodies[k])].name;
    out.problem.bodies.push_back(std::move(body));
    repose::BodyState state;
    state.world_from_body = frame->poses[k];
    out.state.bodies.push_back(std::move(state));
  }
  return out;
}

/// Joints, forces and held freedoms as the edits up to a frame have left them.
Result<repose::Done> take_loads(const repose::RecordedFrame& frame, CheckSubject& subject) {
  repose::Problem& problem = subject.world.problem;
  repose::EditedLoads loads;
  for (const repose::TimedEvent& event : subject.cast.events) {
    if (!had_happened(event, *subject.recording, frame)) continue;
    const repose::EditKind kind = event.edit.kind;
    if (kind != repose::EditKind::join && kind != repose::EditKind::attach) {
      repose::take_load(event.edit, subject.cast, {}, problem, loads);
      continue;
    }
    auto stood = stood_at(*subject.recording, step_of(event, frame));
    if (!stood) return stood.error();
    stood->problem.joints = problem.joints;
    repose::take_load(event.edit, stood->problem, stood->state, problem, loads);
  }
  subject.loads_known = loads.known && loads.dragged.empty();
  return repose::Done{};
}

/// Settings of the method as the edits up to a frame have left them.
void take_settings(const repose::RecordedFrame& frame, CheckSubject& subject) {
  subject.settings = subject.scene.method.settings;
  for (const repose::TimedEvent& event : subject.cast.events)
    if (event.edit.kind == repose::EditKind::set && had_happened(event, *subject.recording, frame))
      for (auto& [name, value] : repose::values_to_set(event.edit)) subject.settings[name] = value;
}

/// The scene is told inside the recording: that is the file to name.
repose::InputError in_recording(const fs::path& path, repose::InputError error) {
  if (error.file == path.string()) return error;
  if (error.line > 0)
    error.wrong = fmt::format("line {} of the scene in it: {}", error.line, error.wrong);
  error.file = path.string();
  error.line = error.column = 0;
  return error;
}

/// A scene of any tool; other tools' files say where the centres of mass are.
Result<CheckSubject> subject_of_file(const std::string& what, const OpeningWords& words) {
  const auto handed = open_as(what, words);
  if (!handed) return handed.error();
  auto out = subject_of(handed->scene);
  if (!out || handed->centers.empty()) return out;
  for (repose::Problem* problem : {&out->cast, &out->world.problem})
    repose::handover::take_centers(*handed, *problem);
  return out;
}

Result<CheckSubject> subject_of_recording(const fs::path& path) {
  auto recording = repose::Recording::open(path);
  if (!recording) return recording.error();
  const auto& head = recording->head();
  if (recording->frame_count() == 0 || head.scene_text.empty())
    return mistake(path.string(), "", "the recording holds no state that can be judged",
                   "a recording of a scene with at least one frame");
  // files that the recordings of older programs name are looked for beside them
  const std::string file = (path.parent_path() / "scene.json").string();
  auto subject =
      subject_of(repose::scene_from_text(head.scene_text, file, repose::method_catalogue()));
  if (!subject) return in_recording(path, subject.error());
  subject->name = head.scene;
  subject->recording = std::move(*recording);
  subject->cast = whole_cast(subject->world.problem);
  subject->start = subject->world.state;
  subject->claim = repose::claim_of(subject->recording->result_text());
  if (auto done = take_moment(*subject, {subject->recording->frame_count() - 1}); !done)
    return in_recording(path, done.error());
  return subject;
}

repose::Result<repose::Done> apply(const PosesFile& poses, CheckSubject& subject) {
  for (const NamedPose& p : poses.poses) {
    const int i = subject.world.problem.find_body(p.body);
    if (i < 0)
      return mistake(poses.file, p.body, "the scene has no body of that name",
                     "a name that repose describe lists");
    subject.world.state.bodies[static_cast<std::size_t>(i)].world_from_body = p.pose;
  }
  return repose::Done{};
}

bool is_drawn_as(const repose::Body& body, const repose::DrawingShape& drawing) {
  if (!body.shape) return false;
  const std::size_t balls = drawing.points.size();
  if (const auto* set = std::get_if<repose::shape::PointSet>(&body.shape->geometry))
    return set->surfels.size() == balls &&
           set->phyxels.size() == static_cast<std::size_t>(drawing.soft_offset);
  const auto* set = std::get_if<repose::shape::SphereSet>(&body.shape->geometry);
  return set != nullptr && set->centers.size() == balls && set->links == drawing.links;
}

/// The shape of a soft body as it was drawn: balls, with phyxels before them a point set over such
/// balls.
Result<repose::shape::ShapePtr> soft_shape(const repose::DrawingShape& drawing) {
  if (drawing.soft_offset == 0)
    return repose::shape::make_sphere_set({drawing.points, drawing.radii, drawing.links});
  repose::shape::PointSet set;
  set.normals = drawing.normals;
  set.phyxels = drawing.phyxels;
  // older recordings hold neither; the judge asks for balls alone
  set.normals.resize(drawing.points.size(), repose::Vec3::UnitZ());
  set.phyxels.resize(static_cast<std::size_t>(drawing.soft_offset), repose::Vec3::Zero());
  for (std::size_t i = 0; i < drawing.points.size(); ++i) {
    const double disc = drawing.radii[i] / repose::shape::kCoverBall;
    set.surfels.push_back(drawing.points[i] + repose::shape::cover_depth() * disc * set.normals[i]);
    set.surfel_radii.push_back(disc);
  }
  set.phyxel_volumes.assign(set.phyxels.size(), 1.0);
  return repose::shape::make_point_set(set);
}

/// A soft body that came of another while the run went on.
Result<repose::Body> body_of(const repose::RecordedBody& recorded,
                             const repose::DrawingShape& drawing) {
  auto shape = soft_shape(drawing);
  if (!shape) return shape.error();
  repose::Body out;
  out.name = recorded.name;
  out.shape = std::move(*shape);
  out.material = recorded.material;
  out.mass = recorded.mass;
  repose::SoftBody soft;
  const std::size_t points = static_cast<std::size_t>(drawing.soft_offset) + drawing.points.size();
  soft.masses.assign(points, recorded.mass / static_cast<double>(points));
  soft.fixed.assign(points, 0);
  soft.links = drawing.links;
  soft.materials = {recorded.material};
  out.soft = std::make_shared<const repose::SoftBody>(std::move(soft));
  return out;
}

/// What edits may have changed.
void take_properties(const repose::RecordedBody& recorded, repose::Body& body) {
  body.fixed = recorded.fixed;
  body.collides = recorded.collides;
  body.material.friction = recorded.material.friction;
  if (body.soft) return;
  if (body.mass > 0.0) body.inertia_body *= recorded.mass / body.mass;
  body.mass = recorded.mass;
}

/// Contacts name bodies of the recording; the state those of the frame.
void take_contacts(const repose::RecordedFrame& frame, repose::State& state) {
  std::map<int, int> place;
  for (std::size_t k = 0; k < frame.bodies.size(); ++k)
    place[frame.bodies[k]] = static_cast<int>(k);
  state.contacts.clear();
  for (repose::Contact contact : frame.contacts) {
    const auto a = place.find(contact.body_a), b = place.find(contact.body_b);
    if (a == place.end() || b == place.end()) continue;
    contact.body_a = a->second;
    contact.body_b = b->second;
    state.contacts.push_back(contact);
  }
}

}  // namespace

repose::check::Input input_of(const CheckSubject& subject, double friction) {
  repose::check::Input input = repose::judge_input(subject.world.problem, subject.world.state);
  if (friction >= 0.0)
    for (auto& item : input.bodies) item.friction = friction;
  return input;
}

repose::check::SkinsOf skins_of(const CheckSubject& subject) {
  return repose::skins_promised(subject.scene.method.kind, subject.settings);
}

bool skins_count(const CheckSubject& subject) {
  return subject.scene.method.kind != "molecule" ||
         skins_of(subject) == repose::check::SkinsOf::all_bodies;
}

std::vector<std::string> put_by_edits(const repose::Recording& recording, long step) {
  std::vector<std::string> out;
  for (const repose::RecordedEvent& event : recording.events()) {
    const auto kind = kind_of(event);
    if (event.step != step || !kind) continue;
    if (*kind == repose::EditKind::pose || *kind == repose::EditKind::nudge)
      out.push_back(event.target);
  }
  return out;
}

Result<repose::Done> take_moment(CheckSubject& subject, const repose::Moment& moment) {
  const auto frame = repose::frame_at(*subject.recording, moment);
  if (!frame) return frame.error();
  repose::Problem& problem = subject.world.problem;
  auto& states = subject.world.state.bodies;
  problem.bodies.clear();
  states.clear();
  subject.world.state.time = frame->time;
  for (std::size_t k = 0; k < frame->bodies.size(); ++k) {
    const auto& recorded = subject.recording->bodies()[static_cast<std::size_t>(frame->bodies[k])];
    const int i = subject.cast.find_body(recorded.name);
    const auto& drawing = subject.recording->shapes()[static_cast<std::size_t>(recorded.shape)];
    const bool balls = drawing.form == repose::DrawingForm::spheres ||
                       drawing.form == repose::DrawingForm::surfels;
    if (i < 0 && !balls)
      return mistake(subject.name, recorded.name,
                     "the body came by an edit; its shape is not in the scene",
                     "repose run SCENE --prove, which judges while it runs");
    problem.bodies.push_back(i < 0 ? repose::Body{}
                                   : subject.cast.bodies[static_cast<std::size_t>(i)]);
    // a body that parted is what its balls are
    if (balls && !is_drawn_as(problem.bodies.back(), drawing)) {
      auto part = body_of(recorded, drawing);
      if (!part) return part.error();
      problem.bodies.back() = std::move(*part);
    }
    take_properties(recorded, problem.bodies.back());
    repose::BodyState state;
    state.world_from_body = frame->poses[k];
    state.soft = frame->soft[k];
    states.push_back(std::move(state));
  }
  keep_what_acts_on_bodies(subject.cast, problem);
  if (auto done = take_loads(*frame, subject); !done) return done;
  take_settings(*frame, subject);
  take_contacts(*frame, subject.world.state);
  return repose::Done{};
}

Result<CheckSubject> open_subject(const std::string& what, const std::string& poses,
                                  const OpeningWords& words) {
  const fs::path path = what;
  std::error_code ignored;
  const bool folder = fs::is_directory(path, ignored);
  if (words.any() && (folder || path.extension() == ".repose"))
    return mistake(what, "", "a recording is judged as its run was read",
                   "the run without --bodies, --key, --joint, --hulls, --ground, --unit and --up");
  Result<CheckSubject> subject = [&]() -> Result<CheckSubject> {
    if (folder) return subject_of_recording(path / "recording.repose");
    if (path.extension() == ".repose") return subject_of_recording(path);
    if (!is_poses_file(what)) return subject_of_file(what, words);
    const auto file = read_poses(what);
    if (!file) return file.error();
    if (file->scene.empty())
      return mistake(what, "", "the poses file names no scene",
                     "\"scene\": its path, or repose check SCENE --poses FILE");
    // a path counts from the file's own folder
    const fs::path beside = path.parent_path() / file->scene;
    auto out = subject_of_file(fs::exists(beside, ignored) ? beside.string() : file->scene, words);
    if (!out) return out;
    if (auto done = apply(*file, *out); !done) return done.error();
    return out;
  }();
  if (!subject || poses.empty()) return subject;
  const auto file = read_poses(poses);
  if (!file) return file.error();
  if (auto done = apply(*file, *subject); !done) return done.error();
  subject->claim.reset();  // these poses are not the run's
  return subject;
}
