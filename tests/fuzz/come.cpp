// Scenes of soft bodies as XML, built and written again.
#include "repose/scene/come.h"

#include "fuzz/driver.h"

namespace {

const repose::Catalogue& catalogue() {
  static const repose::Catalogue all = [] {
    repose::MethodInfo molecule{"molecule", "Soft bodies.", {}, {}};
    molecule.settings = {{"iterations_per_second",
                          repose::SettingType::number,
                          1000.0,
                          {1.0, 1e6},
                          {},
                          "1/s",
                          "Steps in a second."}};
    return repose::Catalogue{molecule};
  }();
  return all;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto scene = repose::scene_from_come(text, "input.xml", catalogue());
  if (!scene) return 0;
  const auto written = repose::write_come(*scene);
  if (written) static_cast<void>(repose::scene_from_come(*written, "written.xml", catalogue()));
  return 0;
}

repose::fuzz::Target repose::fuzz::target() {
  Target out;
  const std::string whole = R"(<?xml version="1.0" encoding="iso-8859-1"?>
<!-- two molecules --><!DOCTYPE come SYSTEM "comescene.dtd">
<come><scene gX="0.0" gY="-1.4" gZ="0.0"><simulation fps="600" duration="30.0"/>
<patient name="John" gender="M" weight="70" height="1.80" age="25"><materials>
<material description="bord" R="1.0" G="0.1" B="0.1" damping_const="0.2" density="970.0"
 youngs_modulus="15000.0" medium_density="1.0"/></materials>
<molecule_organ type="cartilage" description="floor">
<molecule x="-0.05" y="-0.05" z="-0.05" material="bord" friction_const="0.02" radius="0.012"
 fixed="true"/>
<molecule x="-0.05" y="-0.05" z="-0.035" material="bord" friction_const="0.02" radius="0.012">
<force x="0.0" y="0.07" z="0.0" time="6.5"/><force x="0.0" y="0.0" z="0.0" time="10.0"/>
</molecule></molecule_organ></patient></scene></come>
)";
  out.seeds = {whole};
  out.words = {"<molecule ",   "</molecule>",     "<force ",   "material=\"", "&lt;",
               "&#x0;",        "<![CDATA[",       "]]>",       "<!--",        "-->",
               "<!ENTITY a ",  "1e308",           "nan",       "-1",          "<?xml",
               "radius=\"0\"", "fixed=\"false\"", "iso-8859-1"};
  return out;
}
