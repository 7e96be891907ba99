// Prims of a scene put together from layers: local opinions, inherits, variants, references,
// payloads, in this order of strength (the rule of USD for what Repose reads).
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "repose/base/plain_file.h"

#include "usda_stage.h"

namespace repose::handover {

namespace {

namespace fs = std::filesystem;
using ArcPtr = std::shared_ptr<const UsdArc>;

constexpr std::size_t kMostPrims = 100000, kMostOpinions = std::size_t{1} << 20;
constexpr std::size_t kMostLayers = Files::kMostFiles;
constexpr std::size_t kMostBytes = Files::kMostBytes;
constexpr int kDeepestArc = 32;  // files, or prims, that refer to one another

/// What the layers of one arc say about one place.
struct Site {
  ArcPtr arc;
  std::vector<UsdOpinion> specs;  // strongest first; one a layer
};

/// List edits of one key by several layers, strongest first, made one list.
template <class Read>
auto edited(const std::vector<UsdOpinion>& specs, const std::string& key, const Read& read) {
  using Item = typename decltype(read(specs.front(), UsdMeta{}))::value_type;
  std::vector<Item> front, back;
  for (const UsdOpinion& opinion : specs)
    for (const UsdMeta& meta : opinion->metas) {
      if (meta.key != key || meta.edit == "delete" || meta.edit == "reorder") continue;
      auto found = read(opinion, meta);
      auto& to = meta.edit == "append" || meta.edit == "add" ? back : front;
      to.insert(to.end(), found.begin(), found.end());
      if (meta.edit.empty()) {
        front.insert(front.end(), back.begin(), back.end());
        return front;
      }
    }
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

struct FoundTarget {
  UsdTarget target;
  UsdOpinion by;
};

}  // namespace

class UsdComposer {
 public:
  UsdComposer(UsdStage& stage, Notes& notes) : stage_(stage), notes_(notes) {}

  void run(std::string text, const std::string& file) {
    const UsdLayer& own = add_layer(std::move(text), file);
    stage_.own_ = stack_of(own);
    auto arc = std::make_shared<UsdArc>(UsdArc{stage_.own_, "", ""});
    Site top{arc, {}};
    for (const UsdLayer* layer : stage_.own_.layers) top.specs.push_back({layer, 0, arc});
    children(top.specs, -1, 0);
  }

 private:
  // files

  const UsdLayer& add_layer(std::string text, const std::string& file) {
    auto layer = std::make_unique<UsdLayer>();
    layer->file = file;
    layer->text = std::move(text);
    bytes_ += layer->text.size();
    read_usda(*layer, budget_);
    stage_.layers_.emplace_back(file, std::move(layer));
    return *stage_.layers_.back().second;
  }
  const UsdLayer& layer_at(const std::string& name, const UsdLayer& by, std::size_t byte) {
    const auto refuse = [&](std::string wrong, std::string right) {
      InputError error = by.error(byte, "", std::move(wrong), std::move(right));
      error.value = name;
      throw Refused{error};
    };
    if (name.find("://") != std::string::npos)
      refuse("what lies on another machine is not fetched", "a file of this one");
    const fs::path path = (fs::path(by.file).parent_path() / name).lexically_normal();
    for (const auto& [known, layer] : stage_.layers_) {
      std::error_code failed;
      if (known == path.string() || fs::equivalent(known, path, failed)) return *layer;
    }
    if (stage_.layers_.size() >= kMostLayers)
      refuse("too many files", fmt::format("at most {} in one scene", kMostLayers));
    auto text = read_plain_file(path.string(), kMostBytes, "the path of a file");
    if (!text) refuse(text.error().wrong, "a file that is there: " + path.string());
    if (bytes_ + text->size() > kMostBytes)
      refuse("too many bytes", fmt::format("at most {} in all files together", kMostBytes));
    return add_layer(std::move(*text), path.string());
  }
  /// The layer and its sublayers.
  UsdLayers stack_of(const UsdLayer& layer) {
    UsdLayers out;
    std::vector<const UsdLayer*> open;
    add_to_stack(layer, out, open, 0);
    return out;
  }
  void add_to_stack(const UsdLayer& layer, UsdLayers& out, std::vector<const UsdLayer*>& open,
                    std::size_t byte) {
    if (std::find(open.begin(), open.end(), &layer) != open.end())
      throw Refused{open.back()->error(byte, "", "the file lies under itself",
                                       "sublayers that do not go in a circle")};
    if (out.layers.size() >= kMostLayers)
      throw Refused{layer.error(0, "", "too many sublayers", "fewer")};
    open.push_back(&layer);
    out.layers.push_back(&layer);
    if (const UsdMeta* meta = layer.specs[0].meta("subLayers"))
      for (const UsdTarget& target : usd_targets(layer, meta->value))
        add_to_stack(layer_at(target.file, layer, target.byte), out, open, target.byte);
    open.pop_back();
  }

  // prims

  /// All that is said about a place, arcs and variants followed; strongest first.
  void expand(const Site& site, std::vector<UsdOpinion>& out, int depth) {
    if (site.specs.empty()) return;
    const UsdOpinion& first = site.specs.front();
    if (depth > kDeepestArc)
      throw Refused{first.layer->error(first->byte, "", "references lie too deep, or in a circle",
                                       fmt::format("at most {} one after the other", kDeepestArc))};
    for (const UsdOpinion& opinion : site.specs) {
      if (++opinions_ > kMostOpinions)
        throw Refused{first.layer->error(first->byte, "", "too many references",
                                         "fewer prims that come from other files")};
      out.push_back(opinion);
    }
    follow(site, "inherits", out, depth);
    variants(site, out, depth);
    follow(site, "references", out, depth);
    follow(site, "payload", out, depth);
    if (const auto* meta = first->meta("specializes"))
      notes_.add(TextSpot{first.layer, meta->value.begin, ""}, "specializes");
  }
  void follow(const Site& site, const std::string& key, std::vector<UsdOpinion>& out, int depth) {
    const auto targets = edited(site.specs, key, [&](const UsdOpinion& by, const UsdMeta& meta) {
      std::vector<FoundTarget> found;
      for (UsdTarget& target : usd_targets(*by.layer, meta.value))
        found.push_back({std::move(target), by});
      return found;
    });
    for (const FoundTarget& found : targets) {
      const Site next = site_of(found, site);
      const std::pair here(next.specs.front().layer, next.specs.front().spec);
      if (std::find(open_.begin(), open_.end(), here) != open_.end())
        throw Refused{found.by.layer->error(found.target.byte, prim_path_,
                                            "the prim refers to itself",
                                            "references that do not go in a circle")};
      open_.push_back(here);
      expand(next, out, depth + 1);
      open_.pop_back();
    }
  }
  Site site_of(const FoundTarget& found, const Site& from) {
    const UsdTarget& target = found.target;
    const UsdLayer& by = *found.by.layer;
    UsdArc arc;
    arc.to = prim_path_;
    arc.layers =
        target.file.empty() ? from.arc->layers : stack_of(layer_at(target.file, by, target.byte));
    arc.from = target.prim.empty() ? default_prim(*arc.layers.layers.front(), by, target.byte)
                                   : target.prim;
    auto shared = std::make_shared<const UsdArc>(std::move(arc));
    Site out{shared, {}};
    for (const UsdLayer* layer : shared->layers.layers)
      if (const int spec = spec_at(*layer, shared->from); spec > 0)
        out.specs.push_back({layer, spec, shared});
    if (out.specs.empty())
      throw Refused{by.error(target.byte, "",
                             fmt::format("there is no prim <{}> to refer to", shared->from),
                             "a prim of that file")};
    return out;
  }
  static std::string default_prim(const UsdLayer& layer, const UsdLayer& by, std::size_t byte) {
    const UsdMeta* meta = layer.specs[0].meta("defaultPrim");
    const auto names = meta == nullptr ? std::vector<std::string>() : usd_texts(layer, meta->value);
    if (names.size() == 1) return "/" + names[0];
    throw Refused{by.error(byte, "", fmt::format("{} names no defaultPrim", layer.file),
                           "@file@</Prim>, or defaultPrim in that file")};
  }
  static int spec_at(const UsdLayer& layer, const std::string& path) {
    int at = 0;
    std::size_t begin = 1;
    while (begin < path.size() && at >= 0) {
      const std::size_t end = std::min(path.find('/', begin), path.size());
      at = layer.child(at, path.substr(begin, end - begin));
      begin = end + 1;
    }
    return at;
  }

  void variants(const Site& site, std::vector<UsdOpinion>& out, int depth) {
    for (const UsdOpinion& opinion : site.specs)
      for (const UsdSpec::VariantSet& set : opinion->variant_sets) {
        const std::string chosen = selection(out, set.name);
        for (const int variant : set.variants) {
          const UsdSpec& spec = opinion.layer->specs[static_cast<std::size_t>(variant)];
          if (spec.name == chosen)
            expand({site.arc, {{opinion.layer, variant, site.arc}}}, out, depth + 1);
          else
            notes_.add(TextSpot{opinion.layer, spec.byte, prim_path_},
                       fmt::format("variants of {} that are not chosen", set.name));
        }
      }
  }
  /// The strongest choice among what is known so far.
  static std::string selection(const std::vector<UsdOpinion>& opinions, const std::string& set) {
    for (const UsdOpinion& opinion : opinions)
      if (const UsdMeta* meta = opinion->meta("variants")) {
        const auto chosen = usd_dictionary(*opinion.layer, meta->value);
        if (const auto found = chosen.find(set); found != chosen.end()) return found->second;
      }
    return "";
  }

  void children(const std::vector<UsdOpinion>& above, int parent, int depth) {
    if (depth > kDeepestUsd)
      throw Refused{above.front().layer->error(above.front()->byte, prim_path_,
                                               "prims lie too deep within one another",
                                               fmt::format("at most {}", kDeepestUsd))};
    std::vector<std::string> names;
    std::set<std::string> known;
    for (const UsdOpinion& opinion : above)
      for (const int child : opinion->children) {
        const auto& name = opinion.layer->specs[static_cast<std::size_t>(child)].name;
        if (known.insert(name).second) names.push_back(name);
      }
    const std::string path = parent < 0 ? "" : stage_.prims_[static_cast<std::size_t>(parent)].path;
    for (const std::string& name : names) child(above, name, path + "/" + name, parent, depth);
  }
  void child(const std::vector<UsdOpinion>& above, const std::string& name, const std::string& path,
             int parent, int depth) {
    prim_path_ = path;
    UsdPrim prim;
    prim.name = name;
    prim.path = path;
    prim.parent = parent;
    // opinions of one arc make one site
    Site site;
    for (const UsdOpinion& opinion : above) {
      const int spec = opinion.layer->child(opinion.spec, name);
      if (spec < 0) continue;
      if (site.arc != opinion.arc) {
        expand(site, prim.opinions, 0);
        site = {opinion.arc, {}};
      }
      site.specs.push_back({opinion.layer, spec, opinion.arc});
    }
    expand(site, prim.opinions, 0);
    if (!prim.flag("active", true)) {
      notes_.add(prim.spot(), "prims that are not active");
      return;
    }
    if (stage_.prims_.size() >= kMostPrims)
      throw Refused{prim.opinions.front().layer->error(prim.opinions.front()->byte, path,
                                                       "too many prims",
                                                       fmt::format("at most {}", kMostPrims))};
    const int number = static_cast<int>(stage_.prims_.size());
    stage_.index_[path] = number;
    const auto opinions = prim.opinions;
    stage_.prims_.push_back(std::move(prim));
    children(opinions, number, depth + 1);
  }

  UsdStage& stage_;
  Notes& notes_;
  UsdBudget budget_;
  std::size_t bytes_ = 0, opinions_ = 0;
  std::string prim_path_;                              // of the prim that is being put together
  std::vector<std::pair<const UsdLayer*, int>> open_;  // specs that are being referred to
};

UsdStage::UsdStage(std::string text, const std::string& file, Notes& notes) {
  UsdComposer(*this, notes).run(std::move(text), file);
}

}  // namespace repose::handover
