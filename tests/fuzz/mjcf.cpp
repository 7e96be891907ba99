// Scenes of another tool, written back with other poses and read again.
#include "fuzz/driver.h"
#include "fuzz/read_write_read.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  repose::fuzz::read_write_read(data, size, "input.xml");
  return 0;
}

repose::fuzz::Target repose::fuzz::target() {
  Target out;
  const std::string whole =
      R"(<mujoco model="m"><compiler angle="radian" eulerseq="XYZ"/><option gravity="0 0 -9"/><default><geom size=".1"/><default class="c"><geom type="box" size="1 2 3"/></default></default>
<asset><mesh name="w" scale="2 2 2" vertex="-1 -1 -1 1 -1 -1 1 1 -1 -1 1 -1 -1 -1 1 -1 1 1"/></asset>
<worldbody><geom type="plane" size="1 1 1"/><body name="a" pos="0 0 1" childclass="c"><freejoint/><geom/><geom type="sphere" size="1" pos="0 0 3"/></body>
<frame pos="1 0 0" euler="0 1 0"><body name="b" xyaxes="1 0 0 0 1 0"><joint type="free"/><geom type="mesh" mesh="w" mass="2"/></body></frame>
<body name="arm" pos="5 0 0"><joint axis="0 1 0" ref="0.1"/><geom type="capsule" fromto="0 0 0 0 0 1" size=".1"/><inertial pos="0 0 0" mass="1"/></body></worldbody>
<contact><exclude body1="a" body2="b"/></contact><keyframe><key name="k" qpos="0 0 1 1 0 0 0 1 2 3 1 0 0 0 0.5"/></keyframe></mujoco>)";
  out.seeds = {whole};
  out.words = {"<body ",
               "</body>",
               "<freejoint/>",
               "<geom ",
               "fromto=\"0 0 0 0 0 0\"",
               "quat=\"0 0 0 0\"",
               "class=\"c\"",
               "<include file=\"input.xml\"/>",
               "<frame>",
               "type=\"mesh\"",
               "size=\"0\"",
               "1e308",
               "nan",
               "-1",
               "<key qpos=\"",
               "settled"};
  return out;
}
