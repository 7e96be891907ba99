// Colours as texts.
#include <algorithm>
#include <cmath>

#include "field_table.h"

namespace repose {

namespace {

struct NamedColor {
  const char* name;
  unsigned rgb;  // sRGB, eight bits each
};
/// As style sheets of the web name them (CSS Color 4, section 6.1).
constexpr NamedColor kColors[] = {
    {"aquamarine", 0x7FFFD4},     {"beige", 0xF5F5DC},        {"black", 0x000000},
    {"blue", 0x0000FF},           {"brown", 0xA52A2A},        {"burlywood", 0xDEB887},
    {"chocolate", 0xD2691E},      {"coral", 0xFF7F50},        {"cornflowerblue", 0x6495ED},
    {"crimson", 0xDC143C},        {"cyan", 0x00FFFF},         {"darkblue", 0x00008B},
    {"darkgray", 0xA9A9A9},       {"darkgreen", 0x006400},    {"darkorange", 0xFF8C00},
    {"darkred", 0x8B0000},        {"dimgray", 0x696969},      {"dodgerblue", 0x1E90FF},
    {"firebrick", 0xB22222},      {"forestgreen", 0x228B22},  {"gold", 0xFFD700},
    {"goldenrod", 0xDAA520},      {"gray", 0x808080},         {"green", 0x008000},
    {"indianred", 0xCD5C5C},      {"indigo", 0x4B0082},       {"ivory", 0xFFFFF0},
    {"khaki", 0xF0E68C},          {"lavender", 0xE6E6FA},     {"lightblue", 0xADD8E6},
    {"lightgray", 0xD3D3D3},      {"lightgreen", 0x90EE90},   {"lime", 0x00FF00},
    {"linen", 0xFAF0E6},          {"magenta", 0xFF00FF},      {"maroon", 0x800000},
    {"mediumseagreen", 0x3CB371}, {"midnightblue", 0x191970}, {"navy", 0x000080},
    {"olive", 0x808000},          {"orange", 0xFFA500},       {"orchid", 0xDA70D6},
    {"peru", 0xCD853F},           {"pink", 0xFFC0CB},         {"plum", 0xDDA0DD},
    {"purple", 0x800080},         {"red", 0xFF0000},          {"royalblue", 0x4169E1},
    {"saddlebrown", 0x8B4513},    {"salmon", 0xFA8072},       {"sandybrown", 0xF4A460},
    {"seagreen", 0x2E8B57},       {"sienna", 0xA0522D},       {"silver", 0xC0C0C0},
    {"skyblue", 0x87CEEB},        {"slateblue", 0x6A5ACD},    {"slategray", 0x708090},
    {"snow", 0xFFFAFA},           {"steelblue", 0x4682B4},    {"tan", 0xD2B48C},
    {"teal", 0x008080},           {"tomato", 0xFF6347},       {"turquoise", 0x40E0D0},
    {"violet", 0xEE82EE},         {"wheat", 0xF5DEB3},        {"white", 0xFFFFFF},
    {"yellow", 0xFFFF00},         {"yellowgreen", 0x9ACD32}};

/// Of the curve that IEC 61966-2-1 gives for sRGB.
double linear(unsigned byte) {
  constexpr double kLinearPart = 0.04045;
  const double x = byte / 255.0;
  return x <= kLinearPart ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
}

std::array<double, 3> color_of(unsigned rgb) {
  constexpr unsigned kByte = 0xFF;
  return {linear(rgb >> 16U), linear(rgb >> 8U & kByte), linear(rgb & kByte)};
}

bool is_hex(const std::string& text) {
  constexpr std::size_t kDigits = 6;
  return text.size() == kDigits + 1 && text[0] == '#' &&
         text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
}

}  // namespace

bool read_color(Reading& reading, JsonView at, std::array<double, 3>& out) {
  const std::string text = at.text();
  if (is_hex(text)) {
    out = color_of(static_cast<unsigned>(std::stoul(text.substr(1), nullptr, 16)));
    return true;
  }
  std::vector<std::string> names;
  for (const NamedColor& color : kColors) {
    names.emplace_back(color.name);
    if (text != color.name) continue;
    out = color_of(color.rgb);
    return true;
  }
  const bool hex = text.starts_with('#');
  return reading.fail(
      at, hex ? "not a colour" : "no such colour",
      hex ? "#rrggbb with six hexadecimal digits"
          : "\"#rrggbb\", three linear numbers or a name; " + suggestion(text, names));
}

}  // namespace repose
