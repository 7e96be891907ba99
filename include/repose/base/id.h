#pragma once

#include <cstdint>

namespace repose {

/// A typed handle: passing one kind for another does not compile. Generation 0 means "none".
template <class Tag>
struct Id {
  std::uint32_t index = 0;
  std::uint32_t generation = 0;

  explicit operator bool() const { return generation != 0; }
  friend bool operator==(Id, Id) = default;
};

using BodyId = Id<struct BodyTag>;
using JointId = Id<struct JointTag>;

}  // namespace repose
