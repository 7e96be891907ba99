#include "shape/repair/sides.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "repose/base/disjoint_sets.h"

#include "shape/matter/self_meeting.h"
#include "shape/mesh/mesh_topology.h"

namespace repose::shape {
namespace {

struct Neighbour {
  int triangle = 0;
  bool agrees = true;
};

std::vector<std::vector<Neighbour>> neighbours_of(const TriangleMesh& mesh) {
  std::vector<std::vector<Neighbour>> out(mesh.triangles.size());
  for (const MeshEdge& e : mesh_edges(mesh)) {
    if (e.count != 2) continue;
    const bool agrees = e.forward[0] != e.forward[1];
    out[e.triangles[0]].push_back({e.triangles[1], agrees});
    out[e.triangles[1]].push_back({e.triangles[0], agrees});
  }
  return out;
}

/// The piece of a seed, and for each of its triangles whether it is turned against the seed.
struct Piece {
  std::vector<int> triangles;
  bool one_sided = false;
};

Piece collect(int seed, const std::vector<std::vector<Neighbour>>& of, std::vector<int>* turned) {
  Piece out;
  out.triangles.push_back(seed);
  (*turned)[seed] = 0;
  for (std::size_t next = 0; next < out.triangles.size(); ++next) {
    const int t = out.triangles[next];
    for (const Neighbour& n : of[t]) {
      const int want = (*turned)[t] ^ (n.agrees ? 0 : 1);
      int& known = (*turned)[n.triangle];
      if (known < 0) {
        known = want;
        out.triangles.push_back(n.triangle);
      } else if (known != want) {
        out.one_sided = true;
      }
    }
  }
  return out;
}

void turn(std::array<int, 3>& c) {
  std::swap(c[1], c[2]);
}

std::vector<std::vector<int>> closed_pieces(const TriangleMesh& mesh) {
  DisjointSets sets(static_cast<int>(mesh.triangles.size()));
  for (const MeshEdge& e : mesh_edges(mesh))
    if (e.count == 2) sets.join(e.triangles[0], e.triangles[1]);
  std::map<int, std::vector<int>> lots;
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t)
    lots[sets.name_of(t)].push_back(t);
  std::vector<std::vector<int>> out;
  for (auto& [name, lot] : lots) out.push_back(std::move(lot));
  return out;
}

double volume_of(const TriangleMesh& mesh, const std::vector<int>& lot) {
  const Vec3 origin = mesh.points[mesh.triangles[lot[0]][0]];
  double sum = 0.0;
  for (const int t : lot) {
    const auto& c = mesh.triangles[t];
    sum += (mesh.points[c[0]] - origin)
               .dot((mesh.points[c[1]] - origin).cross(mesh.points[c[2]] - origin));
  }
  return sum;
}

Vec3 middle_of(const TriangleMesh& mesh, int t) {
  const auto& c = mesh.triangles[t];
  return (mesh.points[c[0]] + mesh.points[c[1]] + mesh.points[c[2]]) / 3.0;
}

struct Box {
  Vec3 low, high;
  bool holds(const Vec3& p) const {
    return (low.array() <= p.array()).all() && (p.array() <= high.array()).all();
  }
};

std::vector<Box> boxes_of(const TriangleMesh& mesh, const std::vector<std::vector<int>>& pieces) {
  std::vector<Box> out;
  for (const auto& piece : pieces) {
    Box box{middle_of(mesh, piece[0]), middle_of(mesh, piece[0])};
    for (const int t : piece)
      for (const int c : mesh.triangles[t]) {
        box.low = box.low.cwiseMin(mesh.points[c]);
        box.high = box.high.cwiseMax(mesh.points[c]);
      }
    out.push_back(box);
  }
  return out;
}

/// How deep each piece lies: how many others wind about a point of it, whichever way; -1: not
/// known.
std::vector<int> depths_of(const TriangleMesh& mesh, const std::vector<std::vector<int>>& pieces) {
  std::vector<int> out;
  const std::vector<Box> boxes = boxes_of(mesh, pieces);
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    int depth = 0;
    const Vec3 p = middle_of(mesh, pieces[k][0]);
    for (std::size_t l = 0; l < pieces.size() && depth >= 0; ++l) {
      if (l == k || !boxes[l].holds(p)) continue;
      const Winding about = winding_about(p, mesh, pieces[l]);
      depth = about.known ? depth + (about.number != 0 ? 1 : 0) : -1;
    }
    out.push_back(depth);
  }
  return out;
}

/// Pieces that pass through or touch others: they lie neither within nor outside.
std::vector<char> entangled(const TriangleMesh& mesh, const std::vector<std::vector<int>>& pieces) {
  constexpr std::size_t kMost = 1'000'000;
  std::vector<int> piece_of(mesh.triangles.size(), 0);
  for (std::size_t k = 0; k < pieces.size(); ++k)
    for (const int t : pieces[k]) piece_of[t] = static_cast<int>(k);
  std::vector<char> out(pieces.size(), 0);
  if (pieces.size() < 2) return out;
  for (const SelfMeeting& m : all_meetings(mesh, kMost)) {
    const int a = piece_of[m.triangles[0]], b = piece_of[m.triangles[1]];
    if (a != b) out[a] = out[b] = 1;
  }
  return out;
}

/// Outermost pieces that are turned inward; then those within follow, so that hollows stay hollows.
/// Where no outermost piece is wrong the pieces within are as they were meant: matter or hollow.
std::vector<std::size_t> wrong_pieces(const TriangleMesh& mesh,
                                      const std::vector<std::vector<int>>& pieces) {
  std::vector<std::size_t> out;
  std::vector<int> depths = depths_of(mesh, pieces);
  const std::vector<char> among = entangled(mesh, pieces);
  std::vector<std::size_t> turned;  // outermost ones
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    if (among[k]) depths[k] = 0;
    if (depths[k] <= 0 && volume_of(mesh, pieces[k]) < 0.0) turned.push_back(k);
  }
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    // what lies within one that is turned is turned with it
    const Vec3 p = middle_of(mesh, pieces[k][0]);
    const bool wrong = std::any_of(turned.begin(), turned.end(), [&](std::size_t l) {
      return l == k || (depths[k] > 0 && winding_about(p, mesh, pieces[l]).number != 0);
    });
    if (wrong) out.push_back(k);
  }
  return out;
}

}  // namespace

std::vector<Vec3> disagreeing_edges(const TriangleMesh& mesh) {
  std::vector<Vec3> out;
  for (const MeshEdge& e : mesh_edges(mesh))
    if (e.count == 2 && e.forward[0] == e.forward[1])
      out.push_back(0.5 * (mesh.points[e.a] + mesh.points[e.b]));
  return out;
}

MeshChange make_sides_agree(TriangleMesh* mesh, bool* one_sided) {
  ChangeNote note("faces turned to agree with their neighbours");
  const auto of = neighbours_of(*mesh);
  std::vector<int> turned(mesh->triangles.size(), -1);
  for (std::size_t seed = 0; seed < turned.size(); ++seed) {
    if (turned[seed] >= 0) continue;
    const Piece piece = collect(static_cast<int>(seed), of, &turned);
    *one_sided = *one_sided || piece.one_sided;
    if (piece.one_sided) continue;
    const auto against = static_cast<std::size_t>(std::count_if(
        piece.triangles.begin(), piece.triangles.end(), [&](int t) { return turned[t] == 1; }));
    const int fewer = 2 * against <= piece.triangles.size() ? 1 : 0;
    for (const int t : piece.triangles) {
      if (turned[t] != fewer) continue;
      turn(mesh->triangles[t]);
      note.add(*mesh, mesh->triangles[t]);
      note.count();
    }
  }
  return note.change();
}

double enclosed_volume(const TriangleMesh& mesh) {
  double sum = 0.0;
  for (const auto& piece : closed_pieces(mesh)) sum += std::fabs(volume_of(mesh, piece));
  return sum / 6.0;
}

std::vector<Vec3> pieces_inside_out(const TriangleMesh& mesh) {
  std::vector<Vec3> out;
  const auto pieces = closed_pieces(mesh);
  for (const std::size_t k : wrong_pieces(mesh, pieces))
    out.push_back(middle_of(mesh, pieces[k][0]));
  return out;
}

MeshChange turn_outward(TriangleMesh* mesh) {
  ChangeNote note("closed pieces turned inside out");
  const auto pieces = closed_pieces(*mesh);
  for (const std::size_t k : wrong_pieces(*mesh, pieces)) {
    note.count();
    for (const int t : pieces[k]) {
      turn(mesh->triangles[t]);
      note.add(*mesh, mesh->triangles[t]);
    }
  }
  return note.change();
}

}  // namespace repose::shape
