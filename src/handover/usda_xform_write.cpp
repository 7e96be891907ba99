// Places of prims written back into the scene's own file.
#include <algorithm>

#include <fmt/format.h>

#include "find_file.h"
#include "text_patch.h"
#include "usda_xform.h"

namespace repose::handover {

namespace {

std::string tuple(const std::vector<double>& values) {
  std::string out;
  for (const double value : values)
    out += fmt::format("{}{}", out.empty() ? "(" : ", ", value + 0.0);
  return out + ")";
}
std::string matrix_text(const Affine& map) {
  std::string out;
  for (int c = 0; c < 4; ++c) {
    const Eigen::Vector4d column = map.matrix().col(c);  // theirs act on rows
    out += (c == 0 ? "( " : ", ") + tuple({column[0], column[1], column[2], column[3]});
  }
  return out + " )";
}

/// An attribute to be set.
struct Setting {
  std::string type, name, value;
};

/// What must be said so that `xform` becomes by * xform.
class Change {
 public:
  Change(const UsdXform& xform, const NodeMove& move) : reset_(xform.reset), ops_(xform.ops) {
    if (!ops_.empty() && ops_[0].kind == UsdOp::Kind::matrix && is_own(0))
      set_matrix(ops_[0].name, move.by * ops_[0].map());
    else if (move.rigid())
      turn_and_move(move.by);
    else
      insert_matrix(move.by);
  }
  std::vector<Setting> settings;

 private:
  /// It stands once in the list, and not inverted.
  bool is_own(std::size_t i) const {
    return !ops_[i].inverted && std::count_if(ops_.begin(), ops_.end(), [&](const UsdOp& op) {
                                  return op.name == ops_[i].name;
                                }) == 1;
  }
  std::string free_name(const std::string& wanted) const {
    for (const UsdOp& op : ops_)
      if (op.name == wanted) return wanted + ":settled";
    return wanted;
  }
  void set_matrix(const std::string& name, const Affine& map) {
    settings.push_back({"matrix4d", name, matrix_text(map)});
  }
  void insert_matrix(const Affine& by) {
    const std::string name = free_name("xformOp:transform");
    set_matrix(name, by);
    insert(0, name);
    set_order();
  }
  void turn_and_move(const Affine& by) {
    const Quat turn = Quat(Mat3(by.linear())).normalized();
    // a translation that comes first takes the motion
    const bool moves = !ops_.empty() && ops_[0].kind == UsdOp::Kind::translate && is_own(0);
    Vec3 first = moves ? Vec3(ops_[0].map().translation()) : Vec3(Vec3::Zero());
    // pivots may stand between it and the turn
    std::size_t at = moves ? 1 : 0;
    Vec3 pivot = Vec3::Zero();
    while (at < ops_.size() && ops_[at].kind == UsdOp::Kind::translate)
      pivot += ops_[at++].map().translation();
    const bool turns = at < ops_.size() && is_own(at) &&
                       (ops_[at].kind == UsdOp::Kind::orient ||
                        (ops_[at].kind == UsdOp::Kind::rotate && ops_[at].axes.size() == 3));
    // without a turn of its own, one is set in before the pivots
    if (!turns) pivot.setZero();
    first = turn * Vec3(first + pivot) + by.translation() - pivot;
    bool listed = true;
    if (turns) {
      set_turn(ops_[at], turn);
    } else if (turn.vec() != Vec3::Zero()) {
      const std::string name = free_name("xformOp:orient");
      settings.push_back({"quatd", name, tuple({turn.w(), turn.x(), turn.y(), turn.z()})});
      insert(moves ? 1 : 0, name);
      listed = false;
    }
    std::string name = moves ? ops_[0].name : free_name("xformOp:translate");
    if (!moves) {
      insert(0, name);
      listed = false;
    }
    settings.push_back({"double3", name, tuple({first.x(), first.y(), first.z()})});
    if (!listed) set_order();
  }
  void set_turn(const UsdOp& op, const Quat& turn) {
    const Quat now = (turn * Quat(Mat3(op.map().linear()))).normalized();
    if (op.kind == UsdOp::Kind::orient) {
      settings.push_back({"quatd", op.name, tuple({now.w(), now.x(), now.y(), now.z()})});
      return;
    }
    const Vec3 degrees = degrees_about(op.axes, now);
    settings.push_back({"double3", op.name, tuple({degrees.x(), degrees.y(), degrees.z()})});
  }
  void insert(std::size_t at, const std::string& name) {
    UsdOp op;
    op.name = name;
    op.values = {0.0, 0.0, 0.0};
    ops_.insert(ops_.begin() + static_cast<std::ptrdiff_t>(at), op);
  }
  void set_order() {
    std::string text = reset_ ? "[\"!resetXformStack!\"" : "[";
    for (const UsdOp& op : ops_)
      text += fmt::format("{}\"{}{}\"", text.size() > 1 ? ", " : "", op.inverted ? "!invert!" : "",
                          op.name);
    settings.push_back({"uniform token[]", "xformOpOrder", text + "]"});
  }

  bool reset_;
  std::vector<UsdOp> ops_;
};

class Writer {
 public:
  explicit Writer(const UsdStage& stage) : root_(stage.root()) {}

  void write(const UsdPrim& prim, const std::vector<Setting>& settings) {
    // the deepest spec of the file itself on the way to the prim
    int spec = 0;
    std::size_t begin = 1;
    while (begin <= prim.path.size()) {
      const std::size_t end = std::min(prim.path.find('/', begin), prim.path.size());
      const int below = root_.child(spec, prim.path.substr(begin, end - begin));
      if (below < 0) break;
      spec = below;
      begin = end + 1;
    }
    const std::string missing = begin <= prim.path.size() ? prim.path.substr(begin) : "";
    if (missing.empty())
      for (const Setting& setting : settings) set(spec, setting);
    else
      add_overs(spec, missing, settings);
  }
  std::string text() { return patch_.text(root_.text); }

 private:
  const UsdSpec& spec(int i) const { return root_.specs[static_cast<std::size_t>(i)]; }

  void set(int to, const Setting& setting) {
    bool done = false;
    for (const UsdProperty& property : spec(to).properties) {
      if (property.name != setting.name || property.type == "rel") continue;
      // samples and values both give way to the one that is set
      if (done) {
        patch_.replace(property.whole.begin, property.whole.end, "");
        continue;
      }
      // "uniform" stands before it already
      const std::string type = setting.type.substr(setting.type.rfind(' ') + 1);
      patch_.replace(property.said.begin, property.said.end,
                     fmt::format("{} {} = {}", type, setting.name, setting.value));
      done = true;
    }
    if (!done) insert(to, line_of(setting, indent_of(to)));
  }
  static std::string line_of(const Setting& setting, const std::string& indent) {
    return fmt::format("{}{} {} = {}\n", indent, setting.type, setting.name, setting.value);
  }
  /// Blanks before what a prim holds.
  std::string indent_of(int of) const {
    const UsdRange& body = spec(of).body;
    const std::size_t at = root_.text.find_first_not_of(" \t\r\n", body.begin);
    const std::size_t line = root_.text.rfind('\n', std::min(at, body.end));
    if (at != std::string::npos && at < body.end && line != std::string::npos && line >= body.begin)
      return root_.text.substr(line + 1, at - line - 1);
    const std::size_t own_line = root_.text.rfind('\n', spec(of).byte) + 1;
    const std::size_t own = root_.text.find_first_not_of(" \t", own_line);
    return root_.text.substr(own_line, own - own_line) + "    ";
  }
  /// Lines are set in right after the opening brace.
  void insert(int to, const std::string& lines) {
    const std::size_t at = spec(to).body.begin;
    const std::size_t next = root_.text.find_first_not_of(" \t\r", at);
    const bool ends_line = next != std::string::npos && root_.text[next] == '\n';
    if (ends_line)
      patch_.replace(next + 1, next + 1, lines);
    else
      patch_.replace(at, at, "\n" + lines);
  }
  void add_overs(int to, const std::string& missing, const std::vector<Setting>& settings) {
    const bool top = to == 0;
    std::string indent = top ? "" : indent_of(to), text, close;
    std::size_t begin = 0;
    while (begin <= missing.size()) {
      const std::size_t end = std::min(missing.find('/', begin), missing.size());
      text += fmt::format("{0}over \"{1}\"\n{0}{{\n", indent, missing.substr(begin, end - begin));
      close = indent + "}\n" + close;
      indent += "    ";
      begin = end + 1;
    }
    for (const Setting& setting : settings) text += line_of(setting, indent);
    if (top)
      patch_.replace(root_.text.size(), root_.text.size(), "\n" + text + close);
    else
      insert(to, text + close);
  }

  const UsdLayer& root_;
  TextPatch patch_;
};

}  // namespace

std::string usda_with_moves(const UsdStage& stage, const Graph&, const std::vector<int>& prim_of,
                            const std::vector<NodeMove>& moves) {
  Writer writer(stage);
  for (const NodeMove& move : moves) {
    const UsdPrim& prim = stage.prims()[static_cast<std::size_t>(prim_of[move.node])];
    writer.write(prim, Change(xform_of(prim), move).settings);
  }
  return writer.text();
}

}  // namespace repose::handover
