#include "repose/exchange/vtk.h"

#include <gtest/gtest.h>
#include <pugixml.hpp>

#include "output/exchange/recordings.h"

namespace repose::exchange {
namespace {

std::string decoded(const std::string& text) {
  std::string out;
  unsigned bits = 0;
  int held = 0;
  for (const char c : text) {
    int digit = -1;
    if (c >= 'A' && c <= 'Z') digit = c - 'A';
    if (c >= 'a' && c <= 'z') digit = c - 'a' + 26;
    if (c >= '0' && c <= '9') digit = c - '0' + 52;
    if (c == '+') digit = 62;
    if (c == '/') digit = 63;
    if (digit < 0) continue;
    bits = bits << 6 | static_cast<unsigned>(digit);
    held += 6;
    if (held >= 8) out += static_cast<char>(bits >> (held -= 8) & 255U);
  }
  return out;
}

// the numbers of one array, after checking the length that stands before them
template <class Number>
std::vector<Number> numbers(const pugi::xml_node& parent, const char* name) {
  const std::string bytes =
      decoded(parent.find_child_by_attribute("DataArray", "Name", name).text().get());
  std::uint64_t size = 0;
  EXPECT_GE(bytes.size(), 8U);
  std::memcpy(&size, bytes.data(), 8);
  EXPECT_EQ(size, bytes.size() - 8) << name;
  std::vector<Number> out(size / sizeof(Number));
  std::memcpy(out.data(), bytes.data() + 8, size);
  return out;
}

class Vtk : public InFolder {};

TEST_F(Vtk, the_series_lists_every_frame_at_its_time) {
  const Recording recording = five_frames(folder / "recording.repose");
  ASSERT_TRUE(write_vtk(recording, folder / "run.pvd"));
  pugi::xml_document list;
  ASSERT_TRUE(list.load_file((folder / "run.pvd").c_str()));
  int count = 0;
  for (const auto& set : list.child("VTKFile").child("Collection").children("DataSet")) {
    EXPECT_TRUE(std::filesystem::exists(folder / set.attribute("file").value()));
    EXPECT_EQ(set.attribute("timestep").as_double(), 0.5 * (count / 2));
    ++count;
  }
  EXPECT_EQ(count, 10) << "bodies and contacts of five frames";
}

TEST_F(Vtk, soft_bodies_may_be_written_as_their_skin) {
  const Recording recording = five_frames(folder / "recording.repose");
  ASSERT_TRUE(write_vtk(recording, folder / "balls.pvd"));
  ASSERT_TRUE(write_vtk(recording, folder / "skin.pvd", true));
  const auto triangles = [&](const char* name) {
    pugi::xml_document bodies;
    EXPECT_TRUE(bodies.load_file((folder / name / "bodies_00002.vtp").c_str()));
    const auto piece = bodies.child("VTKFile").child("PolyData").child("Piece");
    const auto body = numbers<std::int32_t>(piece.child("CellData"), "body");
    return std::count(body.begin(), body.end(), 3);
  };
  EXPECT_GT(triangles("skin"), 100);
  EXPECT_NE(triangles("skin"), triangles("balls"));
}

TEST_F(Vtk, arrays_hold_as_much_as_the_piece_says_and_stay_in_bounds) {
  const Recording recording = five_frames(folder / "recording.repose");
  ASSERT_TRUE(write_vtk(recording, folder / "run.pvd"));
  pugi::xml_document file;
  ASSERT_TRUE(file.load_file((folder / "run" / "bodies_00004.vtp").c_str()));
  const auto piece = file.child("VTKFile").child("PolyData").child("Piece");
  const auto points = numbers<float>(piece.child("Points"), "points");
  const auto corners = numbers<std::int64_t>(piece.child("Polys"), "connectivity");
  const auto offsets = numbers<std::int64_t>(piece.child("Polys"), "offsets");
  const auto body = numbers<std::int32_t>(piece.child("CellData"), "body");
  const std::size_t count = piece.attribute("NumberOfPoints").as_ullong();
  const std::size_t polys = piece.attribute("NumberOfPolys").as_ullong();
  EXPECT_EQ(points.size(), 3 * count);
  EXPECT_EQ(numbers<float>(piece.child("PointData"), "normal").size(), 3 * count);
  EXPECT_EQ(corners.size(), 3 * polys);
  EXPECT_EQ(offsets.size(), polys);
  EXPECT_EQ(offsets.back(), static_cast<std::int64_t>(corners.size()));
  EXPECT_EQ(body.size(), polys);
  EXPECT_EQ(std::count(body.begin(), body.end(), 2), 4) << "the tetrahedron's faces";
  float top = -1e30F;
  for (std::size_t t = 0; t < polys; ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      ASSERT_LT(static_cast<std::size_t>(corners[3 * t + k]), count);
      if (body[t] == 1)
        top = std::max(top, points[3 * static_cast<std::size_t>(corners[3 * t + k]) + 2]);
    }
  EXPECT_NEAR(top, 0.5 + 4.0 + 0.5, 1e-6) << "the ball has risen";
}

TEST_F(Vtk, contacts_carry_their_force) {
  const Recording recording = five_frames(folder / "recording.repose");
  ASSERT_TRUE(write_vtk(recording, folder / "run.pvd"));
  pugi::xml_document file;
  ASSERT_TRUE(file.load_file((folder / "run" / "contacts_00000.vtp").c_str()));
  const auto piece = file.child("VTKFile").child("PolyData").child("Piece");
  EXPECT_EQ(numbers<float>(piece.child("PointData"), "force_on_b"),
            (std::vector<float>{0.0F, 0.0F, 7.0F}));
}

TEST_F(Vtk, an_unwritable_place_is_named) {
  const Recording recording = five_frames(folder / "recording.repose");
  const auto done = write_vtk(recording, folder / "recording.repose" / "run.pvd");
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().text().find("recording.repose/run"), std::string::npos);
}

}  // namespace
}  // namespace repose::exchange
