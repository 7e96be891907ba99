#pragma once

#include <memory>
#include <set>

#include "usda_layer.h"

namespace repose::handover {

/// A file and those it lays under itself, strongest first.
struct UsdLayers {
  std::vector<const UsdLayer*> layers;
};

/// How a part of a file came into the scene: prims at `from` of it stand at `to`.
struct UsdArc {
  UsdLayers layers;
  std::string from, to;
};

/// What one layer says about a prim of the scene.
struct UsdOpinion {
  const UsdLayer* layer = nullptr;
  int spec = 0;
  std::shared_ptr<const UsdArc> arc;

  const UsdSpec& operator*() const { return layer->specs[static_cast<std::size_t>(spec)]; }
  const UsdSpec* operator->() const { return &**this; }
};

/// A value and the layer in which it stands.
struct UsdValue {
  const UsdOpinion* opinion = nullptr;
  const UsdProperty* property = nullptr;
  UsdRange range;
  bool sampled = false;  // the first of several in time

  const UsdLayer& layer() const { return *opinion->layer; }
  TextSpot spot(const std::string& pointer) const { return {opinion->layer, range.begin, pointer}; }
};

/// A prim of the scene, put together from all layers.
struct UsdPrim {
  std::string name, path;
  int parent = -1;
  std::vector<UsdOpinion> opinions;  // strongest first

  bool defined() const;   // some layer says def
  bool abstract() const;  // the strongest that tells says class
  std::string type() const;
  /// The strongest value; nothing where none is given, or it is blocked.
  std::optional<UsdValue> value(const std::string& name) const;
  std::optional<std::pair<const UsdOpinion*, const UsdMeta*>> meta(const std::string& key) const;
  /// The strongest flag of metadata.
  bool flag(const std::string& key, bool otherwise) const;
  /// Names of applied schemas.
  std::set<std::string> schemas() const;
  /// Targets of a relationship, as paths of the scene.
  std::vector<std::string> targets(const std::string& name) const;
  TextSpot spot() const { return {opinions.front().layer, opinions.front()->byte, path}; }
};

/// A scene of USD: its own file, and those it refers to.
class UsdStage {
 public:
  /// Reads and puts together. Throws Refused.
  UsdStage(std::string text, const std::string& file, Notes& notes);

  const UsdLayer& root() const { return *layers_.begin()->second; }
  const std::vector<UsdPrim>& prims() const { return prims_; }  // parents before children
  /// The number of a prim; -1: there is none.
  int find(const std::string& path) const;
  /// What the scene's own file says about itself, its sublayers after it.
  std::optional<std::pair<const UsdLayer*, UsdRange>> meta(const std::string& key) const;
  /// Files that were read besides the scene's own.
  std::vector<const UsdLayer*> others() const;

 private:
  friend class UsdComposer;
  std::vector<std::pair<std::string, std::unique_ptr<UsdLayer>>> layers_;  // by path, own first
  UsdLayers own_;
  std::vector<UsdPrim> prims_;
  std::map<std::string, int> index_;
};

}  // namespace repose::handover
