#include "repose/serve/studio.h"

#include <fmt/format.h>

#include "repose/report/assets.h"

#include "guard.h"
#include "sockets.h"
#include "worker.h"

namespace repose::serve {

namespace {

/// The page itself: all it holds comes from its script.
constexpr const char* kPage =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>Repose studio</title>\n<link rel=\"icon\" href=\"data:,\">\n"
    "<link rel=\"stylesheet\" href=\"/studio.css\">\n</head>\n<body>\n"
    "<div id=\"repose-app\"><noscript>The studio needs scripts.</noscript></div>\n"
    "<script src=\"/studio.js\"></script>\n</body>\n</html>\n";

Result<Bundle> load_bundle() {
  auto script = report::load_asset("studio.js");
  if (!script) return script.error();
  auto style = report::load_asset("studio.css");
  if (!style) return style.error();
  return Bundle{std::make_shared<const std::string>(kPage),
                std::make_shared<const std::string>(std::move(*script)),
                std::make_shared<const std::string>(std::move(*style))};
}

}  // namespace

struct Studio::Inside {
  std::string token;
  std::unique_ptr<Worker> worker;
  std::unique_ptr<Sockets> sockets;

  // the worker speaks to the sockets and they to it: it falls silent, they go, it goes
  ~Inside() {
    if (worker) worker->end();
    sockets.reset();
  }
};

Result<std::unique_ptr<Studio>> Studio::start(const StudioOptions& options) {
  auto bundle = load_bundle();
  if (!bundle) return bundle.error();
  Desk desk(options.out);
  if (!options.scene.empty())
    if (auto done = desk.open(options.scene); !done) return done.error();
  desk.keep_journal(options.record);
  auto inside = std::make_unique<Inside>();
  inside->token = make_token();
  inside->worker = std::make_unique<Worker>(std::move(desk));
  Worker* worker = inside->worker.get();
  auto sockets = Sockets::listen(
      options.port, inside->token, std::move(*bundle),
      {[worker](int client, std::string text) { worker->message(client, std::move(text)); },
       [worker](int client) { worker->left(client); }});
  if (!sockets) return sockets.error();
  inside->sockets = std::move(*sockets);
  Sockets* out = inside->sockets.get();
  worker->start(
      {[out](int client, std::string text) { out->answer(client, std::move(text)); },
       [out](Bytes frame, Bytes status) { out->show(std::move(frame), std::move(status)); },
       [out](std::int64_t serial, Bytes scene) { out->show_scene(serial, std::move(scene)); }});
  return std::unique_ptr<Studio>(new Studio(std::move(inside)));
}

Studio::Studio(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {
  address_ = fmt::format("http://127.0.0.1:{}/?token={}", port(), token());
}

Studio::~Studio() = default;

int Studio::port() const {
  return inside_->sockets->port();
}

const std::string& Studio::token() const {
  return inside_->token;
}

}  // namespace repose::serve
