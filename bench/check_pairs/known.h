#pragma once

#include <string>

namespace repose::check::bench {

/// Closed forms under ten rigid motions: the worst width and time of each.
void judge_known();
/// Two meshes of 100 000 triangles each, trees included, and ten thousand balls.
void judge_large();
/// Thin bodies, bodies far from their origin and beside much larger ones against long double, and
/// as many pushed into one another; returns how many answers are false. `sort`: of one sort alone;
/// empty: of all. `only`: the brackets of that pair
/// alone; negative: of all.
long judge_wild(const std::string& sort, long pairs, long pushed, long seed, long only);

}  // namespace repose::check::bench
