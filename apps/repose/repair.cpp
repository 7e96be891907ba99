// repose repair FILE
#include "repose/shape/repair.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "repose/base/json_write.h"
#include "repose/base/whole_file.h"
#include "repose/shape/mesh_file.h"
#include "repose/shape/mesh_write.h"

#include "command_line.h"
#include "commands.h"
#include "messages.h"

namespace {

namespace fs = std::filesystem;
using repose::Json;
using repose::Result;
using repose::shape::MeshChange;
using repose::shape::MeshFinding;
using repose::shape::MeshNumbers;
using repose::shape::MeshRepair;

constexpr repose::Range kWelds{0.0, 0.1};

struct RepairOptions {
  std::string file;
  fs::path out;
  repose::shape::RepairSettings settings;
  bool json = false;
};

std::string place_text(const repose::Vec3& p) {
  return fmt::format("({:.5g}, {:.5g}, {:.5g})", p.x(), p.y(), p.z());
}

std::string text_of(const MeshFinding& f) {
  std::string out =
      fmt::format("  {}{} {}", f.at_least ? "at least " : "", f.count, repose::name_of(f.fault));
  for (std::size_t k = 0; k < f.places.size(); ++k)
    out += (k == 0 ? " at " : ", ") + place_text(f.places[k]);
  if (f.places.size() < f.count && !f.places.empty()) out += ", ...";
  return out + (f.note.empty() ? "" : ": " + f.note) + "\n";
}

std::string text_of(const MeshChange& c) {
  std::string out = fmt::format("  {}: {}", c.what, c.count);
  if (c.area > 0.0)
    out +=
        fmt::format("; {:.5g} m2 within {} to {}", c.area, place_text(c.low), place_text(c.high));
  if (c.displacement > 0.0) out += fmt::format("; moved by {:.3g} m at most", c.displacement);
  return out + "\n";
}

template <class Items>
std::string listed(const char* head, const Items& items) {
  std::string out = fmt::format("{}:\n", head);
  for (const auto& item : items) out += text_of(item);
  return out;
}

std::string text_of(const MeshRepair& repair) {
  if (repair.before.empty()) return "nothing is wrong: closed, agreeing, outward, simple\n";
  std::string out = listed("wrong", repair.before);
  if (!repair.changes.empty()) out += listed("mended", repair.changes);
  out += fmt::format("largest displacement: {:.3g} m\n", repair.displacement);
  if (repair.sound()) return out + "now closed, agreeing, outward, simple\n";
  out += listed("still wrong", repair.after);
  for (const std::string& why : repair.refused) out += fmt::format("not mended: {}\n", why);
  return out;
}

Json json_of(const repose::Vec3& v) {
  return Json::Array{v.x(), v.y(), v.z()};
}

Json json_of(const std::vector<MeshFinding>& findings) {
  Json::Array out;
  for (const MeshFinding& f : findings) {
    Json::Array places;
    for (const auto& p : f.places) places.push_back(json_of(p));
    out.push_back(Json::Object{{"fault", repose::name_of(f.fault)},
                               {"count", f.count},
                               {"at_least", f.at_least},
                               {"places", std::move(places)},
                               {"note", f.note}});
  }
  return out;
}

Json json_of(const MeshRepair& repair, const RepairOptions& options) {
  Json::Array changes, refused;
  for (const MeshChange& c : repair.changes)
    changes.push_back(Json::Object{{"what", c.what},
                                   {"count", c.count},
                                   {"area", c.area},
                                   {"displacement", c.displacement},
                                   {"low", json_of(c.low)},
                                   {"high", json_of(c.high)}});
  for (const std::string& why : repair.refused) refused.push_back(why);
  return Json::Object{{"file", options.file},
                      {"sound", repair.sound()},
                      {"wrong", json_of(repair.before)},
                      {"changes", std::move(changes)},
                      {"largest_displacement", repair.displacement},
                      {"still_wrong", json_of(repair.after)},
                      {"not_mended", std::move(refused)},
                      {"points", repair.mesh.points.size()},
                      {"triangles", repair.mesh.triangles.size()},
                      {"written", options.out.string()}};
}

std::string ending_of(const fs::path& path) {
  std::string out = path.extension().string();
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

/// Writes the mesh, and judges what stands in the file then: 32 bits of a binary STL may not hold
/// what was mended, which is then written as text.
Result<repose::Done> write(const fs::path& out, MeshRepair* repair) {
  const bool sound = repair->sound();
  for (const MeshNumbers numbers : {MeshNumbers::single, MeshNumbers::full}) {
    const auto bytes = repose::shape::mesh_bytes(repair->mesh, ending_of(out), numbers);
    if (!bytes) return bytes.error();
    if (auto done = repose::write_whole(out, *bytes); !done) return done;
    const auto written = repose::shape::read_mesh_as_written(out.string());
    if (!written) return written.error();
    repair->after = repose::shape::inspect_mesh(*written);
    if (repair->sound() || !sound) break;
  }
  return repose::Done{};
}

int repair(RepairOptions options) {
  const auto mesh = repose::shape::read_mesh_as_written(options.file);
  if (!mesh) return bad_input(mesh.error(), options.json);
  if (!options.out.empty())
    if (auto known = repose::shape::mesh_bytes({}, ending_of(options.out)); !known) {
      repose::InputError error = known.error();
      error.pointer = "--out";
      return bad_input(error, options.json);
    }
  MeshRepair done = repose::shape::repair_mesh(*mesh, options.settings);
  if (!options.out.empty())
    if (auto written = write(options.out, &done); !written)
      return bad_input(written.error(), options.json);
  if (options.json) {
    tell("{}", json_of(done, options).tall());
  } else {
    tell("{}: {} points, {} triangles\n{}", options.file, mesh->points.size(),
         mesh->triangles.size(), text_of(done));
    if (!options.out.empty())
      tell("written to {}: {} points, {} triangles\n", options.out.string(),
           done.mesh.points.size(), done.mesh.triangles.size());
  }
  return done.sound() ? kDone : kPromiseMissed;
}

}  // namespace

void add_repair(CommandLine& program) {
  auto options = std::make_shared<RepairOptions>();
  program
      .subcommand("repair", "Say what is wrong with a mesh, and mend it",
                  [options] { return repair(*options); })
      .text("FILE", options->file, "A mesh: .obj, .stl, .ply, .gltf, .glb or .dae")
      .required()
      .path("--out", options->out, "The mended mesh: .obj, .stl or .ply; else nothing is written")
      .number("--weld", options->settings.weld_fraction, kWelds,
              "Points on open edges nearer than this fraction of the size are one")
      .shows_default(fmt::format("{}", options->settings.weld_fraction))
      .flag("--json", options->json, "What was wrong and what was done, as JSON");
}
