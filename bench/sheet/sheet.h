#pragma once

#include <list>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "repose/base/json_write.h"

/// What every benchmark tells: tables on the terminal, and the same as one JSON file for the page,
/// the documentation and the comparison of two runs (bench/README.md has the schema).
namespace repose::bench {

/// What a column or a figure holds. Words, counts and measures come out the same in two runs on
/// one machine; times (and memory) do not.
enum class Holds { word, count, measure, time };
const char* to_text(Holds holds);

struct Column {
  std::string name;
  Holds holds = Holds::word;
};

/// Empty, a word or a number. A number that is not finite is told as empty.
using Cell = std::variant<std::monostate, std::string, double>;

class Table {
 public:
  /// Prints title and heads.
  Table(std::string id, std::string title, std::vector<Column> columns);
  /// Prints the row. Requires: as many cells as columns.
  void row(std::vector<Cell> cells);
  /// A sentence below the table.
  void note(std::string text);
  Json json() const;

 private:
  std::string id_, title_;
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
  std::vector<std::string> notes_;
};

/// What another program made of the same thing.
struct Peer {
  std::string engine, setting;
  double value = 0.0;
  std::string note;   // how it ended, what it got wrong
  bool best = false;  // of the settings of this engine, the one to compare with
};

/// One number that the paper gives, or that other programs have too.
struct Figure {
  std::string id, what, unit;
  Holds holds = Holds::time;
  std::optional<double> published = {};
  std::string source = {};  // of what is published
  double ours = 0.0;
  std::vector<Peer> peers = {};
  bool less_is_better = true;
};

/// Cost against size.
struct Growth {
  std::string id, what;
  std::vector<double> sizes, seconds, megabytes;  // megabytes may be empty
};
/// Slope of log y over log x by least squares; not a number with fewer than two points.
double exponent(const std::vector<double>& x, const std::vector<double>& y);

/// Largest resident set of this process so far, in 1e6 bytes.
double megabytes_so_far();

class Sheet {
 public:
  /// Takes `--quick` and `--json FILE` out of the words; the others stay in words().
  Sheet(std::string name, int count, char** words);

  bool quick() const { return quick_; }
  const std::vector<std::string>& words() const { return words_; }
  /// The word at this place, or what is said otherwise.
  std::string word(std::size_t at, const std::string& otherwise = {}) const;

  Table& table(std::string id, std::string title, std::vector<Column> columns);
  void figure(Figure figure);
  void growth(Growth growth);

  /// Writes the JSON file if one was asked for. Answers the exit code: `code`, or 2 if the file
  /// cannot be written.
  int finish(int code = 0);

 private:
  std::string name_, file_;
  bool quick_ = false;
  std::vector<std::string> words_;
  std::list<Table> tables_;
  std::vector<Figure> figures_;
  std::vector<Growth> growths_;
};

}  // namespace repose::bench
