// Bodies that come in by hand.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>

#include <fmt/format.h>

#include "repose/base/fault.h"
#include "repose/base/json.h"
#include "repose/run/catalogue.h"

#include "desk.h"
#include "palette.h"
#include "plain_name.h"

namespace repose::serve {

namespace {

/// Between a new body and what is below it, of its size.
constexpr double kAir = 0.05;
constexpr const char* kDropped = "dropped";  // folder of mesh files that pages brought

/// The scene's materials and shapes with that body alone, as text.
Result<std::string> scene_of(const Scene& scene, const JsonView& body) {
  Scene alone;
  alone.shapes = scene.shapes;
  alone.materials = scene.materials;
  alone.groups = scene.groups;
  const auto document = JsonDocument::parse(write_scene(alone), "scene");
  if (!document) return document.error();
  Json text((*document)->root());
  text["bodies"] = Json::Array{Json(body)};
  return text.line();
}

/// Unlike those that are there, and those that came by hand and went: the log tells them apart.
std::string free_name(const Problem& problem, const HandLog& log, const std::string& wanted) {
  std::string out = wanted;
  for (int k = 2; problem.find_body(out) >= 0 || log.has_named(out); ++k)
    out = fmt::format("{}-{}", wanted, k);
  return out;
}

void put_on(const Stand& stand, const Body& body, BodyState& state) {
  const double reach = 0.5 * body.size();
  const Vec3 middle = stand.top + stand.up * (reach + kAir * body.size());
  const Vec3 moved = middle - state.world_from_body * body.shape->bounding_center;
  state.world_from_body.position += moved;
  if (!state.soft.empty())
    for (Vec3& point : state.soft.positions.edit()) point += moved;
}

struct Unit {
  const char* name;
  double metres;
};
constexpr Unit kMetre{"m", 1.0};
constexpr Unit kUnits[] = {kMetre, {"cm", 0.01}, {"mm", 0.001}};
/// A mesh so many times as large as what moves is not meant in metres.
constexpr double kGiant = 20.0;

bool says_unit(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending != ".obj" && ending != ".stl" && ending != ".ply";
}

/// In which a mesh of that length comes nearest to what moves, where in metres it is a giant.
Unit likely_unit(double length, double moves) {
  if (!(moves > 0.0) || !(length > kGiant * moves)) return kMetre;
  const auto off = [&](const Unit& unit) {
    return std::fabs(std::log(length * unit.metres / moves));
  };
  return *std::min_element(std::begin(kUnits), std::end(kUnits),
                           [&](const Unit& a, const Unit& b) { return off(a) < off(b); });
}

/// The text was ours: its lines mean nothing to who wrote the body.
InputError of_body(InputError error) {
  error.file.clear();
  error.line = error.column = 0;
  return error;
}

}  // namespace

Json Desk::palette() const {
  const Stand stand = stand_above(session_->problem(), session_->state(), *method_);
  return serve::palette(*method_, stand.size);
}

Result<Desk::Made> Desk::make(const JsonView& body) const {
  auto text = scene_of(scene_, body);
  if (!text) return text.error();
  auto alone = scene_from_text(std::move(*text), scene_.file, method_catalogue());
  if (!alone) return of_body(alone.error());
  auto world = build_world(*alone);
  if (!world) return of_body(world.error());
  return Made{alone->bodies.front(), world->problem.bodies.front(), world->state.bodies.front()};
}

Result<std::string> Desk::put_in(Made made, bool placed) {
  made.body.name = free_name(session_->problem(), log_, made.body.name);
  if (!placed)
    put_on(stand_above(session_->problem(), session_->state(), *method_), made.body, made.state);
  Edit edit;
  edit.kind = EditKind::add;
  edit.body_state = made.state;
  const std::string name = made.body.name;
  edit.body = std::make_shared<const Body>(std::move(made.body));
  SceneBody described = std::move(made.described);
  described.name = name;
  described.position = edit.body_state.world_from_body.position;
  begin_gesture();
  if (auto done = carry(edit, described); !done) return done.error();
  changed();
  added_[name] = std::move(described);
  return name;
}

Result<std::string> Desk::add(const JsonView& body) {
  auto made = make(body);
  if (!made) return made.error();
  return put_in(std::move(*made), body.find("position").has_value());
}

Result<Desk::Brought> Desk::add_mesh(const std::string& file, const std::string& bytes) {
  const std::filesystem::path name = file;
  const std::string stem = name.stem().string();
  if (!is_plain(stem) || name.has_parent_path())
    return fault("/file", file, "no plain name of a file",
                 "letters, digits, '-' and '_', then .obj, .stl, .ply or .glb");
  const std::filesystem::path folder = std::filesystem::absolute(out_ / kDropped);
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  const std::filesystem::path path = folder / name;
  std::ofstream out(path, std::ios::binary);
  out << bytes;
  out.close();
  if (!out)
    return fault("/file", path.string(), "cannot be written", "room in the folder of --out");
  const auto made_at = [&](double scale) -> Result<Made> {
    const Json body = Json::Object{
        {"name", stem},
        {"shape", Json::Object{{"kind", "mesh_file"}, {"path", path.string()}, {"scale", scale}}}};
    const auto document = JsonDocument::parse(body.line(), "message");
    if (!document) return document.error();
    return make((*document)->root());
  };
  auto made = made_at(1.0);
  if (!made) return made.error();
  const double size = stand_above(session_->problem(), session_->state(), *method_).size;
  Unit unit = kMetre;
  if (!says_unit(path)) unit = likely_unit(made->body.size(), size);
  if (unit.metres != kMetre.metres) made = made_at(unit.metres);
  if (!made) return made.error();
  auto brought = put_in(std::move(*made), false);
  if (!brought) return brought.error();
  return Brought{std::move(*brought), unit.metres != kMetre.metres ? unit.name : ""};
}

}  // namespace repose::serve
