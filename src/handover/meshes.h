#pragma once

#include "model.h"

namespace repose::handover {

/// The meshes that a scene names, each read once.
class Meshes {
 public:
  Meshes(Model& model, const OpenOptions& options) : model_(model), options_(options) {}

  /// The triangles of a file; `hull`: the convex hull of its points. An OBJ file of several solid
  /// objects, as convex decompositions are, is their union otherwise. A shape that moves must be
  /// closed; one that stands need not.
  ShapeUse file(const std::filesystem::path& path, const Vec3& scale, const Pose& from_file,
                bool hull, const Word& by);
  /// Triangles that a file holds itself, m; `key` tells them from others and begins with their
  /// name.
  ShapeUse triangles(shape::TriangleMesh mesh, const std::string& key, bool hull, const Where& by);
  /// The same of closed triangles that are never taken for their hull: terrain.
  ShapeUse solid(shape::TriangleMesh mesh, const std::string& key, const Where& by);
  ShapeUse hull(const std::vector<Vec3>& points, const std::string& name, const Word& by);

 private:
  ShapeUse add(const std::string& key, ShapeKinds what);
  /// The objects of an OBJ file of several, as written; nothing where one of them is no solid.
  std::optional<std::vector<shape::TriangleMesh>> solids_of(
      const std::filesystem::path& path) const;
  /// Solids as one, each as its convex hull where the options say so; nothing where no union can be
  /// made.
  std::optional<MeshSpec> unite(std::vector<shape::TriangleMesh> solids, const std::string& name,
                                const Word& by);
  ShapeUse add_mesh(const std::string& key, shape::TriangleMesh mesh, bool hull,
                    const std::string& name, const Where& by);

  Model& model_;
  const OpenOptions& options_;
  std::map<std::string, std::string> known_;  // names by key
  std::map<std::string, int> numbers_;        // given to shapes that would have one name
};

ShapeUse use_of(ShapeKinds what);

/// Volume and centre of a piece, in its own frame; zero where it has none (a plane, an open mesh).
/// Refuses a shape that cannot be made.
struct Matter {
  double volume = 0.0;  // m^3
  Vec3 center = Vec3::Zero();
};
Matter matter_of(const Model& model, const Piece& piece);

}  // namespace repose::handover
