#include "repose/render/film.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "repose/base/whole_file.h"
#include "repose/render/moving_png.h"

extern char** environ;

namespace repose::render {
namespace {

InputError failure(const std::filesystem::path& path, std::string wrong, std::string right = {}) {
  InputError error;
  error.file = path.string();
  error.wrong = std::move(wrong);
  error.right = std::move(right);
  return error;
}

std::string system_says(const char* what, int code) {
  return fmt::format("{}: {}", what, std::generic_category().message(code));
}

std::vector<std::string> arguments(const std::string& out, const std::string& ending, int width,
                                   int height, const FilmSettings& s) {
  std::vector<std::string> args{"ffmpeg",   "-y",
                                "-v",       "error",
                                "-f",       "rawvideo",
                                "-pix_fmt", "rgb24",
                                "-s",       fmt::format("{}x{}", width, height),
                                "-r",       std::to_string(s.frames_per_second),
                                "-i",       "-"};
  const auto add = [&args](const std::vector<std::string>& more) {
    args.insert(args.end(), more.begin(), more.end());
  };
  if (ending == ".gif") {
    // 256 colours, chosen for this film
    add({"-filter_complex", "split[a][b];[a]palettegen[p];[b][p]paletteuse", "-f", "gif"});
  } else {
    // half-size colour needs even sizes
    add({"-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2", "-pix_fmt", "yuv420p", "-crf",
         std::to_string(s.quality)});
    if (ending == ".webm")
      add({"-c:v", "libvpx-vp9", "-b:v", "0", "-f", "webm"});
    else
      add({"-c:v", "libx264", "-movflags", "+faststart", "-f", "mp4"});
  }
  args.push_back(out);
  return args;
}

}  // namespace

struct Film::Inside {
  explicit Inside(const std::filesystem::path& path) : file(path) {}

  WholeFile file;
  int pipe = -1;
  pid_t process = -1;
  int width = 0, height = 0;
  std::optional<MovingPng> own;  // a film that needs no ffmpeg

  // closes the pipe and waits; answers whether ffmpeg ended well
  bool close() {
    if (pipe >= 0) ::close(pipe);
    pipe = -1;
    int status = 1;
    if (process > 0)
      while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
      }
    process = -1;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
};

Film::Film(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Film::Film(Film&&) noexcept = default;
Film& Film::operator=(Film&&) noexcept = default;

Film::~Film() {
  if (!inside_) return;
  // the file goes after its writer
  inside_->close();
}

Result<Film> Film::start(const std::filesystem::path& path, int width, int height,
                         const FilmSettings& settings) {
  const std::string ending = path.extension().string();
  if (ending != ".mp4" && ending != ".webm" && ending != ".gif" && ending != ".apng")
    return failure(path, "unknown kind of film", "a name ending in .mp4, .webm, .gif or .apng");
  auto inside = std::make_unique<Inside>(path);
  inside->width = width;
  inside->height = height;
  if (ending == ".apng") {
    inside->own =
        MovingPng::start(path, width, height, {.frames_per_second = settings.frames_per_second});
    return Film(std::move(inside));
  }
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return failure(path, system_says("no pipe", errno));
  std::vector<std::string> args =
      arguments(inside->file.beside().string(), ending, width, height, settings);
  std::vector<char*> argv;
  for (std::string& a : args) argv.push_back(a.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  const int code =
      ::posix_spawnp(&inside->process, "ffmpeg", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[0]);
  inside->pipe = ends[1];
  if (code != 0) {
    inside->process = -1;
    return failure(
        path, system_says("films need ffmpeg, which did not start", code),
        "install ffmpeg (apt-get install ffmpeg), or ask for an .apng, which needs none");
  }
  return Film(std::move(inside));
}

Result<Done> Film::add(const Image& image) {
  REPOSE_CHECK(image.width == inside_->width && image.height == inside_->height);
  if (inside_->own) {
    inside_->own->add(image);
    return Done{};
  }
  // a dead ffmpeg is an error here, not the end of the program
  struct sigaction ignore {
  }, before{};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, &before);
  std::size_t done = 0;
  int said = 0;
  while (done < image.rgb.size() && said == 0) {
    const ssize_t n = ::write(inside_->pipe, image.rgb.data() + done, image.rgb.size() - done);
    if (n >= 0)
      done += static_cast<std::size_t>(n);
    else if (errno != EINTR)
      said = errno;
  }
  ::sigaction(SIGPIPE, &before, nullptr);
  if (said != 0) return failure(inside_->file.place(), system_says("ffmpeg stopped reading", said));
  return Done{};
}

Result<Done> Film::finish() {
  if (inside_->own) return inside_->own->finish();
  if (!inside_->close())
    return failure(inside_->file.place(),
                   "ffmpeg could not finish the film (its message stands above)");
  return inside_->file.put();
}

}  // namespace repose::render
