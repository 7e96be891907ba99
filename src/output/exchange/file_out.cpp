#include "file_out.h"

#include <cerrno>
#include <cstdio>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

namespace repose::exchange {
namespace {

InputError failure(const std::filesystem::path& path, const char* what, int code) {
  InputError error;
  error.file = path.string();
  error.wrong = fmt::format("{}: {}", what, std::generic_category().message(code));
  return error;
}

}  // namespace

Result<Done> write_file(const std::filesystem::path& path, const std::string& bytes) {
  const std::filesystem::path beside = path.string() + fmt::format(".{}.part", ::getpid());
  std::FILE* file = std::fopen(beside.c_str(), "wb");
  if (file == nullptr) return failure(path, "cannot create the file", errno);
  errno = 0;
  bool good = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  good = std::fflush(file) == 0 && good;
  const int said = errno;
  good = std::fclose(file) == 0 && good;
  std::error_code code;
  if (good) std::filesystem::rename(beside, path, code);
  if (good && !code) return Done{};
  const InputError error = good ? failure(path, "cannot rename the finished file", code.value())
                                : failure(path, "cannot write", said);
  std::filesystem::remove(beside, code);
  return error;
}

}  // namespace repose::exchange
