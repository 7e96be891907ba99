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
  prove::Answer answer = prove::Answer::not_judged;  // proven: none crosses or holds another
  int skins = 0;                                     // bodies that have one
  long pairs = 0;                // of triangles that were compared by exact signs or planes
  int body_a = -1, body_b = -1;  // missed or undecided: who
  std::string why;               // one sentence; empty where it is proven
};

/// Skins of different bodies against each other by exact signs: no two triangles cross, and no
/// closed skin holds a point of another. Not judged where fewer than two bodies have one.
SkinsVerdict judge_skins(const Input& input);

/// The same at every moment of the way from one state to the next, on which every corner goes
/// straight: between each two triangles stands a plane that neither reaches, in as many parts of
/// the way as it takes. Missed where a corner is shown to go through a triangle, or a side through
/// a side; where neither is found the answer is undecided. Skins that begin outside each other and
/// never meet stay so: who holds whom is judged in states. Requires: the same bodies in both.
SkinsVerdict judge_skins_way(const Input& from, const Input& to);

}  // namespace repose::check
