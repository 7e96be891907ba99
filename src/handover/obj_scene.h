#pragma once

#include "model.h"

namespace repose::handover {

bool is_obj(const std::string& path);
/// More than one object of the OBJ file ("o NAME") has faces: it is a scene, not a mesh.
bool holds_objects(const std::string& text);

/// The triangles of each object that has faces, in the file's own frame and unit.
std::vector<shape::TriangleMesh> obj_objects(std::string text, const std::string& file);

/// Objects of an OBJ file as bodies. The format tells neither unit nor axes: metres and z up, or as
/// the options say. Poses go back as coordinates.
void read_obj_scene(std::string text, const std::string& file, Model& model,
                    const OpenOptions& options);

}  // namespace repose::handover
