#pragma once

#include <optional>
#include <vector>

#include "room.h"
#include "sampling.h"
#include "stage.h"

namespace repose::render {

/// What one light path brings to its pixel: albedo and the light on it are kept apart, so that the
/// light can be smoothed without blurring colours.
struct PathSample {
  Rgb albedo = Rgb::Zero();
  Rgb lit = Rgb::Zero();    // albedo times the light it scatters
  Rgb other = Rgb::Zero();  // highlights, backdrop
  Vec3f normal = Vec3f::Zero();
  float distance = 0.0F;
  bool empty = false;  // met no body: floor or backdrop
};

/// Follows light paths backwards from the eye through the room.
class Painter {
 public:
  /// `quick`: paths end where they are scattered first.
  Painter(const Stage& stage, const Room& room, const std::vector<Item>& items, bool quick);

  /// `backdrop` is what the pixel shows where nothing stands.
  PathSample look(const Vec3f& eye, const Vec3f& direction, const Rgb& backdrop,
                  Sampler& sampler) const;
  /// The same of floor or backdrop, on which light falls at this share of an empty floor's. Nothing
  /// where a body stands before them.
  std::optional<PathSample> look_past_bodies(const Vec3f& eye, const Vec3f& direction,
                                             const Rgb& backdrop, const Rgb& share) const;

 private:
  /// A surface point seen from outside or inside, with all that shading asks for.
  struct Spot {
    Vec3f point;   // where rays start: a little off the surface, on the viewer's side
    Vec3f beyond;  // the same on the other side
    Vec3f normal;  // towards the viewer
    Vec3f view;    // unit, towards the viewer
    const Look* look;
    bool inside;  // the viewer is inside the body
  };
  struct LampLight {
    Rgb diffuse = Rgb::Zero();
    Rgb specular = Rgb::Zero();
  };

  /// The first surface behind clear ones: what guides the smoothing of light seen through them.
  struct Behind {
    Rgb albedo = Rgb::Ones();
    Vec3f normal;
    float distance;  // along the path from `from`
  };

  /// By which way a ray left its surface, which decides what it sees where nothing stands: light
  /// to be scattered, a mirror image with the lamps in it, or the backdrop as the eye sees it.
  enum class Way { scattered, mirrored, through };

  /// Floor or backdrop, without light on it yet.
  PathSample past_bodies(const Vec3f& direction, const Rgb& backdrop,
                         std::optional<float> floor) const;
  Behind behind(const Spot& from) const;
  Spot spot(const Hit& hit, const Vec3f& direction) const;
  /// Share of a lamp's light that reaches `point` from `direction`.
  Rgb passing(const Vec3f& point, const Vec3f& direction) const;
  static Rgb gleam(const Spot& s, const Vec3f& towards);
  void add_lamp(LampLight& sum, const Spot& s, const Lamp& lamp, bool with_specular,
                Sampler& sampler) const;
  LampLight lamps(const Spot& s, bool with_specular, Sampler& sampler) const;
  /// Light from dome, floor and other bodies on a diffuse surface.
  Rgb surroundings(const Spot& s, Sampler& sampler, float spent) const;
  /// One mirror ray, spread by the roughness.
  Rgb reflection(const Spot& s, Sampler& sampler, float spent) const;
  /// What is seen in and through a clear surface. At the first one both ways are followed.
  Rgb clear(const Spot& s, Way way, Sampler& sampler, float spent) const;
  /// What is seen beyond a clear surface that the ray has just left by `direction`. A body that
  /// touches the surface begins nearer than rays start behind it: what is met from inside stands
  /// there, and is shaded as if its side lay in the clear one.
  Rgb beyond(const Spot& s, const Vec3f& direction, Way way, Sampler& sampler, float spent) const;
  /// Light on the floor over the light on it when empty.
  Rgb floor_ratio(const Vec3f& point, Sampler& sampler, float spent) const;
  Rgb radiance(const Vec3f& origin, const Vec3f& direction, Way way, Sampler& sampler,
               float spent) const;
  Rgb item_radiance(const Hit& hit, const Vec3f& direction, Way way, Sampler& sampler,
                    float spent) const;

  const Stage& stage_;
  const Room& room_;
  std::vector<Look> looks_;
  bool any_clear_ = false;
  bool quick_ = false;
};

}  // namespace repose::render
