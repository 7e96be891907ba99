#include "repose/base/work.h"

#include <algorithm>
#include <limits>

namespace repose {

namespace {

std::atomic<const std::atomic<bool>*> interrupt_flag = nullptr;

struct Ticket {
  int limits = 0;  // alive
  std::uint64_t left = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t spent = 0;
  const char* stage = "";
};
thread_local Ticket ticket;

}  // namespace

void watch_interrupt(const std::atomic<bool>& flag) {
  interrupt_flag.store(&flag);
}

WorkLimit::WorkLimit(std::uint64_t units) : withheld_(ticket.left - std::min(units, ticket.left)) {
  ticket.left -= withheld_;
  ++ticket.limits;
}

WorkLimit::~WorkLimit() {
  --ticket.limits;
  ticket.left += withheld_;
}

WorkStage::WorkStage(const char* name) : outer_(ticket.stage) {
  ticket.stage = name;
}

WorkStage::~WorkStage() {
  ticket.stage = outer_;
}

void spend_work(std::uint64_t units) {
  ticket.spent += units;
  if (ticket.limits == 0) return;
  const auto* flag = interrupt_flag.load(std::memory_order_relaxed);
  if (flag != nullptr && flag->load(std::memory_order_relaxed)) throw Interrupted();
  if (units > ticket.left) throw WorkSpent(ticket.stage);
  ticket.left -= units;
}

std::uint64_t work_spent() {
  return ticket.spent;
}

}  // namespace repose
