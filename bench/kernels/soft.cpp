// Soft bodies: skins, and a step of molecules, most of which is the projection of velocities.
#include <memory>

#include "repose/run/catalogue.h"
#include "repose/run/session.h"
#include "repose/scene/gallery.h"
#include "repose/shape/skin.h"

#include "kernels.h"

namespace repose::bench {
namespace {

void add_skin(std::vector<Kernel>& out) {
  auto centers = std::make_shared<std::vector<Vec3>>();
  for (int i = 0; i < 225; ++i) centers->push_back(0.015 * Vec3(i % 15, i / 15, 0.0));
  auto radii = std::make_shared<std::vector<double>>(centers->size(), 0.012);
  out.push_back({"skin/225", "the skin over a sheet of 225 balls", [centers, radii] {
                   used(
                       static_cast<double>(shape::skin_of(*centers, *radii).mesh.triangles.size()));
                 }});
}

/// Steps of a scene of the gallery in contact, again and again from the same state.
void add_steps(std::vector<Kernel>& out, const char* name, const char* what, const char* scene_name,
               const char* method, double from) {
  const auto scene = open_scene(scene_name, method_catalogue());
  if (!scene) return;
  auto world = build_world(*scene);
  if (!world) return;
  auto session = Session::start(std::move(world->problem), std::move(world->state),
                                **find_method(method), scene->method.settings);
  if (!session) return;
  while (session->state().time < from)
    if (!session->step()) return;
  auto held = std::make_shared<Session>(std::move(*session));
  out.push_back({name, what, [held] {
                   if (held->step()) (void)held->undo();
                 }});
}

}  // namespace

void add_soft_kernels(std::vector<Kernel>& out) {
  add_skin(out);
  add_steps(out, "projection/performance", "a step of molecule/performance, bodies in contact",
            "molecule/performance", "molecule", 0.3);
}

}  // namespace repose::bench
