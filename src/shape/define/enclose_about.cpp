#include "repose/shape/enclose_about.h"

#include "shape/define/terms.h"

namespace repose::shape {

PatchEnclosure enclose_about(const Patch& patch, const UvBox& box, const PatchJet& middle) {
  const auto* own = dynamic_cast<const AboutPatch*>(&patch);
  return own != nullptr ? own->enclose_about(box, middle) : patch.enclose(box);
}

}  // namespace repose::shape
