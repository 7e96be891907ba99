#include "repose/exchange/usda.h"

#include <set>

#include <fmt/format.h>

#include "repose/base/version.h"
#include "repose/base/whole_file.h"

#include "surface.h"
#include "tracks.h"

namespace repose::exchange {
namespace {

constexpr double kCodesPerSecond = 24.0;

std::string tuple(const Vec3& v) {
  return fmt::format("({}, {}, {})", v.x() + 0.0, v.y() + 0.0, v.z() + 0.0);
}
std::string tuple(const Quat& q) {
  return fmt::format("({}, {}, {}, {})", q.w() + 0.0, q.x() + 0.0, q.y() + 0.0, q.z() + 0.0);
}
std::string list(const std::vector<Vec3>& points) {
  std::string out = "[";
  for (const Vec3& p : points) out += (out.size() > 1 ? ", " : "") + tuple(p);
  return out + "]";
}

class Writer {
 public:
  Writer(const Recording& recording, const Tracks& tracks)
      : recording_(recording), tracks_(tracks) {}

  std::string text() {
    const double last = tracks_.times.empty() ? 0.0 : tracks_.times.back();
    out_ = fmt::format(
        "#usda 1.0\n(\n    defaultPrim = \"World\"\n    doc = \"repose {}\"\n    endTimeCode = {}\n"
        "    framesPerSecond = {}\n    metersPerUnit = 1\n    startTimeCode = {}\n"
        "    timeCodesPerSecond = {}\n    upAxis = \"Z\"\n)\n\n",
        kVersion, last * kCodesPerSecond, kCodesPerSecond,
        tracks_.times.empty() ? 0.0 : tracks_.times.front() * kCodesPerSecond, kCodesPerSecond);
    out_ += "class \"Shapes\"\n{\n";
    for (std::size_t s = 0; s < recording_.shapes().size(); ++s) shape(s);
    out_ += "}\n\ndef Xform \"World\"\n{\n";
    for (std::size_t b = 0; b < recording_.bodies().size(); ++b) body(b);
    return std::move(out_) + "}\n";
  }

 private:
  static bool is_points(const DrawingShape& shape) {
    return shape.form == DrawingForm::spheres || shape.form == DrawingForm::surfels;
  }
  void shape(std::size_t number) {
    const DrawingShape& shape = recording_.shapes()[number];
    if (is_points(shape)) return;
    if (shape.form == DrawingForm::ball) {
      out_ += fmt::format("    def Sphere \"s{}\"\n    {{\n        double radius = {}\n    }}\n",
                          number, shape.radius);
      return;
    }
    const Surface surface = surface_of(shape, ground_half_width(recording_, tracks_));
    std::string counts = "[", corners = "[";
    for (const auto& t : surface.triangles) {
      counts += counts.size() > 1 ? ", 3" : "3";
      corners += fmt::format("{}{}, {}, {}", corners.size() > 1 ? ", " : "", t[0], t[1], t[2]);
    }
    out_ += fmt::format(
        "    def Mesh \"s{}\"\n    {{\n        int[] faceVertexCounts = {}]\n"
        "        int[] faceVertexIndices = {}]\n        normal3f[] normals = {} (\n"
        "            interpolation = \"vertex\"\n        )\n        point3f[] points = {}\n"
        "        uniform token subdivisionScheme = \"none\"\n    }}\n",
        number, counts, corners, list(surface.normals), list(surface.points));
  }

  /// Letters, digits and _, and no name twice.
  std::string name_of(const std::string& wanted) {
    std::string base;
    for (const char c : wanted) base += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    if (base.empty() || std::isdigit(static_cast<unsigned char>(base[0])) != 0) base = "_" + base;
    std::string out = base;
    for (int k = 2; !names_.insert(out).second; ++k) out = fmt::format("{}_{}", base, k);
    return out;
  }
  /// `type name = value`, or its samples in time.
  template <class Text>
  void attribute(const char* type_and_name, bool varies, const Text& text) {
    if (!varies) {
      out_ += fmt::format("        {} = {}\n", type_and_name, text(0));
      return;
    }
    out_ += fmt::format("        {}.timeSamples = {{\n", type_and_name);
    for (std::size_t f = 0; f < tracks_.times.size(); ++f)
      out_ += fmt::format("            {}: {},\n", tracks_.times[f] * kCodesPerSecond, text(f));
    out_ += "        }\n";
  }
  void body(std::size_t b) {
    const RecordedBody& body = recording_.bodies()[b];
    const Track track = tracks_.of(b);
    if (track.poses.empty()) return;
    const DrawingShape& shape = recording_.shapes()[static_cast<std::size_t>(body.shape)];
    const bool soft = is_points(shape) && track.soft();
    out_ += fmt::format("    def Xform \"{}\"\n    {{\n", name_of(body.name));
    if (!track.always_present())
      attribute("token visibility", true, [&](std::size_t f) {
        return track.present[f] ? "\"inherited\"" : "\"invisible\"";
      });
    if (!soft) {
      attribute("double3 xformOp:translate", track.moves(),
                [&](std::size_t f) { return tuple(track.poses[f].position); });
      attribute("quatd xformOp:orient", track.moves(),
                [&](std::size_t f) { return tuple(track.poses[f].rotation); });
      out_ +=
          "        uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]\n";
    }
    const auto& color = body.material.color;
    const std::string look =
        fmt::format("            color3f[] primvars:displayColor = [({}, {}, {})]\n", color[0],
                    color[1], color[2]);
    if (is_points(shape)) {
      points(shape, track, soft, look);
    } else {
      out_ += fmt::format(
          "        def \"shape\" (\n            prepend references = </Shapes/s{}>\n        )\n"
          "        {{\n{}        }}\n",
          body.shape, look);
    }
    out_ += "    }\n";
  }
  void points(const DrawingShape& shape, const Track& track, bool soft, const std::string& look) {
    const auto first =
        track.points.empty() ? std::ptrdiff_t{0} : static_cast<std::ptrdiff_t>(shape.soft_offset);
    const auto count = static_cast<std::ptrdiff_t>(shape.points.size());
    std::string widths;
    for (const double r : shape.radii)
      widths += fmt::format("{}{}", widths.empty() ? "" : ", ", 2.0 * r);
    out_ += "        def Points \"shape\"\n        {\n" + look;
    attribute("    point3f[] points", soft && tracks_.times.size() > 1, [&](std::size_t f) {
      if (!soft) return list(shape.points);
      const auto& all = track.points[f];
      return list({all.begin() + first, all.begin() + first + count});
    });
    out_ += fmt::format("            float[] widths = [{}]\n        }}\n", widths);
  }

  const Recording& recording_;
  const Tracks& tracks_;
  std::string out_;
  std::set<std::string> names_;
};

}  // namespace

Result<Done> write_usda(const Recording& recording, const std::filesystem::path& path) {
  const auto tracks = read_tracks(recording);
  if (!tracks) return tracks.error();
  return write_whole(path, Writer(recording, *tracks).text());
}

}  // namespace repose::exchange
