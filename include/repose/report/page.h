#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "repose/base/result.h"

namespace repose::report {

/// Safe as element text and inside quoted attributes.
std::string html_text(std::string_view text);

/// One experiment on an index page.
struct Card {
  std::string title;
  std::string about;          // one sentence
  std::string link;           // relative address of its report; empty: none
  std::string picture;        // relative address or data: address; empty: none
  std::vector<double> curve;  // drawn as a small plot; empty: none
  std::string curve_caption;  // "energy, J"
  std::string outcome;        // the verdict's headline
  bool good = true;           // whether every promise was kept
};

struct Table {
  std::vector<std::string> heads;
  std::vector<std::vector<std::string>> rows;  // each as long as heads
  std::vector<bool> numeric;                   // right-aligned columns; empty: none
  /// Colours behind cells, from 0 (bad) to 1 (good), parallel to rows; not finite: none. Empty:
  /// none.
  std::vector<std::vector<double>> shades = {};
};

/// A self-contained page made of sections: the index of experiments, the checker's findings.
class Page {
 public:
  explicit Page(std::string title) : title_(std::move(title)) {}

  /// A sentence under the title.
  Page& lead(std::string_view text);
  /// Everything until the next section belongs to it.
  Page& section(std::string_view title);
  Page& paragraph(std::string_view text);
  Page& cards(const std::vector<Card>& cards);
  Page& table(const Table& table);

  /// An error says that the shared style was not found.
  Result<std::string> html() const;

 private:
  std::string title_;
  std::string lead_;  // html
  std::string body_;  // html
  bool in_section_ = false;
};

}  // namespace repose::report
