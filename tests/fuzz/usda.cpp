// Scenes of USD with other files beside them, written back with other poses and read again.
#include <fstream>

#include "fuzz/driver.h"
#include "fuzz/read_write_read.h"

namespace {

constexpr const char* kBeside = R"(#usda 1.0
(
    defaultPrim = "Cup"
)
def Xform "Cup" (prepend apiSchemas = ["PhysicsRigidBodyAPI"])
{
    double3 xformOp:translate = (0, 0, 1)
    uniform token[] xformOpOrder = ["xformOp:translate"]
    def Cylinder "body" (prepend apiSchemas = ["PhysicsCollisionAPI"]) { double radius = 2 }
}
)";

constexpr const char* kWhole = R"(#usda 1.0
(
    doc = """a scene"""
    metersPerUnit = 0.01
    upAxis = "Z"
    subLayers = [@./beside.usda@]
)
class "_all" { token purpose = "default" }
def Xform "World" (kind = "assembly" variants = { string v = "a" })
{
    variantSet "v" = { "a" { double b = 1 } "c" ( kind = "group" ) { def Cube "x" { } } }
    def "one" (prepend references = @beside.usda@</Cup> inherits = </_all>)
    {
        quatf xformOp:orient = (0.5, 0.5, 0.5, 0.5)
        float3 xformOp:rotateXYZ.timeSamples = { 0: (1, 2, 3), 1.5: (4, 5, 6), }
        uniform token[] xformOpOrder = ["!resetXformStack!", "xformOp:translate", "xformOp:orient", "xformOp:rotateXYZ"]
    }
    def Mesh "two" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI", "PhysicsMassAPI"])
    {
        float physics:mass = 3
        uniform token orientation = "leftHanded"
        point3f[] points = [(0,0,0),(1,0,0),(0,1,0),(0,0,1),(1,1,0)]
        int[] faceVertexCounts = [4,3,3,3,3] # a comment
        int[] faceVertexIndices = [0,2,4,1, 0,1,3, 1,4,3, 4,2,3, 2,0,3]
        int[] holeIndices = []
        matrix4d xformOp:transform = ( (1, 0, 0, 0), (0, 2, 0, 0), (0, 0, 1, 0), (3, 4, 5, 1) )
        uniform token[] xformOpOrder = ["xformOp:transform"]
        rel material:binding = </World/m>
    }
    def Capsule "three" (apiSchemas = ["PhysicsCollisionAPI"]) { uniform token axis = "X" double height = 3 }
    def Material "m" (apiSchemas = ["PhysicsMaterialAPI"]) { float physics:staticFriction = 0.7 }
    def PhysicsFixedJoint "j" { rel physics:body0 = </World/one> rel physics:body1 = [</World/two>] }
    over "nothing" { }
}
)";

void put_files_beside() {
  std::ofstream(repose::fuzz::scratch_folder() / "beside.usda") << kBeside;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bool once = (put_files_beside(), true);
  static_cast<void>(once);
  repose::fuzz::read_write_read(data, size, "input.usda");
  return 0;
}

repose::fuzz::Target repose::fuzz::target() {
  Target out;
  out.seeds = {kWhole, kBeside};
  out.words = {"def ",
               "over \"World\"",
               "references = @input.usda@</World>",
               "payload = @beside.usda@",
               "inherits = </World>",
               "subLayers = [@input.usda@]",
               "variants = { string v = \"c\" }",
               "instanceable = true",
               "active = false",
               "xformOp:scale",
               "!invert!xformOp:translate",
               "\"xformOp:translate\", ",
               "(0, 0, 0)",
               "None",
               ".timeSamples = {",
               "1e308",
               "-1",
               "nan",
               "inf",
               "\"\"\"",
               "@@@",
               "</World/one>",
               "{",
               "}",
               "[",
               "]",
               "(",
               ")",
               "def Plane \"p\" { }",
               "def Cone \"k\" { }",
               "PhysicsCollisionAPI"};
  return out;
}
