#include "build_soft.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

#include "repose/base/fault.h"
#include "repose/shape/cover.h"
#include "repose/shape/lattice.h"

namespace repose {

namespace {

using Place = std::array<int, 3>;

/// Rest positions in the body frame, in the order of SoftState.
std::vector<Vec3> rest_points(const shape::Shape& shape) {
  if (const auto* set = std::get_if<shape::SphereSet>(&shape.geometry)) return set->centers;
  const auto& points = std::get<shape::PointSet>(shape.geometry);
  std::vector<Vec3> out = points.phyxels;
  const shape::Cover cover = shape::cover_of(points);
  out.insert(out.end(), cover.centers.begin(), cover.centers.end());
  return out;
}

std::vector<double> rest_radii(const shape::Shape& shape) {
  if (const auto* set = std::get_if<shape::SphereSet>(&shape.geometry)) return set->radii;
  const auto& points = std::get<shape::PointSet>(shape.geometry);
  std::vector<double> out(points.phyxels.size(), 0.0);
  const shape::Cover cover = shape::cover_of(points);
  out.insert(out.end(), cover.radii.begin(), cover.radii.end());
  return out;
}

bool in_box(const BoxSpec& box, const Vec3& p) {
  return (box.low.array() <= p.array()).all() && (p.array() <= box.high.array()).all();
}

/// Layers of a lattice along each axis.
struct Extent {
  Place low{}, high{};
  explicit Extent(const std::vector<Place>& lattice) : low(lattice[0]), high(lattice[0]) {
    for (const Place& place : lattice)
      for (std::size_t k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], place[k]);
        high[k] = std::max(high[k], place[k]);
      }
  }
  std::int64_t layers(std::size_t axis) const { return std::int64_t{high[axis]} - low[axis] + 1; }
  bool full(std::size_t count) const {
    const auto n = static_cast<std::int64_t>(count);
    return layers(0) <= n && layers(1) <= n && layers(2) <= n &&
           layers(0) * layers(1) * layers(2) == n;
  }
};

/// 1 for points that lack a neighbour along an axis on which there is more than one layer.
std::vector<std::uint8_t> border_of(const std::vector<Place>& lattice) {
  const Extent extent(lattice);
  std::vector<Place> sorted = lattice;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::uint8_t> out;
  for (const Place& place : lattice) {
    bool whole = true;
    for (std::size_t k = 0; k < 3; ++k)
      for (const int step : {-1, 1}) {
        Place beside = place;
        beside[k] += step;
        whole = whole &&
                (extent.layers(k) == 1 || std::binary_search(sorted.begin(), sorted.end(), beside));
      }
    out.push_back(whole ? 0 : 1);
  }
  return out;
}

Result<std::vector<std::uint8_t>> fixed_points(const SoftSpec& spec, const SoftBody& soft,
                                               const std::vector<Vec3>& rest) {
  std::vector<std::uint8_t> out(rest.size(), spec.fixed == "all" ? 1 : 0);
  if (spec.fixed == "border") {
    if (soft.lattice.empty())
      return fault("/soft/fixed", spec.fixed, "only a lattice or a fill has a border",
                   "fixed_points or fixed_boxes");
    out = border_of(soft.lattice);
  }
  for (std::size_t k = 0; k < spec.fixed_points.size(); ++k) {
    const auto point = static_cast<std::size_t>(spec.fixed_points[k]);
    if (point >= rest.size())
      return fault(fmt::format("/soft/fixed_points/{}", k), std::to_string(point),
                   "there is no such point", fmt::format("0 to {}", rest.size() - 1));
    out[point] = 1;
  }
  for (const BoxSpec& box : spec.fixed_boxes)
    for (std::size_t i = 0; i < rest.size(); ++i)
      if (in_box(box, rest[i])) out[i] = 1;
  return out;
}

/// Volumes that make up the masses of a sphere set, m^3.
std::vector<double> ball_volumes(const shape::SphereSet& set) {
  std::vector<double> out;
  for (const double r : set.radii) out.push_back(4.0 / 3.0 * std::numbers::pi * r * r * r);
  return out;
}

/// An eighth of each whole cell about a point; without any, what it would have in a row of cells.
std::vector<double> shares_of_cells(const shape::SphereSet& set) {
  std::vector<double> out(set.centers.size(), 0.0);
  for (const shape::LatticeCell& cell : shape::whole_cells(set.lattice)) {
    const double share = std::abs(shape::cell_volume(cell, set.centers)) / 8.0;
    for (const int corner : cell) out[static_cast<std::size_t>(corner)] += share;
  }
  for (double& share : out)
    if (!(share > 0.0)) share = set.pitch * set.pitch * set.pitch / 2.0;
  return out;
}

/// Of a whole box of a lattice each point's share of the cells about it, an axis of one layer
/// counting as a pitch; of any other as much of the shape's volume.
std::vector<double> cell_volumes(const shape::SphereSet& set, double volume) {
  const Extent extent(set.lattice);
  const std::size_t count = set.centers.size();
  if (!extent.full(count)) {
    std::vector<double> out = shares_of_cells(set);
    const double all = std::accumulate(out.begin(), out.end(), 0.0);
    for (double& share : out) share *= volume / all;
    return out;
  }
  std::vector<double> out;
  for (const Place& place : set.lattice) {
    double share = set.pitch * set.pitch * set.pitch;
    for (std::size_t k = 0; k < 3; ++k)
      if (extent.layers(k) > 1 && (place[k] == extent.low[k] || place[k] == extent.high[k]))
        share *= 0.5;
    out.push_back(share);
  }
  return out;
}

Result<std::vector<double>> point_volumes(const SoftSpec& spec, const shape::Shape& shape) {
  if (const auto* points = std::get_if<shape::PointSet>(&shape.geometry)) {
    std::vector<double> out = points->phyxel_volumes;
    out.resize(points->phyxels.size() + points->surfels.size(), 0.0);
    return out;
  }
  const auto& set = std::get<shape::SphereSet>(shape.geometry);
  const std::string rule = spec.mass.value_or(set.lattice.empty() ? "balls" : "cells");
  if (rule == "balls") return ball_volumes(set);
  if (set.lattice.empty())
    return fault("/soft/mass", rule, "only a lattice or a fill has cells", "\"balls\"");
  return cell_volumes(set, shape.volume.volume);
}

Result<Done> take_materials(const SceneBody& in, const SoftSpec& spec,
                            const std::unordered_map<std::string, Material>& materials,
                            const Material& own, SoftBody& out) {
  out.materials = {own};
  if (spec.materials.empty()) return Done{};
  if (spec.material_of.size() != out.fixed.size())
    return fault("/soft/material_of", std::to_string(spec.material_of.size()),
                 fmt::format("the body has {} points", out.fixed.size()),
                 "one material for every point");
  // the body's own comes first where it has none: that of its first point
  for (const std::string& name : spec.materials) out.materials.push_back(materials.at(name));
  if (in.material.empty())
    out.materials[0] = out.materials[1 + static_cast<std::size_t>(spec.material_of[0])];
  for (const int i : spec.material_of) out.material_of.push_back(i + 1);
  return Done{};
}

/// Mass, centre and inertia of the points together.
void sum_up(const std::vector<Vec3>& rest, const SoftBody& soft, Body& out) {
  out.mass = 0.0;
  Vec3 moment = Vec3::Zero();
  for (std::size_t i = 0; i < rest.size(); ++i) {
    out.mass += soft.masses[i];
    moment += soft.masses[i] * rest[i];
  }
  out.center_body = moment / out.mass;
  out.inertia_body.setZero();
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const Vec3 d = rest[i] - out.center_body;
    out.inertia_body += soft.masses[i] * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
  }
}

}  // namespace

bool is_soft(const shape::Shape& shape) {
  return std::holds_alternative<shape::SphereSet>(shape.geometry) ||
         std::holds_alternative<shape::PointSet>(shape.geometry);
}

Result<Done> make_soft(const SceneBody& in,
                       const std::unordered_map<std::string, Material>& materials, Body& out) {
  const SoftSpec spec = in.soft.value_or(SoftSpec{});
  const std::vector<Vec3> rest = rest_points(*out.shape);
  SoftBody soft;
  if (const auto* set = std::get_if<shape::SphereSet>(&out.shape->geometry)) {
    for (const auto& [a, b] : set->links) soft.links.push_back({std::min(a, b), std::max(a, b)});
    soft.pitch = set->pitch;
    soft.lattice = set->lattice;
  }
  auto fixed = fixed_points(spec, soft, rest);
  if (!fixed) return fixed.error();
  soft.fixed = std::move(*fixed);
  if (auto done = take_materials(in, spec, materials, out.material, soft); !done) return done;
  out.material = soft.materials[0];
  auto volumes = point_volumes(spec, *out.shape);
  if (!volumes) return volumes.error();
  double mass = 0.0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    soft.masses.push_back(soft.material(i).density * (*volumes)[i]);
    mass += soft.masses.back();
  }
  if (in.mass)
    for (double& m : soft.masses) m *= *in.mass / mass;
  sum_up(rest, soft, out);
  if (!(out.mass > 0.0) || !std::isfinite(out.mass) || !out.inertia_body.allFinite())
    return fault("/shape", fmt::format("{} kg", out.mass), "a body without a mass that counts",
                 "a shape and density whose mass a double can hold");
  out.soft = std::make_shared<const SoftBody>(std::move(soft));
  return Done{};
}

SoftState soft_start(const Body& body, const Pose& pose, const Vec3& velocity,
                     const Vec3& angular_velocity) {
  std::vector<Vec3> positions, velocities;
  const Vec3 center = pose * body.center_body;
  const std::vector<Vec3> rest = rest_points(*body.shape);
  for (std::size_t i = 0; i < rest.size(); ++i) {
    positions.push_back(pose * rest[i]);
    const bool still = body.fixed || body.soft->fixed[i] != 0;
    velocities.push_back(still
                             ? Vec3(Vec3::Zero())
                             : Vec3(velocity + angular_velocity.cross(positions.back() - center)));
  }
  return {std::move(positions), std::move(velocities), rest_radii(*body.shape), {}};
}

Result<std::vector<int>> pulled_points(const SceneForce& in, const Body& body) {
  const bool all = in.force.points.empty() && in.boxes.empty();
  if (!body.soft) {
    if (all) return std::vector<int>{};
    return fault(in.boxes.empty() ? "/points" : "/boxes", body.name,
                 "a rigid body has no soft points", "`point`, where it acts");
  }
  const std::vector<Vec3> rest = rest_points(*body.shape);
  std::vector<bool> taken(rest.size(), all);
  for (std::size_t k = 0; k < in.force.points.size(); ++k) {
    const auto point = static_cast<std::size_t>(in.force.points[k]);
    if (point >= rest.size())
      return fault(fmt::format("/points/{}", k), std::to_string(point), "there is no such point",
                   fmt::format("0 to {}", rest.size() - 1));
    taken[point] = true;
  }
  for (const BoxSpec& box : in.boxes)
    for (std::size_t i = 0; i < rest.size(); ++i)
      if (in_box(box, rest[i])) taken[i] = true;
  std::vector<int> out;
  for (std::size_t i = 0; i < taken.size(); ++i)
    if (taken[i]) out.push_back(static_cast<int>(i));
  if (out.empty())
    return fault("/boxes", body.name, "no point lies in the boxes", "a box about some points");
  return out;
}

}  // namespace repose
