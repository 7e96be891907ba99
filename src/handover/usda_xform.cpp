// Transforms of prims: https://openusd.org/release/api/class_usd_geom_xformable.html
#include "usda_xform.h"

#include <numbers>

#include <fmt/format.h>

#include "find_file.h"

namespace repose::handover {

namespace {

constexpr const char* kPrefix = "xformOp:";
constexpr std::size_t kMostOps = 1000;
constexpr double kDegree = std::numbers::pi / 180.0;

std::optional<std::size_t> width_of(UsdOp& op, const std::string& type) {
  static const std::set<std::string> kOrders{"XYZ", "XZY", "YXZ", "YZX", "ZXY",
                                             "ZYX", "X",   "Y",   "Z"};
  if (type == "translate" || type == "scale") {
    op.kind = type == "scale" ? UsdOp::Kind::scale : UsdOp::Kind::translate;
    return 3;
  }
  if (type == "orient") {
    op.kind = UsdOp::Kind::orient;
    return 4;
  }
  if (type == "transform") {
    op.kind = UsdOp::Kind::matrix;
    return 16;
  }
  if (!type.starts_with("rotate") || !kOrders.contains(type.substr(6))) return std::nullopt;
  op.kind = UsdOp::Kind::rotate;
  op.axes = type.substr(6);
  return op.axes.size();
}

/// What a file says in single precision is so rounded by every tool that reads it.
void round_to_type(const std::string& type, std::vector<double>& values) {
  if (type.starts_with("double") || type.starts_with("matrix") || type == "quatd") return;
  for (double& value : values) value = static_cast<double>(static_cast<float>(value));
}

UsdOp read_op(const UsdPrim& prim, std::string name, const UsdValue& order) {
  constexpr std::string_view kInvert = "!invert!";
  UsdOp op;
  op.inverted = name.starts_with(kInvert);
  op.name = op.inverted ? name.substr(kInvert.size()) : std::move(name);
  const auto width = width_of(op, UsdOp::type_of(op.name));
  const Where at = order.spot(prim.path);
  if (!width)
    at.refuse(fmt::format("there is no operation \"{}\"", op.name),
              "xformOp:translate, xformOp:rotateXYZ, xformOp:orient, xformOp:scale, "
              "xformOp:transform");
  op.said = prim.value(op.name);
  if (!op.said) at.refuse(fmt::format("{} has no value", op.name), "a value for each operation");
  op.values = usd_numbers(op.said->layer(), op.said->range, *width, 1);
  if (op.values.size() != *width)
    Where(op.said->spot(prim.path)).refuse("too few numbers", fmt::format("{}", *width));
  round_to_type(op.said->property->type, op.values);
  const Where value_at = op.said->spot(prim.path);
  if (op.kind == UsdOp::Kind::orient &&
      !(Eigen::Map<const Eigen::Vector4d>(op.values.data()).norm() > 0.0))
    value_at.refuse("a quaternion without length", "(w, x, y, z)");
  if (op.kind == UsdOp::Kind::matrix &&
      (op.values[3] != 0.0 || op.values[7] != 0.0 || op.values[11] != 0.0 || op.values[15] != 1.0))
    value_at.refuse("a matrix whose last column is not 0 0 0 1",
                    "a matrix that moves, turns and scales");
  if (op.inverted && !(std::abs(op.map().linear().determinant()) > 0.0))
    value_at.refuse("a map that has no inverse", "a scale that is not zero");
  return op;
}

}  // namespace

std::string UsdOp::type_of(const std::string& name) {
  const std::string prefix = kPrefix;
  if (!name.starts_with(prefix)) return "";
  return name.substr(prefix.size(), name.find(':', prefix.size()) - prefix.size());
}

Affine UsdOp::map() const {
  Affine out = Affine::Identity();
  switch (kind) {
    case Kind::translate:
      out.translation() = Vec3(values[0], values[1], values[2]);
      break;
    case Kind::scale:
      out.linear() = Vec3(values[0], values[1], values[2]).asDiagonal();
      break;
    case Kind::orient:
      out.linear() =
          Quat(values[0], values[1], values[2], values[3]).normalized().toRotationMatrix();
      break;
    case Kind::rotate:
      out.linear() = rotation_about(axes, values).toRotationMatrix();
      break;
    case Kind::matrix:
      // theirs act on rows
      out.matrix() = Eigen::Map<const Eigen::Matrix4d>(values.data());
      break;
  }
  return inverted ? out.inverse() : out;
}

Affine UsdXform::map() const {
  Affine out = Affine::Identity();
  for (const UsdOp& op : ops) out = out * op.map();
  return out;
}

UsdXform xform_of(const UsdPrim& prim) {
  UsdXform out;
  const auto order = prim.value("xformOpOrder");
  if (!order) return out;
  const auto names = usd_texts(order->layer(), order->range);
  if (names.size() > kMostOps)
    Where(order->spot(prim.path))
        .refuse("too many operations", fmt::format("at most {}", kMostOps));
  for (const std::string& name : names) {
    if (name == "!resetXformStack!") {
      out.reset = true;
      out.ops.clear();
      continue;
    }
    out.ops.push_back(read_op(prim, name, *order));
  }
  if (!out.map().matrix().allFinite())
    Where(order->spot(prim.path)).refuse("a place that is too far away", "smaller numbers");
  return out;
}

}  // namespace repose::handover
