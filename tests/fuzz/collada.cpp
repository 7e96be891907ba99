// COLLADA files, made into bodies.
#include "repose/shape/make.h"

#include "fuzz/driver.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto path = repose::fuzz::scratch_file("input.dae", data, size);
  static_cast<void>(repose::shape::make_mesh_file({.path = path.string()}));
  return 0;
}

repose::fuzz::Target repose::fuzz::target() {
  Target out;
  out.seeds = {
      R"(<COLLADA version="1.4.1"><asset><unit meter="0.01"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh><source id="s"><float_array id="a" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array>
<technique_common><accessor source="#a" count="4" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
<triangles count="2"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 1 3</p></triangles>
<polylist count="2"><input semantic="VERTEX" source="#v" offset="1"/><input semantic="NORMAL" source="#v" offset="0"/><vcount>3 3</vcount>
<p>0 1 0 2 0 3 0 3 0 2 0 0</p></polylist></mesh></geometry></library_geometries>
<library_nodes><node id="n"><instance_geometry url="#g"/></node></library_nodes>
<library_visual_scenes><visual_scene id="w"><node><matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix><translate>1 2 3</translate>
<rotate>0 0 1 90</rotate><scale>2 2 -2</scale><instance_node url="#n"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#w"/></scene></COLLADA>)"};
  out.words = {"<p>",          "-1",           "1e400",     "nan",     "#n",       "#g",
               "stride=\"0\"", "stride=\"9\"", "tristrips", "trifans", "polygons", "offset=\"9\"",
               "4294967296",   "<ph>",         "skew",      "1e308"};
  return out;
}
