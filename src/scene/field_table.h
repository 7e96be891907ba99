#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "repose/base/json.h"
#include "repose/base/json_write.h"
#include "repose/base/names.h"
#include "repose/base/nearest.h"
#include "repose/scene/format.h"
#include "repose/scene/source.h"

namespace repose {

/// What a reading of one document needs to know, and the first error it met.
struct Reading {
  std::uint32_t document = 0;  // index into the scene's sources
  const Catalogue* catalogue = nullptr;
  std::optional<InputError> error;
  std::vector<std::string> notes;  // what is said in an old way, with its place

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

/// A codec with its type forgotten: the compiler reads the logic of tables once, not once a field.
struct ValueCodec {
  FieldType (*type)(FieldType);
  std::string (*default_text)(const void*);
  bool (*read)(Reading&, JsonView, const FieldInfo&, void*);
  Json (*write)(const void*);
  bool (*same)(const void*, const void*);
};
template <class T>
inline constexpr ValueCodec kValueCodec{
    [](FieldType t) { return Codec<T>::type(std::move(t)); },
    [](const void* value) { return Codec<T>::default_text(*static_cast<const T*>(value)); },
    [](Reading& reading, JsonView at, const FieldInfo& info, void* out) {
      return Codec<T>::read(reading, at, info, *static_cast<T*>(out));
    },
    [](const void* value) { return Codec<T>::write(*static_cast<const T*>(value)); },
    [](const void* a, const void* b) {
      return Codec<T>::same(*static_cast<const T*>(a), *static_cast<const T*>(b));
    }};

/// A colour as a text: "#rrggbb" (sRGB) or a name; linear RGB. False after an error.
bool read_color(Reading& reading, JsonView at, std::array<double, 3>& out);
/// Linear RGB in three numbers, or such a text.
template <class T>
inline constexpr ValueCodec kColorCodec{
    [](FieldType t) {
      t.or_color = true;
      return Codec<T>::type(std::move(t));
    },
    kValueCodec<T>.default_text,
    [](Reading& reading, JsonView at, const FieldInfo& info, void* out) {
      T& color = *static_cast<T*>(out);
      if (at.kind() != JsonKind::text) return Codec<T>::read(reading, at, info, color);
      std::array<double, 3> read{};
      if (!read_color(reading, at, read)) return false;
      color = read;
      return true;
    },
    kValueCodec<T>.write, kValueCodec<T>.same};

/// One field of a struct whose address it is given.
struct Field {
  virtual ~Field() = default;
  virtual bool read(Reading& reading, JsonView at, const FieldInfo& info, void* out) const = 0;
  virtual Json write(const void* in) const = 0;
  virtual bool same(const void* a, const void* b) const = 0;
};

/// The fields of one struct by their places within it.
class FieldTable {
 public:
  const ObjectInfo& info() const { return info_; }
  /// The rows made by add_value().
  const std::vector<ValueRow>& values() const { return values_; }

 protected:
  using Test = std::function<bool(Reading&, JsonView, const void*)>;

  /// `fresh`: the struct as its initialisers leave it.
  FieldTable(std::string name, std::string about, std::shared_ptr<const void> fresh)
      : info_{std::move(name), std::move(about), {}, {}}, fresh_(std::move(fresh)) {}

  void add_field(std::size_t offset, const ValueCodec& codec, FieldInfo info);
  void add_value(std::size_t offset, const ValueRow& row);
  void add_constant(std::string name, std::int64_t number, std::string meaning);
  void add_nested(std::size_t offset, const FieldTable& table, FieldInfo info);

  bool read_fields(Reading& reading, JsonView at, void* out, std::string_view skip) const;
  void write_fields(const void* in, Json::Object& out) const;
  bool same_fields(const void* a, const void* b) const;

  const void* fresh() const { return fresh_.get(); }
  std::optional<std::size_t> source_;  // where the struct keeps its SourcePlace
  Test test_;

 private:
  friend struct NestedField;
  void add(FieldInfo info, std::shared_ptr<const Field> field);
  std::vector<std::string> names() const;

  ObjectInfo info_;
  std::shared_ptr<const void> fresh_;
  std::vector<std::shared_ptr<const Field>> fields_;
  std::vector<ValueRow> values_;
};

/// The fields of one struct, each bound to a member whose initialiser is the default. Reader,
/// writer, comparison, schema and documentation are made from it.
template <class Struct>
class ObjectTable : public FieldTable {
 public:
  ObjectTable(std::string name, std::string about)
      : FieldTable(std::move(name), std::move(about), std::make_shared<const Struct>()) {
    if constexpr (requires(Struct s) { s.source; }) source_ = offset(fresh_struct().source);
  }

  template <class Owner, class Member>
  ObjectTable& field(Member Owner::*member, FieldInfo info) {
    add_field(offset(fresh_struct().*member), kValueCodec<Member>, std::move(info));
    return *this;
  }
  /// A colour, which may be written as a text.
  template <class Owner, class Member>
  ObjectTable& color(Member Owner::*member, FieldInfo info) {
    add_field(offset(fresh_struct().*member), kColorCodec<Member>, std::move(info));
    return *this;
  }
  /// The same with a function from the struct to the place within it that holds the value.
  template <class Get>
  ObjectTable& bind(Get get, FieldInfo info) {
    const auto& value = get(fresh_struct());
    add_field(offset(value), kValueCodec<std::remove_cvref_t<decltype(value)>>, std::move(info));
    return *this;
  }
  /// A named value among the struct's SettingValues, which `get` finds; absent unless written.
  template <class Get>
  ObjectTable& value(Get get, const ValueRow& row) {
    const SettingValues& values = get(fresh_struct());
    add_value(offset(values), row);
    return *this;
  }
  /// A field that says the same in every file.
  ObjectTable& constant(std::string name, std::int64_t number, std::string meaning) {
    add_constant(std::move(name), number, std::move(meaning));
    return *this;
  }
  /// A member of a struct that `table` describes here, other than TableOf would.
  template <class Member>
  ObjectTable& nested(Member Struct::*member, const ObjectTable<Member>& table, FieldInfo info) {
    add_nested(offset(fresh_struct().*member), table, std::move(info));
    return *this;
  }
  /// A test across fields, after all of them have been read; it reports through the reading.
  ObjectTable& check(bool (*test)(Reading&, JsonView, const Struct&)) {
    test_ = [test](Reading& reading, JsonView at, const void* in) {
      return test(reading, at, *static_cast<const Struct*>(in));
    };
    return *this;
  }

  /// Members called `skip` are not looked at ("kind", where that was read before).
  bool read(Reading& reading, JsonView at, Struct& out, std::string_view skip = {}) const {
    return read_fields(reading, at, &out, skip);
  }
  /// Fields that hold their default are left out.
  void write(const Struct& in, Json::Object& out) const { write_fields(&in, out); }
  bool same(const Struct& a, const Struct& b) const { return same_fields(&a, &b); }

 private:
  const Struct& fresh_struct() const { return *static_cast<const Struct*>(fresh()); }
  /// Bytes from the beginning of the struct to `part` of the fresh one.
  template <class Part>
  std::size_t offset(const Part& part) const {
    return static_cast<std::size_t>(reinterpret_cast<const char*>(&part) -
                                    static_cast<const char*>(fresh()));
  }
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
    rows_.push_back({&table,
                     [](const void* of, Reading& reading, JsonView at, Variant& out) {
                       return as<Alternative>(of).read(reading, at,
                                                       out.template emplace<Alternative>(), "kind");
                     },
                     [](const void* of, const Variant& in, Json::Object& out) {
                       as<Alternative>(of).write(std::get<Alternative>(in), out);
                     },
                     [](const void* of, const Variant& a, const Variant& b) {
                       return as<Alternative>(of).same(std::get<Alternative>(a),
                                                       std::get<Alternative>(b));
                     }});
    return *this;
  }

  const ObjectInfo& info() const { return info_; }
  bool read(Reading& reading, JsonView at, Variant& out) const {
    const int kind = read_kind(reading, at, info_);
    if (kind < 0) return false;
    const Row& row = rows_[static_cast<std::size_t>(kind)];
    return row.read(row.table, reading, at, out);
  }
  Json write(const Variant& in) const {
    Json::Object out;
    out.emplace_back("kind", info_.kinds[in.index()].name);
    rows_[in.index()].write(rows_[in.index()].table, in, out);
    return out;
  }
  bool same(const Variant& a, const Variant& b) const {
    return a.index() == b.index() && rows_[a.index()].same(rows_[a.index()].table, a, b);
  }

 private:
  struct Row {
    const void* table;  // ObjectTable of the alternative
    bool (*read)(const void*, Reading&, JsonView, Variant&);
    void (*write)(const void*, const Variant&, Json::Object&);
    bool (*same)(const void*, const Variant&, const Variant&);
  };
  template <class Alternative>
  static const ObjectTable<Alternative>& as(const void* table) {
    return *static_cast<const ObjectTable<Alternative>*>(table);
  }

  ObjectInfo info_;
  std::vector<Row> rows_;
};

/// Kinds that share one struct, which knows its kind as a value with a name (repose/base/names.h).
template <class Struct, class Kind>
class SharedKinds {
 public:
  using GetKind = Kind (*)(const Struct&);
  using SetKind = void (*)(Struct&, Kind);
  SharedKinds(std::string name, std::string about, GetKind get_kind, SetKind set_kind)
      : info_{std::move(name), std::move(about), {}, {}},
        get_kind_(get_kind),
        set_kind_(set_kind) {}

  /// The table's name is that of a kind.
  SharedKinds& kind(ObjectTable<Struct> table) {
    kinds_.push_back(named<Kind>(table.info().name).value());
    info_.kinds.push_back(table.info());
    tables_.push_back(std::move(table));
    return *this;
  }
  const ObjectInfo& info() const { return info_; }

  bool read(Reading& reading, JsonView at, Struct& out) const {
    const int kind = read_kind(reading, at, info_);
    if (kind < 0) return false;
    const auto& table = tables_[static_cast<std::size_t>(kind)];
    set_kind_(out, kinds_[static_cast<std::size_t>(kind)]);
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
    const Kind kind = get_kind_(in);
    for (std::size_t i = 0; i < kinds_.size(); ++i)
      if (kinds_[i] == kind) return tables_[i];
    REPOSE_CHECK(false, "a kind without a table: " + name_of(kind));
  }

  ObjectInfo info_;
  std::vector<ObjectTable<Struct>> tables_;
  std::vector<Kind> kinds_;  // parallel to tables_
  GetKind get_kind_;
  SetKind set_kind_;
};

}  // namespace repose
