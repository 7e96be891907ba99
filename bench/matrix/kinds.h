#pragma once

#include <span>
#include <string>

namespace repose::matrix {

/// A kind of body that is dropped.
struct Moving {
  const char* name;
  double radius;           // m, about its own origin: no point of it is farther out
  std::string (*shape)();  // as a scene writes it
};

/// What it is dropped on, all about the z axis on the ground z = 0.
struct Fixed {
  const char* name;
  double top;                           // m, nothing of it is higher
  std::string (*bodies)(double scale);  // as a scene writes them, parted by commas; may be none
  const char* container;  // names of the bodies that enclose its hollow, as a scene writes them
  double hollow;          // m^3, about, that bodies poured over it come to lie in; 0: none
};

std::span<const Moving> moving_kinds();
std::span<const Fixed> fixed_kinds();
/// The kinds that many bodies are poured into: box, bowl, tumbler, terrain.
std::span<const Fixed> containers();

}  // namespace repose::matrix
