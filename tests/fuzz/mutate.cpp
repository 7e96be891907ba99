#include "fuzz/mutate.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <limits>

namespace repose::fuzz {

namespace {

struct Piece {
  std::size_t begin = 0, size = 0;
};

constexpr std::size_t kLongestPiece = 4096;

std::size_t place_in(const Bytes& input, Random& random) {
  return random.below(input.size() + 1);
}

/// A piece of the input: short ones are likelier.
Piece piece_of(const Bytes& input, Random& random) {
  const std::size_t begin = place_in(input, random);
  const std::size_t most = std::min(input.size() - begin, kLongestPiece);
  const double share = random.unit() * random.unit() * random.unit();
  return {begin, static_cast<std::size_t>(share * static_cast<double>(most + 1))};
}

void flip_bit(Bytes& input, Random& random) {
  if (input.empty()) return;
  input[random.below(input.size())] ^= static_cast<char>(1U << random.below(8));
}

void set_byte(Bytes& input, Random& random) {
  constexpr std::array<char, 8> kBytes = {'\0', '\xff', '\x7f', '\x80', '\n', '"', '{', '-'};
  if (input.empty()) return;
  input[random.below(input.size())] = random.below(2) == 0 ? static_cast<char>(random.below(256))
                                                           : kBytes[random.below(kBytes.size())];
}

void remove_piece(Bytes& input, Random& random) {
  const Piece piece = piece_of(input, random);
  input.erase(piece.begin, piece.size);
}

void cut_short(Bytes& input, Random& random) {
  input.resize(place_in(input, random));
}

void double_piece(Bytes& input, Random& random) {
  const Piece piece = piece_of(input, random);
  input.insert(place_in(input, random), Bytes(input, piece.begin, piece.size));
}

/// The same few bytes many times: deep nesting, long names, high counts.
void repeat_piece(Bytes& input, Random& random) {
  constexpr std::size_t kLongest = 16;
  constexpr std::size_t kMostTimes = 20000;
  Piece piece = piece_of(input, random);
  piece.size = std::min(piece.size, kLongest);
  const double share = random.unit() * random.unit();
  const auto times = static_cast<std::size_t>(share * static_cast<double>(kMostTimes));
  const Bytes what(input, piece.begin, piece.size);
  Bytes more;
  for (std::size_t i = 0; i < times; ++i) more += what;
  input.insert(piece.begin, more);
}

void move_piece(Bytes& input, Random& random) {
  const Piece piece = piece_of(input, random);
  const Bytes what(input, piece.begin, piece.size);
  input.erase(piece.begin, piece.size);
  input.insert(place_in(input, random), what);
}

template <class Number>
void put(Number number, Bytes& input, Random& random) {
  if (input.size() < sizeof number) return;
  std::memcpy(input.data() + random.below(input.size() - sizeof number + 1), &number,
              sizeof number);
}

void put_whole_number(Bytes& input, Random& random) {
  constexpr std::array<std::int64_t, 10> kNumbers = {
      0,       1,         -1,       std::numeric_limits<std::int32_t>::max(),
      0xffff,  0x7fff,    0x800000, std::numeric_limits<std::int32_t>::min(),
      1 << 24, 0xffffffff};
  const std::int64_t number = kNumbers[random.below(kNumbers.size())];
  if (random.below(2) == 0)
    put(number, input, random);
  else
    put(static_cast<std::int32_t>(number), input, random);
}

void put_number(Bytes& input, Random& random) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  constexpr std::array<double, 9> kNumbers = {
      0.0,    -1.0,      1e300,      -1e300,
      1e-300, kInfinite, -kInfinite, std::numeric_limits<double>::quiet_NaN(),
      1e154};
  const double number = kNumbers[random.below(kNumbers.size())];
  if (random.below(2) == 0)
    put(number, input, random);
  else
    put(static_cast<float>(number), input, random);
}

/// A number written in digits becomes another.
void rewrite_digits(Bytes& input, Random& random) {
  constexpr std::array<const char*, 14> kNumbers = {
      "0",   "-1",         "1e300",  "-1e300",     "1e999",       "nan",
      "inf", "4294967296", "1e-300", "2147483648", "-2147483649", "99999999999999999999",
      "0.5", "1000000"};
  const std::size_t start = place_in(input, random);
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  const auto begin =
      std::find_if(input.begin() + static_cast<std::ptrdiff_t>(start), input.end(), digit);
  const auto end = std::find_if_not(begin, input.end(), digit);
  if (begin != input.end()) input.replace(begin, end, kNumbers[random.below(kNumbers.size())]);
}

void put_word(const Target& target, Bytes& input, Random& random) {
  if (target.words.empty()) return;
  const Bytes& word = target.words[random.below(target.words.size())];
  const std::size_t place = place_in(input, random);
  if (random.below(2) == 0)
    input.insert(place, word);
  else
    input.replace(place, word.size(), word);
}

void take_from_another(const Target& target, Bytes& input, Random& random) {
  const Bytes& other = target.seeds[random.below(target.seeds.size())];
  const Piece piece = piece_of(other, random);
  input.insert(place_in(input, random), other, piece.begin, piece.size);
}

void change_once(const Target& target, Bytes& input, Random& random) {
  constexpr std::array kPlain = {flip_bit,     set_byte,      remove_piece, cut_short,
                                 double_piece, repeat_piece,  move_piece,   put_whole_number,
                                 put_number,   rewrite_digits};
  const std::size_t which = random.below(kPlain.size() + 2);
  if (which < kPlain.size())
    kPlain[which](input, random);
  else if (which == kPlain.size())
    put_word(target, input, random);
  else
    take_from_another(target, input, random);
}

}  // namespace

void mutate(const Target& target, Bytes& input, Random& random) {
  constexpr std::uint64_t kMostChanges = 8;
  const std::uint64_t changes = 1 + random.below(kMostChanges);
  for (std::uint64_t i = 0; i < changes; ++i) {
    if (target.mutate && random.below(2) == 0)
      target.mutate(input, random);
    else
      change_once(target, input, random);
    if (input.size() > kMostBytes) input.resize(kMostBytes);
  }
}

}  // namespace repose::fuzz
