#include "usda_stage.h"

#include <algorithm>

namespace repose::handover {

bool UsdPrim::defined() const {
  return std::any_of(opinions.begin(), opinions.end(), [](const UsdOpinion& opinion) {
    return opinion->specifier == "def" || opinion->specifier == "class";
  });
}

bool UsdPrim::abstract() const {
  for (const UsdOpinion& opinion : opinions) {
    if (opinion->specifier == "def") return false;
    if (opinion->specifier == "class") return true;
  }
  return false;
}

std::string UsdPrim::type() const {
  for (const UsdOpinion& opinion : opinions)
    if (!opinion->type.empty()) return opinion->type;
  return "";
}

std::optional<UsdValue> UsdPrim::value(const std::string& name) const {
  for (const UsdOpinion& opinion : opinions) {
    std::optional<UsdValue> found;
    for (const UsdProperty& property : opinion->properties) {
      if (property.name != name || property.value.empty()) continue;
      const bool sampled = property.part == "timeSamples";
      if (!property.part.empty() && !sampled) continue;
      // samples count before the value beside them
      if (found && found->sampled) continue;
      UsdValue value{&opinion, &property, property.value, sampled};
      if (sampled) value.range = usd_first_sample(*opinion.layer, property.value);
      if (!value.range.empty()) found = value;
    }
    if (!found) continue;
    if (usd_is_none(found->layer(), found->range)) return std::nullopt;
    return found;
  }
  return std::nullopt;
}

std::optional<std::pair<const UsdOpinion*, const UsdMeta*>> UsdPrim::meta(
    const std::string& key) const {
  for (const UsdOpinion& opinion : opinions)
    if (const UsdMeta* meta = opinion->meta(key)) return std::pair(&opinion, meta);
  return std::nullopt;
}

bool UsdPrim::flag(const std::string& key, bool otherwise) const {
  const auto found = meta(key);
  return found ? usd_truth(*found->first->layer, found->second->value) : otherwise;
}

std::set<std::string> UsdPrim::schemas() const {
  std::set<std::string> out;
  // from the weakest up, so that a stronger layer may take away
  for (auto opinion = opinions.rbegin(); opinion != opinions.rend(); ++opinion)
    for (const UsdMeta& meta : (*opinion)->metas) {
      if (meta.key != "apiSchemas") continue;
      if (meta.edit.empty()) out.clear();
      for (const std::string& name : usd_texts(*opinion->layer, meta.value)) {
        if (meta.edit == "delete")
          out.erase(name);
        else
          out.insert(name);
      }
    }
  return out;
}

std::vector<std::string> UsdPrim::targets(const std::string& name) const {
  const auto found = value(name);
  if (!found) return {};
  std::vector<std::string> out;
  const UsdArc& arc = *found->opinion->arc;
  for (const std::string& target : usd_paths(found->layer(), found->range)) {
    const bool inside = target == arc.from || target.starts_with(arc.from + "/");
    out.push_back(inside ? arc.to + target.substr(arc.from.size()) : target);
  }
  return out;
}

int UsdStage::find(const std::string& path) const {
  const auto found = index_.find(path);
  return found == index_.end() ? -1 : found->second;
}

std::optional<std::pair<const UsdLayer*, UsdRange>> UsdStage::meta(const std::string& key) const {
  for (const UsdLayer* layer : own_.layers)
    if (const UsdMeta* found = layer->specs[0].meta(key)) return std::pair(layer, found->value);
  return std::nullopt;
}

std::vector<const UsdLayer*> UsdStage::others() const {
  std::vector<const UsdLayer*> out;
  for (const auto& [path, layer] : layers_)
    if (path != layers_.front().first) out.push_back(layer.get());
  return out;
}

}  // namespace repose::handover
