// Values of USD's text format, read where they stand.
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "usda_scan.h"

namespace repose::handover {

namespace {

class Numbers {
 public:
  Numbers(const UsdLayer& layer, const UsdRange& value, std::size_t width, std::size_t most)
      : layer_(layer), scan_(layer, value.begin, value.end), width_(width), most_(most) {}

  std::vector<double> run() {
    scan_.skip_blanks();
    if (!scan_.take('[')) {
      item();
    } else {
      while (true) {
        scan_.skip_blanks();
        if (scan_.take(']')) break;
        item();
        scan_.skip_blanks();
        if (!scan_.take(',') && scan_.peek() != ']')
          scan_.refuse("a list without a comma", "values parted by commas");
      }
    }
    scan_.skip_blanks();
    if (!scan_.ends()) scan_.refuse("more than a value", "nothing after it");
    return std::move(out_);
  }

 private:
  void item() {
    if (out_.size() >= most_ * width_)
      scan_.refuse("too many values", fmt::format("at most {}", most_));
    if (width_ == 1) {
      out_.push_back(number());
      return;
    }
    tuple(width_);
  }
  void tuple(std::size_t count) {
    scan_.expect('(', fmt::format("before {} numbers", count).c_str());
    scan_.skip_blanks();
    // a matrix is a tuple of tuples
    const std::size_t rows = scan_.peek() == '(' ? kRows : count;
    for (std::size_t i = 0; i < rows; ++i) {
      if (i > 0) scan_.expect(',', "between numbers");
      scan_.skip_blanks();
      if (rows == count)
        out_.push_back(number());
      else
        tuple(count / kRows);
    }
    scan_.expect(')', fmt::format("after {} numbers", count).c_str());
  }
  double number() {
    scan_.skip_blanks();
    const char* const begin = layer_.text.data() + scan_.at();
    const char* const end = layer_.text.data() + layer_.text.size();
    double value = 0.0;
    const char* const from = begin != end && *begin == '+' ? begin + 1 : begin;
    const auto [after, failed] = std::from_chars(from, end, value);
    if (failed != std::errc{} || !std::isfinite(value))
      scan_.refuse("not a number", "a finite one");
    scan_.go_to(static_cast<std::size_t>(after - layer_.text.data()));
    return value;
  }

  static constexpr std::size_t kRows = 4;  // of a matrix
  const UsdLayer& layer_;
  UsdScan scan_;
  std::size_t width_, most_;
  std::vector<double> out_;
};

/// Calls visit(scan) on each element of a list, or on the one value. `visit` goes past it.
template <class Visit>
void each_of(const UsdLayer& layer, const UsdRange& value, const Visit& visit) {
  UsdScan scan(layer, value.begin, value.end);
  scan.skip_blanks();
  const bool list = scan.take('[');
  while (true) {
    scan.skip_blanks();
    if (scan.ends() || (list && scan.take(']'))) return;
    visit(scan);
    scan.skip_blanks();
    if (!list) return;
    scan.take(',');
  }
}

}  // namespace

std::vector<double> usd_numbers(const UsdLayer& layer, const UsdRange& value, std::size_t width,
                                std::size_t most) {
  return Numbers(layer, value, width, most).run();
}

std::vector<std::string> usd_texts(const UsdLayer& layer, const UsdRange& value) {
  std::vector<std::string> out;
  each_of(layer, value, [&](UsdScan& scan) { out.push_back(scan.quoted()); });
  return out;
}

std::vector<std::string> usd_paths(const UsdLayer& layer, const UsdRange& value) {
  std::vector<std::string> out;
  if (usd_is_none(layer, value)) return out;
  each_of(layer, value, [&](UsdScan& scan) {
    if (scan.peek() != '<') scan.refuse("no path", "</a/path>");
    out.push_back(scan.path());
  });
  return out;
}

bool usd_is_none(const UsdLayer& layer, const UsdRange& value) {
  return layer.bytes(value) == "None";
}

bool usd_truth(const UsdLayer& layer, const UsdRange& value) {
  const auto text = layer.bytes(value);
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  throw Refused{layer.error(value.begin, "", "neither true nor false", "true or false")};
}

std::vector<UsdTarget> usd_targets(const UsdLayer& layer, const UsdRange& value) {
  std::vector<UsdTarget> out;
  if (usd_is_none(layer, value)) return out;
  each_of(layer, value, [&](UsdScan& scan) {
    UsdTarget target;
    target.byte = scan.at();
    if (scan.peek() == '@') target.file = scan.asset();
    if (scan.peek() == '<') target.prim = scan.path();
    if (scan.at() == target.byte) scan.refuse("no file and no path", "@file@ or </a/path>");
    scan.skip_blanks();
    // an offset in time
    if (scan.peek() == '(') scan.skip_brackets();
    out.push_back(std::move(target));
  });
  return out;
}

std::map<std::string, std::string> usd_dictionary(const UsdLayer& layer, const UsdRange& value) {
  std::map<std::string, std::string> out;
  UsdScan scan(layer, value.begin, value.end);
  scan.expect('{', "before entries");
  while (true) {
    scan.skip_breaks();
    if (scan.ends() || scan.take('}')) return out;
    scan.word();
    scan.skip_blanks();
    const bool in_quotes = scan.peek() == '"' || scan.peek() == '\'';
    const std::string name = in_quotes ? scan.quoted() : scan.word();
    scan.expect('=', "after a name");
    scan.skip_blanks();
    if (scan.peek() == '"' || scan.peek() == '\'')
      out[name] = scan.quoted();
    else
      scan.value();
  }
}

UsdRange usd_first_sample(const UsdLayer& layer, const UsdRange& value) {
  UsdScan scan(layer, value.begin, value.end);
  scan.expect('{', "before samples");
  scan.skip_blanks();
  if (scan.peek() == '}') return {};
  while (!scan.ends() && scan.peek() != ':') scan.go_to(scan.at() + 1);
  scan.expect(':', "after a time");
  return scan.value();
}

}  // namespace repose::handover
