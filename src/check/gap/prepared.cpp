#include "check/gap/prepared.h"

#include <algorithm>
#include <unordered_map>

namespace repose::check {

namespace {

constexpr std::size_t kStoredShapes = 4096;
constexpr std::size_t kStoredPieces = 2'000'000;  // of all shapes together, about 1 GB
constexpr std::size_t kLargestGrown = 200'000;    // pieces split by queries, then start afresh

bool has_surface(const shape::Shape& s) {
  return std::holds_alternative<shape::TriangleMesh>(s.geometry) ||
         std::holds_alternative<shape::ConvexPolyhedron>(s.geometry) ||
         std::holds_alternative<shape::Solid>(s.geometry);
}

}  // namespace

std::shared_ptr<Surface> Prepared::surface() {
  if (surface_ && surface_->count() > surface_->count_at_first() + kLargestGrown)
    surface_ = nullptr;
  if (surface_ || no_surface_) return surface_;
  const shape::ShapePtr shape = shape_.lock();
  no_surface_ = !has_surface(*shape);
  if (no_surface_) return nullptr;
  // plane faces as exact triangles
  if (const auto faced = shape::convex_of(shape))
    surface_ = std::make_shared<Surface>(*faced);
  else
    surface_ = std::make_shared<Surface>(*shape);
  return surface_;
}

const ConvexBody* Prepared::convex() {
  if (!convex_known_) convex_ = ConvexBody::of(shape_.lock());
  convex_known_ = true;
  return convex_.get();
}

Swept* Prepared::swept() {
  if (!swept_known_) swept_ = Swept::of(*shape_.lock());
  swept_known_ = true;
  return swept_.get();
}

const shape::Matter& Prepared::matter() {
  if (!matter_)
    matter_ = std::make_shared<const shape::Matter>(convex() ? shape::Matter{}
                                                             : shape::matter_of(*shape_.lock()));
  return *matter_;
}

namespace {

using Store = std::unordered_map<const shape::Shape*, std::shared_ptr<Prepared>>;

/// Drops what no shape needs any more, then the longest unused, until half the room is free.
void make_room(Store& store) {
  std::vector<std::shared_ptr<Prepared>> kept;
  for (const auto& [key, value] : store)
    if (!value->expired()) kept.push_back(value);
  std::sort(kept.begin(), kept.end(),
            [](const auto& a, const auto& b) { return a->used > b->used; });
  store.clear();
  std::size_t pieces = 0;
  for (const auto& p : kept) {
    pieces += p->pieces();
    if (store.size() >= kStoredShapes / 2 || pieces > kStoredPieces / 2) break;
    store.emplace(p->key(), p);
  }
}

}  // namespace

std::shared_ptr<Prepared> prepared(const shape::ShapePtr& shape) {
  thread_local Store store;
  thread_local long clock = 0;
  thread_local std::size_t looked = 0;
  constexpr long kLookEvery = 256;
  ++clock;
  if (clock % kLookEvery == 0) {
    looked = 0;
    for (const auto& [key, value] : store) looked += value->pieces();
  }
  const auto found = store.find(shape.get());
  if (found != store.end() && found->second->of(shape)) {
    found->second->used = clock;
    return found->second;
  }
  if (store.size() >= kStoredShapes || looked > kStoredPieces) {
    make_room(store);
    looked = 0;
  }
  auto made = std::make_shared<Prepared>(shape);
  made->used = clock;
  store[shape.get()] = made;
  return made;
}

std::shared_ptr<Surface> surface_of(const shape::ShapePtr& shape) {
  return prepared(shape)->surface();
}

}  // namespace repose::check
