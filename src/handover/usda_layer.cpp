// The text format of USD: https://openusd.org/release/spec_usda.html
#include "usda_layer.h"

#include <set>

#include <fmt/format.h>

#include "usda_scan.h"

namespace repose::handover {

namespace {

bool is_edit(const std::string& word) {
  static const std::set<std::string> kEdits{"prepend", "append", "add", "delete", "reorder"};
  return kEdits.contains(word);
}

class UsdParser {
 public:
  UsdParser(UsdLayer& out, UsdBudget& budget) : out_(out), budget_(budget), scan_(out) {}

  void run() {
    if (out_.text.starts_with("PXR-USDC"))
      scan_.refuse("a binary file of USD is not read",
                   "its text form: usdcat FILE --out FILE.usda, or export .usda");
    if (out_.text.starts_with("PK"))
      scan_.refuse("a packed file of USD is not read", "its content as .usda");
    if (!out_.text.starts_with("#usda 1.")) scan_.refuse("no file of USD", "#usda 1.0");
    out_.specs.emplace_back();
    scan_.skip_breaks();
    if (scan_.peek() == '(') metas(0);
    while (true) {
      scan_.skip_breaks();
      if (scan_.ends()) return;
      statement(0, 0);
    }
  }

 private:
  UsdSpec& spec(int i) { return out_.specs[static_cast<std::size_t>(i)]; }
  int new_spec(std::size_t byte) {
    if (out_.specs.size() >= budget_.specs)
      scan_.refuse_at(byte, "too many prims", "fewer in one scene");
    out_.specs.emplace_back();
    out_.specs.back().byte = byte;
    return static_cast<int>(out_.specs.size()) - 1;
  }

  /// ( ... ) after a prim, a property or the head of the layer.
  void metas(int to) {
    scan_.expect('(', "before what is said of it");
    while (true) {
      scan_.skip_breaks();
      if (scan_.take(',')) continue;
      if (scan_.take(')')) return;
      if (scan_.peek() == '"' || scan_.peek() == '\'') {
        scan_.quoted();
        continue;
      }
      UsdMeta meta;
      meta.key = scan_.word();
      if (is_edit(meta.key)) {
        scan_.skip_blanks();
        meta.edit = meta.key;
        meta.key = scan_.word();
      }
      if (meta.key.empty()) scan_.refuse("what stands here is no name", "NAME = VALUE, or ')'");
      scan_.expect('=', "after a name");
      meta.value = scan_.value();
      // a reference may say more in parentheses
      scan_.skip_blanks();
      if (scan_.peek() == '(') scan_.skip_brackets();
      count_property();
      spec(to).metas.push_back(std::move(meta));
    }
  }
  void count_property() {
    if (budget_.properties-- == 0) scan_.refuse("too many statements", "fewer in one scene");
  }

  void body(int to, int depth) {
    if (depth > kDeepestUsd)
      scan_.refuse("prims lie too deep within one another", fmt::format("at most {}", kDeepestUsd));
    scan_.expect('{', "before what a prim holds");
    spec(to).body.begin = scan_.at();
    while (true) {
      scan_.skip_breaks();
      spec(to).body.end = scan_.at();
      if (scan_.take('}')) return;
      if (scan_.ends()) scan_.refuse_at(spec(to).byte, "a prim that does not end", "'}'");
      statement(to, depth);
    }
  }

  void statement(int to, int depth) {
    const std::size_t begin = scan_.at();
    const std::string first = scan_.word();
    if (first == "def" || first == "over" || first == "class") {
      prim(first, begin, to, depth);
      return;
    }
    if (to == 0 && first != "reorder") scan_.refuse_at(begin, "no prim", "def, over or class");
    if (first == "variantSet") {
      variant_set(to, depth);
      return;
    }
    property(first, begin, to);
  }

  void prim(const std::string& specifier, std::size_t begin, int to, int depth) {
    const int made = new_spec(begin);
    spec(made).specifier = specifier;
    scan_.skip_blanks();
    spec(made).type = scan_.word();
    scan_.skip_blanks();
    const std::size_t name_at = scan_.at();
    const std::string name = scan_.quoted();
    if (name.empty() || name.find('/') != std::string::npos)
      scan_.refuse_at(name_at, "no name of a prim", "letters, digits and _");
    if (!out_.names.emplace(std::pair(to, name), made).second)
      scan_.refuse_at(name_at, fmt::format("another prim beside it is called \"{}\"", name),
                      "a name of its own");
    spec(made).name = name;
    spec(to).children.push_back(made);
    scan_.skip_blanks();
    if (scan_.peek() == '(') metas(made);
    body(made, depth + 1);
  }

  void variant_set(int to, int depth) {
    scan_.skip_blanks();
    UsdSpec::VariantSet set;
    set.byte = scan_.at();
    set.name = scan_.quoted();
    scan_.expect('=', "after a variant set");
    scan_.expect('{', "before variants");
    while (true) {
      scan_.skip_breaks();
      if (scan_.take('}')) break;
      const int made = new_spec(scan_.at());
      spec(made).name = scan_.quoted();
      set.variants.push_back(made);
      scan_.skip_blanks();
      if (scan_.peek() == '(') metas(made);
      body(made, depth + 1);
    }
    spec(to).variant_sets.push_back(std::move(set));
  }

  void property(std::string word, std::size_t begin, int to) {
    UsdProperty out;
    out.whole.begin = begin;
    static const std::set<std::string> kBefore{"custom", "uniform", "varying", "config"};
    while (kBefore.contains(word) || is_edit(word)) {
      if (is_edit(word)) out.edit = word;
      scan_.skip_blanks();
      begin = scan_.at();
      word = scan_.word();
    }
    if (word.empty())
      scan_.refuse_at(begin, "no statement of USD",
                      "def, over, an attribute, a relationship or '}'");
    out.type = word;
    scan_.skip_blanks();
    if (scan_.take('[')) {
      scan_.expect(']', "after a type");
      out.type += "[]";
      scan_.skip_blanks();
    }
    out.name = scan_.word();
    if (scan_.take('.')) out.part = scan_.word();
    // `reorder nameChildren = [...]` has no type
    if (out.name.empty() && out.edit.empty())
      scan_.refuse(fmt::format("a statement that begins with \"{}\"", word), "TYPE NAME = VALUE");
    out.said = {begin, scan_.at()};
    const std::size_t bare_end = scan_.at();
    scan_.skip_blanks();
    if (scan_.take('=')) {
      out.value = scan_.value();
      out.said.end = scan_.at();
      scan_.skip_blanks();
    }
    if (scan_.peek() == '(')
      scan_.skip_brackets();
    else
      scan_.go_to(std::max(bare_end, out.said.end));
    out.whole.end = scan_.at();
    count_property();
    spec(to).properties.push_back(std::move(out));
  }

  UsdLayer& out_;
  UsdBudget& budget_;
  UsdScan scan_;
};

}  // namespace

const UsdMeta* UsdSpec::meta(const std::string& key) const {
  for (const UsdMeta& meta : metas)
    if (meta.key == key) return &meta;
  return nullptr;
}

int UsdLayer::child(int spec, const std::string& name) const {
  const auto found = names.find({spec, name});
  return found == names.end() ? -1 : found->second;
}

void read_usda(UsdLayer& out, UsdBudget& budget) {
  UsdParser(out, budget).run();
  budget.specs -= out.specs.size();
}

}  // namespace repose::handover
