#include "shape/mesh/mesh_topology.h"

#include <algorithm>

#include "shape/enclose/box_tree.h"
#include "shape/mesh/point_table.h"

namespace repose::shape {
namespace {

constexpr std::size_t kFaultsNamed = 5;

struct HalfEdge {
  int other = 0, triangle = 0;
  bool forward = false;
};

/// Sorted by the far vertex, then by triangle: a total order.
bool before(const HalfEdge& x, const HalfEdge& y) {
  return x.other != y.other ? x.other < y.other : x.triangle < y.triangle;
}

void append_edges(int a, std::vector<HalfEdge>::iterator begin, std::vector<HalfEdge>::iterator end,
                  std::vector<MeshEdge>* edges) {
  std::sort(begin, end, before);
  for (auto h = begin; h != end; ++h) {
    if (h == begin || h->other != (h - 1)->other) edges->push_back({a, h->other, {}, {}, 0});
    MeshEdge& edge = edges->back();
    if (edge.count < 2) {
      edge.triangles[edge.count] = h->triangle;
      edge.forward[edge.count] = h->forward;
    }
    ++edge.count;
  }
}

using Neighbours = std::vector<std::array<int, 3>>;

/// For each triangle its three edges, as indices into `edges`.
Neighbours edges_of_triangles(std::size_t triangles, const std::vector<MeshEdge>& edges) {
  Neighbours of(triangles, {-1, -1, -1});
  for (std::size_t e = 0; e < edges.size(); ++e)
    for (const int t : edges[e].triangles)
      for (int& slot : of[t])
        if (slot < 0) {
          slot = static_cast<int>(e);
          break;
        }
  return of;
}

struct Piece {
  std::vector<int> triangles;
  bool mended = false;  // neighbours disagreed before
  double volume = 0.0;  // signed, times 6
  Box3 box;
};

/// Collects the piece of `seed`, turning triangles to agree with it; false if that cannot be.
bool collect(int seed, const std::vector<MeshEdge>& edges, const Neighbours& of,
             std::vector<int>* piece_of, int number, std::vector<char>* turned, Piece* piece) {
  piece->triangles.assign(1, seed);
  (*piece_of)[seed] = number;
  for (std::size_t next = 0; next < piece->triangles.size(); ++next) {
    const int t = piece->triangles[next];
    for (const int e : of[t]) {
      const MeshEdge& edge = edges[e];
      const int other = edge.triangles[0] == t ? edge.triangles[1] : edge.triangles[0];
      const bool disagree = edge.forward[0] == edge.forward[1];
      const char want = static_cast<char>((*turned)[t] ^ (disagree ? 1 : 0));
      piece->mended |= disagree;
      if ((*piece_of)[other] < 0) {
        (*piece_of)[other] = number;
        (*turned)[other] = want;
        piece->triangles.push_back(other);
      } else if ((*turned)[other] != want) {
        return false;
      }
    }
  }
  return true;
}

void measure(const TriangleMesh& mesh, Piece* piece) {
  const Vec3 origin = mesh.points[mesh.triangles[piece->triangles[0]][0]];
  Vec3& low = piece->box.low;
  Vec3& high = piece->box.high;
  low = high = origin;
  for (const int t : piece->triangles) {
    const auto& c = mesh.triangles[t];
    const Vec3 p = mesh.points[c[0]], q = mesh.points[c[1]], r = mesh.points[c[2]];
    piece->volume += (p - origin).dot((q - origin).cross(r - origin));
    low = low.cwiseMin(p).cwiseMin(q).cwiseMin(r);
    high = high.cwiseMax(p).cwiseMax(q).cwiseMax(r);
  }
}

void turn(TriangleMesh* mesh, int triangle) {
  std::swap(mesh->triangles[triangle][1], mesh->triangles[triangle][2]);
}

/// The piece is inside out, and within the box of a larger one.
bool is_hollow(const Piece& piece, const std::vector<Piece>& pieces, BoxTree* boxes) {
  if (piece.mended || piece.volume >= 0.0) return false;
  const auto& about = boxes->holding(piece.box.low);
  return std::any_of(about.begin(), about.end(), [&](int k) {
    return std::fabs(pieces[k].volume) > std::fabs(piece.volume) &&
           pieces[k].box.holds(piece.box.high);
  });
}

/// Turns every piece that has its material outside, hollows excepted.
void turn_outward(const std::vector<Piece>& pieces, TriangleMesh* mesh) {
  std::vector<Box3> all;
  for (const Piece& piece : pieces) all.push_back(piece.box);
  BoxTree boxes(std::move(all));
  for (const Piece& piece : pieces)
    if (piece.volume < 0.0 && !is_hollow(piece, pieces, &boxes))
      for (const int t : piece.triangles) turn(mesh, t);
}

MeshFaults find_faults(const std::vector<MeshEdge>& edges) {
  MeshFaults faults;
  for (const MeshEdge& edge : edges) {
    if (edge.count == 2) continue;
    ++(edge.count < 2 ? faults.open : faults.crowded);
    if (faults.first.size() < kFaultsNamed) faults.first.push_back(edge);
  }
  return faults;
}

}  // namespace

TriangleMesh welded(const TriangleMesh& mesh) {
  PointTable places(mesh.points.size());
  std::vector<int> place_of;
  place_of.reserve(mesh.points.size());
  for (const Vec3& point : mesh.points) place_of.push_back(places.number_of(point));
  std::vector<int> renumbered(places.points().size(), -1);
  TriangleMesh out;
  out.triangles.reserve(mesh.triangles.size());
  for (const auto& corners : mesh.triangles) {
    std::array<int, 3> c{place_of[corners[0]], place_of[corners[1]], place_of[corners[2]]};
    if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) continue;
    for (int& corner : c) {
      if (renumbered[corner] < 0) {
        renumbered[corner] = static_cast<int>(out.points.size());
        out.points.push_back(places.points()[corner]);
      }
      corner = renumbered[corner];
    }
    out.triangles.push_back(c);
  }
  return out;
}

std::vector<MeshEdge> mesh_edges(const TriangleMesh& mesh) {
  // bucket the half edges by their smaller vertex
  std::vector<int> start(mesh.points.size() + 1, 0);
  for (const auto& c : mesh.triangles)
    for (int k = 0; k < 3; ++k) ++start[std::min(c[k], c[(k + 1) % 3]) + 1];
  for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
  std::vector<HalfEdge> halves(3 * mesh.triangles.size());
  std::vector<int> fill(start.begin(), start.end() - 1);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
      halves[fill[std::min(a, b)]++] = {std::max(a, b), static_cast<int>(t), a < b};
    }
  std::vector<MeshEdge> edges;
  edges.reserve(halves.size() / 2);
  for (std::size_t a = 0; a + 1 < start.size(); ++a)
    append_edges(static_cast<int>(a), halves.begin() + start[a], halves.begin() + start[a + 1],
                 &edges);
  return edges;
}

MeshFaults orient_closed(TriangleMesh* mesh) {
  const std::vector<MeshEdge> edges = mesh_edges(*mesh);
  MeshFaults faults = find_faults(edges);
  if (!faults.first.empty()) return faults;
  const Neighbours of = edges_of_triangles(mesh->triangles.size(), edges);
  std::vector<int> piece_of(mesh->triangles.size(), -1);
  std::vector<char> turned(mesh->triangles.size(), 0);
  std::vector<Piece> pieces;
  for (std::size_t seed = 0; seed < mesh->triangles.size(); ++seed) {
    if (piece_of[seed] >= 0) continue;
    pieces.emplace_back();
    const int number = static_cast<int>(pieces.size()) - 1;
    if (!collect(static_cast<int>(seed), edges, of, &piece_of, number, &turned, &pieces.back())) {
      faults.one_sided = true;
      return faults;
    }
  }
  for (std::size_t t = 0; t < turned.size(); ++t)
    if (turned[t]) turn(mesh, static_cast<int>(t));
  for (Piece& piece : pieces) measure(*mesh, &piece);
  turn_outward(pieces, mesh);
  return faults;
}

}  // namespace repose::shape
