// The module repose._core: errors, Ctrl-C and what there is; sessions are in session.cpp.
#include "core.h"

#include <string>

#include "repose/base/check.h"
#include "repose/base/version.h"
#include "repose/base/work.h"
#include "repose/run/catalogue.h"
#include "repose/scene/gallery.h"

namespace py = pybind11;

namespace repose::python {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may not wait");
struct sigaction python_action {};

void on_interrupt(int signal) {
  interrupted.store(true, std::memory_order_relaxed);
  if (python_action.sa_handler != SIG_DFL && python_action.sa_handler != SIG_IGN)
    python_action.sa_handler(signal);
}

bool in_main_thread() {
  const py::module_ threading = py::module_::import("threading");
  return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

py::list gallery() {
  py::list out;
  for (const GalleryScene& scene : value_of(list_gallery())) {
    py::dict row;
    row["name"] = scene.name;
    row["about"] = scene.about;
    row["method"] = scene.method;
    row["path"] = scene.path;
    out.append(row);
  }
  return out;
}

py::list methods() {
  py::list out;
  for (const MethodInfo& method : method_catalogue()) {
    py::dict row;
    row["name"] = method.name;
    row["about"] = method.about;
    py::list names;
    for (const SettingInfo& setting : method.settings) names.append(setting.name);
    row["settings"] = names;
    out.append(row);
  }
  return out;
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const BrokenPromise& error) {
    const py::object kind = py::module_::import("repose.errors").attr("BrokenPromise");
    PyErr_SetString(kind.ptr(), error.what());
  } catch (const Interrupted&) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
  }
}

}  // namespace

void raise(const InputError& error) {
  const py::object kind = py::module_::import("repose.errors").attr("InputError");
  const py::object made = kind(error.text(), py::arg("file") = error.file,
                               py::arg("line") = error.line, py::arg("column") = error.column,
                               py::arg("pointer") = error.pointer, py::arg("value") = error.value,
                               py::arg("wrong") = error.wrong, py::arg("right") = error.right);
  PyErr_SetObject(kind.ptr(), made.ptr());
  throw py::error_already_set();
}

Interruptible::Interruptible() {
  if (!in_main_thread()) return;
  struct sigaction ours {};
  sigaction(SIGINT, nullptr, &before_);
  // within work that is watched already, where it is ignored, or where a handler has its own form,
  // nothing is changed
  if (before_.sa_handler == on_interrupt || before_.sa_handler == SIG_IGN ||
      (before_.sa_flags & SA_SIGINFO) != 0)
    return;
  interrupted = false;
  python_action = before_;
  ours.sa_handler = on_interrupt;
  ours.sa_flags = before_.sa_flags;
  ours.sa_mask = before_.sa_mask;
  watching_ = sigaction(SIGINT, &ours, nullptr) == 0;
  watch_interrupt(interrupted);
}

Interruptible::~Interruptible() {
  if (!watching_) return;
  sigaction(SIGINT, &before_, nullptr);
  interrupted = false;
}

const std::atomic<bool>& Interruptible::flag() {
  return interrupted;
}

void Interruptible::raise_if_asked() {
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

}  // namespace repose::python

PYBIND11_MODULE(_core, module) {
  namespace us = repose::python;
  module.doc() = "Repose in C++; use the module repose.";
  module.attr("version") = repose::kVersion;
  py::register_exception_translator(us::translate);
  module.def("gallery", us::gallery);
  module.def("methods", us::methods);
  module.def("schema", [] { return repose::scene_schema(repose::method_catalogue()); });
  us::add_session(module);
  us::add_settle(module);
}
