#pragma once

namespace repose::exchange {

/// What stands below the data (DATA, a JSON text) in a script for Blender.
inline constexpr const char* kBlenderScript = R"PY(

def make_mesh(shape):
    mesh = bpy.data.meshes.new("repose")
    mesh.from_pydata(shape["points"], [], shape["triangles"])
    mesh.polygons.foreach_set("use_smooth", [shape["smooth"]] * len(mesh.polygons))
    mesh.update()
    return mesh


def make_material(look):
    material = bpy.data.materials.new(look["name"] or "repose")
    material.diffuse_color = look["color"]
    material.use_nodes = True
    surface = material.node_tree.nodes.get("Principled BSDF")
    if surface:
        surface.inputs["Base Color"].default_value = look["color"][:3] + [1.0]
        surface.inputs["Alpha"].default_value = look["color"][3]
        surface.inputs["Roughness"].default_value = look["roughness"]
    return material


def add_track(action, path, frames, rows, kind):
    """A curve for each number of a row, with a key at each frame."""
    for index in range(len(rows[0])):
        curve = action.fcurves.new(data_path=path, index=index)
        curve.keyframe_points.add(len(frames))
        curve.keyframe_points.foreach_set("co", [v for pair in zip(frames, (row[index] for row in rows)) for v in pair])
        for key in curve.keyframe_points:
            key.interpolation = kind
        curve.update()


def make_object(collection, body, meshes, materials, frames):
    made = bpy.data.objects.new(body["name"], meshes[body["shape"]])
    collection.objects.link(made)
    made.rotation_mode = "QUATERNION"
    made.location = body["locations"][0]
    made.rotation_quaternion = body["rotations"][0]
    made.scale = [body["scale"]] * 3
    # bodies share a mesh and may differ in their look
    made.data.materials or made.data.materials.append(None)
    made.material_slots[0].link = "OBJECT"
    made.material_slots[0].material = materials[body["material"]]
    moves = len(body["locations"]) > 1
    if moves or body["absent"]:
        action = made.animation_data_create().action = bpy.data.actions.new(body["name"])
    if moves:
        add_track(action, "location", frames, body["locations"], "LINEAR")
    if len(body["rotations"]) > 1:
        add_track(action, "rotation_quaternion", frames, body["rotations"], "LINEAR")
    if body["absent"]:
        hidden = [[1.0 if k in set(body["absent"]) else 0.0] for k in range(len(frames))]
        for path in ("hide_viewport", "hide_render"):
            add_track(action, path, frames, hidden, "CONSTANT")
    return made


def main():
    data = json.loads(DATA)
    scene = bpy.context.scene
    scene.unit_settings.system = "METRIC"
    scene.unit_settings.scale_length = 1.0
    scene.render.fps = data["frames_per_second"]
    frames = data["frames"]
    scene.frame_start, scene.frame_end = 0, max(1, int(frames[-1] + 0.999))
    collection = bpy.data.collections.new(data["name"])
    scene.collection.children.link(collection)
    meshes = [make_mesh(shape) for shape in data["shapes"]]
    materials = [make_material(look) for look in data["materials"]]
    for body in data["bodies"]:
        make_object(collection, body, meshes, materials, frames)
    scene.frame_set(0)
    print(f"repose: {len(data['bodies'])} objects, {len(frames)} frames")


main()
)PY";

}  // namespace repose::exchange
