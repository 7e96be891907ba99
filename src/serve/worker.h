#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "desk.h"

namespace repose::serve {

/// Where the worker's words go; called on its thread.
struct Audience {
  std::function<void(int client, std::string text)> answer;
  /// The state as it is now; null: the frame, the status is still that of before.
  std::function<void(std::shared_ptr<const std::string> frame,
                     std::shared_ptr<const std::string> status)>
      state;
  std::function<void(std::int64_t serial, std::shared_ptr<const std::string>)> scene;
};

/// The thread that owns the desk: it answers messages in the order in which they came, steps while
/// the desk runs, and shows at most kFramesPerSecond states of those that it passes.
class Worker {
 public:
  explicit Worker(Desk desk) : desk_(std::move(desk)) {}
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void start(Audience audience);
  /// Waits for the step under way; from then on nothing is said to the audience.
  void end();

  // from any thread
  void message(int client, std::string text);
  void left(int client);

  static constexpr double kFramesPerSecond = 30.0;

 private:
  struct Task {
    int client = 0;
    std::string text;
    bool left = false;
    bool interrupts = false;
  };

  void work();
  bool ending();
  void do_task(const Task& task);
  bool running() const;
  void show(bool at_once);

  Desk desk_;
  Audience audience_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Task> tasks_;
  bool ending_ = false;
  std::atomic<bool> interrupt_ = false;  // what is under way is left

  // of the worker's thread
  std::uint64_t shown_version_ = ~std::uint64_t{0};
  std::int64_t shown_serial_ = -1;
  std::string shown_status_;
  Desk::Clock::time_point shown_at_;
  std::thread thread_;
};

}  // namespace repose::serve
