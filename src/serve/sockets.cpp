// The only file that knows Boost: its headers take longer to read than the rest of the room.
#include "sockets.h"

#include <atomic>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <thread>

#define BOOST_BEAST_USE_STD_STRING_VIEW
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/rate_policy.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/span_body.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <boost/beast/websocket/stream.hpp>

#include "repose/base/fault.h"

#include "guard.h"

namespace repose::serve {

namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using Context = net::io_context;
using Tcp = net::ip::tcp;
using Error = boost::system::error_code;
// executors by their own type: the general one costs compile time and nothing here needs it
using Socket = net::basic_stream_socket<Tcp, Context::executor_type>;
using Stream = beast::basic_stream<Tcp, Context::executor_type, beast::unlimited_rate_policy>;
using WebSocket = websocket::stream<Stream, false>;

constexpr auto kHeadSeconds = std::chrono::seconds(20);  // for a request, and for its answer
constexpr auto kRetryAccept = std::chrono::milliseconds(100);
constexpr std::uint32_t kMostHead = 16 << 10;  // bytes of a request
constexpr int kKernelBuffer = 256 << 10;       // bytes that wait inside the system
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: "
    "blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

class Client;

/// What all connections share; lives on the server's thread.
struct Hub {
  int connections = 0;  // before the context, whose end takes them along
  Context context{1};
  std::optional<Tcp::acceptor> acceptor;
  std::optional<net::steady_timer> retry;
  Door door;
  Bundle bundle;
  SocketEvents events;
  std::map<int, std::weak_ptr<Client>> clients;
  int next_client = 1;
  std::atomic<int> client_count{0};
  bool closing = false;

  // the newest of each, and how many there have been
  Bytes status, frame, scene;
  std::uint64_t statuses = 0, frames = 0;
  std::int64_t scene_serial = -1;
};

/// Counts a connection as long as it lives.
class Seat {
 public:
  explicit Seat(Hub& hub) : hub_(hub) { ++hub_.connections; }
  ~Seat() { --hub_.connections; }
  Seat(const Seat&) = delete;
  Seat& operator=(const Seat&) = delete;

 private:
  Hub& hub_;
};

/// One message to a page.
struct Message {
  Bytes bytes;
  bool binary = false, answers = false;
};

/// One page's socket.
class Client : public std::enable_shared_from_this<Client> {
 public:
  Client(Hub& hub, std::shared_ptr<Seat> seat, Stream stream)
      : hub_(hub), seat_(std::move(seat)), socket_(std::move(stream)) {}

  template <class Request>
  void start(const Request& request) {
    auto timeout = websocket::stream_base::timeout::suggested(beast::role_type::server);
    timeout.keep_alive_pings = true;
    socket_.set_option(timeout);
    socket_.read_message_max(kMostMessage);
    socket_.auto_fragment(false);
    socket_.async_accept(request, [self = shared_from_this()](Error error) {
      if (error || self->hub_.closing) return;
      self->join();
    });
  }

  void answer(std::string text) {
    if (waiting_ > 0) --waiting_;
    buffered_ += text.size();
    if (buffered_ > kMostBuffered) {
      close();
      return;
    }
    answers_.push_back({std::make_shared<const std::string>(std::move(text)), false, true});
    write();
    if (!reading_) read();
  }

  /// Sends what this client has not seen yet, in rounds: the newest frame and its status, then the
  /// answers that the hub heard of by then. So each status comes right after its frame, and no
  /// answer before what it did.
  void write() {
    if (writing_ || closed_) return;
    if (round_.empty()) gather();
    if (round_.empty()) return;
    sent_ = std::move(round_.front());
    round_.pop_front();
    writing_ = true;
    socket_.binary(sent_.binary);
    socket_.async_write(net::buffer(*sent_.bytes),
                        [self = shared_from_this()](Error error, std::size_t) {
                          self->writing_ = false;
                          if (self->sent_.answers) self->buffered_ -= self->sent_.bytes->size();
                          self->sent_ = {};
                          if (error)
                            self->close();
                          else
                            self->write();
                        });
  }

  void close() {
    if (closed_) return;
    closed_ = true;
    Error ignored;
    beast::get_lowest_layer(socket_).socket().close(ignored);
    if (id_ == 0) return;
    hub_.clients.erase(id_);
    hub_.client_count = static_cast<int>(hub_.clients.size());
    if (!hub_.closing) hub_.events.left(id_);
  }

 private:
  void join() {
    id_ = hub_.next_client++;
    hub_.clients[id_] = weak_from_this();
    hub_.client_count = static_cast<int>(hub_.clients.size());
    write();
    read();
  }

  void gather() {
    if (hub_.frame && frame_ != hub_.frames) round_.push_back({hub_.frame, true, false});
    if (hub_.status && status_ != hub_.statuses) round_.push_back({hub_.status, false, false});
    frame_ = hub_.frames;
    status_ = hub_.statuses;
    round_.insert(round_.end(), answers_.begin(), answers_.end());
    answers_.clear();
  }

  // who asks without end is read no further until it has its answers
  void read() {
    if (closed_ || reading_ || waiting_ >= kMostWaiting) return;
    reading_ = true;
    socket_.async_read(buffer_, [self = shared_from_this()](Error error, std::size_t) {
      self->reading_ = false;
      if (error || !self->socket_.got_text()) {
        self->close();
        return;
      }
      std::string text(static_cast<const char*>(self->buffer_.data().data()), self->buffer_.size());
      self->buffer_.clear();
      if (self->buffer_.capacity() > kMostHead) self->buffer_.shrink_to_fit();
      ++self->waiting_;
      self->hub_.events.message(self->id_, std::move(text));
      self->read();
    });
  }

  Hub& hub_;
  std::shared_ptr<Seat> seat_;
  WebSocket socket_;
  beast::flat_buffer buffer_;
  std::deque<Message> answers_, round_;
  Message sent_;
  std::size_t buffered_ = 0;
  std::uint64_t status_ = 0, frame_ = 0;
  int id_ = 0, waiting_ = 0;
  bool writing_ = false, reading_ = false, closed_ = false;
};

/// One connection that speaks HTTP, until it becomes a socket.
class Visitor : public std::enable_shared_from_this<Visitor> {
 public:
  Visitor(Hub& hub, Socket socket)
      : hub_(hub), seat_(std::make_shared<Seat>(hub)), stream_(std::move(socket)) {}

  void read() {
    parser_.emplace();
    parser_->header_limit(kMostHead);
    parser_->body_limit(0);
    stream_.expires_after(kHeadSeconds);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](Error error, std::size_t) {
                       if (!error && !self->hub_.closing) self->serve();
                     });
  }

 private:
  using Request = http::request<http::empty_body>;
  using Answer = http::response<http::span_body<const char>>;

  static Knock knock_of(const Request& request) {
    Knock out;
    out.method = std::string(request.method_string());
    out.target = std::string(request.target());
    out.hosts = static_cast<int>(request.count(http::field::host));
    out.host = std::string(request[http::field::host]);
    if (request.count(http::field::origin) > 0)
      out.origin = request.count(http::field::origin) == 1
                       ? std::string(request[http::field::origin])
                       : std::string("several");
    out.upgrade = websocket::is_upgrade(request);
    return out;
  }

  void serve() {
    const Request& request = parser_->get();
    const Admission admission = admit(knock_of(request), hub_.door);
    switch (admission.way) {
      case Way::socket:
        stream_.expires_never();
        std::make_shared<Client>(hub_, seat_, std::move(stream_))->start(request);
        return;
      case Way::page:
        return reply(200, "text/html; charset=utf-8", hub_.bundle.page);
      case Way::script:
        return reply(200, "text/javascript; charset=utf-8", hub_.bundle.script);
      case Way::style:
        return reply(200, "text/css; charset=utf-8", hub_.bundle.style);
      case Way::scene:
        // who asks for an older one is late: the newest is what there is
        if (hub_.scene && admission.serial <= hub_.scene_serial)
          return reply(200, "application/octet-stream", hub_.scene);
        return refuse(404);
      case Way::refused:
        return refuse(admission.status);
    }
  }

  void refuse(int status) {
    reply(status, "text/plain; charset=utf-8",
          std::make_shared<const std::string>(
              std::string(http::obsolete_reason(static_cast<http::status>(status))) + "\n"));
  }

  void reply(int status, const char* type, Bytes body) {
    body_ = std::move(body);
    answer_.emplace(static_cast<http::status>(status), 11,
                    http::span_body<const char>::value_type(body_->data(), body_->size()));
    answer_->set(http::field::content_type, type);
    answer_->set(http::field::cache_control, "no-store");
    answer_->set("Content-Security-Policy", kPolicy);
    answer_->set("X-Content-Type-Options", "nosniff");
    answer_->set("X-Frame-Options", "DENY");
    answer_->set("Referrer-Policy", "no-referrer");
    answer_->set("Cross-Origin-Resource-Policy", "same-origin");
    answer_->set("Cross-Origin-Opener-Policy", "same-origin");
    answer_->keep_alive(status == 200 && parser_->get().keep_alive());
    answer_->prepare_payload();
    stream_.expires_after(kHeadSeconds);
    http::async_write(stream_, *answer_, [self = shared_from_this()](Error error, std::size_t) {
      if (error || self->hub_.closing) return;
      if (self->answer_->keep_alive()) return self->read();
      Error ignored;
      self->stream_.socket().shutdown(Tcp::socket::shutdown_send, ignored);
    });
  }

  Hub& hub_;
  std::shared_ptr<Seat> seat_;
  Stream stream_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::empty_body>> parser_;
  Bytes body_;
  std::optional<Answer> answer_;
};

void accept(Hub& hub) {
  hub.acceptor->async_accept(hub.context, [&hub](Error error, Tcp::socket accepted) {
    if (hub.closing) return;
    if (error) {
      // no descriptors left, or the like: later
      hub.retry->expires_after(kRetryAccept);
      hub.retry->async_wait([&hub](Error) {
        if (!hub.closing) accept(hub);
      });
      return;
    }
    if (hub.connections < kMostConnections) {
      Error ignored;
      accepted.set_option(Tcp::no_delay(true), ignored);
      accepted.set_option(net::socket_base::send_buffer_size(kKernelBuffer), ignored);
      const auto protocol = Tcp::v4();
      Socket socket(hub.context.get_executor(), protocol, accepted.release(ignored));
      std::make_shared<Visitor>(hub, std::move(socket))->read();
    }
    accept(hub);
  });
}

}  // namespace

struct Sockets::Inside {
  Hub hub;
  int port = 0;
  std::thread thread;
};

Result<std::unique_ptr<Sockets>> Sockets::listen(int port, const std::string& token, Bundle bundle,
                                                 SocketEvents events) {
  auto inside = std::make_unique<Inside>();
  Hub& hub = inside->hub;
  Error error;
  const Tcp::endpoint here(net::ip::address_v4::loopback(), static_cast<std::uint16_t>(port));
  hub.acceptor.emplace(hub.context);
  hub.acceptor->open(Tcp::v4(), error);
  if (!error) hub.acceptor->set_option(net::socket_base::reuse_address(true), error);
  if (!error) hub.acceptor->bind(here, error);
  if (!error) hub.acceptor->listen(net::socket_base::max_listen_connections, error);
  if (error)
    return fault("--port", std::to_string(port), "cannot listen there: " + error.message(),
                 "a port that is free, or none");
  inside->port = hub.acceptor->local_endpoint().port();
  hub.retry.emplace(hub.context);
  hub.door = {inside->port, token};
  hub.bundle = std::move(bundle);
  hub.events = std::move(events);
  accept(hub);
  inside->thread = std::thread([&hub] { hub.context.run(); });
  return std::unique_ptr<Sockets>(new Sockets(std::move(inside)));
}

Sockets::Sockets(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}

Sockets::~Sockets() {
  Hub& hub = inside_->hub;
  net::post(hub.context, [&hub] {
    hub.closing = true;
    Error ignored;
    hub.acceptor->close(ignored);
    for (const auto& [id, client] : std::map(hub.clients))
      if (const auto alive = client.lock()) alive->close();
    hub.context.stop();
  });
  inside_->thread.join();
}

int Sockets::port() const {
  return inside_->port;
}

int Sockets::clients() const {
  return inside_->hub.client_count;
}

void Sockets::answer(int client, std::string text) {
  Hub& hub = inside_->hub;
  net::post(hub.context, [&hub, client, text = std::move(text)]() mutable {
    const auto found = hub.clients.find(client);
    if (found == hub.clients.end()) return;
    if (const auto alive = found->second.lock()) alive->answer(std::move(text));
  });
}

namespace {

/// Every client sends what is new to it. One that closes meanwhile leaves the list.
void write_all(Hub& hub) {
  for (const auto& [id, client] : std::map(hub.clients))
    if (const auto alive = client.lock()) alive->write();
}

}  // namespace

void Sockets::show(Bytes frame, Bytes status) {
  Hub& hub = inside_->hub;
  net::post(hub.context, [&hub, frame = std::move(frame), status = std::move(status)] {
    if (frame) {
      hub.frame = frame;
      ++hub.frames;
    }
    if (status) {
      hub.status = status;
      ++hub.statuses;
    }
    write_all(hub);
  });
}

void Sockets::show_scene(std::int64_t serial, Bytes scene) {
  Hub& hub = inside_->hub;
  net::post(hub.context, [&hub, serial, scene = std::move(scene)] {
    hub.scene = scene;
    hub.scene_serial = serial;
  });
}

}  // namespace repose::serve
