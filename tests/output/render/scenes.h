#pragma once

#include "repose/render/draw.h"

namespace repose::render {

/// One ball of radius 1 about the origin, drawn dark on a bright backdrop.
inline Picture one_ball() {
  Picture picture;
  Item ball;
  ball.look.color = {0.02F, 0.02F, 0.02F};
  ball.look.roughness = 1.0F;
  picture.items.push_back(ball);
  picture.camera.eye = Vec3(0.0, -6.0, 0.0);
  return picture;
}

/// A cube of edge 1 about the origin, without normals.
inline MeshPtr cube() {
  auto mesh = std::make_shared<Mesh>();
  for (int i = 0; i < 8; ++i)
    mesh->points.emplace_back((i & 1) ? 0.5F : -0.5F, (i & 2) ? 0.5F : -0.5F,
                              (i & 4) ? 0.5F : -0.5F);
  mesh->triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                     {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

/// Balls, a cube, glass and a sign on the floor: a little of everything.
inline Picture still_life() {
  Picture picture;
  for (int i = 0; i < 3; ++i) {
    Item ball;
    ball.radius = 0.4;
    ball.world_from_item.position = Vec3(i - 1.0, 0.2 * i, 0.4);
    ball.look.opacity = i == 1 ? 0.1F : 1.0F;
    ball.look.roughness = 0.2F * static_cast<float>(i);
    picture.items.push_back(ball);
  }
  Item block;
  block.mesh = cube();
  block.world_from_item.position = Vec3(0.3, 1.0, 0.5);
  block.look.color = {0.5F, 0.1F, 0.05F};
  picture.items.push_back(block);
  picture.markers.push_back({Vec3::Zero(), Vec3(0.0, 0.0, 1.0), 0.03, {0.0F, 0.4F, 0.0F}});
  picture.floor = Floor{};
  picture.camera = framed_camera(picture, 1.6, {});
  return picture;
}

inline RenderSettings small(int width, int height, int samples) {
  RenderSettings settings;
  settings.width = width;
  settings.height = height;
  settings.samples = samples;
  return settings;
}

inline int brightness(const Image& image, int x, int y) {
  const auto c = image.at(x, y);
  return c[0] + c[1] + c[2];
}

}  // namespace repose::render
