// Scene text: read, checked, written again and built.
#include "repose/scene/scene.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "repose/base/work.h"
#include "repose/run/catalogue.h"

#include "fuzz/driver.h"
#include "places.h"

namespace {

namespace fs = std::filesystem;

/// Scenes of more bodies are read, but not built: what they cost is no fault.
constexpr std::int64_t kMostBuilt = 500;
/// What an input may take: a fraction of a second.
constexpr std::uint64_t kWork = 100'000;
/// Larger files of the gallery are no seeds.
constexpr std::uintmax_t kSeedBytes = 2500;

std::int64_t count_of(const repose::Arrangement& arrange) {
  struct Count {
    std::int64_t operator()(const repose::GridArrangement& a) const {
      std::int64_t out = 1;
      for (const int count : a.counts) out = std::min<std::int64_t>(out * count, kMostBuilt + 1);
      return out;
    }
    std::int64_t operator()(const repose::LineArrangement& a) const { return a.count; }
    std::int64_t operator()(const repose::RingArrangement& a) const { return a.count; }
    // how many a packing takes is known only when it is built
    std::int64_t operator()(const repose::DrawnBodies& a) const {
      return a.count ? *a.count : kMostBuilt + 1;
    }
    std::int64_t operator()(const repose::ListArrangement& a) const {
      return static_cast<std::int64_t>(a.places.size());
    }
  };
  return std::visit(Count{}, arrange);
}

bool small(const repose::Scene& scene) {
  std::int64_t bodies = 0;
  for (const repose::Instances& set : scene.instances) bodies += count_of(set.arrange);
  return bodies <= kMostBuilt;
}

repose::Result<repose::Scene> read(std::string text) {
  static const std::string file = (repose::fuzz::scratch_folder() / "scene.json").string();
  return repose::scene_from_text(std::move(text), file, repose::method_catalogue());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT
  const auto scene = read(std::string(data, data + size));
  if (!scene) return 0;
  // what was taken is written so that it is taken again, and is the same
  const auto again = read(repose::write_scene(*scene));
  if (!again || !repose::same_scene(*scene, *again)) std::abort();
  if (!small(*scene)) return 0;
  const repose::WorkLimit limit(kWork);
  try {
    static_cast<void>(repose::build_world(*scene));
  } catch (const repose::WorkSpent&) {
  }
  return 0;
}

namespace repose::fuzz {

Target target() {
  Target out;
  for (const auto& entry :
       fs::recursive_directory_iterator(std::string(tests::source_dir()) + "/scenes")) {
    if (entry.path().extension() != ".json" || entry.file_size() > kSeedBytes) continue;
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    out.seeds.push_back(text.str());
  }
  std::sort(out.seeds.begin(), out.seeds.end());  // the folder's order is the machine's
  for (const ObjectInfo& object : scene_format()) {
    out.words.push_back('"' + object.name + '"');
    for (const FieldInfo& field : object.fields) out.words.push_back('"' + field.name + "\": ");
    for (const ObjectInfo& kind : object.kinds) {
      out.words.push_back("\"kind\": \"" + kind.name + '"');
      for (const FieldInfo& field : kind.fields) out.words.push_back('"' + field.name + "\": ");
    }
  }
  for (const char* word : {"{", "}", "[", "]", ",", ":", "null", "true", "1e308", "-1e30", "1e-300",
                           "0", "-1", "[0, 0, 0]", "//", "/*", "\\u0000", "NaN", "1e999"})
    out.words.emplace_back(word);
  return out;
}
}  // namespace repose::fuzz
