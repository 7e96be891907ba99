#pragma once

#include "check/statics/second_order.h"

namespace repose::check {

/// What becomes of motions that neither gain nor lose energy to second order.
struct LevelMotion {
  enum class Kind {
    none,      // there are none
    level,     // followed: no energy is lost along them
    falls,     // followed: energy is lost farther on (a ball on x^4), see `motion`
    not_told,  // too many bodies or motions to follow
  };
  Kind kind = Kind::none;
  Eigen::VectorXd motion;  // as SecondOrder::motion
};

/// Moves the bodies along each such motion by up to half of the smallest one's size, both ways, and
/// measures what loads and true gaps say: U - sum lambda gap.
LevelMotion follow_level_motions(const Input& input, const std::vector<ContactPoint>& contacts,
                                 const Balance& balance, const SecondOrder& second);

}  // namespace repose::check
