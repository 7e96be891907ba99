#pragma once

#include "repose/scene/scene.h"

namespace repose {

/// How many bodies a set of instances makes, where that can be told before it is built.
std::optional<std::int64_t> instance_count(const Arrangement& arrange);
/// The fixed bodies whose hollow an arrangement fills; empty where it names none.
const std::vector<std::string>& containers_of(const Arrangement& arrange);
/// NAME-1, NAME-2, ...
std::string instance_name(const std::string& name, std::int64_t index);

/// Names are unique, what is referred to exists, the bodies are not too many. Shapes are judged by
/// check_shapes.
Result<Done> check_references(const Scene& scene);
/// "set" edits name settings of the method and give them allowed values; these take the setting's
/// type.
Result<Done> check_set_edits(Scene& scene, const Catalogue& catalogue);

}  // namespace repose
