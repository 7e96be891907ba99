#pragma once

#include <array>
#include <vector>

#include "repose/math/vec.h"

#include "padded.h"
#include "paper_forces.h"

namespace repose::surfel {

/// Surfels that go with phyxels: each is a weighted sum of theirs.
struct HeldPoints {
  std::vector<std::size_t> first{0};  // of each surfel, and one past the end
  std::vector<PhyxelShare> carriers;
  std::vector<int> balls;  // whose surfels they are
  std::size_t size() const { return first.size() - 1; }
};

/// A contact surfel with all that its forces are made from while it lasts. Its point goes with the
/// surfels of both sides, more with the stiffer one.
struct HeldSurfel {
  std::size_t one = 0, two = 0;      // in HeldContact::points: the nearest surfels of both sides
  int piece = -1;                    // of the solid
  Vec3 point = Vec3::Zero();         // m, world; where it was made
  Vec3 from_one = Vec3::Zero();      // m; where the two surfels were then
  Vec3 from_two = Vec3::Zero();      // m
  Vec3 normal = Vec3::UnitZ();       // unit, outward of the first body
  double area = 0.0;                 // m^2
  std::array<std::size_t, 3> share;  // in HeldContact::shares: of the first body, the second, end
};

/// The contact surface of two bodies, or of a body and a solid.
struct HeldContact {
  int one = 0, two = -1;    // bodies
  int solid = -1;           // in Arena::solids, instead of a second body
  double yields_two = 0.5;  // how much of its point's motion is the second side's
  Response response;
  HeldPoints points;
  std::vector<HeldSurfel> surfels;
  std::vector<PhyxelShare> shares;
};

/// Phyxels of one body that are near and were no neighbours.
struct HeldSelf {
  double reach = 0.0;      // m; nearer ones push each other apart
  double stiffness = 0.0;  // N/m
  std::vector<std::array<int, 2>> pairs;
};

/// What contact handling found when it looked last. It holds until something has gone so far that
/// there may be more (coherence); then the contact surfels are where the next look begins.
struct HeldContacts {
  std::vector<HeldContact> contacts;
  std::vector<Vec3> from;  // m; where the phyxels were
  double left = -1.0;      // m; how much nearer bodies may come
  double most_slid = 0.0;  // m; how far surfels that push may slide along each other
  int colliding = 0;       // surfels within another body
};

/// The same of bodies with themselves.
struct HeldSelves {
  std::vector<HeldSelf> bodies;
  std::vector<Vec3> from;  // m
  double left = -1.0;      // m; how much nearer phyxels of one body may come
};

/// A place or a velocity of surfels that phyxels carry, by those of the phyxels.
void carry(const HeldPoints& held, const std::vector<Vec4>& phyxels, std::vector<Vec3>& surfels);
/// m, world; where a contact surfel has gone with the nearest surfels of both sides.
Vec3 carried_point(const HeldContact& contact, const HeldSurfel& surfel,
                   const std::vector<Vec3>& surfels);

}  // namespace repose::surfel
