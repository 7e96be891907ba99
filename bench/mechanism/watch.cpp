#include <algorithm>
#include <cmath>
#include <limits>

#include "models.h"

namespace repose::mechanism {
namespace {

constexpr double kGravity = 10.0;  // m/s^2

Vec2 world_point(const Place& place, const Vec2& p) {
  const double c = std::cos(place.turn), s = std::sin(place.turn);
  return place.at + Vec2(c * p.x() - s * p.y(), s * p.x() + c * p.y());
}

/// Overlap of two convex polygons: least over sides of how deep the other reaches; 0: none.
double overlap_of(const std::vector<Vec2>& a, const std::vector<Vec2>& b) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [s, p] : {std::pair{&a, &b}, {&b, &a}})
    for (std::size_t k = 0; k < s->size(); ++k) {
      const Vec2 along = ((*s)[(k + 1) % s->size()] - (*s)[k]).normalized();
      double deepest = -std::numeric_limits<double>::infinity();
      for (const Vec2& q : *p)
        deepest = std::max(deepest, -Vec2(along.y(), -along.x()).dot(q - (*s)[k]));
      least = std::min(least, deepest);
    }
  return std::max(least, 0.0);
}

/// Area, centre and second moment about it of a polygon, by its triangles from the origin.
struct Moments {
  double area = 0.0, inertia = 0.0;  // inertia about the origin
  Vec2 first = Vec2::Zero();         // area times centre
};

void add(const std::vector<Vec2>& polygon, Moments& out) {
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Vec2 &p = polygon[k], &q = polygon[(k + 1) % polygon.size()];
    const double twice = p.x() * q.y() - p.y() * q.x();
    out.area += twice / 2.0;
    out.first += twice / 6.0 * (p + q);
    out.inertia += twice / 12.0 * (p.dot(p) + p.dot(q) + q.dot(q));
  }
}

}  // namespace

Watch::Watch(const Model& model) : model_(model), rest_(std::numeric_limits<double>::quiet_NaN()) {
  for (const ModelBody& body : model.bodies) {
    Moments m;
    for (const auto& polygon : body.convex) add(polygon, m);
    area_.push_back(m.area);
    center_.push_back(m.first / m.area);
    inertia_.push_back(m.inertia - m.area * center_.back().squaredNorm());
    double reach = 0.0;
    for (const auto& polygon : body.convex)
      for (const Vec2& p : polygon) reach = std::max(reach, p.norm());
    reach_.push_back(reach);
  }
}

void Watch::look(const std::vector<Place>& places, double time) {
  measure(places);
  weigh(places);
  look_for_rest(places, time);
}

double Watch::energy_error() const {
  if (!model_.keeps_energy || fall_ <= 0.0) return std::numeric_limits<double>::quiet_NaN();
  return worst_energy_ / fall_;
}

void Watch::weigh(const std::vector<Place>& places) {
  double kinetic = 0.0, height = 0.0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (model_.bodies[i].fixed) continue;
    const Place& p = places[i];
    kinetic += 0.5 * (area_[i] * p.velocity.squaredNorm() + inertia_[i] * p.spin * p.spin);
    height += area_[i] * kGravity * world_point(p, center_[i]).y();
  }
  if (!begun_) {
    first_energy_ = kinetic + height;
    first_height_ = height;
    begun_ = true;
  }
  worst_energy_ = std::max(worst_energy_, std::fabs(kinetic + height - first_energy_));
  fall_ = std::max(fall_, first_height_ - height);
}

void Watch::look_for_rest(const std::vector<Place>& places, double time) {
  constexpr double kRounding = 1e-9;  // s
  if (window_places_.empty()) {
    window_places_ = places;
    window_begin_ = time;
  }
  if (!std::isnan(rest_) || time - window_begin_ < kRestWindow - kRounding) return;
  double fastest = 0.0;
  for (std::size_t i = 0; i < places.size(); ++i)
    fastest = std::max(fastest, (places[i].at - window_places_[i].at).norm());
  if (fastest <= kRestSpeed * (time - window_begin_)) rest_ = time;
  window_places_ = places;
  window_begin_ = time;
}

void Watch::measure(const std::vector<Place>& places) {
  const auto at = [&](int body, const Vec2& point) {
    return body < 0 ? point : world_point(places[static_cast<std::size_t>(body)], point);
  };
  for (const ModelJoint& joint : model_.joints) {
    const Vec2 away = at(joint.a, joint.point_a) - at(joint.b, joint.point_b);
    drift_ = std::max(drift_, joint.slider ? std::fabs(away.y()) : away.norm());
  }
  std::vector<std::vector<std::vector<Vec2>>> placed(places.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    for (const auto& polygon : model_.bodies[i].convex) {
      placed[i].emplace_back();
      for (const Vec2& p : polygon) placed[i].back().push_back(world_point(places[i], p));
    }
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = i + 1; j < places.size(); ++j) {
      const ModelBody &a = model_.bodies[i], &b = model_.bodies[j];
      if (!a.collides || !b.collides || a.layer != b.layer || (a.fixed && b.fixed)) continue;
      const double near = reach_[i] + reach_[j];
      if ((places[i].at - places[j].at).squaredNorm() > near * near) continue;
      for (const auto& p : placed[i])
        for (const auto& q : placed[j]) overlap_ = std::max(overlap_, overlap_of(p, q));
    }
}

}  // namespace repose::mechanism
