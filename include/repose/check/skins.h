#pragma once

#include <string>

#include "repose/check/input.h"
#include "repose/prove/answer.h"

namespace repose::check {

/// The skin of a sphere set on a lattice: the squares of neighbouring points that bound its whole
/// cells, and those that belong to no cell (sheets), each as two triangles parted by the diagonal
/// from its lowest to its highest place. Its corners are the centres of balls.

/// What is known of the skins of several bodies in one state.
struct SkinsVerdict {
  prove::Answer answer = prove::Answer::not_judged;  // proven: none crosses or holds another body
  int skins = 0;                                     // bodies that have one
  long pairs = 0;                // of triangles that were compared by exact signs or planes
  int body_a = -1, body_b = -1;  // missed or undecided: who
  std::string why;               // one sentence; empty where it is proven
};

/// What skins are judged against: each other alone, or all bodies.
enum class SkinsOf { each_other, all_bodies };

/// Skins of different bodies against each other by exact signs: no two triangles cross, and no
/// closed skin holds a point of another. Against bodies without a skin by balls that cover the
/// triangles: no point of a skin lies within them, and no closed skin holds them. Not judged where
/// there are no two bodies to compare.
SkinsVerdict judge_skins(const Input& input, SkinsOf of = SkinsOf::each_other);

/// The same at every moment of the way from one state to the next, on which every corner goes
/// straight: between each two triangles stands a plane that neither reaches, in as many parts of
/// the way as it takes. Missed where a corner is shown to go through a triangle, or a side through
/// a side; where neither is found the answer is undecided. Skins that begin outside each other and
/// never meet stay so: who holds whom is judged in states. Requires: the same bodies in both.
SkinsVerdict judge_skins_way(const Input& from, const Input& to, SkinsOf of = SkinsOf::each_other);

}  // namespace repose::check
