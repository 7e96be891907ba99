#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "repose/shape/cut_fan.h"

#include "shape/mesh/mesh.h"
#include "shape/mesh/ply_header.h"
#include "shape/mesh/text_scan.h"

namespace repose::shape {
namespace {

/// The numbers of the body one after the other, text or binary.
class Body {
 public:
  Body(const Bytes& bytes, std::uint64_t at, PlyFormat format, int line)
      : swap_(format == PlyFormat::big) {
    if (format == PlyFormat::text)
      text_.emplace(bytes, at, line);
    else
      binary_.emplace(bytes, at);
  }

  bool next(PlyNumber type, double* out) {
    if (text_) return read_number(text_->word_anywhere(), out);
    const char* raw = binary_->take(byte_size(type));
    if (raw != nullptr) *out = decode(raw, type, swap_);
    return raw != nullptr;
  }
  std::uint64_t bytes_left() const { return text_ ? text_->bytes_left() : binary_->bytes_left(); }
  bool text() const { return text_.has_value(); }

  /// An error at what was read last; `what` names it ("vertex 7").
  InputError fault_at(const std::string& what, std::string value, const std::string& wrong,
                      std::string right) const {
    const std::string place =
        text_ ? what : fmt::format("{}, before byte {}", what, binary_->offset());
    InputError error =
        fault("", std::move(value), fmt::format("{}: {}", place, wrong), std::move(right));
    if (text_) error.line = text_->line();
    return error;
  }

 private:
  std::optional<TextScan> text_;
  std::optional<ByteScan> binary_;
  bool swap_;
};

/// What the element needs at least, so that a lying count is refused before memory is taken.
Fault check_room(const PlyElement& element, const Body& body) {
  std::uint64_t least = 0;
  for (const PlyProperty& p : element.properties)
    least += body.text() ? 2 : byte_size(p.list() ? p.count_type : p.type);
  const std::uint64_t room = body.bytes_left() + 1;  // the last line may lack its end
  if (least == 0 || element.count <= room / least) return {};
  return body.fault_at(fmt::format("element {}", element.name),
                       fmt::format("{} bytes", body.bytes_left()),
                       fmt::format("the file claims {} of them", element.count),
                       fmt::format("at least {} bytes for each", least));
}

/// Where a property's numbers go.
class Sink {
 public:
  virtual ~Sink() = default;
  /// A number of property p of item i, k-th of its list.
  virtual Fault take(const Body& body, std::uint64_t item, std::size_t property, double value) = 0;
  virtual Fault finish(const Body& body, std::uint64_t item) = 0;
};

std::string item_text(const PlyElement& element, std::uint64_t item) {
  return fmt::format("{} {} of {}", element.name, item, element.count);
}

/// All numbers of an element, item by item; a null sink passes over them.
Fault read_element(const PlyElement& element, Body* body, Sink* sink) {
  const auto ended = [&](std::uint64_t item) {
    return body->fault_at(item_text(element, item), "", "no number where one should stand",
                          "as many numbers as the header claims");
  };
  if (element.properties.empty()) return {};
  for (std::uint64_t i = 0; i < element.count; ++i) {
    for (std::size_t k = 0; k < element.properties.size(); ++k) {
      const PlyProperty& p = element.properties[k];
      double value = 0.0, count = 1.0;
      if (p.list() && !body->next(p.count_type, &count)) return ended(i);
      if (!(count >= 0.0 && count == std::floor(count)))
        return body->fault_at(item_text(element, i), number_text(count),
                              "the length of a list is no count", "0 or more");
      for (double done = 0.0; done < count; ++done) {
        if (!body->next(p.type, &value)) return ended(i);
        if (sink == nullptr) continue;
        if (auto bad = sink->take(*body, i, k, value)) return bad;
      }
    }
    if (sink == nullptr) continue;
    if (auto bad = sink->finish(*body, i)) return bad;
  }
  return {};
}

/// Coordinates of the vertices.
class VertexSink final : public Sink {
 public:
  /// Requires: x, y and z are single numbers of the element.
  VertexSink(const PlyElement& element, TriangleMesh* mesh) : element_(element), mesh_(*mesh) {
    for (const PlyProperty& p : element.properties)
      axis_.push_back(p.name == "x" ? 0 : p.name == "y" ? 1 : p.name == "z" ? 2 : -1);
    mesh_.points.reserve(element.count);
  }

  Fault take(const Body& body, std::uint64_t item, std::size_t property, double value) override {
    const int axis = axis_[property];
    if (axis < 0) return {};
    if (const char* wrong = wrong_coordinate(value))
      return body.fault_at(item_text(element_, item), number_text(value), wrong,
                           fmt::format("metres within {} of the origin", kMaxLength));
    point_[axis] = value;
    return {};
  }
  Fault finish(const Body&, std::uint64_t) override {
    mesh_.points.push_back(point_);
    return {};
  }

 private:
  const PlyElement& element_;
  TriangleMesh& mesh_;
  std::vector<int> axis_;  // by property; -1: none
  Vec3 point_ = Vec3::Zero();
};

/// Triangles of faces (fans) and of strips, in which -1 begins anew.
class FaceSink final : public Sink {
 public:
  FaceSink(const PlyElement& element, bool strips, std::size_t corners, std::uint64_t points,
           TriangleMesh* mesh)
      : element_(element),
        strips_(strips),
        corners_(corners),
        points_(points),
        mesh_(*mesh),
        run_(strips ? CornerRun::Kind::strip : CornerRun::Kind::fan),
        first_(mesh->triangles.size()) {}

  Fault take(const Body& body, std::uint64_t item, std::size_t property, double value) override {
    if (property != corners_) return {};
    if (strips_ && value == -1.0) {
      run_.restart();
      return {};
    }
    if (!(value >= 0.0 && value < static_cast<double>(points_) && value == std::floor(value)))
      return body.fault_at(
          item_text(element_, item), number_text(value), "there is no such vertex",
          points_ == 0 ? "an element \"vertex\"" : fmt::format("0 to {}", points_ - 1));
    run_.add(static_cast<int>(value), &mesh_.triangles);
    if (auto bad = check_mesh_size(0, mesh_.triangles.size())) return bad;
    return {};
  }
  Fault finish(const Body&, std::uint64_t) override {
    run_.restart();
    // where faces stand before the points, fans stay
    if (!strips_ && mesh_.points.size() == points_) cut_fan(first_, &mesh_);
    first_ = mesh_.triangles.size();
    return {};
  }

 private:
  const PlyElement& element_;
  bool strips_;
  std::size_t corners_;  // which property holds them
  std::uint64_t points_;
  TriangleMesh& mesh_;
  CornerRun run_;
  std::size_t first_ = 0;  // triangle of the face that is being read
};

Fault check_vertex_properties(const PlyElement& element) {
  for (const char* axis : {"x", "y", "z"}) {
    const auto found = std::find_if(element.properties.begin(), element.properties.end(),
                                    [&](const PlyProperty& p) { return p.name == axis; });
    if (found == element.properties.end() || found->list())
      return fault("", "", fmt::format("the element \"vertex\" has no number {}", axis),
                   "properties x, y and z");
  }
  return {};
}

Fault read_vertices(const PlyElement& element, Body* body, TriangleMesh* mesh) {
  if (auto bad = check_mesh_size(element.count, 0)) return bad;
  if (auto bad = check_vertex_properties(element)) return bad;
  VertexSink sink(element, mesh);
  return read_element(element, body, &sink);
}

/// Any element but the vertices: passed over, except that faces and strips yield triangles.
Fault read_others(const PlyElement& element, Body* body, std::uint64_t points, TriangleMesh* mesh) {
  const bool strips = element.name == "tristrips";
  std::optional<FaceSink> sink;
  for (std::size_t k = 0; k < element.properties.size(); ++k) {
    const PlyProperty& p = element.properties[k];
    if ((strips || element.name == "face") && p.list() &&
        (p.name == "vertex_indices" || p.name == "vertex_index"))
      sink.emplace(element, strips, k, points, mesh);
  }
  return read_element(element, body, sink ? &*sink : nullptr);
}

}  // namespace

Result<TriangleMesh> read_ply(const Bytes& bytes) {
  TextScan scan(bytes);
  const auto header = read_ply_header(&scan);
  if (!header) return header.error();
  Body body(bytes, scan.offset(), header->format, scan.line());
  std::uint64_t points = 0;
  for (const PlyElement& element : header->elements)
    if (element.name == "vertex") points = element.count;
  TriangleMesh mesh;
  for (const PlyElement& element : header->elements) {
    if (auto bad = check_room(element, body)) return *bad;
    const Fault bad = element.name == "vertex" ? read_vertices(element, &body, &mesh)
                                               : read_others(element, &body, points, &mesh);
    if (bad) return *bad;
  }
  return mesh;
}

}  // namespace repose::shape
