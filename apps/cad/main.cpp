// repose-cad: reads STEP, IGES and BREP with OpenCASCADE and hands solids over as JSON; writes them
// back with other places. A program of its own, under limits of its own: what a hostile file does
// to it stays here.
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <new>

#include <BRepCheck_Analyzer.hxx>
#include <BRepGProp.hxx>
#include <BRep_Tool.hxx>
#include <GProp_GProps.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Message_Printer.hxx>
#include <Standard_Failure.hxx>
#include <TopExp_Explorer.hxx>
#include <fcntl.h>
#include <gp_Quaternion.hxx>
#include <sys/resource.h>
#include <unistd.h>

#include "document.h"
#include "faces.h"
#include "merge.h"

namespace cad {
namespace {

constexpr rlim_t kMostMemory = rlim_t{6} << 30;  // bytes
constexpr rlim_t kMostSeconds = 120;             // of processor time
constexpr double kAreaError = 1e-11;             // relative, asked of OpenCASCADE

/// Keeps the first complaint: it tells the line of a broken file.
class Complaints : public Message_Printer {
 public:
  mutable std::string first;

 protected:
  void send(const TCollection_AsciiString& text, const Message_Gravity gravity) const override {
    if (gravity >= Message_Fail && first.empty()) first = text.ToCString();
  }
};

void limit(int what, rlim_t most) {
  const rlimit both{most, most};
  setrlimit(what, &both);
}

void write_pose(const gp_Trsf& t, JsonText& out) {
  const gp_Quaternion q = t.GetRotation();
  const gp_XYZ p = t.TranslationPart() * kUnit;
  out.key("position").open('[').value(p.X()).value(p.Y()).value(p.Z()).close(']');
  out.key("orientation_wxyz").open('[').value(q.W()).value(q.X()).value(q.Y()).value(q.Z());
  out.close(']');
}

bool is_closed(const TopoDS_Shape& solid) {
  for (TopExp_Explorer it(solid, TopAbs_SHELL); it.More(); it.Next())
    if (!BRep_Tool::IsClosed(it.Current())) return false;
  return true;
}

int count(const TopoDS_Shape& solid, TopAbs_ShapeEnum what) {
  int out = 0;
  for (TopExp_Explorer it(solid, what); it.More(); it.Next()) ++out;
  return out;
}

void write_solid(const Body& body, JsonText& out) {
  out.open('{').key("place").value(body.place).key("closed").value(is_closed(body.solid));
  out.key("shells").value(count(body.solid, TopAbs_SHELL));
  out.key("valid").value(static_cast<bool>(BRepCheck_Analyzer(body.solid).IsValid()));
  GProp_GProps volume, area;
  BRepGProp::VolumeProperties(body.solid, volume);
  // its plain area of splines is off by 1e-9 and more; its plain volume is not
  BRepGProp::SurfaceProperties(body.solid, area, kAreaError);
  out.key("volume").value(volume.Mass() * kUnit * kUnit * kUnit);
  out.key("area").value(area.Mass() * kUnit * kUnit);
  JsonText faces;
  try {
    write_faces(merged(body.solid), kUnit, faces);
    out.key("faces").raw(faces.text());
  } catch (const Unusable& unusable) {
    out.key("unusable").value(unusable.wrong).key("right").value(unusable.right);
  } catch (const Standard_Failure& failure) {
    out.key("unusable").value(std::string("OpenCASCADE: ") + failure.GetMessageString());
    out.key("right").value("a shape that its CAD system calls valid");
  }
  out.close('}');
}

std::string as_json(const Document& document) {
  JsonText out;
  out.open('{').key("solids").open('[');
  std::map<const void*, int> number;  // of solids that bodies share
  for (const Body& body : document.bodies)
    if (number.emplace(body.solid.TShape().get(), number.size()).second) write_solid(body, out);
  out.close(']').key("bodies").open('[');
  for (const Body& body : document.bodies) {
    out.open('{').key("name").value(body.name).key("place").value(body.place);
    out.key("solid").value(number.at(body.solid.TShape().get()));
    write_pose(body.world, out);
    out.close('}');
  }
  out.close(']').key("notes").open('[');
  for (const std::string& note : document.notes) out.value(note);
  out.close(']').close('}');
  return out.text();
}

/// Lines "BODY px py pz qw qx qy qz": the motion of a body in the world's frame, metres.
std::vector<Moved> read_motions(std::istream& in) {
  std::vector<Moved> out;
  Moved one;
  double p[3], q[4];
  while (in >> one.body >> p[0] >> p[1] >> p[2] >> q[0] >> q[1] >> q[2] >> q[3]) {
    one.motion.SetTransformation(gp_Quaternion(q[1], q[2], q[3], q[0]),
                                 gp_Vec(p[0] / kUnit, p[1] / kUnit, p[2] / kUnit));
    out.push_back(one);
  }
  return out;
}

int refuse(int out, const std::string& wrong, const std::string& right) {
  JsonText text;
  text.open('{').key("wrong").value(wrong).key("right").value(right).close('}');
  return write(out, text.text().data(), text.text().size()) < 0 ? 3 : 2;
}

bool write_all(int out, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = write(out, text.data() + done, text.size() - done);
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

int run(int argc, char** argv, int out) {
  const bool reads = argc == 3 && std::strcmp(argv[1], "read") == 0;
  const bool writes = argc == 4 && std::strcmp(argv[1], "write") == 0;
  if (!reads && !writes) {
    std::cerr << "usage: repose-cad read FILE\n"
                 "       repose-cad write FILE OUT   (lines of motions on standard input)\n";
    return 2;
  }
  const Handle(Complaints) complaints = new Complaints;
  Message::DefaultMessenger()->ChangePrinters().Clear();
  Message::DefaultMessenger()->AddPrinter(complaints);
  try {
    const Document document = read_document(argv[2]);
    if (reads) return write_all(out, as_json(document)) ? 0 : 3;
    write_document(document, read_motions(std::cin), argv[3]);
    return 0;
  } catch (const Unusable& unusable) {
    const std::string& said = complaints->first;
    return refuse(out, unusable.wrong + (said.empty() ? "" : " (" + said + ")"), unusable.right);
  } catch (const Standard_Failure& failure) {
    return refuse(out, std::string("OpenCASCADE: ") + failure.GetMessageString(),
                  "a file that other CAD systems read");
  } catch (const std::bad_alloc&) {
    return refuse(out, "the file takes more than 6 GiB of memory to read", "a smaller file");
  } catch (const std::exception& error) {
    return refuse(out, error.what(), "a file that other CAD systems read");
  }
}

}  // namespace
}  // namespace cad

int main(int argc, char** argv) {
  cad::limit(RLIMIT_AS, cad::kMostMemory);
  cad::limit(RLIMIT_CPU, cad::kMostSeconds);
  cad::limit(RLIMIT_CORE, 0);
  // what OpenCASCADE prints is not the answer
  const int out = dup(STDOUT_FILENO);
  const int nowhere = open("/dev/null", O_WRONLY);
  if (out < 0 || nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0) return 3;
  return cad::run(argc, argv, out);
}
