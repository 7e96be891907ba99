#pragma once

#include <string>
#include <vector>

#include <TDocStd_Document.hxx>
#include <TopoDS_Shape.hxx>
#include <gp_Trsf.hxx>

namespace cad {

/// Metres for one unit of length as OpenCASCADE has read it: files with units are converted to
/// millimetres, and files without are taken so.
inline constexpr double kUnit = 1e-3;

/// One solid where it stands.
struct Body {
  std::string name;
  TopoDS_Shape solid;  // in its own frame, without a place
  gp_Trsf world;       // from that frame
  std::string place;   // in the file, "#123"; empty where it has none
};

struct Document {
  Handle(TDocStd_Document) xcaf;
  std::vector<Body> bodies;
  std::vector<std::string> notes;  // what the file holds and is not used
};

/// Reads STEP, IGES or BREP by the path's ending. Throws Unusable.
Document read_document(const std::string& path);

/// Writes the bodies to `path` (its ending names the format) with other places: by number of the
/// body, the motion in the world's frame that it makes. STEP: one assembly of all bodies. Throws
/// Unusable.
struct Moved {
  std::size_t body = 0;
  gp_Trsf motion;
};
void write_document(const Document& document, const std::vector<Moved>& moved,
                    const std::string& path);

}  // namespace cad
