#pragma once

#include <array>
#include <bit>
#include <map>
#include <memory>

#include "repose/scene/shape_spec.h"

#include "field_table.h"

namespace repose {

/// Numbers outside this are refused everywhere, so that no sum or square of them overflows.
inline constexpr double kLargest = 1e30;

bool read_boolean(Reading& reading, JsonView at, bool& out);
bool read_integer(Reading& reading, JsonView at, const FieldInfo& info, std::int64_t& out);
bool read_number(Reading& reading, JsonView at, const FieldInfo& info, double& out);
bool read_text(Reading& reading, JsonView at, const FieldInfo& info, std::string& out);
/// `at` is a list of `count` elements (-1: of any number).
bool read_list(Reading& reading, JsonView at, int count);

inline bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// Structs that have a table: TableOf<T>::get() answers it.
template <class T>
struct TableOf;
template <class T>
concept Tabled = requires {
  TableOf<T>::get();
};

template <>
struct Codec<bool> {
  static FieldType type(FieldType t) { return t.base = FieldType::Base::boolean, t; }
  static std::string default_text(bool b) { return b ? "true" : "false"; }
  static bool read(Reading& r, JsonView at, const FieldInfo&, bool& out) {
    return read_boolean(r, at, out);
  }
  static Json write(bool b) { return b; }
  static bool same(bool a, bool b) { return a == b; }
};

template <class Int>
struct IntegerCodec {
  static FieldType type(FieldType t) { return t.base = FieldType::Base::integer, t; }
  static std::string default_text(Int i) { return std::to_string(i); }
  static bool read(Reading& r, JsonView at, const FieldInfo& info, Int& out) {
    std::int64_t wide = 0;
    if (!read_integer(r, at, info, wide)) return false;
    if (wide < std::numeric_limits<Int>::min() || wide > std::numeric_limits<Int>::max())
      return r.fail(at, "out of range",
                    "a whole number that fits " + std::to_string(sizeof(Int)) + " bytes");
    out = static_cast<Int>(wide);
    return true;
  }
  static Json write(Int i) { return std::int64_t{i}; }
  static bool same(Int a, Int b) { return a == b; }
};
template <>
struct Codec<int> : IntegerCodec<int> {};
template <>
struct Codec<std::int64_t> : IntegerCodec<std::int64_t> {};

template <>
struct Codec<double> {
  static FieldType type(FieldType t) { return t.base = FieldType::Base::number, t; }
  static std::string default_text(double d) { return Json(d).line(); }
  static bool read(Reading& r, JsonView at, const FieldInfo& info, double& out) {
    return read_number(r, at, info, out);
  }
  static Json write(double d) { return d; }
  static bool same(double a, double b) { return same_bits(a, b); }
};

template <>
struct Codec<std::string> {
  static FieldType type(FieldType t) { return t.base = FieldType::Base::text, t; }
  static std::string default_text(const std::string& s) { return quoted(s); }
  static bool read(Reading& r, JsonView at, const FieldInfo& info, std::string& out) {
    return read_text(r, at, info, out);
  }
  static Json write(const std::string& s) { return s; }
  static bool same(const std::string& a, const std::string& b) { return a == b; }
};

template <>
struct Codec<shape::TubeCap> {
  static FieldType type(FieldType t) { return t.base = FieldType::Base::text, t; }
  static std::string default_text(shape::TubeCap cap) { return write(cap).line(); }
  static bool read(Reading& r, JsonView at, const FieldInfo& info, shape::TubeCap& out) {
    std::string text;
    if (!read_text(r, at, info, text)) return false;
    out = text == "flat" ? shape::TubeCap::flat : shape::TubeCap::round;
    return true;
  }
  static Json write(shape::TubeCap cap) { return cap == shape::TubeCap::flat ? "flat" : "round"; }
  static bool same(shape::TubeCap a, shape::TubeCap b) { return a == b; }
};

/// Any value a setting can have; which one is judged later.
template <>
struct Codec<SettingValue> {
  static FieldType type(FieldType t) { return t.base = FieldType::Base::any, t; }
  static std::string default_text(const SettingValue&) { return "none"; }
  static bool read(Reading& r, JsonView at, const FieldInfo& info, SettingValue& out);
  static Json write(const SettingValue& value) { return write_setting(value); }
  static bool same(const SettingValue& a, const SettingValue& b) { return same_setting(a, b); }
};

/// Lists of a fixed or free number of elements: std::array, std::vector, Vec2, Vec3.
template <class List, class Element, int count>
struct ListCodec {
  using C = Codec<Element>;
  static FieldType type(FieldType t) {
    FieldType inner = C::type(t);
    inner.lists.insert(inner.lists.begin(), count);
    return inner;
  }
  static std::string default_text(const List& list) { return write(list).line(); }
  static bool read(Reading& r, JsonView at, const FieldInfo& info, List& out) {
    if (!read_list(r, at, count)) return false;
    if constexpr (count < 0) out.resize(at.size());
    std::size_t i = 0;
    return at.each([&](JsonView item) {
      return C::read(r, item, info, out[static_cast<decltype(out.size())>(i++)]);
    });
  }
  static Json write(const List& list) {
    Json::Array out;
    out.reserve(static_cast<std::size_t>(list.size()));
    for (const Element& element : list) out.push_back(C::write(element));
    return out;
  }
  static bool same(const List& a, const List& b) {
    if (a.size() != b.size()) return false;
    for (decltype(a.size()) i = 0; i < a.size(); ++i)
      if (!C::same(a[i], b[i])) return false;
    return true;
  }
};
template <class T, std::size_t n>
struct Codec<std::array<T, n>> : ListCodec<std::array<T, n>, T, static_cast<int>(n)> {};
template <class T>
struct Codec<std::vector<T>> : ListCodec<std::vector<T>, T, -1> {};
template <>
struct Codec<Vec2> : ListCodec<Vec2, double, 2> {};
template <>
struct Codec<Vec3> : ListCodec<Vec3, double, 3> {};

template <class T>
struct Codec<std::optional<T>> {
  using C = Codec<T>;
  static FieldType type(FieldType t) { return C::type(std::move(t)); }
  static std::string default_text(const std::optional<T>&) { return "none"; }
  static bool read(Reading& r, JsonView at, const FieldInfo& info, std::optional<T>& out) {
    return C::read(r, at, info, out.emplace());
  }
  static Json write(const std::optional<T>& value) { return value ? C::write(*value) : Json(); }
  static bool same(const std::optional<T>& a, const std::optional<T>& b) {
    return a.has_value() == b.has_value() && (!a || C::same(*a, *b));
  }
};

/// Objects from free names to values.
template <class Map, class T>
struct MapCodec {
  using C = Codec<T>;
  static FieldType type(FieldType t) {
    FieldType inner = C::type(std::move(t));
    inner.map = true;
    return inner;
  }
  static std::string default_text(const Map&) { return "{}"; }
  static bool read(Reading& r, JsonView at, const FieldInfo& info, Map& out) {
    if (at.kind() != JsonKind::object)
      return r.fail(at, std::string("not an object but ") + to_text(at.kind()),
                    "an object from names to values");
    return at.each_member([&](JsonView key, JsonView item) {
      std::string name = key.text();
      if (name.empty()) return r.fail(key, "an empty name", "a name of at least one character");
      T value{};
      if (!C::read(r, item, info, value)) return false;
      out.insert(out.end(), {std::move(name), std::move(value)});
      return true;
    });
  }
  static Json write(const Map& map) {
    Json::Object out;
    for (const auto& [name, value] : map) out.emplace_back(name, C::write(value));
    return out;
  }
  static bool same(const Map& a, const Map& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
      return x.first == y.first && C::same(x.second, y.second);
    });
  }
};
template <class T>
struct Codec<std::vector<std::pair<std::string, T>>> : MapCodec<Named<T>, T> {};
template <>
struct Codec<std::map<std::string, double>> : MapCodec<std::map<std::string, double>, double> {};

template <Tabled T>
struct Codec<T> {
  static FieldType type(FieldType t) {
    t.base = FieldType::Base::object;
    t.object = TableOf<T>::get().info().name;
    return t;
  }
  static std::string default_text(const T&) { return "{}"; }
  static bool read(Reading& r, JsonView at, const FieldInfo&, T& out) {
    return TableOf<T>::get().read(r, at, out);
  }
  static Json write(const T& value) {
    if constexpr (requires { TableOf<T>::get().write(value); }) {
      return TableOf<T>::get().write(value);
    } else {
      Json::Object out;
      TableOf<T>::get().write(value, out);
      return out;
    }
  }
  static bool same(const T& a, const T& b) { return TableOf<T>::get().same(a, b); }
};

}  // namespace repose
