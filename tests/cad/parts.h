#pragma once

// Solids and assemblies for the tests, made with OpenCASCADE.
#include <string>
#include <vector>

#include <TopoDS_Shape.hxx>
#include <gp_Trsf.hxx>

namespace parts {

struct Placed {
  const char* name;
  TopoDS_Shape shape;
  gp_Trsf at;
};

gp_Trsf shifted(double x, double y, double z);
TopoDS_Shape cylinder(double x, double y, double z, double radius, double height);
TopoDS_Shape cut(const TopoDS_Shape& from, const TopoDS_Shape& what);
TopoDS_Shape fuse(const TopoDS_Shape& a, const TopoDS_Shape& b);
/// One assembly of all parts; `unit`: MM, M or INCH.
void write_step(const std::string& path, const std::vector<Placed>& parts, const char* unit);
/// Parts with holes as machines have them, lying in or on each other.
void write_machines(const std::string& folder);

}  // namespace parts
