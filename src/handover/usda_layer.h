#pragma once

#include "reading.h"

namespace repose::handover {

/// Bytes [begin, end) of a layer's text.
struct UsdRange {
  std::size_t begin = 0, end = 0;
  bool empty() const { return begin == end; }
};

/// `key = value` in parentheses after a prim or at the head of a layer.
struct UsdMeta {
  std::string edit, key;  // edit: prepend, append, add, delete, reorder or empty
  UsdRange value;
};

/// One statement about an attribute or a relationship.
struct UsdProperty {
  std::string type, name;  // type is "rel" of a relationship
  std::string part;        // "timeSamples", "connect", ...; empty: the value itself
  std::string edit;        // as of UsdMeta
  UsdRange whole;          // all of the statement
  UsdRange said;           // from the type to the end of the value
  UsdRange value;          // empty: none is given
};

/// What one layer says about a prim, or what one variant of it does.
struct UsdSpec {
  std::string specifier, type, name;  // specifier: def, over, class; empty: the root, a variant
  std::vector<UsdMeta> metas;
  std::vector<UsdProperty> properties;
  std::vector<int> children;
  struct VariantSet {
    std::string name;
    std::vector<int> variants;  // specs
    std::size_t byte = 0;
  };
  std::vector<VariantSet> variant_sets;
  std::size_t byte = 0;  // where it begins
  UsdRange body;         // between its braces

  const UsdMeta* meta(const std::string& key) const;
};

/// A file of the text format of USD, its values still in the text. Spec 0 is the root.
struct UsdLayer : TextFile {
  std::vector<UsdSpec> specs;
  std::map<std::pair<int, std::string>, int> names;  // of children, by the spec above them

  int child(int spec, const std::string& name) const;  // -1: there is none
  std::string_view bytes(const UsdRange& range) const {
    return std::string_view(text).substr(range.begin, range.end - range.begin);
  }
};

/// How much all layers of a scene may hold together.
struct UsdBudget {
  std::size_t specs = std::size_t{1} << 18, properties = std::size_t{1} << 21;
};
inline constexpr int kDeepestUsd = 128;  // prims, or brackets, within one another

/// Takes a text apart into `out`, whose file and text are set. Throws Refused.
void read_usda(UsdLayer& out, UsdBudget& budget);

// values, where they stand

/// Numbers in tuples of `width` (1: none), in brackets where there are several. Refuses what is not
/// finite and more than `most` tuples.
std::vector<double> usd_numbers(const UsdLayer& layer, const UsdRange& value, std::size_t width,
                                std::size_t most);
/// What stands in quotes, one or a list.
std::vector<std::string> usd_texts(const UsdLayer& layer, const UsdRange& value);
/// Paths in <...>.
std::vector<std::string> usd_paths(const UsdLayer& layer, const UsdRange& value);
/// true, false, 0 or 1.
bool usd_truth(const UsdLayer& layer, const UsdRange& value);
/// @file@</prim> and </prim>.
struct UsdTarget {
  std::string file, prim;  // empty: not given
  std::size_t byte = 0;
};
std::vector<UsdTarget> usd_targets(const UsdLayer& layer, const UsdRange& value);
/// Text values of a dictionary: { string name = "text" ... }.
std::map<std::string, std::string> usd_dictionary(const UsdLayer& layer, const UsdRange& value);
/// The value of the first entry of { time: value, ... }; empty: there is none.
UsdRange usd_first_sample(const UsdLayer& layer, const UsdRange& value);
bool usd_is_none(const UsdLayer& layer, const UsdRange& value);

}  // namespace repose::handover
