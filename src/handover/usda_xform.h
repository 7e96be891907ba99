#pragma once

#include "graph.h"
#include "usda_stage.h"

namespace repose::handover {

/// One operation of a prim's transform.
struct UsdOp {
  enum class Kind { translate, scale, orient, rotate, matrix };

  std::string name;  // "xformOp:rotateXYZ:pivot"
  Kind kind = Kind::translate;
  bool inverted = false;
  std::string axes;  // of rotate: "XYZ", "Z"
  std::vector<double> values;
  std::optional<UsdValue> said;  // where its value stands

  Affine map() const;
  /// "translate", "rotateXYZ": the type of operation that the name tells.
  static std::string type_of(const std::string& name);
};

/// The operations of a prim, the outermost first.
struct UsdXform {
  bool reset = false;  // what is above the prim does not move it
  std::vector<UsdOp> ops;

  Affine map() const;
};
UsdXform xform_of(const UsdPrim& prim);

/// The file's bytes with other places of prims; whatever else stood there is the same.
std::string usda_with_moves(const UsdStage& stage, const Graph& graph,
                            const std::vector<int>& prim_of, const std::vector<NodeMove>& moves);

}  // namespace repose::handover
