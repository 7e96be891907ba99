#include "repose/render/depict.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "repose/render/palette.h"
#include "repose/shape/skin.h"
#include "repose/shape/surfel_meeting.h"
#include "repose/world/palette.h"

namespace repose::render {
namespace {

/// Half spaces whose normal is at least this much upward serve as the floor.
constexpr double kFloorCosine = 0.5;
/// Signs, as fractions of the size of what they stand on or of the whole scene.
constexpr double kDotOfBody = 0.03, kDotOfScene = 0.006;
constexpr double kLongestForce = 0.2, kShaftOfScene = 0.005;
/// Meshes of one colour differ in tone by up to this share.
constexpr double kToneSpread = 0.22;
/// Walls are drawn this much wider than what stands before them.
constexpr double kWallWidth = 1.3;
/// Phyxels are drawn by balls of this share of their distance.
constexpr double kPhyxelShare = 0.35;
/// So narrow that parallels stay parallel, rad.
constexpr double kBoardAngle = 0.026;
/// Length of a row over its width and height; heading from which it is seen, rad; and the cosine of
/// what is still upright.
constexpr double kRowLength = 2.5, kAlongRow = -0.56, kUpright = 0.99;
/// rad: from where one sees into a bowl.
constexpr double kIntoBowl = 0.72;
/// Colours between the least and the most strain.
constexpr int kTones = 32;

MeshPtr mesh_of(const DrawingShape& shape) {
  auto mesh = std::make_shared<Mesh>();
  mesh->points.reserve(shape.points.size());
  for (const Vec3& p : shape.points) mesh->points.push_back(p.cast<float>());
  for (const Vec3& n : shape.normals) mesh->normals.push_back(n.cast<float>());
  mesh->triangles = shape.triangles;
  return mesh;
}

/// The skin over balls, in the world.
MeshPtr skin_over(const std::vector<Vec3>& centers, const std::vector<double>& radii) {
  const shape::Skin skin = shape::skin_of(centers, radii);
  auto mesh = std::make_shared<Mesh>();
  for (const Vec3& p : skin.mesh.points) mesh->points.push_back(p.cast<float>());
  for (const Vec3& n : skin.normals) mesh->normals.push_back(n.cast<float>());
  mesh->triangles = skin.mesh.triangles;
  return mesh;
}

MeshPtr mesh_of(const shape::SurfelSurfaceMotion::Places& surface,
                std::vector<std::array<int, 3>> triangles) {
  auto mesh = std::make_shared<Mesh>();
  for (const Vec3& p : surface.points) mesh->points.push_back(p.cast<float>());
  for (const Vec3& n : surface.normals) mesh->normals.push_back(n.cast<float>());
  mesh->triangles = std::move(triangles);
  return mesh;
}

/// Where the phyxels of a body are; of one that is not soft, where its frame has them.
std::vector<Vec3> phyxels_now(const std::vector<Vec3>& rest, const SoftState& soft,
                              const Pose& pose) {
  std::vector<Vec3> out;
  for (std::size_t i = 0; i < rest.size(); ++i)
    out.push_back(soft.size() > i ? soft.positions[i] : pose * rest[i]);
  return out;
}

/// What gives way to what: by Young's modulus; a recording does not tell it, then all alike.
double stiffness_of(const Material& material) {
  return material.young_modulus > 0.0 ? material.young_modulus : 1.0;
}

/// Triangles by the tone of their mean strain.
std::vector<std::vector<std::array<int, 3>>> by_tone(
    const std::vector<std::array<int, 3>>& triangles, const std::vector<double>& strains,
    double most) {
  std::vector<std::vector<std::array<int, 3>>> out(kTones);
  for (const auto& triangle : triangles) {
    double sum = 0.0;
    for (const int corner : triangle) sum += strains[static_cast<std::size_t>(corner)];
    const double share = most > 0.0 ? sum / (3.0 * most) : 0.0;
    out[std::min<std::size_t>(kTones - 1, static_cast<std::size_t>(share * kTones))].push_back(
        triangle);
  }
  return out;
}

/// What has gone farther from the middle of the stage than this, in halves of its diagonal, has
/// left it.
constexpr double kAstray = 2.0;

/// The few that have left the stage (fell off an edge) are drawn where they are, but the picture is
/// not made small for them.
void leave_astray(const Eigen::AlignedBox3d& stage, Picture& picture) {
  const double reach = kAstray * 0.5 * stage.diagonal().norm();
  const auto gone = [&](const Item& item) {
    return (item.world_from_item.position - stage.center()).norm() > reach;
  };
  const auto many = std::ranges::count_if(picture.items, gone);
  if (2 * static_cast<std::size_t>(many) > picture.items.size()) return;
  for (Item& item : picture.items) {
    if (!gone(item)) continue;
    item.astray = true;
    item.frames = false;
  }
}

Vec3 up_of(const Vec3& gravity) {
  return gravity.norm() > 0.0 ? Vec3(-gravity.normalized()) : Vec3(Vec3::UnitZ());
}

Eigen::AlignedBox3d bounds_of(const Picture& picture);

/// Of the diagonal of the box about all bodies, m.
double length_of(const Picture& picture) {
  const Eigen::AlignedBox3d box = bounds_of(picture);
  return box.isEmpty() ? 0.0 : box.diagonal().norm();
}

Eigen::AlignedBox3d bounds_of(const Picture& picture) {
  Eigen::AlignedBox3d box;
  for (const Item& item : picture.items) {
    if (!item.frames) continue;
    const Vec3& at = item.world_from_item.position;
    if (!item.mesh) {
      box.extend(Vec3(at - Vec3::Constant(item.radius)));
      box.extend(Vec3(at + Vec3::Constant(item.radius)));
      continue;
    }
    for (const auto& p : item.mesh->points) box.extend(item.world_from_item * p.cast<double>());
  }
  return box;
}

/// Of a row along x that is low and narrow: seen along, it runs from corner to corner of the
/// picture and its bodies look larger.
bool is_low_row(const Eigen::AlignedBox3d& box) {
  if (box.isEmpty()) return false;
  const Vec3 size = box.sizes();
  return size.x() > kRowLength * size.y() && size.x() > kRowLength * size.z();
}

Eigen::AlignedBox3d box_of(const Item& item) {
  const Vec3& at = item.world_from_item.position;
  if (!item.mesh) return {at - Vec3::Constant(item.radius), at + Vec3::Constant(item.radius)};
  Eigen::AlignedBox3d box;
  for (const auto& p : item.mesh->points) box.extend(item.world_from_item * p.cast<double>());
  return box;
}

/// Whether most items lie within the box of one that hides them from the side.
bool is_bowl_of_things(const Picture& picture) {
  std::vector<Eigen::AlignedBox3d> boxes;
  for (const Item& item : picture.items) boxes.push_back(box_of(item));
  for (std::size_t bowl = 0; bowl < boxes.size(); ++bowl) {
    if (!picture.items[bowl].mesh || picture.items[bowl].look.opacity < 1.0F) continue;
    const auto within = std::count_if(boxes.begin(), boxes.end(), [&](const auto& box) {
      return &box != &boxes[bowl] && boxes[bowl].contains(box);
    });
    if (2 * static_cast<std::size_t>(within) > boxes.size()) return true;
  }
  return false;
}

/// From where to look where there is no camera.
View view_of(const DepictSettings& settings, const Picture& picture) {
  View view = settings.view;
  view.up = settings.board ? Vec3(Vec3::UnitY()) : up_of(settings.gravity);
  if (settings.board) {
    view.azimuth = -0.5 * std::numbers::pi;
    view.elevation = 0.0;
    view.view_angle = kBoardAngle;
  } else if (settings.free_heading && view.up.z() > kUpright && is_low_row(bounds_of(picture))) {
    view.azimuth = kAlongRow;
  }
  if (!settings.board && settings.free_elevation && is_bowl_of_things(picture))
    view.elevation = kIntoBowl;
  return view;
}

// the smallest coordinate along `up` that any item reaches
double lowest(const Picture& picture, const Vec3& up) {
  double low = std::numeric_limits<double>::infinity();
  for (const Item& item : picture.items) {
    if (item.astray) continue;
    if (!item.mesh) {
      low = std::min(low, up.dot(item.world_from_item.position) - item.radius);
      continue;
    }
    for (const auto& p : item.mesh->points)
      low = std::min(low, up.dot(item.world_from_item * p.cast<double>()));
  }
  return low;
}

MeshPtr plate(double half_width) {
  auto mesh = std::make_shared<Mesh>();
  const auto w = static_cast<float>(half_width);
  mesh->points = {{-w, -w, 0.0F}, {w, -w, 0.0F}, {w, w, 0.0F}, {-w, w, 0.0F}};
  mesh->triangles = {{0, 1, 2}, {0, 2, 3}};
  return mesh;
}

}  // namespace

Depictor::Depictor(const std::vector<DrawingShape>& shapes, std::vector<RecordedBody> bodies)
    : bodies_(std::move(bodies)) {
  for (const DrawingShape& shape : shapes) {
    Prepared prepared{shape.form,  nullptr,           shape.radius, {},
                      shape.radii, shape.soft_offset, {},           {}};
    if (shape.form == DrawingForm::mesh) prepared.mesh = mesh_of(shape);
    if (shape.form == DrawingForm::spheres || shape.form == DrawingForm::surfels)
      prepared.centers = shape.points;
    if (shape.form == DrawingForm::surfels) {
      prepared.surface = std::make_shared<const shape::SurfelSurfaceMotion>(surfel_rest(shape));
      prepared.phyxels = shape.phyxels;
    }
    shapes_.push_back(std::move(prepared));
  }
}

Look Depictor::look_of(int body) const {
  const RecordedBody& b = bodies_[static_cast<std::size_t>(body)];
  const Material& m = b.material;
  Look look;
  look.opacity = static_cast<float>(m.opacity);
  look.roughness = static_cast<float>(m.roughness);
  // one that is sampled anew keeps its colour
  const auto first = std::find_if(bodies_.begin(), bodies_.end(),
                                  [&](const RecordedBody& other) { return other.name == b.name; });
  const auto color = drawn_color(m, b.fixed, static_cast<int>(first - bodies_.begin()));
  for (std::size_t k = 0; k < color.size(); ++k) look.color[k] = static_cast<float>(color[k]);
  // bricks of one colour must be told apart where they touch
  if (!b.fixed && shapes_[static_cast<std::size_t>(b.shape)].form == DrawingForm::mesh) {
    Random random(static_cast<std::uint64_t>(body));
    const auto tone = static_cast<float>(random.between(1.0 - kToneSpread, 1.0));
    for (float& channel : look.color) channel *= tone;
  }
  return look;
}

void Depictor::add_items(const RecordedFrame& frame, const DepictSettings& settings,
                         Picture& picture) const {
  const auto& lit = settings.highlight;
  std::vector<Surface> surfaces;
  for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
    const int body = frame.bodies[i];
    const RecordedBody& b = bodies_[static_cast<std::size_t>(body)];
    const Prepared& shape = shapes_[static_cast<std::size_t>(b.shape)];
    if (shape.form == DrawingForm::half_space) continue;
    Item item;
    item.look = look_of(body);
    item.look.glow = std::find(lit.begin(), lit.end(), b.name) != lit.end() ? 1.0F : 0.0F;
    item.mesh = shape.mesh;
    item.radius = shape.radius;
    item.world_from_item = frame.poses[i];
    if (shape.form == DrawingForm::mesh || shape.form == DrawingForm::ball) {
      if (shape.form == DrawingForm::ball || !shape.mesh->triangles.empty())
        picture.items.push_back(std::move(item));
      continue;
    }
    const SoftState& soft = frame.soft[i];
    if (shape.surface && settings.surfels != SurfelLook::balls) {
      const std::vector<Vec3> phyxels = phyxels_now(shape.phyxels, soft, frame.poses[i]);
      if (settings.surfels == SurfelLook::phyxels) {
        add_phyxels(shape, phyxels, item, picture);
        continue;
      }
      surfaces.push_back({item.look,
                          shape.surface.get(),
                          shape.surface->at(phyxels),
                          {},
                          stiffness_of(b.material)});
      if (settings.surfels == SurfelLook::strain)
        surfaces.back().strains = shape.surface->strains(phyxels);
      continue;
    }
    if (settings.skin && shape.form == DrawingForm::spheres) {
      std::vector<Vec3> centers = soft.positions.view();
      if (soft.empty())
        for (const Vec3& center : shape.centers) centers.push_back(frame.poses[i] * center);
      std::vector<double> radii = soft.radii.empty() ? shape.radii : soft.radii.view();
      if (!soft.empty()) {
        // phyxels have no skin
        centers.erase(centers.begin(), centers.begin() + shape.soft_offset);
        if (radii.size() > centers.size())
          radii.erase(radii.begin(), radii.begin() + shape.soft_offset);
      }
      item.mesh = skin_over(centers, radii);
      item.world_from_item = Pose{};
      if (!item.mesh->triangles.empty()) picture.items.push_back(std::move(item));
      continue;
    }
    for (std::size_t k = 0; k < shape.centers.size(); ++k) {
      const std::size_t point = static_cast<std::size_t>(shape.soft_offset) + k;
      item.radius = soft.radii.empty() ? shape.radii[k] : soft.radii[point];
      item.world_from_item.position =
          soft.empty() ? frame.poses[i] * shape.centers[k] : soft.positions[point];
      picture.items.push_back(item);
    }
  }
  if (!surfaces.empty()) draw_contact_surfaces(frame, surfaces);
  add_surfaces(surfaces, picture);
}

/// What meets lies on the contact surface of both.
void Depictor::draw_contact_surfaces(const RecordedFrame& frame,
                                     std::vector<Surface>& surfaces) const {
  std::vector<shape::ShownSurface> shown;
  for (Surface& surface : surfaces)
    shown.push_back({surface.places.points, surface.places.normals, surface.stiffness,
                     surface.motion->spacing()});
  std::vector<shape::ShownSolid> solids;
  for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
    const RecordedBody& b = bodies_[static_cast<std::size_t>(frame.bodies[i])];
    const Prepared& shape = shapes_[static_cast<std::size_t>(b.shape)];
    if (!b.collides) continue;
    if (shape.form == DrawingForm::half_space)
      solids.push_back({frame.poses[i].position, frame.poses[i].turn(Vec3::UnitZ()), 0.0});
    if (shape.form == DrawingForm::ball)
      solids.push_back({frame.poses[i].position, Vec3::UnitZ(), shape.radius});
  }
  shape::draw_together(shown, solids);
}

void Depictor::add_phyxels(const Prepared& shape, const std::vector<Vec3>& places, Item like,
                           Picture& picture) {
  like.radius = kPhyxelShare * shape.surface->phyxel_distance();
  for (const Vec3& place : places) {
    like.world_from_item.position = place;
    picture.items.push_back(like);
  }
}

void Depictor::add_surfaces(const std::vector<Surface>& surfaces, Picture& picture) {
  double most = 0.0;
  for (const Surface& surface : surfaces)
    for (const double strain : surface.strains) most = std::max(most, strain);
  for (const Surface& surface : surfaces) {
    Item item;
    item.look = surface.look;
    const auto& triangles = surface.motion->at_rest().triangles;
    if (surface.strains.empty()) {
      item.mesh = mesh_of(surface.places, triangles);
      if (!triangles.empty()) picture.items.push_back(std::move(item));
      continue;
    }
    const auto tones = by_tone(triangles, surface.strains, most);
    for (std::size_t tone = 0; tone < tones.size(); ++tone) {
      if (tones[tone].empty()) continue;
      item.look.color = scale_color((static_cast<double>(tone) + 0.5) / kTones);
      item.mesh = mesh_of(surface.places, tones[tone]);
      picture.items.push_back(item);
    }
  }
}

void Depictor::add_ground(const RecordedFrame& frame, const Vec3& up, Picture& picture) const {
  const Eigen::AlignedBox3d box = bounds_of(picture);
  const double reach = box.isEmpty() ? 1.0 : kWallWidth * box.diagonal().norm();
  double best = kFloorCosine;
  for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
    const int body = frame.bodies[i];
    const auto shape = static_cast<std::size_t>(bodies_[static_cast<std::size_t>(body)].shape);
    if (shapes_[shape].form != DrawingForm::half_space) continue;
    const Pose& pose = frame.poses[i];
    const Vec3 normal = pose.turn(Vec3::UnitZ());
    if (normal.dot(up) >= best) {
      best = normal.dot(up);
      picture.floor = Floor{pose.position, normal};
      continue;
    }
    // a wall: drawn behind the bodies, left out where it would hide them
    Item wall;
    wall.mesh = plate(reach);
    wall.frames = false;
    wall.wall = true;
    wall.look = look_of(body);
    const Vec3 center = box.isEmpty() ? Vec3(Vec3::Zero()) : Vec3(box.center());
    wall.world_from_item = {center - normal.dot(center - pose.position) * normal, pose.rotation};
    picture.items.push_back(std::move(wall));
  }
  if (!picture.floor && !picture.items.empty()) picture.floor = Floor{lowest(picture, up) * up, up};
}

void Depictor::add_markers(const RecordedFrame& frame, const DepictSettings& settings,
                           Picture& picture) const {
  const Eigen::AlignedBox3d box = bounds_of(picture);
  if (box.isEmpty() || frame.contacts.empty()) return;
  const double scene = box.diagonal().norm();
  double strongest = 0.0;
  for (const Contact& c : frame.contacts) strongest = std::max(strongest, c.force_on_b.norm());
  for (const Contact& c : frame.contacts) {
    Marker marker;
    marker.from = marker.to = c.point_world;
    const double smaller = std::min(bodies_[static_cast<std::size_t>(c.body_a)].size,
                                    bodies_[static_cast<std::size_t>(c.body_b)].size);
    marker.radius = std::max(kDotOfScene * scene, std::min(kDotOfBody * smaller, scene));
    marker.color = {0.85F, 0.03F, 0.10F};
    if (settings.contacts) picture.markers.push_back(marker);
    if (!settings.forces || !(strongest > 0.0)) continue;
    marker.to = c.point_world + kLongestForce * scene / strongest * c.force_on_b;
    marker.radius = kShaftOfScene * scene;
    marker.color = {0.95F, 0.32F, 0.02F};
    picture.markers.push_back(marker);
  }
}

Picture Depictor::depict(const RecordedFrame& frame, const DepictSettings& settings) const {
  Picture picture;
  const Vec3 up = up_of(settings.gravity);
  add_items(frame, settings, picture);
  if (settings.stage && !settings.stage->isEmpty()) leave_astray(*settings.stage, picture);
  const std::size_t first_span = picture.items.size();
  add_spans({frame}, settings.spans, length_of(picture), picture);
  if (!settings.board) add_ground(frame, up, picture);
  picture.camera = settings.camera
                       ? *settings.camera
                       : framed_camera(picture, settings.aspect, view_of(settings, picture));
  if (settings.board) lay_on_board(frame, settings, first_span, picture);
  if (settings.contacts || settings.forces) add_markers(frame, settings, picture);
  if (settings.background) picture.studio.center = picture.studio.edge = *settings.background;
  // walls that turn their back on the camera would hide everything
  std::erase_if(picture.items, [&](const Item& item) {
    const Vec3 normal = item.world_from_item.turn(Vec3::UnitZ());
    return item.wall && normal.dot(picture.camera.eye - item.world_from_item.position) <= 0.0;
  });
  return picture;
}

Eigen::AlignedBox3d Depictor::bounds(const RecordedFrame& frame,
                                     const DepictSettings& settings) const {
  Picture picture;
  add_items(frame, settings, picture);
  return bounds_of(picture);
}

Camera Depictor::camera_for(const std::vector<RecordedFrame>& frames,
                            const DepictSettings& settings) const {
  Picture all;
  for (const RecordedFrame& frame : frames) add_items(frame, settings, all);
  if (settings.stage && !settings.stage->isEmpty()) leave_astray(*settings.stage, all);
  add_spans(frames, settings.spans, length_of(all), all);
  return settings.camera ? *settings.camera
                         : framed_camera(all, settings.aspect, view_of(settings, all));
}

Picture depict(const Problem& problem, const State& state, const DepictSettings& settings) {
  std::vector<DrawingShape> shapes;
  std::vector<RecordedBody> bodies;
  std::map<const shape::Shape*, int> number;
  RecordedFrame frame;
  for (const Body& body : problem.bodies) {
    const auto [entry, is_new] =
        number.try_emplace(body.shape.get(), static_cast<int>(shapes.size()));
    if (is_new) shapes.push_back(drawing_of(*body.shape));
    RecordedBody row;
    row.name = body.name;
    row.shape = entry->second;
    row.material = body.material;
    row.size = body.size();
    row.fixed = body.fixed;
    frame.bodies.push_back(static_cast<int>(bodies.size()));
    bodies.push_back(std::move(row));
  }
  for (const BodyState& body : state.bodies) {
    frame.poses.push_back(body.world_from_body);
    frame.soft.push_back(body.soft);
  }
  frame.contacts = state.contacts;
  return Depictor(shapes, std::move(bodies)).depict(frame, settings);
}

}  // namespace repose::render
