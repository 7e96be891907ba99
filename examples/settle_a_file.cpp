// settle_a_file FILE OUT: another tool's scene (MJCF, URDF, SDF, USDA, glTF, ...) at rest.
#include <cstdio>
#include <fstream>

#include "repose/handover/settle.h"
#include "repose/run/catalogue.h"

int main(int count, char** words) {
  using namespace repose;
  if (count != 3) return 2;
  const auto handed = handover::open_any(words[1], method_catalogue());
  if (!handed) {
    std::fprintf(stderr, "%s\n", handed.error().text().c_str());
    return 2;
  }
  for (const handover::Unused& row : handed->unused) std::printf("%s\n", row.text().c_str());
  const auto settled = handover::settle(*handed, method_catalogue());
  if (!settled || !settled->text) {
    std::fprintf(stderr, "%s\n",
                 (settled ? settled->text.error() : settled.error()).text().c_str());
    return 2;
  }
  for (const handover::BodyPose& pose : settled->poses)
    std::printf("%s rests at height %.6f m\n", pose.body.c_str(),
                pose.world_from_body.position.z());
  std::ofstream(words[2], std::ios::binary) << *settled->text;
  return settled->proven() ? 0 : 1;
}
