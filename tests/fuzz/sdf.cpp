// Scenes of another tool, written back with other poses and read again.
#include "fuzz/driver.h"
#include "fuzz/read_write_read.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  repose::fuzz::read_write_read(data, size, "input.sdf");
  return 0;
}

repose::fuzz::Target repose::fuzz::target() {
  Target out;
  const std::string whole =
      R"(<sdf version="1.9"><world name="w"><gravity>0 0 -9</gravity><model name="g"><static>true</static><link name="l"><collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model>
<model name="m" placement_frame="f"><pose relative_to="g::l" degrees="true">1 2 3 4 5 6</pose><link name="l"><pose>0 0 1 0 0 0</pose><inertial><mass>2</mass></inertial><collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link>
<frame name="f" attached_to="l"><pose relative_to="l">1 0 0 0 0 0</pose></frame><model name="n"><link name="k"><collision name="c"><geometry><cone><radius>1</radius><length>2</length></cone></geometry></collision></link></model>
<joint name="j" type="fixed"><parent>l</parent><child>n::k</child></joint></model>
<include><uri>model://nothing</uri></include></world></sdf>)";
  out.seeds = {whole};
  out.words = {"<model name=\"",
               "</model>",
               "<link name=\"",
               "<frame name=\"",
               "relative_to=\"m\"",
               "attached_to=\"f\"",
               "<pose/>",
               "<pose>",
               "</pose>",
               "<joint ",
               "type=\"revolute\"",
               "<include>",
               "::",
               "__model__",
               "1e308",
               "nan",
               "quat_xyzw"};
  return out;
}
