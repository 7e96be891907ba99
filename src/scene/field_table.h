#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "repose/scene/format.h"
#include "repose/scene/json.h"
#include "repose/scene/json_write.h"
#include "repose/scene/source.h"

namespace repose {

/// What a reading of one document needs to know, and the first error it met.
struct Reading {
  std::uint32_t document = 0;  // index into the scene's sources
  const Catalogue* catalogue = nullptr;
  std::optional<InputError> error;

  bool fail(JsonView at, std::string wrong, std::string right) {
    if (!error) error = at.error(std::move(wrong), std::move(right));
    return false;
  }
  /// Adds the place of `at` to an error that has none.
  bool fail(JsonView at, const InputError& found) { return fail(at, found.wrong, found.right); }
};

/// Refuses a key that no row knows, naming the nearest that one does.
bool fail_unknown_key(Reading& reading, JsonView key, const std::vector<std::string>& known,
                      const std::string& where);
/// ; did you mean "..."? where some name is near, else the list of names.
std::string suggestion(const std::string& wrong, const std::vector<std::string>& known);

/// Which of the kinds of `info` the object `at` says it is; -1 after an error.
int read_kind(Reading& reading, JsonView at, const ObjectInfo& info);

/// A row for a value that is kept by name among SettingValues.
struct ValueRow {
  SettingInfo info;
  bool has_default = true;
  bool required = false;
};
FieldInfo field_of(const ValueRow& row);
FieldInfo field_of(const SettingInfo& info);
bool read_setting(Reading& reading, JsonView at, const SettingInfo& info, SettingValue& out);
Json write_setting(const SettingValue& value);
/// To the last bit.
bool same_setting(const SettingValue& a, const SettingValue& b);

/// How values of type T are read, written, compared and described; specialised in codec.h.
template <class T>
struct Codec;

/// The fields of one struct, each bound to a member whose initialiser is the default. Reader,
/// writer, comparison, schema and documentation are made from it.
template <class Struct>
class ObjectTable {
 public:
  ObjectTable(std::string name, std::string about)
      : info_{std::move(name), std::move(about), {}, {}} {}

  template <class Owner, class Member>
  ObjectTable& field(Member Owner::*member, FieldInfo info) {
    return bind(
        [member](auto& s) -> auto& { return s.*member; }, std::move(info));
  }
  /// The same with a function from the struct to the place that holds the value.
  template <class Get>
  ObjectTable& bind(Get get, FieldInfo info) {
    using C = Codec<std::remove_cvref_t<decltype(get(std::declval<Struct&>()))>>;
    info.type = C::type(info.type);
    const Struct fresh{};
    if (!info.required && info.default_text.empty())
      info.default_text = C::default_text(get(fresh));
    return add(std::move(info),
               {[get](Reading& reading, JsonView at, const FieldInfo& row, Struct& out) {
                  return C::read(reading, at, row, get(out));
                },
                [get](const Struct& in) { return C::write(get(in)); },
                [get](const Struct& a, const Struct& b) { return C::same(get(a), get(b)); }});
  }
  /// A named value among the struct's SettingValues, which `get` finds; absent unless written.
  template <class Get>
  ObjectTable& value(Get get, const ValueRow& row) {
    const std::string name = row.info.name;
    const auto find = [get, name](const Struct& s) -> const SettingValue* {
      const auto found = get(s).find(name);
      return found == get(s).end() ? nullptr : &found->second;
    };
    values_.push_back(row);
    return add(field_of(row),
               {[get, row](Reading& reading, JsonView at, const FieldInfo&, Struct& out) {
                  return read_setting(reading, at, row.info, get(out)[row.info.name]);
                },
                [find](const Struct& in) { return write_setting(*find(in)); },
                [find](const Struct& a, const Struct& b) {
                  const auto* x = find(a);
                  const auto* y = find(b);
                  return x == nullptr || y == nullptr ? x == y : same_setting(*x, *y);
                }});
  }
  /// A field that says the same in every file.
  ObjectTable& constant(std::string name, std::int64_t number, std::string meaning) {
    FieldInfo info;
    info.name = std::move(name);
    info.range = {static_cast<double>(number), static_cast<double>(number)};
    info.required = true;
    info.meaning = std::move(meaning);
    info.type.base = FieldType::Base::integer;
    return add(std::move(info),
               {[number](Reading& reading, JsonView at, const FieldInfo&, Struct&) {
                  if (at.integer() == number) return true;
                  return reading.fail(at, "not what this program can read", std::to_string(number));
                },
                [number](const Struct&) { return Json(number); },
                [](const Struct&, const Struct&) { return true; }});
  }
  /// A member of a struct that `table` describes here, other than TableOf would.
  template <class Member>
  ObjectTable& nested(Member Struct::*member, const ObjectTable<Member>& table, FieldInfo info) {
    info.type.base = FieldType::Base::object;
    info.type.object = table.info().name;
    return add(std::move(info),
               {[member, &table](Reading& reading, JsonView at, const FieldInfo&, Struct& out) {
                  return table.read(reading, at, out.*member);
                },
                [member, &table](const Struct& in) {
                  Json::Object out;
                  table.write(in.*member, out);
                  return Json(std::move(out));
                },
                [member, &table](const Struct& a, const Struct& b) {
                  return table.same(a.*member, b.*member);
                }});
  }
  /// The rows made by value().
  const std::vector<ValueRow>& values() const { return values_; }
  /// A test across fields, after all of them have been read; it reports through the reading.
  ObjectTable& check(std::function<bool(Reading&, JsonView, const Struct&)> test) {
    test_ = std::move(test);
    return *this;
  }

  const ObjectInfo& info() const { return info_; }

  /// Members called `skip` are not looked at ("kind", where that was read before).
  bool read(Reading& reading, JsonView at, Struct& out, std::string_view skip = {}) const {
    if (at.kind() != JsonKind::object)
      return reading.fail(at, std::string("not an object but ") + to_text(at.kind()),
                          "an object { ... } with the fields of `" + info_.name + "`");
    std::uint64_t seen = 0;
    const bool good = at.each_member([&](JsonView key, JsonView value) {
      const auto raw = key.raw();
      const auto name = raw.substr(1, raw.size() - 2);
      if (!skip.empty() && name == skip) return true;
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (info_.fields[i].name != name) continue;
        seen |= std::uint64_t{1} << i;
        return rows_[i].read(reading, value, info_.fields[i], out);
      }
      return fail_unknown_key(reading, key, names(), info_.name);
    });
    if (!good) return false;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (info_.fields[i].required && (seen >> i & 1) == 0)
        return reading.fail(at, "the field \"" + info_.fields[i].name + "\" is missing",
                            info_.fields[i].meaning);
    if constexpr (requires { out.source; }) out.source = {reading.document, at.index()};
    return !test_ || test_(reading, at, out);
  }
  /// Fields that hold their default are left out.
  void write(const Struct& in, Json::Object& out) const {
    const Struct fresh{};
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (info_.fields[i].required || !rows_[i].same(in, fresh))
        out.emplace_back(info_.fields[i].name, rows_[i].write(in));
  }
  bool same(const Struct& a, const Struct& b) const {
    for (const Row& row : rows_)
      if (!row.same(a, b)) return false;
    return true;
  }

 private:
  struct Row {
    std::function<bool(Reading&, JsonView, const FieldInfo&, Struct&)> read;
    std::function<Json(const Struct&)> write;
    std::function<bool(const Struct&, const Struct&)> same;
  };

  ObjectTable& add(FieldInfo info, Row row) {
    info_.fields.push_back(std::move(info));
    rows_.push_back(std::move(row));
    return *this;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const FieldInfo& field : info_.fields) out.push_back(field.name);
    return out;
  }

  ObjectInfo info_;
  std::vector<Row> rows_;
  std::vector<ValueRow> values_;
  std::function<bool(Reading&, JsonView, const Struct&)> test_;
};

/// The kinds of a variant, told apart by the field "kind".
template <class Variant>
class KindsTable {
 public:
  KindsTable(std::string name, std::string about)
      : info_{std::move(name), std::move(about), {}, {}} {}

  /// Kinds are added in the order of the variant's alternatives.
  template <class Alternative>
  KindsTable& kind(const ObjectTable<Alternative>& table) {
    info_.kinds.push_back(table.info());
    rows_.push_back({[&table](Reading& reading, JsonView at, Variant& out) {
                       return table.read(reading, at, out.template emplace<Alternative>(), "kind");
                     },
                     [&table](const Variant& in, Json::Object& out) {
                       table.write(std::get<Alternative>(in), out);
                     },
                     [&table](const Variant& a, const Variant& b) {
                       return table.same(std::get<Alternative>(a), std::get<Alternative>(b));
                     }});
    return *this;
  }

  const ObjectInfo& info() const { return info_; }
  bool read(Reading& reading, JsonView at, Variant& out) const {
    const int kind = read_kind(reading, at, info_);
    return kind >= 0 && rows_[static_cast<std::size_t>(kind)].read(reading, at, out);
  }
  Json write(const Variant& in) const {
    Json::Object out;
    out.emplace_back("kind", info_.kinds[in.index()].name);
    rows_[in.index()].write(in, out);
    return out;
  }
  bool same(const Variant& a, const Variant& b) const {
    return a.index() == b.index() && rows_[a.index()].same(a, b);
  }

 private:
  struct Row {
    std::function<bool(Reading&, JsonView, Variant&)> read;
    std::function<void(const Variant&, Json::Object&)> write;
    std::function<bool(const Variant&, const Variant&)> same;
  };

  ObjectInfo info_;
  std::vector<Row> rows_;
};

/// Kinds that share one struct, which knows its kind as a text.
template <class Struct>
class SharedKinds {
 public:
  using GetKind = const std::string& (*)(const Struct&);
  using SetKind = void (*)(Struct&, const std::string&);
  SharedKinds(std::string name, std::string about, GetKind get_kind, SetKind set_kind)
      : info_{std::move(name), std::move(about), {}, {}},
        get_kind_(get_kind),
        set_kind_(set_kind) {}

  SharedKinds& kind(ObjectTable<Struct> table) {
    info_.kinds.push_back(table.info());
    tables_.push_back(std::move(table));
    return *this;
  }
  const ObjectInfo& info() const { return info_; }

  bool read(Reading& reading, JsonView at, Struct& out) const {
    const int kind = read_kind(reading, at, info_);
    if (kind < 0) return false;
    const auto& table = tables_[static_cast<std::size_t>(kind)];
    set_kind_(out, table.info().name);
    return table.read(reading, at, out, "kind");
  }
  Json write(const Struct& in) const {
    Json::Object out;
    out.emplace_back("kind", table_of(in).info().name);
    table_of(in).write(in, out);
    return out;
  }
  bool same(const Struct& a, const Struct& b) const {
    return &table_of(a) == &table_of(b) && table_of(a).same(a, b);
  }
  /// The values of `in` with the defaults of its kind for those that are not given.
  SettingValues completed(const Struct& in, SettingValues values) const {
    for (const ValueRow& row : table_of(in).values())
      if (row.has_default) values.try_emplace(row.info.name, row.info.default_value);
    return values;
  }

 private:
  const ObjectTable<Struct>& table_of(const Struct& in) const {
    for (const auto& table : tables_)
      if (table.info().name == get_kind_(in)) return table;
    REPOSE_CHECK(false, "unknown kind " + get_kind_(in));
  }

  ObjectInfo info_;
  std::vector<ObjectTable<Struct>> tables_;
  GetKind get_kind_;
  SetKind set_kind_;
};

}  // namespace repose
