#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace repose {

/// An array whose copies share their elements until one of them is edited: saving a state of a
/// million points costs a pointer for every array that did not change. As safe between threads as a
/// shared_ptr: copies may be read and edited by different threads, one copy by one thread alone.
/// Elements may come later: some follow from the first ones, and are made when someone asks.
template <class T>
class SharedArray {
 public:
  /// Appends what follows from the first elements.
  using Follow = std::function<void(std::vector<T>&)>;

  SharedArray() = default;
  SharedArray(std::vector<T> values)  // NOLINT(google-explicit-constructor)
      : elements_(values.empty() ? nullptr : std::make_shared<Elements>(std::move(values))) {}
  SharedArray(std::initializer_list<T> values) : SharedArray(std::vector<T>(values)) {}

  /// `size` elements, of which the first are there. `follow` appends the others, once, for all
  /// copies, when one of them is looked at; from whichever thread, so it reads nothing that
  /// changes. They must be finite where the first are.
  static SharedArray later(std::vector<T> first, std::size_t size, Follow follow) {
    if (first.size() == size) return first;
    SharedArray out;
    out.elements_ = std::make_shared<Elements>(std::move(first), size, std::move(follow));
    return out;
  }

  const std::vector<T>& view() const { return elements_ ? elements_->whole() : none(); }
  /// The elements that nothing has to be made for: all, or those that the others follow from.
  std::span<const T> first() const {
    return elements_ ? std::span<const T>(elements_->first()) : std::span<const T>();
  }
  /// The elements to be changed; copied first if another array shares them. The reference holds
  /// until this array is copied, assigned or destroyed.
  std::vector<T>& edit() {
    if (!elements_) elements_ = std::make_shared<Elements>(std::vector<T>());
    if (elements_.use_count() > 1 || elements_->follow)
      elements_ = std::make_shared<Elements>(elements_->whole());
    return elements_->all;
  }

  std::size_t size() const { return elements_ ? elements_->size() : 0; }
  bool empty() const { return size() == 0; }
  const T& operator[](std::size_t i) const { return elements_->whole()[i]; }
  auto begin() const { return view().begin(); }
  auto end() const { return view().end(); }

  /// The two hold the same elements in memory.
  bool shares(const SharedArray& other) const { return elements_ == other.elements_; }
  friend bool operator==(const SharedArray& a, const SharedArray& b) {
    return a.elements_ == b.elements_ || a.view() == b.view();
  }

 private:
  struct Elements {
    explicit Elements(std::vector<T> values) : all(std::move(values)) {}
    Elements(std::vector<T> values, std::size_t size, Follow more)
        : head(std::move(values)), count(size), follow(std::move(more)) {}

    const std::vector<T>& whole() {
      if (follow)
        std::call_once(made, [this] {
          std::vector<T> out;
          out.reserve(count);
          out.assign(head.begin(), head.end());
          follow(out);
          all = std::move(out);
        });
      return all;
    }
    const std::vector<T>& first() const { return follow ? head : all; }
    std::size_t size() const { return follow ? count : all.size(); }

    std::vector<T> all;
    // of an array with elements that follow
    std::vector<T> head;
    std::size_t count = 0;
    Follow follow;
    std::once_flag made;
  };

  static const std::vector<T>& none() {
    static const std::vector<T> empty;
    return empty;
  }
  std::shared_ptr<Elements> elements_;
};

}  // namespace repose
