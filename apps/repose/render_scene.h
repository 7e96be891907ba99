#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "repose/render/depict.h"
#include "repose/scene/scene.h"

#include "opening.h"

/// What `repose render` is asked for.
struct RenderOptions {
  std::string what;  // a scene's path or gallery name, or the folder of a run
  std::filesystem::path out;
  std::string frame = "last";
  std::array<int, 2> size{1280, 800};         // pixels
  std::optional<std::array<double, 2>> view;  // azimuth, elevation in degrees; else the scene's
  bool quick = false;                         // as still.png of a run is drawn
  std::optional<std::int64_t> samples;        // 8, in films as quick as still.png
  int frames_per_second = 30;
  double even_seconds = 0.0;  // length of a film at even speed; 0: true time, where there is time
  double speed = 1.0;         // simulated seconds a second of the film
  bool every_frame = false;   // one picture for each recorded frame
  bool contacts = false, forces = false, skin = false, quiet = false;
  std::string surfels = "surface";  // a name of SurfelLook
  std::vector<std::string> highlight;
  OpeningWords open;
};

/// Draws one picture, or a film of all frames where the name ends so.
repose::Result<repose::Done> render_scene(const RenderOptions& options);

/// Where the scene wants to be seen from.
void apply_view(const repose::ViewChoice& view, repose::render::DepictSettings& settings);

/// What is shown of a problem besides its bodies: joints, springs, skins that are kept apart, and
/// machines as on a drawing board. A view that was asked for by hand shows machines in space.
void apply_problem(const repose::MethodChoice& method, const repose::Problem& problem,
                   bool view_by_hand, repose::render::DepictSettings& settings);
