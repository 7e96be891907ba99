#pragma once

#include <functional>
#include <string>
#include <vector>

namespace repose::bench {

/// One inner piece of work, ready to be done again and again.
struct Kernel {
  std::string name, what;
  std::function<void()> run;
};

/// Every kernel with its data prepared; always the same data. Those whose name does not begin with
/// `only` are left out.
std::vector<Kernel> all_kernels(const std::string& only = {});

/// Parts of the list, by room.
void add_search_kernels(std::vector<Kernel>& out);
void add_gap_kernels(std::vector<Kernel>& out);
void add_solver_kernels(std::vector<Kernel>& out);
void add_soft_kernels(std::vector<Kernel>& out);

/// Keeps the compiler from leaving out what nobody reads.
inline void used(double value) {
  asm volatile("" : : "g"(value) : "memory");
}

}  // namespace repose::bench
