#include "paper_held.h"

#include "repose/base/at.h"

namespace repose::surfel {

void carry(const HeldPoints& held, const std::vector<Vec4>& phyxels, std::vector<Vec3>& surfels) {
  surfels.resize(held.size());
  for (std::size_t s = 0; s < held.size(); ++s) {
    Vec4 sum = Vec4::Zero();
    for (std::size_t k = held.first[s]; k < held.first[s + 1]; ++k)
      sum += held.carriers[k].share * phyxels[at(held.carriers[k].phyxel)];
    surfels[s] = sum.head<3>();
  }
}

Vec3 carried_point(const HeldContact& contact, const HeldSurfel& surfel,
                   const std::vector<Vec3>& surfels) {
  return surfel.point + (1.0 - contact.yields_two) * (surfels[surfel.one] - surfel.from_one) +
         contact.yields_two * (surfels[surfel.two] - surfel.from_two);
}

}  // namespace repose::surfel
