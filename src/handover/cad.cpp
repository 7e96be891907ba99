#include "cad.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include "repose/base/json.h"
#include "repose/base/json_write.h"
#include "repose/base/nearest.h"
#include "repose/base/plain_file.h"
#include "repose/base/whole_file.h"
#include "repose/base/work.h"
#include "repose/handover/handover.h"
#include "repose/run/catalogue.h"

#include "cad_child.h"
#include "cad_recognise.h"
#include "find_file.h"

namespace repose::handover {

/// Where each body of the file stood.
struct CadOrigin {
  struct Entry {
    std::string body;    // of the scene
    std::size_t number;  // in the file's order
    Pose at_start;       // world from body
  };
  std::vector<Entry> bodies;
};

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = std::size_t{256} << 20;
/// Seams within this share of the body's size are as good as closed: what the judge calls touching.
constexpr double kFineSeam = 1e-9;
/// Tried one after the other; files of other systems close to about 1e-6 of their size.
constexpr double kSeams[] = {kFineSeam, 1e-7, 1e-5};
/// OpenCASCADE's volume and ours differ by less where we have understood the faces, relative.
constexpr double kSameVolume = 1e-6;

InputError mistake(const std::string& file, std::string wrong, std::string right) {
  InputError error;
  error.file = file;
  error.wrong = std::move(wrong);
  error.right = std::move(right);
  return error;
}

InputError refusal(const std::string& file, const CadAnswer& answer) {
  switch (answer.end) {
    case CadAnswer::End::missing:
      return mistake(file, "CAD files are read by repose-cad, which is not built",
                     "scripts/build cad (it installs OpenCASCADE), or REPOSE_CAD=PROGRAM");
    case CadAnswer::End::too_slow:
      return mistake(file, "reading it takes more than two minutes", "fewer or simpler solids");
    case CadAnswer::End::too_large:
      return mistake(file, "its solids take more than 120 MiB to say", "fewer or simpler solids");
    case CadAnswer::End::fell_over:
      return mistake(file, "OpenCASCADE falls over when it reads this file",
                     "the file written again by the system it came from");
    default:
      break;
  }
  const auto said = JsonDocument::parse(answer.text, file);
  const auto word = [&](const char* key) {
    const auto found = said ? (*said)->root().find(key) : std::nullopt;
    return found ? found->text() : std::string("not read");
  };
  return mistake(file, word("wrong"), word("right"));
}

/// One solid of the file, as repose-cad tells of it.
struct Solid {
  std::string place;
  double volume = 0.0, area = 0.0;
  std::string faces;     // JSON; empty where they are of no use
  std::string unusable;  // why, and what would do
  std::string right;
};

double number_of(JsonView at, const char* key) {
  const auto found = at.find(key);
  return found && found->kind() == JsonKind::number ? found->number()
                                                    : std::numeric_limits<double>::quiet_NaN();
}
std::string word_of(JsonView at, const char* key) {
  const auto found = at.find(key);
  return found && found->kind() == JsonKind::text ? found->text() : std::string();
}
bool truth_of(JsonView at, const char* key) {
  const auto found = at.find(key);
  return found && found->kind() == JsonKind::boolean && found->boolean();
}

Solid solid_of(JsonView at) {
  Solid out;
  out.place = word_of(at, "place");
  out.volume = number_of(at, "volume");
  out.area = number_of(at, "area");
  out.unusable = word_of(at, "unusable");
  out.right = word_of(at, "right");
  const auto faces = at.find("faces");
  if (!truth_of(at, "closed")) {
    out.unusable = "the solid is not closed";
    out.right = "a solid whose faces meet all around";
  } else if (number_of(at, "shells") != 1.0) {
    out.unusable = "the solid has a hollow inside, which is not read";
    out.right = "a solid of one outer surface";
  } else if (!(out.volume > 0.0)) {
    out.unusable = "the solid has no volume";
    out.right = "units and sizes that are not zero, faces turned outward";
  } else if (faces) {
    out.faces = std::string(faces->raw());
  }
  return out;
}

std::vector<double> numbers_of(JsonView at, const char* key) {
  std::vector<double> out;
  if (const auto list = at.find(key); list && list->kind() == JsonKind::array)
    list->each([&](JsonView v) {
      out.push_back(v.kind() == JsonKind::number ? v.number()
                                                 : std::numeric_limits<double>::quiet_NaN());
      return true;
    });
  return out;
}

class Reading {
 public:
  Reading(std::string file, const OpenOptions& options)
      : file_(std::move(file)), options_(options) {}

  Result<Handed> run(const std::string& text) {
    auto document = JsonDocument::parse(text, file_);
    if (!document) return document.error();
    const JsonView root = (*document)->root();
    if (const auto solids = root.find("solids"))
      solids->each([&](JsonView at) { return solids_.push_back(solid_of(at)), true; });
    forms_.resize(solids_.size());
    out_.format = Format::cad;
    Scene& scene = out_.scene;
    scene.file = file_;
    scene.name = fs::path(file_).stem().string();
    if (const auto notes = root.find("notes"))
      notes->each([&](JsonView at) {
        out_.unused.push_back({at.text(), file_, 1});
        return true;
      });
    if (options_.ground) add_ground();
    if (const auto bodies = root.find("bodies"))
      bodies->each([&](JsonView at) { return add_body(at); });
    if (error_) return *error_;
    if (origin_->bodies.empty())
      return mistake(file_, "the file holds no solid", "at least one closed solid");
    if (auto bad = choose_moving()) return *bad;
    out_.options = options_;
    out_.cad = origin_;
    return std::move(out_);
  }

 private:
  /// A solid as a shape of the scene, and where that shape's frame stands in the solid's.
  struct FormOf {
    std::string name;  // of the scene's shapes; empty: not made yet
    Pose from_shape;
  };

  bool fail(const std::string& body, const Solid& solid, std::string wrong, std::string right) {
    InputError error = mistake(file_, std::move(wrong), std::move(right));
    error.pointer = solid.place;
    error.value = body;
    error_ = std::move(error);
    return false;
  }

  bool add_body(JsonView at) {
    const std::string name = unique(word_of(at, "name"));
    const double number = number_of(at, "solid");
    const auto p = numbers_of(at, "position"), q = numbers_of(at, "orientation_wxyz");
    if (!(number >= 0.0 && number < static_cast<double>(solids_.size())) || p.size() != 3 ||
        q.size() != 4) {
      error_ = mistake(file_, "repose-cad gave no proper answer", "the program of this version");
      return false;
    }
    const auto s = static_cast<std::size_t>(number);
    if (forms_[s].name.empty() && !make_form(name, s)) return false;
    const Pose world_from_solid{Vec3(p[0], p[1], p[2]), Quat(q[0], q[1], q[2], q[3]).normalized()};
    const Pose pose = world_from_solid * forms_[s].from_shape;
    if (!pose.position.allFinite() || !pose.rotation.coeffs().allFinite())
      return fail(name, solids_[s], "its place is no place", "finite numbers");
    SceneBody body;
    body.name = name;
    body.shape.name = forms_[s].name;
    body.position = pose.position;
    body.orientation_wxyz = {pose.rotation.w(), pose.rotation.x(), pose.rotation.y(),
                             pose.rotation.z()};
    origin_->bodies.push_back({name, origin_->bodies.size(), pose});
    out_.scene.bodies.push_back(std::move(body));
    return true;
  }

  bool make_form(const std::string& body, std::size_t s) {
    const Solid& solid = solids_[s];
    if (!solid.unusable.empty() || solid.faces.empty())
      return fail(body, solid, solid.unusable, solid.right);
    // the faces by the scene format's own reader
    const std::string text = fmt::format(
        R"({{"repose":1,"shapes":{{"s":{{"kind":"trimmed","faces":{}}}}},"bodies":[]}})",
        solid.faces);
    const auto scene = scene_from_text(text, file_, method_catalogue());
    if (!scene) return fail(body, solid, scene.error().wrong, scene.error().right);
    auto faces = std::get<shape::TrimmedInput>(scene->shapes[0].second.what);
    FormOf& form = forms_[s];
    // the same part twice, as many programs write their instances
    if (const auto same = by_faces_.find(solid.faces); same != by_faces_.end()) {
      form = forms_[same->second];
      return true;
    }
    by_faces_.emplace(solid.faces, s);
    form.name = unique_shape(body);
    ShapeSpec spec;
    if (auto known = recognise(faces, solid.volume)) {
      spec.what = std::move(known->shape);
      form.from_shape = known->from_shape;
    } else if (!sew(body, solid, faces)) {
      return false;
    } else {
      spec.what = std::move(faces);
    }
    out_.scene.shapes.emplace_back(form.name, std::move(spec));
    return true;
  }

  /// Finds the finest seam at which the faces close, and compares the volume with OpenCASCADE's.
  bool sew(const std::string& body, const Solid& solid, shape::TrimmedInput& faces) {
    InputError last;
    for (const double seam : kSeams) {
      faces.sew.gap_fraction = seam;
      const auto made = shape::make_trimmed(faces);
      if (!made) {
        last = made.error();
        continue;
      }
      const double volume = (*made)->volume.volume;
      if (!(std::fabs(volume - solid.volume) <= kSameVolume * solid.volume))
        return fail(body, solid,
                    fmt::format("its faces bound {:.9g} m3, but OpenCASCADE finds {:.9g} m3",
                                volume, solid.volume),
                    "a solid whose faces do not cross");
      if (seam > kFineSeam)
        out_.remarks.push_back(fmt::format(
            "{}: its faces meet only within {:.0e} of its size, as the file has them", body, seam));
      return true;
    }
    return fail(body, solid,
                fmt::format("its faces are not sewn: {}{}",
                            last.pointer.empty() ? "" : last.pointer + ": ", last.wrong),
                last.right);
  }

  void add_ground() {
    SceneBody ground;
    ground.name = unique("ground");
    ground.shape.spec = std::make_shared<const ShapeSpec>(ShapeSpec{HalfSpaceSpec{}, {}});
    ground.fixed = true;
    ground.role = "ground";
    out_.scene.bodies.push_back(std::move(ground));
  }

  /// Those that are named; else all but the first, as CAD systems ground the first part.
  std::optional<InputError> choose_moving() {
    const auto& wanted = options_.bodies;
    std::vector<std::string> names;
    for (const auto& entry : origin_->bodies) names.push_back(entry.body);
    for (const std::string& name : wanted)
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        InputError error = mistake(file_, "no body has this name", suggestion(name, names));
        error.value = name;
        return error;
      }
    const bool first_stands = wanted.empty() && names.size() > 1 && !options_.ground;
    bool splines = false;
    for (SceneBody& body : out_.scene.bodies) {
      if (body.role == "ground") continue;
      body.fixed = wanted.empty()
                       ? first_stands && body.name == names.front()
                       : std::find(wanted.begin(), wanted.end(), body.name) == wanted.end();
      for (const auto& [name, spec] : out_.scene.shapes)
        splines = splines || std::holds_alternative<shape::TrimmedInput>(spec.what);
    }
    if (first_stands)
      out_.remarks.push_back(
          fmt::format("{} stands, as the first part; --bodies NAME says what moves", names[0]));
    out_.scene.method.kind = splines ? "place" : "pile";
    out_.scene.method.settings = splines ? SettingValues{{"friction", true}, {"repair_start", true}}
                                         : SettingValues{{"repair_start", true}};
    return {};
  }

  std::string unique(const std::string& wanted) {
    const std::string base = wanted.empty() ? "body" : wanted;
    std::string out = base;
    for (int k = 2; !names_.insert(out).second; ++k) out = fmt::format("{}-{}", base, k);
    return out;
  }
  std::string unique_shape(const std::string& wanted) {
    std::string out = wanted;
    for (int k = 2; !shape_names_.insert(out).second; ++k) out = fmt::format("{}-{}", wanted, k);
    return out;
  }

  std::string file_;
  const OpenOptions& options_;
  Handed out_;
  std::shared_ptr<CadOrigin> origin_ = std::make_shared<CadOrigin>();
  std::vector<Solid> solids_;
  std::vector<FormOf> forms_;
  std::map<std::string, std::size_t> by_faces_;  // the first solid of these faces
  std::set<std::string> names_, shape_names_;
  std::optional<InputError> error_;
};

/// A folder of its own under the system's, removed with what it holds.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "repose-cad-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~Folder() {
    std::error_code none;
    if (!path_.empty()) fs::remove_all(path_, none);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

Result<Handed> read_from(const std::string& path, const std::string& name,
                         const OpenOptions& options) {
  const CadAnswer answer = run_cad({"read", path});
  if (answer.end != CadAnswer::End::done) return refusal(name, answer);
  return Reading(name, options).run(answer.text);
}

}  // namespace

bool is_cad(const std::string& path) {
  const std::string ending = ending_of(path);
  return ending == ".step" || ending == ".stp" || ending == ".iges" || ending == ".igs" ||
         ending == ".brep";
}

Result<Handed> open_cad(const std::string& path, const OpenOptions& options) {
  // a plain file of a size that can be read, before another program is given it
  const auto text = read_plain_file(path, kMostBytes, "the path of a CAD file");
  if (!text) return text.error();
  return read_from(fs::absolute(path).string(), path, options);
}

Result<Handed> cad_from_text(const std::string& text, const std::string& file,
                             const OpenOptions& options) {
  const Folder folder;
  const fs::path at = folder.path() / fs::path(file).filename();
  if (const auto written = write_whole(at, text); !written) return written.error();
  return read_from(at.string(), file, options);
}

Result<std::string> cad_with_poses(const Handed& handed, const std::vector<BodyPose>& poses) {
  std::string motions;
  for (const auto& entry : handed.cad->bodies)
    for (const BodyPose& pose : poses) {
      if (pose.body != entry.body) continue;
      const Pose m = pose.world_from_body * entry.at_start.inverse();
      motions += fmt::format("{} {} {} {} {} {} {} {}\n", entry.number, m.position.x(),
                             m.position.y(), m.position.z(), m.rotation.w(), m.rotation.x(),
                             m.rotation.y(), m.rotation.z());
    }
  const Folder folder;
  const std::string& file = handed.scene.file;
  const fs::path out = folder.path() / ("written" + ending_of(file));
  const CadAnswer answer = run_cad({"write", fs::absolute(file).string(), out.string()}, motions);
  if (answer.end != CadAnswer::End::done) return refusal(file, answer);
  return read_plain_file(out.string(), kMostBytes, "the written file");
}

}  // namespace repose::handover
