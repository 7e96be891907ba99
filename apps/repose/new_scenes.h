#pragma once

#include <array>

/// A scene to start from: what one would change first is explained in comments.
struct NewScene {
  const char* method;
  const char* text;
};
extern const std::array<NewScene, 6> kNewScenes;
