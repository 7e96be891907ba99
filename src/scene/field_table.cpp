#include "field_table.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "repose/base/nearest.h"
#include "repose/scene/format.h"

#include "codec.h"

namespace repose {

namespace {

bool has_field(const ObjectInfo& info, const std::string& field) {
  return std::ranges::any_of(info.fields, [&](const FieldInfo& f) { return f.name == field; });
}

/// The objects and kinds of the format that have a field of that name; where some of them are kinds
/// of the same object as `where` is, these alone.
std::vector<std::string> homes_of(const std::string& field, const std::string& where) {
  std::vector<std::string> out;
  for (const ObjectInfo& object : scene_format()) {
    const auto is_where = [&](const ObjectInfo& kind) { return kind.name == where; };
    std::vector<std::string> beside;
    for (const ObjectInfo& kind : object.kinds)
      if (has_field(kind, field)) beside.push_back(fmt::format("`{} {}`", object.name, kind.name));
    if (std::ranges::any_of(object.kinds, is_where) && !beside.empty()) return beside;
    if (has_field(object, field)) out.push_back(fmt::format("`{}`", object.name));
    out.insert(out.end(), beside.begin(), beside.end());
  }
  return out;
}

/// Where a field stands that is not one here: a mesh has no "file", but a mesh_file has a "path".
std::string told_of_homes(const std::string& field, const std::string& where) {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> homes = homes_of(field, where);
  std::string name = field;
  if (homes.empty()) {
    name = name_here(field);
    homes = homes_of(name, where);
  }
  if (homes.empty()) return {};
  const std::string more = homes.size() > kMost ? ", ..." : "";
  homes.resize(std::min(homes.size(), kMost));
  return fmt::format("{} is a field of {}{}; here ",
                     name == field ? "it" : fmt::format("\"{}\"", name), fmt::join(homes, ", "),
                     more);
}

}  // namespace

bool fail_unknown_key(Reading& reading, JsonView key, const std::vector<std::string>& known,
                      const std::string& where) {
  std::string right = suggestion(key.text(), known);
  if (nearest(key.text(), known).empty()) right = told_of_homes(key.text(), where) + right;
  return reading.fail(key, fmt::format("`{}` has no such field", where), right);
}

int read_kind(Reading& reading, JsonView at, const ObjectInfo& info) {
  std::vector<std::string> names;
  for (const ObjectInfo& kind : info.kinds) names.push_back(kind.name);
  const auto fail = [&](JsonView place, std::string wrong, std::string right) {
    reading.fail(place, std::move(wrong), std::move(right));
    return -1;
  };
  if (at.kind() != JsonKind::object)
    return fail(at, fmt::format("not an object but {}", to_text(at.kind())),
                "an object { \"kind\": ... }");
  const auto kind = at.find("kind");
  if (!kind)
    return fail(at, "the field \"kind\" is missing",
                fmt::format("one of {}", fmt::join(names, ", ")));
  if (kind->kind() != JsonKind::text)
    return fail(*kind, "not a text", fmt::format("one of {}", fmt::join(names, ", ")));
  const std::string name = kind->text();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<int>(i);
  return fail(*kind, fmt::format("`{}` has no such kind", info.name), suggestion(name, names));
}

FieldInfo field_of(const SettingInfo& info) {
  FieldInfo field;
  field.name = info.name;
  field.unit = info.unit;
  field.range = info.range;
  field.choices = info.choices;
  field.meaning = info.meaning;
  using Base = FieldType::Base;
  switch (info.type) {
    case SettingType::boolean:
      field.type.base = Base::boolean;
      break;
    case SettingType::integer:
      field.type.base = Base::integer;
      break;
    case SettingType::number:
      field.type.base = Base::number;
      break;
    case SettingType::choice:
    case SettingType::text:
      field.type.base = Base::text;
      break;
    case SettingType::vector:
      field.type.base = Base::number;
      field.type.lists = {3};
      break;
  }
  field.default_text = write_setting(info.default_value).line();
  return field;
}

FieldInfo field_of(const ValueRow& row) {
  FieldInfo field = field_of(row.info);
  field.required = row.required;
  if (!row.has_default) field.default_text = row.required ? "" : "none";
  return field;
}

bool read_setting(Reading& reading, JsonView at, const SettingInfo& info, SettingValue& out) {
  const FieldInfo field = field_of(info);
  const auto read_into = [&](auto value) {
    if (!Codec<decltype(value)>::read(reading, at, field, value)) return false;
    out = std::move(value);
    return true;
  };
  switch (info.type) {
    case SettingType::boolean:
      return read_into(bool{});
    case SettingType::integer:
      return read_into(std::int64_t{});
    case SettingType::number:
      return read_into(double{});
    case SettingType::choice:
    case SettingType::text:
      return read_into(std::string{});
    case SettingType::vector:
      return read_into(std::array<double, 3>{});
  }
  REPOSE_CHECK(false, "unknown setting type");
  return false;
}

Json write_setting(const SettingValue& value) {
  return std::visit([](const auto& v) { return Codec<std::remove_cvref_t<decltype(v)>>::write(v); },
                    value);
}

bool same_setting(const SettingValue& a, const SettingValue& b) {
  return a.index() == b.index() && write_setting(a).line() == write_setting(b).line();
}

namespace {

const void* at_offset(const void* of, std::size_t offset) {
  return static_cast<const char*>(of) + offset;
}
void* at_offset(void* of, std::size_t offset) {
  return static_cast<char*>(of) + offset;
}

/// A member.
struct MemberField : Field {
  MemberField(std::size_t place, const ValueCodec& how) : offset(place), codec(how) {}
  bool read(Reading& reading, JsonView at, const FieldInfo& info, void* out) const override {
    return codec.read(reading, at, info, at_offset(out, offset));
  }
  Json write(const void* in) const override { return codec.write(at_offset(in, offset)); }
  bool same(const void* a, const void* b) const override {
    return codec.same(at_offset(a, offset), at_offset(b, offset));
  }
  std::size_t offset;
  const ValueCodec& codec;
};

/// A value kept by name among the struct's SettingValues.
struct NamedValueField : Field {
  NamedValueField(std::size_t place, SettingInfo row) : offset(place), setting(std::move(row)) {}
  bool read(Reading& reading, JsonView at, const FieldInfo&, void* out) const override {
    auto& values = *static_cast<SettingValues*>(at_offset(out, offset));
    return read_setting(reading, at, setting, values[setting.name]);
  }
  Json write(const void* in) const override { return write_setting(*find(in)); }
  bool same(const void* a, const void* b) const override {
    const SettingValue *x = find(a), *y = find(b);
    return x == nullptr || y == nullptr ? x == y : same_setting(*x, *y);
  }
  const SettingValue* find(const void* in) const {
    const auto& values = *static_cast<const SettingValues*>(at_offset(in, offset));
    const auto found = values.find(setting.name);
    return found == values.end() ? nullptr : &found->second;
  }
  std::size_t offset;
  SettingInfo setting;
};

struct ConstantField : Field {
  explicit ConstantField(std::int64_t value) : number(value) {}
  bool read(Reading& reading, JsonView at, const FieldInfo&, void*) const override {
    if (at.integer() == number) return true;
    return reading.fail(at, "not what this program can read", std::to_string(number));
  }
  Json write(const void*) const override { return Json(number); }
  bool same(const void*, const void*) const override { return true; }
  std::int64_t number;
};

}  // namespace

/// A struct within the struct.
struct NestedField : Field {
  NestedField(std::size_t place, const FieldTable& of) : offset(place), table(of) {}
  bool read(Reading& reading, JsonView at, const FieldInfo&, void* out) const override {
    return table.read_fields(reading, at, at_offset(out, offset), {});
  }
  Json write(const void* in) const override {
    Json::Object out;
    table.write_fields(at_offset(in, offset), out);
    return Json(std::move(out));
  }
  bool same(const void* a, const void* b) const override {
    return table.same_fields(at_offset(a, offset), at_offset(b, offset));
  }
  std::size_t offset;
  const FieldTable& table;
};

void FieldTable::add_field(std::size_t offset, const ValueCodec& codec, FieldInfo info) {
  info.type = codec.type(info.type);
  if (!info.required && info.default_text.empty())
    info.default_text = codec.default_text(at_offset(fresh(), offset));
  add(std::move(info), std::make_shared<MemberField>(offset, codec));
}

void FieldTable::add_value(std::size_t offset, const ValueRow& row) {
  values_.push_back(row);
  add(field_of(row), std::make_shared<NamedValueField>(offset, row.info));
}

void FieldTable::add_constant(std::string name, std::int64_t number, std::string meaning) {
  FieldInfo info;
  info.name = std::move(name);
  info.range = {static_cast<double>(number), static_cast<double>(number)};
  info.required = true;
  info.meaning = std::move(meaning);
  info.type.base = FieldType::Base::integer;
  add(std::move(info), std::make_shared<ConstantField>(number));
}

void FieldTable::add_nested(std::size_t offset, const FieldTable& table, FieldInfo info) {
  info.type.base = FieldType::Base::object;
  info.type.object = table.info().name;
  add(std::move(info), std::make_shared<NestedField>(offset, table));
}

void FieldTable::add(FieldInfo info, std::shared_ptr<const Field> field) {
  info_.fields.push_back(std::move(info));
  fields_.push_back(std::move(field));
}

std::vector<std::string> FieldTable::names() const {
  std::vector<std::string> out;
  for (const FieldInfo& field : info_.fields) out.push_back(field.name);
  return out;
}

bool FieldTable::read_fields(Reading& reading, JsonView at, void* out,
                             std::string_view skip) const {
  if (at.kind() != JsonKind::object)
    return reading.fail(
        at, std::string("not an object but ") + to_text(at.kind()),
        "an object { ... }, as docs/scene-format.md has it under `" + info_.name + "`");
  std::uint64_t seen = 0;
  const bool good = at.each_member([&](JsonView key, JsonView value) {
    const auto raw = key.raw();
    const auto name = raw.substr(1, raw.size() - 2);
    if (!skip.empty() && name == skip) return true;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      if (info_.fields[i].name != name) continue;
      seen |= std::uint64_t{1} << i;
      return fields_[i]->read(reading, value, info_.fields[i], out);
    }
    return fail_unknown_key(reading, key, names(), info_.name);
  });
  if (!good) return false;
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const FieldInfo& field = info_.fields[i];
    if (!field.required || (seen >> i & 1) != 0) continue;
    const bool has_unit = !field.unit.empty() && field.unit != "1";
    const bool one_value = field.range.min == field.range.max;
    return reading.fail(at, fmt::format("the field \"{}\" is missing", field.name),
                        fmt::format("add \"{}\"{}{}. {}", field.name,
                                    one_value ? fmt::format(": {}", field.range.min) : "",
                                    has_unit ? ", " + field.unit : "", field.meaning));
  }
  if (source_)
    *static_cast<SourcePlace*>(at_offset(out, *source_)) = {reading.document, at.index()};
  return !test_ || test_(reading, at, out);
}

void FieldTable::write_fields(const void* in, Json::Object& out) const {
  for (std::size_t i = 0; i < fields_.size(); ++i)
    if (info_.fields[i].required || !fields_[i]->same(in, fresh()))
      out.emplace_back(info_.fields[i].name, fields_[i]->write(in));
}

bool FieldTable::same_fields(const void* a, const void* b) const {
  for (const auto& field : fields_)
    if (!field->same(a, b)) return false;
  return true;
}

}  // namespace repose
