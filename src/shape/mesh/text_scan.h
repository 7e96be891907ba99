#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shape/define/validate.h"
#include "shape/mesh/bytes.h"

namespace repose::shape {

/// Walks through text word by word, counting lines. A line ends with LF, CR LF or CR; a backslash
/// at its end joins it to the next one. A byte order mark at the beginning is passed over. However
/// long lines and words are, little of them is in memory.
class TextScan {
 public:
  explicit TextScan(const Bytes& bytes, std::uint64_t at = 0, int first_line = 1);

  bool done() { return at_ == end_ && !more(); }
  int line() const { return line_; }
  /// Of the next byte.
  std::uint64_t offset() const { return next_ - (end_ - at_); }
  std::uint64_t bytes_left() const { return bytes_.size() - offset(); }

  /// The next word of this line; empty at its end. Valid until the next call. Of a word longer than
  /// kMaxWord the beginning, which read_number and read_integer refuse.
  std::string_view word();
  /// The next word of this or a later line; empty at the end of the text.
  std::string_view word_anywhere();
  /// Past the end of this line; answers how it ended: "\n", "\r\n", "\r" or (at the end) "".
  std::string_view next_line();
  /// Past the end of this line, which ends as said, whatever follows.
  void next_line_ending(std::string_view end);

  /// The next word as a coordinate: a finite number within kMaxLength. `form` is what the line
  /// should look like.
  Fault coordinate(const char* form, double* out);

  /// The error of a line's first word that holds a zero byte.
  Fault not_text(std::string_view key) const;

  InputError fault_here(std::string_view value, std::string wrong, std::string right) const;

  static constexpr std::size_t kMaxWord = 1024;

 private:
  /// Keeps what is still to come and reads behind it; false at the end.
  bool more();
  /// The byte `ahead` of the next one, or -1 past the end.
  int peek(std::size_t ahead = 0);
  void skip_blanks();
  void skip_to_line_end();
  /// Bytes of the line end after a backslash that stands `ahead`; 0: it joins no lines.
  std::size_t join_at(std::size_t ahead);

  const Bytes& bytes_;
  std::vector<char> window_;
  std::size_t at_ = 0, end_ = 0;  // what of the window is still to come
  std::uint64_t next_;            // byte that follows the window
  int line_;
};

/// Reads all of `word` as a number; false if it is none. "nan" and "inf" read as what they say, a
/// number too large for a double as infinity, one too small as zero.
bool read_number(std::string_view word, double* out);
bool read_integer(std::string_view word, long long* out);
/// Whether the word is this one, capital letters or not.
bool same_word(std::string_view word, std::string_view lower_case);

/// What is wrong with a coordinate, if anything.
const char* wrong_coordinate(double value);

}  // namespace repose::shape
