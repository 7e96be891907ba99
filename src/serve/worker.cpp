#include "worker.h"

#include <chrono>
#include <exception>

#include "requests.h"

namespace repose::serve {

namespace {

constexpr auto kFrameTime = std::chrono::duration_cast<Desk::Clock::duration>(
    std::chrono::duration<double>(1.0 / Worker::kFramesPerSecond));

}  // namespace

Worker::~Worker() {
  end();
}

void Worker::end() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    interrupt_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Worker::start(Audience audience) {
  audience_ = std::move(audience);
  desk_.watch(interrupt_);
  thread_ = std::thread([this] { work(); });
}

void Worker::message(int client, std::string text) {
  {
    const std::lock_guard lock(mutex_);
    const bool interrupts = is_interrupt(text);
    if (interrupts) interrupt_ = true;
    tasks_.push_back({client, std::move(text), false, interrupts});
  }
  wake_.notify_all();
}

void Worker::left(int client) {
  {
    const std::lock_guard lock(mutex_);
    // nobody waits for its answers any more
    std::erase_if(tasks_, [client](const Task& task) { return task.client == client; });
    tasks_.push_back({client, {}, true});
  }
  wake_.notify_all();
}

bool Worker::ending() {
  const std::lock_guard lock(mutex_);
  return ending_;
}

void Worker::do_task(const Task& task) {
  if (task.left) {
    if (desk_.is_open()) desk_.release(task.client);
    show(!running());
    return;
  }
  if (task.interrupts) interrupt_ = ending();
  const bool ran = running();
  const std::string answer = answer_to(desk_, task.client, task.text);
  show(!running() || !ran);
  // last: who has the answer has seen what it did
  audience_.answer(task.client, answer);
}

bool Worker::running() const {
  return desk_.is_open() && desk_.running();
}

// the scene before the frames that need it; frame and status at once, so that they belong together
void Worker::show(bool at_once) {
  const auto now = Desk::Clock::now();
  if (!at_once && now < shown_at_ + kFrameTime) return;
  std::shared_ptr<const std::string> frame, status;
  if (desk_.is_open()) {
    if (const std::int64_t serial = desk_.serial(); serial != shown_serial_) {
      audience_.scene(serial, std::make_shared<const std::string>(desk_.scene_bytes()));
      shown_serial_ = serial;
      shown_version_ = ~std::uint64_t{0};
    }
    if (desk_.version() != shown_version_) {
      frame = std::make_shared<const std::string>(desk_.frame_bytes());
      shown_version_ = desk_.version();
    }
  }
  std::string text = Json(Json::Object{{"status", desk_.status()}}).line();
  if (text != shown_status_) status = std::make_shared<const std::string>(text);
  shown_status_ = std::move(text);
  if (frame || status) audience_.state(std::move(frame), std::move(status));
  shown_at_ = now;
}

void Worker::work() {
  show(true);
  std::unique_lock lock(mutex_);
  while (!ending_) {
    if (!tasks_.empty()) {
      const Task task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      do_task(task);
      lock.lock();
      continue;
    }
    if (!running()) {
      wake_.wait(lock);
      continue;
    }
    if (const auto due = desk_.due(); due > Desk::Clock::now()) {
      wake_.wait_until(lock, due);
      continue;
    }
    lock.unlock();
    try {
      desk_.step();
    } catch (const std::exception& broken) {
      desk_.stop(std::string("our fault: ") + broken.what());
    }
    show(!desk_.running());
    lock.lock();
  }
}

}  // namespace repose::serve
