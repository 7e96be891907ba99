#include "painter.h"

namespace repose::render {
namespace {

/// Rays start this far off their surface, stage lengths: above the rounding of single precision,
/// below anything visible.
constexpr float kLift = 3e-5F;
/// A path spends one for each scattering and less for each clear surface it crosses. Bodies met
/// when the budget is spent send a flat guess instead of following on.
constexpr float kBudget = 3.0F, kQuickBudget = 1.0F;
constexpr float kClearCost = 0.22F;
/// Light that reaches a surface from around when nobody looks: share of the dome's.
constexpr float kGuess = 0.45F;
/// The same of the main lamp's light, where nobody looks for its shadow.
constexpr float kLampGuess = 0.35F;
/// Smoother surfaces see the lamps in their reflection rays; rougher ones sample them.
constexpr float kSampledRoughness = 0.25F;
constexpr float kMirror = 0.1F;  // roughness of what still shows sharp images
constexpr float kSmallestAlpha = 2e-3F;
constexpr float kDielectric = 0.04F;  // reflectance head on, index 1.5
constexpr float kIndex = 1.5F;
/// Instead of a throw of dice, where each pixel has only one: the likelier way is taken.
constexpr float kEvenChance = 0.5F;
/// Distance at which the backdrop counts as standing: finite, so that means and differences are.
constexpr float kNowhere = 1e4F;
constexpr int kShadowLayers = 12;
/// Highlights that add less are not looked for.
constexpr float kFaintGleam = 1e-3F;
/// One path's reflection counts at most this much; keeps rare bright paths from speckling.
constexpr float kBrightestReflection = 6.0F;
constexpr float kBrightestThrough = 1.5F;  // the same for what is seen through a clear body
constexpr float kGrazing = 0.05F;          // cosines below count as this in the facet formula
/// How strongly a body that glows is lifted out, and its colour.
const Rgb kGlowColor(1.0F, 0.45F, 0.08F);

/// Of one crossing of the surface, so that a body crossed twice has the opacity it was given.
float crossing_opacity(const Look& look) {
  return 1.0F - std::sqrt(std::max(0.0F, 1.0F - look.opacity));
}
Rgb crossing_tint(const Look& look) {
  return rgb(look.color).max(0.0F).sqrt().sqrt();
}
Rgb albedo_of(const Look& look) {
  // what a clear body scatters has gone through it and back: deeper in colour, or it looks milky
  const Rgb own = look.opacity < 1.0F ? Rgb(rgb(look.color).square()) : rgb(look.color);
  return mix(own, kGlowColor, 0.65F * look.glow);
}
Rgb facing_reflectance(const Look& look) {
  return mix(Rgb::Constant(kDielectric), rgb(look.color), look.metallic);
}
Rgb schlick(const Rgb& f0, float cosine) {
  const float m = std::clamp(1.0F - cosine, 0.0F, 1.0F);
  const float m2 = m * m;
  return f0 + (1.0F - f0) * (m2 * m2 * m);
}
Ggx facets(const Look& look) {
  return {std::max(look.roughness * look.roughness, kSmallestAlpha)};
}
Vec3f mirrored_about(const Vec3f& view, const Vec3f& normal) {
  return 2.0F * view.dot(normal) * normal - view;
}

// Snell's law; `eta` as in dielectric_fresnel, which is below 1 here
Vec3f refracted_through(const Vec3f& view, const Vec3f& normal, float eta) {
  const float cosine = normal.dot(view);
  const float sine2 = (1.0F - cosine * cosine) / (eta * eta);
  const Vec3f along = (normal * cosine - view) / eta;
  return (along - normal * std::sqrt(std::max(0.0F, 1.0F - sine2))).normalized();
}

}  // namespace

Painter::Painter(const Stage& stage, const Room& room, const std::vector<Item>& items, bool quick)
    : stage_(stage), room_(room), quick_(quick) {
  for (const Item& item : items) {
    looks_.push_back(item.look);
    any_clear_ = any_clear_ || item.look.opacity < 1.0F;
  }
}

Painter::Spot Painter::spot(const Hit& hit, const Vec3f& direction) const {
  Spot s;
  s.look = &looks_[static_cast<std::size_t>(hit.item)];
  s.view = -direction;
  s.inside = hit.geometric.dot(s.view) < 0.0F;
  const float side = s.inside ? -1.0F : 1.0F;
  s.normal = side * hit.normal;
  // an interpolated normal must not face away where its triangle is seen
  const float facing = s.normal.dot(s.view);
  if (facing <= 0.0F) s.normal = (s.normal - (facing - kLift) * s.view).normalized();
  s.point = (s.inside ? hit.point : hit.lifted) + side * kLift * hit.geometric;
  s.beyond = hit.point - side * kLift * hit.geometric;
  return s;
}

Rgb Painter::passing(const Vec3f& point, const Vec3f& direction) const {
  if (!any_clear_) return Rgb::Constant(stage_.blocked(point, direction) ? 0.0F : 1.0F);
  Rgb share = Rgb::Ones();
  Vec3f origin = point;
  for (int layer = 0; layer < kShadowLayers; ++layer) {
    const Hit hit = stage_.hit(origin, direction);
    if (!hit.found) return share;
    const Look& look = looks_[static_cast<std::size_t>(hit.item)];
    if (look.opacity >= 1.0F) break;
    const float cosine = std::abs(hit.normal.dot(direction));
    const float through = 1.0F - dielectric_fresnel(cosine, kIndex);
    share *= (1.0F - crossing_opacity(look)) * through * crossing_tint(look);
    const float ahead = hit.geometric.dot(direction) < 0.0F ? -1.0F : 1.0F;
    origin = hit.point + ahead * kLift * hit.geometric;
  }
  return Rgb::Zero();
}

/// What a surface sends to the eye of the light that comes from `towards`, over pi and the cosine.
Rgb Painter::gleam(const Spot& s, const Vec3f& towards) {
  const Frame frame(s.normal);
  const Vec3f out = frame.local(s.view), in = frame.local(towards);
  if (in.z() <= 0.0F) return Rgb::Zero();
  const Vec3f half = (out + in).normalized();
  const Ggx ggx = facets(*s.look);
  const float shape = ggx.density(half) * ggx.shadowing(out) * ggx.shadowing(in) /
                      std::max(4.0F * out.z() * in.z(), kGrazing);
  return kPi * shape * schlick(facing_reflectance(*s.look), half.dot(out));
}

void Painter::add_lamp(LampLight& sum, const Spot& s, const Lamp& lamp, bool with_specular,
                       Sampler& sampler) const {
  const Vec3f towards = cone_direction(lamp.axis, lamp.cos_half_angle, sampler.next());
  const float cosine = s.normal.dot(towards);
  if (cosine <= 0.0F && !quick_) return;
  const Rgb arriving =
      cosine > 0.0F ? Rgb(lamp.light * cosine * passing(s.point, towards)) : Rgb(Rgb::Zero());
  sum.diffuse += arriving;
  if (!with_specular) return;
  if (!quick_) {
    sum.specular += arriving * gleam(s, towards);
    return;
  }
  // a quick picture shows the lamp's middle: the few places that its pixels take would show
  const Rgb bright = lamp.light * std::max(0.0F, s.normal.dot(lamp.axis)) * gleam(s, lamp.axis);
  if (luminance(bright) > kFaintGleam) sum.specular += bright * passing(s.point, lamp.axis);
}

Painter::LampLight Painter::lamps(const Spot& s, bool with_specular, Sampler& sampler) const {
  LampLight sum;
  add_lamp(sum, s, room_.key, with_specular, sampler);
  add_lamp(sum, s, room_.rim, with_specular, sampler);
  return sum;
}

Rgb Painter::surroundings(const Spot& s, Sampler& sampler, float spent) const {
  return radiance(s.point, cosine_direction(s.normal, sampler.next()), Way::scattered, sampler,
                  spent + 1.0F);
}

Rgb Painter::reflection(const Spot& s, Sampler& sampler, float spent) const {
  const Frame frame(s.normal);
  const Vec3f out = frame.local(s.view);
  const Ggx ggx = facets(*s.look);
  // a quick picture shows the sharp image of the room: a blurred one would speckle
  const bool sharp = quick_ && (s.look->roughness < kSampledRoughness || s.look->metallic == 0.0F);
  const Vec3f facet = sharp ? Vec3f(Vec3f::UnitZ()) : ggx.visible_normal(out, sampler.next());
  const Vec3f in = mirrored_about(out, facet);
  if (in.z() <= 0.0F) return Rgb::Zero();
  const Rgb weight = schlick(facing_reflectance(*s.look), facet.dot(out)) * ggx.shadowing(in);
  const Way way = s.look->roughness < kSampledRoughness ? Way::mirrored : Way::scattered;
  // a faint and blurred image: of the room alone
  if (quick_ && way == Way::scattered && s.look->metallic == 0.0F)
    return weight * room_.dome(frame.world(in), false);
  const Rgb seen = radiance(s.point, frame.world(in), way, sampler, spent + 1.0F);
  return weight * (s.look->roughness > kMirror ? seen.min(kBrightestReflection) : seen);
}

Rgb Painter::clear(const Spot& s, Way way, Sampler& sampler, float spent) const {
  const float eta = s.inside ? 1.0F / kIndex : kIndex;
  const float cosine = s.normal.dot(s.view);
  const float reflects = dielectric_fresnel(cosine, eta);
  const float next = spent + kClearCost;

  const auto reflected = [&] {
    return radiance(s.point, mirrored_about(s.view, s.normal), s.inside ? way : Way::mirrored,
                    sampler, next);
  };
  const auto refracted = [&]() -> Rgb {
    return crossing_tint(*s.look) *
           beyond(s, refracted_through(s.view, s.normal, eta), way, sampler, next);
  };
  // both ways at the first surface, one of them by chance behind it
  if (spent == 0.0F) {
    if (reflects >= 1.0F) return reflected();
    return reflects * reflected() + (1.0F - reflects) * refracted().min(kBrightestThrough);
  }
  const float chance = quick_ ? kEvenChance : sampler.next().x();
  return chance < reflects ? reflected() : refracted();
}

Rgb Painter::beyond(const Spot& s, const Vec3f& direction, Way way, Sampler& sampler,
                    float spent) const {
  const Hit hit = stage_.hit(s.beyond, direction);
  if (!hit.found || hit.geometric.dot(direction) <= 0.0F)
    return radiance(s.beyond, direction, way, sampler, spent);
  const Look& look = looks_[static_cast<std::size_t>(hit.item)];
  if (look.opacity < 1.0F) return radiance(s.beyond, direction, way, sampler, spent);
  Spot touched = s;
  touched.look = &look;
  touched.view = -direction;
  touched.inside = false;
  return albedo_of(look) * (lamps(touched, false, sampler).diffuse + room_.sky * kGuess);
}

Painter::Behind Painter::behind(const Spot& from) const {
  Behind out;
  out.normal = from.normal;
  out.distance = 0.0F;
  Spot s = from;
  for (int layer = 0; layer < kShadowLayers; ++layer) {
    const float eta = s.inside ? 1.0F / kIndex : kIndex;
    if (dielectric_fresnel(s.normal.dot(s.view), eta) >= 1.0F) break;
    const Vec3f direction = refracted_through(s.view, s.normal, eta);
    const Hit hit = stage_.hit(s.beyond, direction);
    if (const auto floor = room_.floor_distance(s.beyond, direction);
        floor && !(hit.found && hit.distance < *floor)) {
      out.normal = room_.floor_normal;
      out.distance += *floor;
      break;
    }
    if (!hit.found) break;
    s = spot(hit, direction);
    out.normal = s.normal;
    out.distance += hit.distance;
    if (s.look->opacity < 1.0F) continue;
    out.albedo = albedo_of(*s.look);
    break;
  }
  return out;
}

Rgb Painter::floor_ratio(const Vec3f& point, Sampler& sampler, float spent) const {
  const Vec3f start = point + kLift * room_.floor_normal;
  const Rgb key = room_.key.light * room_.key.axis.dot(room_.floor_normal);
  const Rgb rim = room_.rim.light * room_.rim.axis.dot(room_.floor_normal);
  const Lamp& lamp = room_.key;
  Rgb light = key * passing(start, cone_direction(lamp.axis, lamp.cos_half_angle, sampler.next()));
  if (spent == 0.0F) {
    const Lamp& behind = room_.rim;
    light +=
        rim * passing(start, cone_direction(behind.axis, behind.cos_half_angle, sampler.next()));
    const Vec3f up = cosine_direction(room_.floor_normal, sampler.next());
    const Hit hit = stage_.hit(start, up);
    light += hit.found ? item_radiance(hit, up, Way::scattered, sampler, 1.0F) : room_.sky;
  } else {
    light += rim + room_.sky;
  }
  return light / (key + rim + room_.sky);
}

Rgb Painter::radiance(const Vec3f& origin, const Vec3f& direction, Way way, Sampler& sampler,
                      float spent) const {
  const Hit hit = stage_.hit(origin, direction);
  if (const auto floor = room_.floor_distance(origin, direction);
      floor && !(hit.found && hit.distance < *floor)) {
    const Vec3f point = origin + *floor * direction;
    const Rgb empty =
        way == Way::through ? Rgb(room_.past_cards(direction) * room_.center) : room_.floor_light();
    return empty * floor_ratio(point, sampler, spent);
  }
  if (hit.found) return item_radiance(hit, direction, way, sampler, spent);
  if (way == Way::through) return room_.past_cards(direction) * room_.center;
  return room_.dome(direction, way == Way::mirrored);
}

Rgb Painter::item_radiance(const Hit& hit, const Vec3f& direction, Way way, Sampler& sampler,
                           float spent) const {
  const Spot s = spot(hit, direction);
  const Look& look = *s.look;
  const Rgb albedo = albedo_of(look);
  if (spent >= kBudget) return albedo * room_.sky * kGuess;
  if (quick_ && spent >= kQuickBudget) {
    const float facing = std::max(0.0F, s.normal.dot(room_.key.axis));
    return albedo * (room_.sky * kGuess + room_.key.light * (kLampGuess * facing));
  }
  if (look.opacity < 1.0F && quick_) {
    const float body = crossing_opacity(look);
    return body * albedo * (room_.sky + room_.key.light * kLampGuess) +
           (1.0F - body) * clear(s, way, sampler, spent);
  }
  if (look.opacity < 1.0F && sampler.next().x() >= crossing_opacity(look))
    return clear(s, way, sampler, spent);
  Rgb light = Rgb::Zero();
  if (look.metallic < 1.0F)
    light += (1.0F - look.metallic) * albedo *
             (lamps(s, false, sampler).diffuse + surroundings(s, sampler, spent));
  if (look.metallic > 0.0F) light += look.metallic * reflection(s, sampler, spent);
  return light;
}

PathSample Painter::past_bodies(const Vec3f& direction, const Rgb& backdrop,
                                std::optional<float> floor) const {
  PathSample out;
  out.empty = true;
  if (floor) {
    out.albedo = backdrop;
    out.normal = room_.floor_normal;
    out.distance = *floor;
  } else {
    out.other = backdrop;
    out.normal = -direction;
    out.distance = kNowhere;
  }
  return out;
}

std::optional<PathSample> Painter::look_past_bodies(const Vec3f& eye, const Vec3f& direction,
                                                    const Rgb& backdrop, const Rgb& share) const {
  const Hit hit = stage_.hit(eye, direction);
  const auto floor = room_.floor_distance(eye, direction);
  if (hit.found && !(floor && *floor <= hit.distance)) return std::nullopt;
  PathSample out = past_bodies(direction, backdrop, floor);
  out.lit = out.albedo * share;
  return out;
}

PathSample Painter::look(const Vec3f& eye, const Vec3f& direction, const Rgb& backdrop,
                         Sampler& sampler) const {
  PathSample out;
  const Hit hit = stage_.hit(eye, direction);
  if (const auto floor = room_.floor_distance(eye, direction);
      floor && !(hit.found && hit.distance < *floor)) {
    out = past_bodies(direction, backdrop, floor);
    out.lit = backdrop * floor_ratio(eye + *floor * direction, sampler, 0.0F);
    return out;
  }
  if (!hit.found) return past_bodies(direction, backdrop, std::nullopt);
  const Spot s = spot(hit, direction);
  const Look& look = *s.look;
  const float body = look.opacity < 1.0F ? crossing_opacity(look) : 1.0F;
  const bool sampled = look.roughness >= kSampledRoughness;
  const LampLight lamp = lamps(s, sampled, sampler);
  out.albedo = body * (1.0F - look.metallic) * albedo_of(look);
  out.lit = out.albedo * (lamp.diffuse + surroundings(s, sampler, 0.0F));
  out.other = body * reflection(s, sampler, 0.0F);
  if (sampled) out.other += lamp.specular;
  out.normal = s.normal;
  out.distance = hit.distance;
  if (body < 1.0F) {
    const Behind seen = behind(s);
    out.albedo += (1.0F - body) * seen.albedo;
    out.lit += (1.0F - body) * clear(s, Way::through, sampler, 0.0F);
    out.normal = (body * s.normal + (1.0F - body) * seen.normal).stableNormalized();
    out.distance += seen.distance;
  }
  const float edge = 1.0F - std::max(0.0F, s.normal.dot(s.view));
  out.other += kGlowColor * (look.glow * (0.10F + 1.2F * edge * edge * edge));
  return out;
}

}  // namespace repose::render
