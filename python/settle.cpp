// repose._core.settle: other tools' files brought to rest and handed back.
#include "repose/handover/settle.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "repose/run/catalogue.h"

#include "core.h"

namespace py = pybind11;

namespace repose::python {
namespace {

using handover::Handed;
using handover::OpenOptions;
using handover::Settled;

/// `text` is a scene of ours, or empty: then the file is opened.
Result<Handed> handed_of(const std::string& path, const std::string& text,
                         const OpenOptions& options) {
  if (text.empty()) return handover::open_any(path, method_catalogue(), options);
  auto scene = scene_from_text(text, path, method_catalogue());
  if (!scene) return scene.error();
  Handed out;
  out.scene = std::move(*scene);
  out.options = options;
  return out;
}

Result<Settled> settle_handed(const std::string& path, const std::string& text,
                              const OpenOptions& options, py::list* unused) {
  const auto handed = handed_of(path, text, options);
  if (!handed) return handed.error();
  {
    const py::gil_scoped_acquire held;
    for (const handover::Unused& row : handed->unused) unused->append(row.text());
  }
  handover::SettleSettings settings;
  settings.interrupt = &Interruptible::flag();
  return handover::settle(*handed, method_catalogue(), settings);
}

py::dict way_dict(const handover::Shift& shift) {
  py::dict out;
  out["body"] = shift.body;
  out["way"] = shift.way;
  return out;
}

py::dict settled_dict(const Settled& settled) {
  const auto count = static_cast<py::ssize_t>(settled.poses.size());
  py::array_t<double> positions({count, py::ssize_t{3}}), turns({count, py::ssize_t{4}});
  auto position = positions.mutable_unchecked<2>();
  auto turn = turns.mutable_unchecked<2>();
  py::list names, parted;
  for (py::ssize_t i = 0; i < count; ++i) {
    const handover::BodyPose& pose = settled.poses[static_cast<std::size_t>(i)];
    names.append(pose.body);
    const Quat& q = pose.world_from_body.rotation;
    for (int k = 0; k < 3; ++k) position(i, k) = pose.world_from_body.position[k];
    turn(i, 0) = q.w();
    turn(i, 1) = q.x();
    turn(i, 2) = q.y();
    turn(i, 3) = q.z();
  }
  for (const handover::Shift& shift : settled.parted) parted.append(way_dict(shift));
  py::dict out;
  out["proven"] = settled.proven();
  out["status"] = to_text(settled.status);
  out["why"] = settled.why;
  out["how"] = settled.how;
  out["overlap"] = to_text(settled.verdict.overlap);
  out["balance"] = to_text(settled.verdict.balanced);
  out["parted"] = parted;
  out["farthest"] = way_dict(settled.farthest);
  out["bodies"] = names;
  out["positions"] = positions;
  out["orientations_wxyz"] = turns;
  // bytes: a GLB is no text
  out["file"] = settled.text ? py::object(py::bytes(*settled.text)) : py::object(py::none());
  return out;
}

}  // namespace

void add_settle(py::module_& module) {
  module.def(
      "settle",
      [](const std::string& path, const std::string& text, const std::vector<std::string>& bodies,
         const std::string& key, const std::map<std::string, double>& joints, bool hulls,
         bool ground) {
        const OpenOptions options{bodies, key, joints, hulls, ground};
        py::list unused;
        const Settled settled =
            value_of(without_gil([&] { return settle_handed(path, text, options, &unused); }));
        py::dict out = settled_dict(settled);
        out["unused"] = unused;
        return out;
      },
      py::arg("path"), py::arg("text"), py::arg("bodies"), py::arg("key"), py::arg("joints"),
      py::arg("hulls"), py::arg("ground"));
}

}  // namespace repose::python
