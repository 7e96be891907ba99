// COLLADA 1.4 and 1.5: https://www.khronos.org/collada
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

#include "repose/base/xml.h"
#include "repose/shape/cut_fan.h"

#include "shape/mesh/mesh.h"
#include "shape/mesh/text_scan.h"

namespace repose::shape {
namespace {

using Affine = Eigen::Affine3d;
using Node = pugi::xml_node;

/// Larger files are refused unread: the document is held whole.
constexpr std::uint64_t kMostColladaBytes = std::uint64_t{64} << 20;
constexpr int kDeepestNode = 64;
/// Nodes of a scene, those that stand for others counted each time.
constexpr int kMostNodes = 100'000;
/// Numbers read in all: what stands in several places is read for each.
constexpr std::size_t kMostNumbers = std::size_t{1} << 26;

/// Thrown within this file, caught at its door.
struct Stop {
  InputError error;
};

class Collada {
 public:
  explicit Collada(const XmlDocument& document) : document_(document) {
    if (std::string(root().name()) != "COLLADA")
      stop(root(), "", "the root of the document is not <COLLADA>", "a COLLADA file");
    index(root());
  }

  /// All geometry of the scene in metres, axes as written.
  TriangleMesh read() {
    const double metre = unit();
    const std::string scene =
        root().child("scene").child("instance_visual_scene").attribute("url").value();
    if (scene.empty()) {
      for (const Node geometry : root().child("library_geometries").children("geometry"))
        add_geometry(geometry, Affine(Eigen::Scaling(metre)));
    } else {
      for (const Node node : by_url(root().child("scene"), scene).children("node"))
        add_node(node, Affine(Eigen::Scaling(metre)), 0);
    }
    return std::move(out_);
  }

 private:
  Node root() const { return document_.root(); }
  [[noreturn]] void stop(Node at, const std::string& value, std::string wrong,
                         std::string right) const {
    throw Stop{document_.error(at, "", value, std::move(wrong), std::move(right))};
  }
  void check_size(Node at) const {
    if (auto bad = check_mesh_size(out_.points.size(), out_.triangles.size()))
      stop(at, bad->value, bad->wrong, bad->right);
  }
  void index(Node at) {
    if (const auto id = at.attribute("id")) ids_.emplace(id.value(), at);
    for (const Node child : at.children()) index(child);
  }
  Node by_url(Node at, const std::string& url) const {
    const auto found = url.starts_with('#') ? ids_.find(url.substr(1)) : ids_.end();
    if (found == ids_.end()) stop(at, url, "nothing of this file has that name", "the id of one");
    return found->second;
  }
  double unit() const {
    const auto word = root().child("asset").child("unit").attribute("meter");
    if (!word) return 1.0;
    double value = 0.0;
    if (!read_number(word.value(), &value) || !(value > 0.0) || !std::isfinite(value))
      stop(root().child("asset").child("unit"), word.value(), "not a unit of length",
           "metres that one unit is");
    return value;
  }

  // numbers

  template <class Each>
  void words_of(Node at, const Each& each) {
    const std::string_view text = at.child_value();
    constexpr std::string_view kBlanks = " \t\r\n";
    for (std::size_t i = text.find_first_not_of(kBlanks); i != std::string_view::npos;) {
      const std::size_t end = std::min(text.find_first_of(kBlanks, i), text.size());
      if (++words_ > kMostNumbers)
        stop(at, "", "too many numbers", fmt::format("at most {} in all", kMostNumbers));
      each(text.substr(i, end - i));
      i = text.find_first_not_of(kBlanks, end);
    }
  }
  std::vector<double> numbers(Node at) {
    std::vector<double> out;
    words_of(at, [&](std::string_view word) {
      double value = 0.0;
      const bool number = read_number(word, &value);
      const char* wrong = number ? wrong_coordinate(value) : "not a number";
      if (wrong != nullptr) stop(at, std::string(word), wrong, "finite numbers between blanks");
      out.push_back(value);
    });
    return out;
  }
  std::vector<double> numbers(Node at, std::size_t count) {
    auto out = numbers(at);
    if (out.size() != count)
      stop(at, fmt::format("{} numbers", out.size()), "not as many as there should be",
           fmt::format("{}", count));
    return out;
  }
  std::vector<long long> wholes(Node at) {
    std::vector<long long> out;
    words_of(at, [&](std::string_view word) {
      long long value = 0;
      if (!read_integer(word, &value) || value < 0)
        stop(at, std::string(word), "not a number of a corner", "whole numbers from 0");
      out.push_back(value);
    });
    return out;
  }

  // the scene

  Affine transform(Node node) {
    Affine out = Affine::Identity();
    for (const Node at : node.children()) {
      const std::string name = at.name();
      if (name == "matrix") {
        const auto m = numbers(at, 16);
        Affine by = Affine::Identity();
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 4; ++c) by(r, c) = m[static_cast<std::size_t>(4 * r + c)];
        out = out * by;
      } else if (name == "translate") {
        const auto v = numbers(at, 3);
        out.translate(Vec3(v[0], v[1], v[2]));
      } else if (name == "rotate") {
        const auto v = numbers(at, 4);
        const Vec3 axis(v[0], v[1], v[2]);
        if (!(axis.norm() > 0.0)) stop(at, "", "an axis without direction", "not all zero");
        out.rotate(Eigen::AngleAxisd(v[3] * std::numbers::pi / 180.0, axis.normalized()));
      } else if (name == "scale") {
        const auto v = numbers(at, 3);
        out.scale(Vec3(v[0], v[1], v[2]));
      } else if (name == "lookat" || name == "skew" || name == "instance_controller") {
        stop(at, name, "is not read", "matrix, translate, rotate, scale and plain geometry");
      }
    }
    return out;
  }
  void add_node(Node node, const Affine& above, int depth) {
    if (depth > kDeepestNode || ++nodes_ > kMostNodes)
      stop(node, "", "nodes within nodes without end",
           fmt::format("at most {} deep and {} in all", kDeepestNode, kMostNodes));
    const Affine here = above * transform(node);
    for (const Node at : node.children()) {
      const std::string name = at.name();
      if (name == "node") add_node(at, here, depth + 1);
      if (name == "instance_node")
        add_node(by_url(at, at.attribute("url").value()), here, depth + 1);
      if (name == "instance_geometry") add_geometry(by_url(at, at.attribute("url").value()), here);
    }
  }

  // geometry

  void add_geometry(Node geometry, const Affine& place) {
    const Node mesh = geometry.child("mesh");
    if (!mesh) stop(geometry, "", "geometry without <mesh>", "triangles and polygons");
    std::map<std::string, int> firsts;  // of the points of a source, within this geometry
    const std::size_t first_triangle = out_.triangles.size();
    for (const Node at : mesh.children()) {
      const std::string name = at.name();
      if (name == "triangles" || name == "polylist" || name == "polygons" || name == "tristrips" ||
          name == "trifans")
        add_faces(at, name, place, firsts);
    }
    if (place.linear().determinant() < 0.0)
      for (std::size_t i = first_triangle; i < out_.triangles.size(); ++i)
        std::swap(out_.triangles[i][1], out_.triangles[i][2]);
  }
  /// Where the points of a <vertices> begin; they are added once.
  int points_of(Node input, const Affine& place, std::map<std::string, int>& firsts, int* count) {
    const std::string url = input.attribute("source").value();
    const Node vertices = by_url(input, url);
    const Node position = vertices.find_child_by_attribute("input", "semantic", "POSITION");
    if (!position) stop(vertices, "", "vertices without POSITION", "an <input> of POSITION");
    const Node source = by_url(position, position.attribute("source").value());
    const Node accessor = source.child("technique_common").child("accessor");
    const auto stride = static_cast<std::size_t>(accessor.attribute("stride").as_uint(3));
    const auto offset = static_cast<std::size_t>(accessor.attribute("offset").as_uint(0));
    if (stride < 3) stop(source, "", "points of fewer than three numbers", "X, Y, Z");
    const auto known = firsts.find(url);
    if (known != firsts.end()) {
      *count = counts_.at(known->second);
      return known->second;
    }
    const auto values = numbers(source.child("float_array"));
    const int first = static_cast<int>(out_.points.size());
    for (std::size_t i = offset; i + 2 < values.size(); i += stride) {
      out_.points.emplace_back(place * Vec3(values[i], values[i + 1], values[i + 2]));
      for (int k = 0; k < 3; ++k)
        if (const char* wrong = wrong_coordinate(out_.points.back()[k]))
          stop(source, "", wrong, "coordinates of a body");
      check_size(source);
    }
    *count = static_cast<int>(out_.points.size()) - first;
    counts_[first] = *count;
    firsts[url] = first;
    return first;
  }
  void add_faces(Node at, const std::string& name, const Affine& place,
                 std::map<std::string, int>& firsts) {
    const Node input = at.find_child_by_attribute("input", "semantic", "VERTEX");
    if (!input) stop(at, "", "faces without VERTEX", "an <input> of VERTEX");
    std::size_t stride = 1;
    for (const Node other : at.children("input"))
      stride = std::max<std::size_t>(stride, other.attribute("offset").as_uint(0) + std::size_t{1});
    const std::size_t offset = input.attribute("offset").as_uint(0);
    int count = 0;
    const int first = points_of(input, place, firsts, &count);
    const auto corner = [&](const std::vector<long long>& p, std::size_t k) {
      const long long index = p[k * stride + offset];
      if (index >= count)
        stop(at, std::to_string(index), "a corner names a point that is not there",
             fmt::format("0 to {}", count - 1));
      return first + static_cast<int>(index);
    };
    const auto polygon = [&](const std::vector<long long>& p, std::size_t from, std::size_t size) {
      CornerRun fan(CornerRun::Kind::fan);
      const std::size_t begin = out_.triangles.size();
      for (std::size_t k = 0; k < size; ++k) fan.add(corner(p, from + k), &out_.triangles);
      check_size(at);
      if (size >= 3) cut_fan(begin, &out_);
    };
    for (const Node list : at.children("ph"))
      stop(list, "", "polygons with holes are not read", "faces without holes");
    if (name == "polylist") {
      const auto p = wholes(at.child("p"));
      std::size_t from = 0;
      for (const long long size : wholes(at.child("vcount"))) {
        const auto corners = static_cast<std::size_t>(size);
        if (corners > p.size() / stride - std::min(from, p.size() / stride))
          stop(at, "", "fewer corners than vcount asks", "as many as its sum");
        polygon(p, from, corners);
        from += corners;
      }
      return;
    }
    for (const Node list : at.children("p")) {
      const auto p = wholes(list);
      const std::size_t corners = p.size() / stride;
      if (name == "polygons") {
        polygon(p, 0, corners);
        continue;
      }
      CornerRun run(name == "tristrips" ? CornerRun::Kind::strip
                    : name == "trifans" ? CornerRun::Kind::fan
                                        : CornerRun::Kind::list);
      for (std::size_t k = 0; k < corners; ++k) run.add(corner(p, k), &out_.triangles);
      check_size(list);
    }
  }

  const XmlDocument& document_;
  std::map<std::string, Node> ids_;
  std::map<int, int> counts_;  // of points, by their first
  TriangleMesh out_;
  int nodes_ = 0;
  std::size_t words_ = 0;
};

}  // namespace

Result<TriangleMesh> read_collada(const std::string& path, const Bytes& bytes) {
  if (bytes.size() > kMostColladaBytes)
    return fault("", fmt::format("{} bytes", bytes.size()), "the file is too large",
                 fmt::format("at most {} bytes", kMostColladaBytes));
  std::string text(static_cast<std::size_t>(bytes.size()), '\0');
  text.resize(bytes.read(0, text.data(), text.size()));
  const auto document = XmlDocument::parse(std::move(text), path);
  if (!document) return document.error();
  try {
    return Collada(*document).read();
  } catch (const Stop& stopped) {
    return stopped.error;
  }
}

}  // namespace repose::shape
