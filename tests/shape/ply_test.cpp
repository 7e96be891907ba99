#include "shape/mesh_files.h"

namespace repose::shape {
namespace {

const char* const kPoints =
    "element vertex 4\nproperty float x\nproperty float y\nproperty float z\n";
const char* const kFourPoints = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n";
const char* const kFourFaces = "3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n";

/// A text PLY of four points and what else the header and the body say.
std::string four_points(const std::string& elements, const std::string& body) {
  return std::string("ply\nformat ascii 1.0\n") + kPoints + elements + "end_header\n" +
         kFourPoints + body;
}

TriangleMesh read(const std::string& name, const std::string& bytes) {
  const auto mesh = read_mesh_file(TempFile(name, bytes).path());
  EXPECT_TRUE(mesh) << name << ": " << mesh.error().text();
  return mesh ? *mesh : TriangleMesh();
}

TEST(Ply, strips_give_the_triangles_of_their_faces) {
  // 0 2 1 3 0 2 winds once around; a second strip begins after -1
  const TriangleMesh strip =
      read("a.ply", four_points("element tristrips 1\nproperty list int int vertex_indices\n",
                                "10 0 2 1 3 -1 2 0 3 -1 1\n"));
  const std::vector<std::array<int, 3>> wanted{{0, 1, 2}, {2, 1, 3}, {1, 0, 3}};
  EXPECT_EQ(strip.triangles, wanted);
  const auto solid = make_mesh_file(
      {.path = TempFile("b.ply", four_points("element tristrips 1\n"
                                             "property list int int vertex_indices\n",
                                             "6 0 2 1 3 0 2\n"))
                   .path()});
  ASSERT_TRUE(solid) << solid.error().text();
  EXPECT_DOUBLE_EQ((*solid)->volume.volume, 1.0 / 6.0);
}

TEST(Ply, what_else_the_file_holds_is_passed_over) {
  const std::string bytes = four_points(
      "property list uchar int extra\nproperty uchar red\nelement nothing 5\n"
      "element face 4\nproperty list uchar int vertex_index\nproperty float quality\n"
      "element edge 1\nproperty int a\nproperty int b\n",
      "");
  const std::size_t at = bytes.find(kFourPoints);
  const std::string body =
      "0 0 0 0 7\n1 0 0 2 5 5 7\n0 1 0 1 5 7\n0 0 1 0 7\n"
      "3 0 2 1 .5\n3 0 1 3 .5\n3 1 2 3 .5\n3 2 0 3 .5\n0 1\n";
  EXPECT_EQ(read("a.ply", bytes.substr(0, at) + body).triangles.size(), 4u);
}

TEST(Ply, headers_end_as_their_first_line_does) {
  const TriangleMesh mesh = cube();
  std::string bytes = ply(mesh, "binary_little_endian");
  const std::size_t body = bytes.find("end_header\n") + 11;
  // the first byte of the body is a line feed
  bytes[body] = '\n';
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    std::string header;
    for (const char c : bytes.substr(0, body)) header += c == '\n' ? end : std::string(1, c);
    EXPECT_EQ(read("a.ply", header + bytes.substr(body)).triangles.size(), 12u);
  }
}

TEST(Ply, what_is_wrong_is_told_with_its_line_or_byte) {
  const auto told = [](const std::string& bytes, int line, const std::string& value,
                       const std::string& wrong) {
    const InputError error = refused("a.ply", bytes);
    EXPECT_EQ(error.line, line) << error.text();
    EXPECT_EQ(error.value, value) << error.text();
    EXPECT_NE(error.wrong.find(wrong), std::string::npos) << error.text();
  };
  const std::string faces = "element face 4\nproperty list uchar int vertex_indices\n";
  const std::string head = "ply\nformat ascii 1.0\n";
  told("plx\n", 1, "", "no PLY");
  told("ply\n" + std::string(kPoints) + "end_header\n", 7, "", "no format");
  told(head + "format ascii 1.0\n", 3, "ascii", "twice");
  told(head + "element vertex -4\n", 3, "-4", "count");
  told(head + "element vertex 1\nelement vertex 1\n", 4, "vertex", "twice");
  told(head + "property float x\n", 3, "property", "before any element");
  told(head + "element vertex 1\nproperty float x\nproperty double x\n", 5, "x", "twice");
  told(head + "element vertex 1\nproperty list float int x\n", 4, "float", "no whole number");
  told(head + "element vertex 1\nproperty half x\n", 4, "half", "type is unknown");
  told(head + "element vertex 1\nproperty float x\nproperty float y\nend_header\n0 0\n", 0, "",
       "no number z");
  told(four_points(faces, "3 0 2 4\n3 0 1 3\n3 1 2 3\n3 2 0 3\n"), 14, "4", "no such vertex");
  told(four_points(faces, "3 0 2 -1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n"), 14, "-1", "no such vertex");
  told(four_points(faces, "3 0 2 1\n-3 0 1 3\n3 1 2 3\n3 2 0 3\n"), 15, "-3", "no count");
  told(four_points(faces, "3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0\n"), 18, "", "no number");
  told(four_points(faces, "3 0 2 one\n3 0 1 3\n3 1 2 3\n3 2 0 3\n"), 14, "", "no number");
  std::string binary = ply(cube(), "binary_big_endian");
  const std::size_t body = binary.find("end_header\n") + 11;
  binary.replace(body, 4, std::string("\x7f\x80\x00\x00", 4));  // infinity
  told(binary, 0, "inf", "vertex 0 of 8, before byte " + std::to_string(body + 4));
}

TEST(Ply, repeated_elements_and_endless_lists_take_no_memory) {
  std::string many = "ply\nformat binary_little_endian 1.0\n";
  for (int i = 0; i < 60; ++i) many += "element e" + std::to_string(i) + " 4000000000000000000\n";
  EXPECT_EQ(refused("a.ply", many + "end_header\n").wrong, "the file holds no triangles");
  // one list that claims four thousand million entries
  const std::string list =
      "ply\nformat binary_little_endian 1.0\nelement face 1\n"
      "property list uint uchar vertex_indices\nelement vertex 4\nproperty float x\n"
      "property float y\nproperty float z\nend_header\n";
  const InputError error = refused("b.ply", list + std::string(4, '\xff') + std::string(200, '\0'));
  EXPECT_NE(error.wrong.find("face 0 of 1"), std::string::npos) << error.text();
}

}  // namespace
}  // namespace repose::shape
