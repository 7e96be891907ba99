#pragma once

#include <string>
#include <vector>

#include "repose/base/settings.h"
#include "repose/world/method.h"

namespace repose {

/// The methods a program knows, in the order it shows them.
using Catalogue = std::vector<MethodInfo>;

/// What a field holds, apart from its numbers' range.
struct FieldType {
  enum class Base { boolean, integer, number, text, object, any };
  Base base = Base::number;
  std::vector<int> lists;  // outermost first; how many elements, -1 for any number
  bool map = false;        // an object from free names to values of this type
  bool or_color = false;   // a text that names a colour serves as well
  bool or_name = false;    // a text (the name of something declared elsewhere) serves as well
  std::string object;      // name of the ObjectInfo, where the base is `object`

  /// "number", "list of [number, number, number]", "object `body`", ...
  std::string text() const;
};

/// One field of the format. Reader, writer, schema and documentation are made from these rows.
struct FieldInfo {
  std::string name;
  std::string unit = {};  // "m", "1" for a pure number, "" where none applies
  Range range = {};       // of every number in it
  bool required = false;
  std::vector<std::string> choices = {};  // allowed texts
  std::string default_text = {};  // what holds if the field is left out, as JSON or in words
  std::string meaning = {};       // one or two sentences
  FieldType type = {};
  bool old = false;            // an old name of another field, still read
  bool or_old_number = false;  // a number is still read where a switch stands today
};

/// One object of the format: its fields; or, where `kinds` is not empty, one object for each value
/// of its field "kind".
struct ObjectInfo {
  std::string name;
  std::string about;
  std::vector<FieldInfo> fields = {};
  std::vector<ObjectInfo> kinds = {};
};

/// Every object of scene format version 1, the scene itself first.
const std::vector<ObjectInfo>& scene_format();

/// JSON Schema (draft 2020-12) of scene files, the methods' settings included.
std::string scene_schema(const Catalogue& catalogue);
/// The page docs/scene-format.md. Methods' settings are on the methods' own pages.
std::string scene_format_markdown();

}  // namespace repose
