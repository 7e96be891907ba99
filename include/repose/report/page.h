#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "repose/base/result.h"

namespace repose::report {

/// Safe as element text and inside quoted attributes.
std::string html_text(std::string_view text);

/// The large picture at the head of a page.
struct Hero {
  std::string moving;   // relative address of an animated picture; empty: the still one alone
  std::string picture;  // relative address; shown too where the reader wants nothing to move
  std::string link;     // relative address of its report
  std::string caption;  // one sentence
};

/// One experiment on an index page.
struct Card {
  std::string title;
  std::string kind = {};      // a word above the title; empty: none
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
  std::vector<std::string> links = {};  // relative addresses of the rows' first cells; empty: none
  bool sortable = false;                // by a click on a head
};

/// Points over a quantity, in groups by colour.
struct Plot {
  std::string title, x_label, y_label;
  struct Point {
    double x = 0.0, y = 0.0;
    bool good = true;
  };
  std::vector<Point> points;
  bool log_x = false, log_y = false;  // where all are above 0
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
  Page& hero(const Hero& hero);
  Page& cards(const std::vector<Card>& cards);
  Page& table(const Table& table);
  Page& plots(const std::vector<Plot>& plots);

  /// An error says that the shared style was not found.
  Result<std::string> html() const;

 private:
  std::string title_;
  std::string lead_;  // html
  std::string body_;  // html
  bool in_section_ = false;
  bool sorts_ = false;  // a table is sortable
};

}  // namespace repose::report
