// What each method does with each part of the scene format, from the table by which it is refused.
#include <functional>

#include <fmt/format.h>

#include "repose/run/catalogue.h"
#include "repose/run/support.h"

namespace repose {

namespace {

using Cell = std::function<std::string(const MethodInfo&)>;

std::string works(bool does) {
  return does ? "works" : "refused";
}
std::string always(const MethodInfo&) {
  return "works";
}
std::string with_speeds(const MethodInfo& m) {
  return works(m.support.speeds);
}

/// The kinds of an object of the format, by the scene's words.
std::vector<std::string> kinds_of(const std::string& object) {
  std::vector<std::string> out;
  for (const ObjectInfo& info : scene_format())
    if (info.name == object)
      for (const ObjectInfo& kind : info.kinds) out.push_back(kind.name);
  return out;
}

class Rows {
 public:
  void add(std::string part, const Cell& cell) {
    SupportRow row{std::move(part), {}};
    for (const MethodInfo* method : moving_methods()) row.cells.push_back(cell(*method));
    rows_.push_back(std::move(row));
  }
  /// A row for each kind of an object of the format that is a value of the enumeration.
  template <class Kind>
  void add_kinds(const std::string& object, const std::string& part,
                 const std::function<std::string(const MethodInfo&, Kind)>& cell) {
    for (const std::string& name : kinds_of(object)) {
      // a mesh file is a mesh; a model is what its file says
      const auto kind = named<Kind>(name == "mesh_file" ? "mesh" : name);
      if (!kind) continue;
      add(fmt::format("{} `{}`", part, name), [&](const MethodInfo& m) { return cell(m, *kind); });
    }
  }
  std::vector<SupportRow> take() { return std::move(rows_); }

 private:
  std::vector<SupportRow> rows_;
};

void add_scene_rows(Rows& rows) {
  rows.add("scene `gravity`",
           [](const MethodInfo& m) { return m.support.plane() ? "works along x and y" : "works"; });
  rows.add("limits `steps`", always);
  rows.add("limits `duration`", with_speeds);
  rows.add("record `every_steps`", always);
  rows.add("record `every_time`", with_speeds);
  rows.add("record `contacts`", always);
  rows.add("event `at_time`", with_speeds);
  rows.add("event `at_step`", always);
  rows.add("event `at_rest`", always);
}

std::string passing(const MethodInfo& m) {
  switch (m.support.passing) {
    case Passing::moves:
      return "works";
    case Passing::stays:
      return "works: it stays in its place";
    case Passing::refused:
      break;
  }
  return "refused unless fixed";
}

void add_body_rows(Rows& rows) {
  rows.add("body `velocity`", [](const MethodInfo& m) {
    if (!m.support.speeds) return "refused";
    return m.support.plane() ? "works along x and y" : "works";
  });
  rows.add("body `angular_velocity`", [](const MethodInfo& m) {
    if (!m.support.speeds) return "refused";
    return m.support.plane() ? "works about z" : "works";
  });
  rows.add("body `fixed`", always);
  rows.add("body `frozen`", [](const MethodInfo& m) { return works(m.support.frozen); });
  rows.add("body `collides`: false", passing);
  rows.add("body `path`", [](const MethodInfo& m) { return works(m.support.led); });
  rows.add("body `layer`", [](const MethodInfo& m) { return works(m.support.layers); });
  rows.add("body `mass`", always);
  rows.add("material `density`", always);
  rows.add("material `friction`", [](const MethodInfo& m) { return m.support.friction; });
  rows.add("material `restitution`",
           [](const MethodInfo& m) { return works(m.support.bounces()); });
}

void add_force_rows(Rows& rows) {
  rows.add_kinds<ForceKind>("force", "force", [](const MethodInfo& m, ForceKind kind) {
    return works(includes(m.support.forces, kind));
  });
  rows.add("force `point` beside the centre",
           [](const MethodInfo& m) { return works(m.support.off_centre); });
  rows.add("force `damping`", [](const MethodInfo& m) {
    return works(m.support.speeds && includes(m.support.forces, ForceKind::spring));
  });
  rows.add_kinds<JointKind>("joint", "joint", [](const MethodInfo& m, JointKind kind) {
    return works(includes(m.support.joints, kind));
  });
}

void add_shape_rows(Rows& rows) {
  using shape::ShapeKind;
  rows.add_kinds<ShapeKind>("shape", "moving shape", [](const MethodInfo& m, ShapeKind kind) {
    return works(includes(m.support.moving_shapes, kind));
  });
  rows.add_kinds<ShapeKind>("shape", "fixed shape", [](const MethodInfo& m, ShapeKind kind) {
    return works(includes(m.support.standing_shapes, kind));
  });
}

}  // namespace

std::vector<const MethodInfo*> moving_methods() {
  std::vector<const MethodInfo*> out;
  for (const MethodInfo& method : method_catalogue())
    if (method.support.moves && method.support.moving_shapes) out.push_back(&method);
  return out;
}

std::vector<SupportRow> support_rows() {
  Rows rows;
  add_scene_rows(rows);
  add_body_rows(rows);
  add_shape_rows(rows);
  add_force_rows(rows);
  rows.add_kinds<EditKind>("edit", "edit", [](const MethodInfo& m, EditKind kind) {
    if (kind == EditKind::freeze && !m.support.frozen) return works(false);
    if (kind == EditKind::collide && m.support.passing == Passing::refused)
      return std::string("refused, but `on`");
    return works(carries_out(m, kind));
  });
  return rows.take();
}

std::string support_markdown() {
  std::string head = "| part of the scene |", line = "|---|", out;
  for (const MethodInfo* method : moving_methods()) {
    head += fmt::format(" {} |", method->name);
    line += "---|";
  }
  for (const SupportRow& row : support_rows()) {
    out += fmt::format("| {} |", row.part);
    for (const std::string& cell : row.cells) out += fmt::format(" {} |", cell);
    out += "\n";
  }
  return head + "\n" + line + "\n" + out;
}

}  // namespace repose
