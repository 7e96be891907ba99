#include "mjcf_terrain.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <png.h>

#include "repose/base/plain_file.h"

#include "find_file.h"

namespace repose::handover {

namespace {

/// Heights that a field may have: its triangles are held as a mesh.
constexpr std::size_t kMostHeights = std::size_t{1} << 20;
constexpr std::uint64_t kMostFileBytes = std::uint64_t{64} << 20;
/// Heights within this of one another are one level: MuJoCo does not stretch them then.
constexpr double kLevel = 1e-15;

/// Heights by rows, the first at the least y.
struct Heights {
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;

  void turn_over() {
    for (std::size_t r = 0; r < rows / 2; ++r)
      std::swap_ranges(values.begin() + static_cast<std::ptrdiff_t>(r * columns),
                       values.begin() + static_cast<std::ptrdiff_t>((r + 1) * columns),
                       values.begin() + static_cast<std::ptrdiff_t>((rows - 1 - r) * columns));
  }
};

void check_grid(const Word& word, std::size_t rows, std::size_t columns) {
  if (rows < 2 || columns < 2 || rows > kMostHeights / columns)
    word.refuse(fmt::format("a field of {} rows and {} columns", rows, columns),
                fmt::format("two of each at least, {} heights at most", kMostHeights));
}

/// Grey pixels from the top row down, as pictures are.
Heights from_png(const std::string& bytes, const Word& word) {
  png_image image;
  std::memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0)
    word.refuse(fmt::format("the picture is not read: {}", image.message), "a grey PNG");
  const bool colored = (image.format & (PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_LINEAR)) != 0;
  Heights out{image.height, image.width, {}};
  if (colored) {
    png_image_free(&image);
    word.refuse("the picture has colours or 16 bits", "a PNG of 8 bits of grey");
  }
  if (out.rows < 2 || out.columns < 2 || out.rows > kMostHeights / out.columns)
    png_image_free(&image);
  check_grid(word, out.rows, out.columns);
  image.format = PNG_FORMAT_GRAY;
  std::vector<png_byte> pixels(PNG_IMAGE_SIZE(image));
  const png_color black{0, 0, 0};
  if (png_image_finish_read(&image, &black, pixels.data(), 0, nullptr) == 0)
    word.refuse(fmt::format("the picture is not read: {}", image.message), "a grey PNG");
  out.values.assign(pixels.begin(), pixels.end());
  out.turn_over();
  return out;
}

/// Two whole numbers of 32 bits, rows and columns, then floats.
Heights from_binary(const std::string& bytes, const Word& word) {
  std::array<std::int32_t, 2> counts{};
  if (bytes.size() < sizeof counts) word.refuse("the file is too short", "rows, columns, heights");
  std::memcpy(counts.data(), bytes.data(), sizeof counts);
  if (counts[0] < 0 || counts[1] < 0) word.refuse("a count below zero", "rows, columns, heights");
  Heights out{static_cast<std::size_t>(counts[0]), static_cast<std::size_t>(counts[1]), {}};
  check_grid(word, out.rows, out.columns);
  const std::size_t count = out.rows * out.columns;
  if (bytes.size() != sizeof counts + count * sizeof(float))
    word.refuse(
        fmt::format("{} bytes", bytes.size()),
        fmt::format("{}, as its {} heights ask", sizeof counts + count * sizeof(float), count));
  for (std::size_t i = 0; i < count; ++i) {
    float value = 0.0F;
    std::memcpy(&value, bytes.data() + sizeof counts + i * sizeof value, sizeof value);
    if (!std::isfinite(value)) word.refuse("a height that is no number", "finite heights");
    out.values.push_back(static_cast<double>(value));
  }
  return out;
}

Heights from_words(const MjcfElement& field) {
  const auto count = [&](const char* name) {
    const auto word = field.find(name);
    if (!word) refuse(field.at(), fmt::format("a field without {}", name), "a file, or nrow, ncol");
    const double value = number(*word);
    if (!(value >= 2.0 && value <= static_cast<double>(kMostHeights)))
      word->refuse("not a count", fmt::format("from 2 to {}", kMostHeights));
    return static_cast<std::size_t>(value);
  };
  Heights out{count("nrow"), count("ncol"), {}};
  check_grid(*field.find("nrow"), out.rows, out.columns);
  const std::size_t all = out.rows * out.columns;
  const auto word = field.find("elevation");
  out.values = word ? numbers(*word, all, all) : std::vector<double>(all, 0.0);
  out.turn_over();  // written as a picture, from the top row down
  return out;
}

Heights heights_of(const MjcfElement& field, const std::filesystem::path& folder) {
  const auto file = field.find("file");
  if (!file || file->text.empty()) return from_words(field);
  const std::filesystem::path path = folder / file->text;
  const auto bytes = read_plain_file(path.string(), kMostFileBytes, "the path of a height field");
  if (!bytes) file->refuse(bytes.error().wrong, bytes.error().right);
  return ending_of(path) == ".png" ? from_png(*bytes, *file) : from_binary(*bytes, *file);
}

/// From 0 at the lowest to 1 at the highest, as MuJoCo's compiler has it.
void stretch(Heights& heights) {
  const auto [low, high] = std::minmax_element(heights.values.begin(), heights.values.end());
  const double least = *low, span = *high - *low;
  for (double& value : heights.values) {
    value -= least;
    if (span > kLevel) value /= span;
  }
}

}  // namespace

shape::TriangleMesh mjcf_terrain(const MjcfElement& field, const std::filesystem::path& folder) {
  const auto size_word = field.find("size");
  if (!size_word) refuse(field.at(), "a field without size", "size=\"...\" of four lengths");
  const auto size = numbers(*size_word, 4, 4);
  for (const double length : size)
    if (!(length >= kLeastLength))
      size_word->refuse("not a length", fmt::format("four, at least {:g} m", kLeastLength));
  Heights heights = heights_of(field, folder);
  stretch(heights);
  const auto rows = static_cast<int>(heights.rows), columns = static_cast<int>(heights.columns);
  shape::TriangleMesh out;
  const auto x = [&](int c) { return size[0] * (2.0 * c / (columns - 1) - 1.0); };
  const auto y = [&](int r) { return size[1] * (2.0 * r / (rows - 1) - 1.0); };
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c)
      out.points.emplace_back(x(c), y(r),
                              size[2] * heights.values[static_cast<std::size_t>(r * columns + c)]);
  // above: each cell is cut from its corner of least x and y
  const auto top = [&](int r, int c) { return r * columns + c; };
  for (int r = 0; r + 1 < rows; ++r)
    for (int c = 0; c + 1 < columns; ++c) {
      out.triangles.push_back({top(r, c), top(r, c + 1), top(r + 1, c + 1)});
      out.triangles.push_back({top(r, c), top(r + 1, c + 1), top(r + 1, c)});
    }
  // round about, counter-clockwise seen from above; below each edge a wall, then the base
  std::vector<int> edge;
  for (int c = 0; c + 1 < columns; ++c) edge.push_back(top(0, c));
  for (int r = 0; r + 1 < rows; ++r) edge.push_back(top(r, columns - 1));
  for (int c = columns - 1; c > 0; --c) edge.push_back(top(rows - 1, c));
  for (int r = rows - 1; r > 0; --r) edge.push_back(top(r, 0));
  const int below = static_cast<int>(out.points.size());
  const int count = static_cast<int>(edge.size());
  for (const int corner : edge) {
    const Vec3& p = out.points[static_cast<std::size_t>(corner)];
    out.points.emplace_back(p.x(), p.y(), -size[3]);
  }
  const int middle = static_cast<int>(out.points.size());
  out.points.emplace_back(0.0, 0.0, -size[3]);
  for (int k = 0; k < count; ++k) {
    const int next = (k + 1) % count, a = edge[static_cast<std::size_t>(k)],
              b = edge[static_cast<std::size_t>(next)];
    out.triangles.push_back({a, below + k, below + next});
    out.triangles.push_back({a, below + next, b});
    out.triangles.push_back({middle, below + next, below + k});
  }
  return out;
}

}  // namespace repose::handover
