// Scenes of another tool, written back with other poses and read again.
#include "fuzz/driver.h"
#include "fuzz/read_write_read.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  repose::fuzz::read_write_read(data, size, "input.urdf");
  return 0;
}

repose::fuzz::Target repose::fuzz::target() {
  Target out;
  const std::string whole =
      R"(<robot name="r"><link name="world"><collision><geometry><box size="2 2 .1"/></geometry></collision></link>
<link name="a"><inertial><mass value="1"/><origin xyz="0 0 .1"/></inertial><collision name="c"><origin xyz="0 0 1" rpy="1 0 0"/><geometry><cylinder radius=".1" length="1"/></geometry></collision></link>
<joint name="j" type="floating"><parent link="world"/><child link="a"/><origin xyz="0 0 2" rpy="0 1.5707963 0"/></joint>
<link name="b"><collision><geometry><sphere radius="1"/></geometry></collision></link><joint name="k" type="floating"><parent link="a"/><child link="b"/></joint>
<link name="d"><collision><geometry><mesh filename="package://p/m.stl"/></geometry></collision></link></robot>)";
  out.seeds = {whole};
  out.words = {"<link ",
               "</link>",
               "<joint ",
               "type=\"fixed\"",
               "type=\"revolute\"",
               "<parent link=\"a\"/>",
               "<child link=\"b\"/>",
               "<origin ",
               "rpy=\"",
               "package://",
               "1e308",
               "nan",
               "-1",
               "radius=\"0\""};
  return out;
}
