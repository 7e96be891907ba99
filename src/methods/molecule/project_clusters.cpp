#include <algorithm>
#include <map>
#include <optional>

#include <Eigen/Eigenvalues>

#include "repose/base/at.h"
#include "repose/base/disjoint_sets.h"

#include "project.h"

namespace repose::molecule {

namespace {

/// Moments of inertia below this share of the largest belong to points in a line.
constexpr double kThin = 1e-12;

/// Molecules first, then rigids.
class Clusters {
 public:
  Clusters(const Arena& arena, Motion& motion)
      : arena_(arena),
        motion_(motion),
        sets_(arena.size() + static_cast<int>(arena.rigids.size())) {}

  void join(const Row& row) {
    int first = -1;
    const auto add = [&](int member) {
      if (first >= 0) sets_.join(first, member);
      first = member;
      touched_.push_back(member);
    };
    for (int k = 0; k < row.points; ++k) add(row.point[at(k)]);
    for (const int rigid : row.rigid)
      if (rigid >= 0) add(arena_.size() + rigid);
  }

  /// Every cluster gets the rigid motion of its momentum, or that of the held thing in it.
  void move() {
    std::sort(touched_.begin(), touched_.end());
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
    std::map<int, std::vector<int>> members;
    for (const int member : touched_) members[sets_.name_of(member)].push_back(member);
    for (const auto& [name, all] : members) move(all);
  }

 private:
  struct Field {
    Vec3 velocity = Vec3::Zero(), angular = Vec3::Zero(), center = Vec3::Zero();
  };

  bool is_point(int member) const { return member < arena_.size(); }
  bool is_held(int member) const {
    return is_point(member) ? arena_.inverse_mass[at(member)] == 0.0
                            : arena_.rigids[at(member - arena_.size())].inverse_mass == 0.0;
  }

  /// What is led moves all with it; what is fixed holds all.
  bool held_field(const std::vector<int>& all, Field& out) const {
    bool found = false;
    for (const int member : all) {
      if (!is_held(member)) continue;
      Field field;
      if (is_point(member)) {
        field.velocity = motion_.v[at(member)];
      } else {
        const RigidMotion& rigid = motion_.rigids[at(member - arena_.size())];
        field = {rigid.velocity, rigid.angular, rigid.center};
      }
      const bool still = field.velocity == Vec3::Zero() && field.angular == Vec3::Zero();
      if (!found || still) out = field;
      found = true;
      if (still) break;
    }
    return found;
  }

  Field free_field(const std::vector<int>& all) const {
    Field out;
    double mass = 0.0;
    Vec3 momentum = Vec3::Zero();
    const auto each = [&](const auto& use) {
      for (const int member : all) {
        if (is_point(member)) {
          use(arena_.mass[at(member)], motion_.x[at(member)], motion_.v[at(member)], nullptr);
        } else {
          const RigidMotion& rigid = motion_.rigids[at(member - arena_.size())];
          use(1.0 / arena_.rigids[at(member - arena_.size())].inverse_mass, rigid.center,
              rigid.velocity, &rigid);
        }
      }
    };
    each([&](double m, const Vec3& x, const Vec3& v, const RigidMotion*) {
      mass += m;
      out.center += m * x;
      momentum += m * v;
    });
    out.center /= mass;
    out.velocity = momentum / mass;
    Mat3 inertia = Mat3::Zero();
    Vec3 spin = Vec3::Zero();
    each([&](double m, const Vec3& x, const Vec3& v, const RigidMotion* rigid) {
      const Vec3 d = x - out.center;
      inertia += m * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
      spin += m * d.cross(v);
      if (rigid == nullptr) return;
      const Mat3 own = rigid->inverse_inertia.inverse();
      inertia += own;
      spin += own * rigid->angular;
    });
    const Eigen::SelfAdjointEigenSolver<Mat3> eigen(inertia);
    for (int k = 0; k < 3; ++k)
      if (eigen.eigenvalues()[k] > kThin * inertia.trace())
        out.angular += eigen.eigenvectors().col(k) *
                       (eigen.eigenvectors().col(k).dot(spin) / eigen.eigenvalues()[k]);
    return out;
  }

  void move(const std::vector<int>& all) {
    Field field;
    if (!held_field(all, field)) field = free_field(all);
    for (const int member : all) {
      if (is_held(member)) continue;
      if (is_point(member)) {
        motion_.v[at(member)] =
            field.velocity + field.angular.cross(motion_.x[at(member)] - field.center);
      } else {
        RigidMotion& rigid = motion_.rigids[at(member - arena_.size())];
        rigid.velocity = field.velocity + field.angular.cross(rigid.center - field.center);
        rigid.angular = field.angular;
      }
    }
  }

  const Arena& arena_;
  Motion& motion_;
  DisjointSets sets_;
  std::vector<int> touched_;
};

}  // namespace

int merge_open_rows(const Arena& arena, const std::vector<Row>& rows, Motion& motion) {
  std::vector<bool> merged(rows.size(), false);
  int count = 0;
  std::optional<Clusters> clusters;
  for (bool again = true; again;) {
    again = false;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (merged[r] || !rows[r].proves() || rows[r].inverse_diagonal == 0.0 ||
          speed(rows[r], motion) >= rows[r].least)
        continue;
      if (!clusters) clusters.emplace(arena, motion);
      clusters->join(rows[r]);
      merged[r] = again = true;
      ++count;
    }
    if (again) clusters->move();
  }
  return count;
}

}  // namespace repose::molecule
