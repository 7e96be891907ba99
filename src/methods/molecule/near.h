#pragma once

#include <map>
#include <vector>

#include "repose/molecule/settings.h"
#include "repose/rigid/pairs.h"

#include "arena.h"

namespace repose::molecule {

/// Two molecules that are not joined; i < j.
struct PointPair {
  int i = 0, j = 0;
  friend auto operator<=>(const PointPair&, const PointPair&) = default;
};

/// A molecule and a piece of a solid.
struct SolidPair {
  int point = 0, rigid = 0, piece = 0;
  double gap = 0.0;  // m, when the list was made
};

/// Axis-parallel box.
struct Box3 {
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();
  bool overlaps(const Box3& other) const {
    return (low.array() <= other.high.array()).all() && (other.low.array() <= high.array()).all();
  }
};

/// Pairs of molecules of two bodies, or of one with itself, that may meet in a step.
struct PointList {
  int body_a = 0, body_b = 0;    // a <= b
  double needed = 0.0;           // m; no pair with a larger gap can meet in this step
  std::vector<PointPair> pairs;  // all with a gap below `needed`, and more; sorted
};

/// Pairs of one body's molecules and one solid.
struct SolidList {
  int body = 0, rigid = 0;
  double needed = 0.0;
  double come = 0.0;  // m; no pair has come nearer by more since the list was made
  std::vector<SolidPair> pairs;

  /// It cannot meet in this step.
  bool is_far(const SolidPair& pair) const { return pair.gap - come > needed; }
};

/// A molecule and a triangle of another body's skin.
struct SkinPair {
  int point = 0, triangle = 0;
  double gap = 0.0;  // m, when the list was made
};

/// Pairs of one body's molecules and another's skin, by molecule, then triangle.
struct SkinList {
  int body = 0, skin = 0;
  double needed = 0.0;
  double come = 0.0;  // m; no pair has come nearer by more since the list was made
  std::vector<SkinPair> pairs;

  /// It cannot meet in this step.
  bool is_far(const SkinPair& pair) const { return pair.gap - come > needed; }
};

/// A triangle of a body's skin and a piece of a solid.
struct FacetPair {
  int triangle = 0, piece = 0;
  double gap = 0.0;  // m; the thick triangle and the piece are no nearer
};

/// Pairs of one body's skin and one solid with an end that may meet in this step, by triangle, then
/// gap. Endless ground is kept from a skin by its corners.
struct FacetList {
  int body = 0, rigid = 0;
  std::vector<FacetPair> pairs;
};

/// In the order of the bodies.
struct Near {
  std::vector<const PointList*> points;
  std::vector<const SolidList*> solids;
  std::vector<const SkinList*> skins;           // empty where molecules alone are asked for
  std::vector<const FacetList*> facets;         // likewise
  std::vector<rigid::RigidPair> rigids;         // with a gap below `needed`
  std::vector<std::array<int, 2>> skin_bodies;  // that have skins and come near each other
};

/// What is looked for, and how near.
struct NearWish {
  double h = 0.0;           // s
  double extra = 0.0;       // m; pairs that can come nearer than that are found
  bool skins = false;       // molecules against skins as well
  double skin_extra = 0.0;  // m; of those
  BroadPhase broad = BroadPhase::sweep;
  bool same_places = false;  // nothing has moved since it was last asked: only velocities are new
};

/// m; beyond what is asked, so that a search serves several steps.
double ahead(const Arena& arena, double needed);

/// Finds what may touch in a step. It remembers what it found while nothing has come much nearer;
/// what it answers beyond the pairs asked for makes no difference to whoever tests gaps himself.
class NearSearch {
 public:
  /// All pairs that can come nearer than asked in a step with the velocities of `motion`, each with
  /// any of its own body's velocities, are among the answer.
  const Near& update(const Arena& arena, const Motion& motion, const NearWish& wish);
  /// Forgets everything: the problem has changed.
  void clear() { *this = NearSearch(); }
  long searches() const { return searches_; }

 private:
  /// How a body has moved since the search began: the sum of its mean displacements, and of the
  /// largest deviations from them.
  struct Drift {
    Vec3 shift = Vec3::Zero();
    double travel = 0.0;
  };
  /// How it moves now: mean velocity, and the largest deviation from it.
  struct Pace {
    Vec3 velocity = Vec3::Zero();
    double spread = 0.0;
  };
  struct KnownPoints {
    PointList list;
    double within = -1.0;  // m, that the list was made for; negative: never
    Drift a, b;            // when it was made
  };
  struct KnownSolids {
    SolidList list;
    double within = -1.0;
    Drift drift;
    Pose pose;
  };

  struct KnownSkin {
    SkinList list;
    double within = -1.0;
    Drift a, b;
  };
  /// What was near a triangle when it was last looked at.
  struct KnownFacet {
    std::array<Vec3, 3> places;
    double travel = 0.0;   // m, of the solid until then
    double within = -1.0;  // m; all pieces nearer than that are known; negative: none
    std::vector<FacetPair> pairs;
  };
  struct KnownFacets {
    FacetList list;
    std::vector<KnownFacet> facets;
    Pose pose;            // of the solid when it was last followed
    double travel = 0.0;  // m; no point of it has gone farther
  };

  void follow(const Arena& arena, const Motion& motion);
  void look_at_paces(const Arena& arena, const Motion& motion);
  void look_at_boxes(const Arena& arena, const Motion& motion);
  void find_points(const Arena& arena, const Motion& motion, const NearWish& wish);
  void find_solids(const Arena& arena, const Motion& motion, double h, double extra);
  void refresh(const Arena& arena, const Motion& motion, KnownPoints& known, double needed);
  void refresh(const Arena& arena, const Motion& motion, KnownSolids& known, double needed);
  void find_skins(const Arena& arena, const Motion& motion, double h, double extra);
  void refresh(const Arena& arena, const Motion& motion, KnownSkin& known, double needed);
  void find_facets(const Arena& arena, const Motion& motion, double h, double extra);
  void refresh(const Arena& arena, const Motion& motion, double h, double extra,
               KnownFacets& known);

  Near near_;
  std::vector<Vec3> last_;     // where molecules were when last looked at
  std::vector<Drift> drifts_;  // per body
  std::vector<Pace> paces_;
  std::vector<Box3> boxes_;                      // of centres with their radii
  std::vector<std::array<int, 2>> near_bodies_;  // of which the boxes come near each other
  std::map<std::array<int, 2>, KnownPoints> points_;
  std::map<std::array<int, 2>, KnownSkin> skins_;
  std::map<std::array<int, 2>, KnownSolids> solids_;
  std::map<std::array<int, 2>, KnownFacets> facets_;
  long searches_ = 0;
};

/// m; how far a point within `reach` of the pose's place has gone at most.
double distance_turned(const Pose& from, const Pose& to, double reach);

/// Overlapping boxes, sorted pairs of indices, by one way or the other.
std::vector<std::array<int, 2>> near_boxes(const std::vector<Box3>& boxes, BroadPhase broad);

/// Pairs of the listed molecules whose gap is below `within`, by a grid; of one body only unjoined
/// ones, where `same_body` is false none of one body. In no particular order.
void near_points(const Arena& arena, const std::vector<Vec3>& x, const std::vector<int>& listed,
                 double within, bool same_body, std::vector<PointPair>& out);

}  // namespace repose::molecule
