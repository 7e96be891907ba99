#include "obj_scene.h"

#include <cmath>
#include <cstdlib>
#include <set>

#include <fmt/format.h>

#include "repose/shape/cut_fan.h"

#include "find_file.h"
#include "graph.h"
#include "mesh_scene.h"
#include "patch.h"
#include "text_patch.h"

namespace repose::handover {

namespace {

constexpr std::size_t kMostCorners = std::size_t{1} << 23;
/// A point counts as far where it is this share of the farthest: no round number, so that points of
/// regular bodies lie clearly on one side of it and rounding chooses no other one.
constexpr double kFar = 0.6180339887;

struct Span {
  std::size_t begin = 0, end = 0;
};
/// A vertex, a normal, or a corner of a face, and where its numbers stand.
struct ObjVector {
  Vec3 value = Vec3::Zero();
  Span at;
};
struct ObjCorner {
  int point = -1, normal = -1;
  Span at;
  std::size_t normal_at = 0;  // of the "/" before the normal
};
struct ObjFace {
  std::vector<ObjCorner> corners;
};
struct ObjObject {
  std::string name;
  std::size_t at = 0;
  std::vector<ObjFace> faces;
};

/// Words of a line; a backslash at its end joins the next one to it.
class ObjLines {
 public:
  explicit ObjLines(const std::string& text) : text_(text) {}

  bool next() {
    words_.clear();
    if (at_ >= text_.size()) return false;
    while (at_ < text_.size() && text_[at_] != '\n') {
      if (text_[at_] == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (is_blank(at_)) {
        at_ += text_[at_] == '\\' ? joined(at_) : 1;
      } else {
        const std::size_t begin = at_;
        while (at_ < text_.size() && text_[at_] != '\n' && !is_blank(at_)) ++at_;
        words_.push_back({begin, at_});
      }
    }
    if (at_ < text_.size()) ++at_;
    return true;
  }
  const std::vector<Span>& words() const { return words_; }
  std::string word(std::size_t k) const {
    return text_.substr(words_[k].begin, words_[k].end - words_[k].begin);
  }
  /// All from the second word on.
  std::string rest() const {
    return words_.size() < 2 ? ""
                             : text_.substr(words_[1].begin, words_.back().end - words_[1].begin);
  }

 private:
  std::size_t joined(std::size_t at) const {
    if (text_.compare(at, 2, "\\\n") == 0) return 2;
    return text_.compare(at, 3, "\\\r\n") == 0 ? 3 : 0;
  }
  bool is_blank(std::size_t at) const {
    const char c = text_[at];
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || (c == '\\' && joined(at) > 0);
  }

  const std::string& text_;
  std::size_t at_ = 0;
  std::vector<Span> words_;
};

class ObjFile final : public GraphFile {
 public:
  ObjFile(std::string bytes, const std::string& file) : text{file, std::move(bytes)} {}

  TextFile text;
  std::vector<ObjVector> points, normals;
  std::vector<ObjObject> objects;  // with faces; node k is of object k

  std::string with_moves(const std::vector<NodeMove>& moves) const override {
    TextPatch patch;
    // what moves otherwise than the others that have it cannot be written once
    std::vector<int> point_owner(points.size(), -1), normal_owner(normals.size(), -1);
    std::set<int> shared_points, shared_normals;
    for (std::size_t k = 0; k < objects.size(); ++k)
      for (const ObjFace& face : objects[k].faces)
        for (const ObjCorner& corner : face.corners) {
          own(point_owner, corner.point, static_cast<int>(k), shared_points);
          own(normal_owner, corner.normal, static_cast<int>(k), shared_normals);
        }
    for (const NodeMove& move : moves) write(move, shared_points, shared_normals, patch);
    return patch.text(text.text);
  }

 private:
  static void own(std::vector<int>& owner, int index, int object, std::set<int>& shared) {
    if (index < 0) return;
    int& now = owner[static_cast<std::size_t>(index)];
    if (now >= 0 && now != object) shared.insert(index);
    now = object;
  }
  void write(const NodeMove& move, const std::set<int>& shared_points,
             const std::set<int>& shared_normals, TextPatch& patch) const {
    const ObjObject& object = objects[move.node];
    std::set<int> done, turned_normals;
    const Mat3 turn = move.by.linear();
    const bool turns = !turn.isIdentity(0.0);
    bool keeps_normals = true;
    for (const ObjFace& face : object.faces)
      for (const ObjCorner& corner : face.corners)
        keeps_normals = keeps_normals && (!turns || !shared_normals.contains(corner.normal));
    for (const ObjFace& face : object.faces)
      for (const ObjCorner& corner : face.corners) {
        if (shared_points.contains(corner.point))
          throw Refused{text.error(points[static_cast<std::size_t>(corner.point)].at.begin,
                                   object.name, "a vertex that two objects share",
                                   "vertices of its own for each object, or --poses")};
        if (done.insert(corner.point).second) {
          const ObjVector& p = points[static_cast<std::size_t>(corner.point)];
          put(p.at, move.by * p.value, patch);
        }
        if (corner.normal < 0 || !turns) continue;
        if (!keeps_normals) {
          patch.replace(corner.normal_at, corner.at.end, "");
        } else if (turned_normals.insert(corner.normal).second) {
          const ObjVector& n = normals[static_cast<std::size_t>(corner.normal)];
          put(n.at, turn * n.value, patch);
        }
      }
  }
  static void put(const Span& at, const Vec3& v, TextPatch& patch) {
    patch.replace(at.begin, at.end, digits({v.x(), v.y(), v.z()}));
  }
};

class ObjReader {
 public:
  explicit ObjReader(ObjFile& file) : file_(file), lines_(file.text.text) {}

  void run() {
    while (lines_.next()) line();
    std::erase_if(file_.objects, [](const ObjObject& object) { return object.faces.empty(); });
  }

 private:
  [[noreturn]] void refuse_word(const Span& at, std::string wrong, std::string right) const {
    throw Refused{file_.text.error(at.begin, "", std::move(wrong), std::move(right))};
  }
  void line() {
    if (lines_.words().empty()) return;
    const std::string key = lines_.word(0);
    if (key == "v")
      file_.points.push_back(vector("v X Y Z"));
    else if (key == "vn")
      file_.normals.push_back(vector("vn X Y Z"));
    else if (key == "o")
      file_.objects.push_back({lines_.rest(), lines_.words()[0].begin, {}});
    else if (key == "f" || key == "fo")
      face();
    else if (key == "surf" || key == "curv" || key == "bmat")
      refuse_word(lines_.words()[0], "free-form surfaces are not read", "faces (f I J K ...)");
  }
  ObjVector vector(const char* form) {
    const auto& words = lines_.words();
    if (words.size() < 4) refuse_word(words[0], "fewer than three numbers", form);
    ObjVector out;
    out.at = {words[1].begin, words[3].end};
    for (int k = 0; k < 3; ++k) {
      const std::string word = lines_.word(static_cast<std::size_t>(k) + 1);
      char* end = nullptr;
      out.value[k] = std::strtod(word.c_str(), &end);
      if (end == word.c_str() || *end != '\0' || !(std::fabs(out.value[k]) <= kFarthestPlace))
        refuse_word(words[static_cast<std::size_t>(k) + 1], "not a coordinate", form);
    }
    return out;
  }
  int index(const std::string& word, std::size_t count, const Span& at) const {
    char* end = nullptr;
    const long long number = std::strtoll(word.c_str(), &end, 10);
    const auto all = static_cast<long long>(count);
    const long long place = number < 0 ? all + number : number - 1;
    if (end == word.c_str() || *end != '\0' || place < 0 || place >= all)
      refuse_word(at, "the face names what is not there",
                  fmt::format("1 to {}, or that many backwards", all));
    return static_cast<int>(place);
  }
  void face() {
    if (file_.objects.empty()) file_.objects.push_back({"object", lines_.words()[0].begin, {}});
    ObjFace out;
    for (std::size_t k = 1; k < lines_.words().size(); ++k) {
      const Span& at = lines_.words()[k];
      const std::string word = lines_.word(k);
      const std::size_t first = word.find('/');
      const std::size_t second = first == std::string::npos ? first : word.find('/', first + 1);
      ObjCorner corner;
      corner.at = at;
      corner.point = index(word.substr(0, first), file_.points.size(), at);
      if (second != std::string::npos && second + 1 < word.size()) {
        corner.normal = index(word.substr(second + 1), file_.normals.size(), at);
        // "1//3" loses both strokes
        corner.normal_at = at.begin + (second == first + 1 ? first : second);
      }
      out.corners.push_back(corner);
      if (++corners_ > kMostCorners)
        refuse_word(at, "too many corners of faces", fmt::format("at most {}", kMostCorners));
    }
    if (out.corners.size() < 3)
      refuse_word(lines_.words()[0], "a face has fewer than three corners", "f I J K ...");
    file_.objects.back().faces.push_back(std::move(out));
  }

  ObjFile& file_;
  ObjLines lines_;
  std::size_t corners_ = 0;
};

shape::TriangleMesh triangles_of(const ObjObject& object, const std::vector<ObjVector>& points) {
  shape::TriangleMesh mesh;
  std::map<int, int> place;
  for (const ObjFace& face : object.faces) {
    std::vector<int> corners;
    for (const ObjCorner& corner : face.corners) {
      const auto [known, fresh] =
          place.try_emplace(corner.point, static_cast<int>(mesh.points.size()));
      if (fresh) mesh.points.push_back(points[static_cast<std::size_t>(corner.point)].value);
      corners.push_back(known->second);
    }
    const std::size_t first = mesh.triangles.size();
    for (std::size_t k = 2; k < corners.size(); ++k)
      mesh.triangles.push_back({corners[0], corners[k - 1], corners[k]});
    shape::cut_fan(first, &mesh);
  }
  return mesh;
}

class ObjGraph {
 public:
  ObjGraph(ObjFile& file, Model& model, const OpenOptions& options)
      : file_(file), model_(model), options_(options) {}

  void run() {
    Graph& graph = file_.graph;
    const double unit = options_.unit > 0.0 ? options_.unit : 1.0;
    graph.world_from_file = Affine(Eigen::Scaling(unit));
    if (options_.up == 'y')
      graph.world_from_file.prerotate(Eigen::AngleAxisd(kHalfTurn / 2.0, Vec3::UnitX()));
    for (const ObjObject& object : file_.objects) add_node(object);
    graph.place_nodes();
    model_.remarks.push_back(told_unit(model_.files.main(), options_));
  }

 private:
  static constexpr double kHalfTurn = 3.14159265358979323846;

  /// A frame that goes with the points wherever they are: from their middle towards the first that
  /// is far from it, and the first that is far from that line.
  static Affine frame_of(const std::vector<Vec3>& points) {
    Vec3 middle = Vec3::Zero();
    for (const Vec3& p : points) middle += p / static_cast<double>(points.size());
    const auto first_far = [&](const auto& off) {
      double most = 0.0;
      for (const Vec3& p : points) most = std::max(most, off(p).norm());
      for (const Vec3& p : points)
        if (off(p).norm() >= kFar * most) return Vec3(off(p));
      return Vec3(Vec3::Zero());
    };
    const Vec3 along = first_far([&](const Vec3& p) { return Vec3(p - middle); });
    const Vec3 x = along.norm() > 0.0 ? Vec3(along.normalized()) : Vec3(Vec3::UnitX());
    const Vec3 aside =
        first_far([&](const Vec3& p) { return Vec3(p - middle - x.dot(p - middle) * x); });
    const Vec3 y = aside.norm() > 0.0 ? Vec3((aside - x.dot(aside) * x).normalized())
                                      : Vec3(x.unitOrthogonal());
    Affine out = Affine::Identity();
    out.linear() << x, y, x.cross(y);
    out.translation() = middle;
    return out;
  }
  void add_node(const ObjObject& object) {
    shape::TriangleMesh mesh = triangles_of(object, file_.points);
    GraphNode node;
    node.name = object.name.empty() ? "object" : object.name;
    node.path = fmt::format("/{}-{}", node.name, file_.graph.nodes.size() + 1);
    node.parent_from_node = frame_of(mesh.points);
    node.at = TextSpot{&file_.text, object.at, node.name};
    node.whole = true;
    const Affine back = node.parent_from_node.inverse(Eigen::Isometry);
    for (Vec3& p : mesh.points) p = back * p;
    GraphShape shape;
    shape.what = GraphShape::Triangles{file_.graph.meshes.size(), false};
    shape.at = node.at;
    node.shapes.push_back(std::move(shape));
    file_.graph.meshes.push_back(std::move(mesh));
    file_.graph.mesh_names.push_back(node.name);
    file_.graph.nodes.push_back(std::move(node));
  }

  ObjFile& file_;
  Model& model_;
  const OpenOptions& options_;
};

}  // namespace

bool is_obj(const std::string& path) {
  return ending_of(path) == ".obj";
}

bool holds_objects(const std::string& text) {
  ObjLines lines(text);
  int with_faces = 0;
  bool fresh = true;
  while (lines.next()) {
    if (lines.words().empty()) continue;
    const std::string key = lines.word(0);
    if (key == "o") fresh = true;
    if ((key == "f" || key == "fo") && fresh) {
      fresh = false;
      if (++with_faces > 1) return true;
    }
  }
  return false;
}

std::vector<shape::TriangleMesh> obj_objects(std::string text, const std::string& file) {
  ObjFile read(std::move(text), file);
  ObjReader(read).run();
  std::vector<shape::TriangleMesh> out;
  for (const ObjObject& object : read.objects) out.push_back(triangles_of(object, read.points));
  return out;
}

void read_obj_scene(std::string text, const std::string& file, Model& model,
                    const OpenOptions& options) {
  model.format = Format::obj;
  auto made = std::make_shared<ObjFile>(std::move(text), file);
  ObjReader(*made).run();
  if (made->objects.empty())
    throw Refused{made->text.error(0, "", "the file holds no faces", "objects with faces")};
  ObjGraph(*made, model, options).run();
  make_bodies(made->graph, model, options);
  model.graph = made;
}

}  // namespace repose::handover
