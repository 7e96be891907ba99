#include "repose/render/draw.h"

#include <cstdlib>

#include <gtest/gtest.h>

namespace repose::render {
namespace {

TEST(Draw, look) {
  if (std::getenv("LOOK") == nullptr) GTEST_SKIP();
  Picture picture;
  const Color colors[5] = {{0.62F, 0.10F, 0.06F},
                           {0.05F, 0.20F, 0.42F},
                           {0.75F, 0.45F, 0.08F},
                           {0.8F, 0.8F, 0.8F},
                           {0.1F, 0.35F, 0.12F}};
  for (int i = 0; i < 5; ++i) {
    Item item;
    item.radius = 0.5 + 0.1 * i;
    item.world_from_item.position = Vec3(1.35 * i - 2.5, 0.6 * (i % 2), item.radius);
    item.look.color = colors[i];
    item.look.roughness = 0.12F * static_cast<float>(i);
    if (i == 3) item.look.opacity = 0.05F;
    picture.items.push_back(item);
  }
  picture.floor = Floor{};
  picture.markers.push_back({Vec3(0, 0, 0), Vec3(0, 0, 1.0), 0.03, {0.9F, 0.1F, 0.05F}});
  picture.camera = framed_camera(picture, 1.6, {});
  const Image image = draw(picture, {});
  ASSERT_TRUE(write_png(image, std::getenv("LOOK")));
}

}  // namespace
}  // namespace repose::render
