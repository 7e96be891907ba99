// JSON Schema (draft 2020-12) from the tables of the format.
#include <cmath>

#include "repose/base/json_write.h"
#include "repose/scene/format.h"

#include "field_table.h"

namespace repose {

namespace {

Json::Object base_schema(const FieldInfo& field) {
  Json::Object out;
  const auto add_range = [&](const char* type) {
    out.emplace_back("type", type);
    const Range& range = field.range;
    if (std::isfinite(range.min))
      out.emplace_back(range.open_min ? "exclusiveMinimum" : "minimum", range.min);
    if (std::isfinite(range.max))
      out.emplace_back(range.open_max ? "exclusiveMaximum" : "maximum", range.max);
  };
  switch (field.type.base) {
    case FieldType::Base::boolean:
      out.emplace_back("type", "boolean");
      break;
    case FieldType::Base::integer:
      add_range("integer");
      break;
    case FieldType::Base::number:
      add_range("number");
      break;
    case FieldType::Base::text:
      out.emplace_back("type", "string");
      if (!field.choices.empty())
        out.emplace_back("enum", Json::Array(field.choices.begin(), field.choices.end()));
      break;
    case FieldType::Base::object:
      out.emplace_back("$ref", "#/$defs/" + field.type.object);
      break;
    case FieldType::Base::any:
      break;
  }
  if (!field.type.or_name) return out;
  return {{"anyOf", Json::Array{Json::Object{{"type", "string"}}, std::move(out)}}};
}

Json field_schema(const FieldInfo& field) {
  Json::Object out = base_schema(field);
  for (auto list = field.type.lists.rbegin(); list != field.type.lists.rend(); ++list) {
    Json::Object outer{{"type", "array"}, {"items", std::move(out)}};
    if (*list >= 0) {
      outer.emplace_back("minItems", *list);
      outer.emplace_back("maxItems", *list);
    }
    out = std::move(outer);
  }
  if (field.type.or_color)
    out = {{"anyOf", Json::Array{std::move(out), Json::Object{{"type", "string"}}}}};
  if (field.type.map) out = {{"type", "object"}, {"additionalProperties", std::move(out)}};
  std::string about = field.meaning;
  if (!field.unit.empty() && field.unit != "1") about += " Unit: " + field.unit + ".";
  if (!field.default_text.empty()) about += " Default: " + field.default_text + ".";
  if (field.or_old_number) {
    Json::Object number{{"type", "number"}, {"deprecated", true}};
    out = {{"anyOf", Json::Array{std::move(out), std::move(number)}}};
  }
  out.emplace_back("description", about);
  if (field.old) out.emplace_back("deprecated", true);
  return out;
}

Json object_schema(const ObjectInfo& info, const std::string& kind) {
  Json::Object properties;
  Json::Array required;
  // a model may be used without saying its kind
  const bool bare = info.name == "model" && !kind.empty();
  if (!kind.empty()) {
    properties.emplace_back("kind", Json::Object{{"const", kind}});
    if (!bare) required.emplace_back("kind");
  }
  for (const FieldInfo& field : info.fields) {
    properties.emplace_back(field.name, field_schema(field));
    if (field.required) required.emplace_back(field.name);
  }
  Json::Object out{{"description", info.about},
                   {"type", "object"},
                   {"properties", std::move(properties)},
                   {"additionalProperties", false}};
  if (!required.empty()) out.emplace_back("required", std::move(required));
  return out;
}

Json definition(const ObjectInfo& info) {
  if (info.kinds.empty()) return object_schema(info, "");
  Json::Array kinds;
  for (const ObjectInfo& kind : info.kinds) kinds.push_back(object_schema(kind, kind.name));
  return Json::Object{{"description", info.about}, {"oneOf", std::move(kinds)}};
}

ObjectInfo methods_info(const Catalogue& catalogue) {
  ObjectInfo out{"method", "How bodies move, and all its settings.", {}, {}};
  for (const MethodInfo& method : catalogue) {
    ObjectInfo kind{method.name, method.about, {}, {}};
    for (const SettingInfo& row : method.settings) {
      kind.fields.push_back(field_of(row));
      kind.fields.back().or_old_number = !row.number_is.empty();
      for (const std::string& name : row.old_names) {
        FieldInfo old = field_of(row);
        old.name = name;
        old.meaning = "Old name of " + row.name + ".";
        old.old = true;
        kind.fields.push_back(std::move(old));
      }
    }
    out.kinds.push_back(std::move(kind));
  }
  return out;
}

}  // namespace

std::string scene_schema(const Catalogue& catalogue) {
  Json::Object definitions;
  for (const ObjectInfo& info : scene_format())
    definitions.emplace_back(info.name, definition(info));
  definitions.emplace_back("method", definition(methods_info(catalogue)));
  return Json(Json::Object{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                           {"title", "Repose scene, version 1"},
                           {"$ref", "#/$defs/scene"},
                           {"$defs", std::move(definitions)}})
      .pretty();
}

}  // namespace repose
