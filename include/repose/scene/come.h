#pragma once

#include "repose/scene/scene.h"

namespace repose {

/// Scenes of soft bodies as XML (Benedetti 2002, appendix D): come, scene, simulation, patient,
/// materials, material, molecule_organ, molecule, force. docs/come-xml.md lists the attributes and
/// what they become.

/// Reads such a document of at most 128 MiB. An organ becomes a body of linked balls, its molecules
/// joined up to sqrt(2) of the least distance between two; a molecule's forces become pulls; the
/// method is `molecule`. Errors name line and column. Entities are not expanded, nothing outside
/// the text is read.
Result<Scene> scene_from_come(std::string text, const std::string& file,
                              const Catalogue& catalogue);

/// What the document says of itself: its first comment before the root.
Result<std::string> come_about(std::string text, const std::string& file);

/// The scene as such a document. Refused: what it cannot say (rigid bodies, joints, events,
/// springs).
Result<std::string> write_come(const Scene& scene);

}  // namespace repose
