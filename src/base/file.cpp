#include "base/file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

namespace weir {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestInput = std::uint64_t{1} << 30;

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  int get() const { return descriptor_; }
  explicit operator bool() const { return descriptor_ >= 0; }

 private:
  int descriptor_;
};

// Why the file cannot be read.
std::optional<InputError> reading_problem(const std::string& path, const std::string& name,
                                          struct stat& status) {
  if (stat(name.c_str(), &status) != 0) return about_file(path, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) return about_file(path, "this is a directory, not a file");
  if (static_cast<std::uint64_t>(status.st_size) > kLargestInput)
    return about_file(path, "this file is larger than 1 GB");
  return std::nullopt;
}

// The path behind all links, also where there is no file yet.
fs::path target(fs::path path) {
  std::error_code problem;
  for (int links = 0; links < 40 && fs::is_symlink(path, problem); ++links) {
    const fs::path next = fs::read_symlink(path, problem);
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const fs::path known = fs::canonical(folder, problem);
  return problem ? path : known / path.filename();
}

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

Diagnostic cannot_write(const std::string& path, int problem) {
  return {Severity::kError, fmt::format("cannot write {}: {}", path, std::strerror(problem)), {}, ""};
}

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : "."; }

// A file in the folder that has no name and is gone when it is closed; -1 if there can be none.
int open_nameless(const fs::path& folder) {
  return open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
}

// A file beside the other, with a name.
int open_neighbour(const fs::path& folder, std::string& name) {
  name = (folder / ".weir-XXXXXX").string();
  return mkostemp(name.data(), O_CLOEXEC);
}

// Can a file be made in the folder? 0, or why not.
int creation_problem(const fs::path& folder) {
  if (const Descriptor file(open_nameless(folder)); file) return 0;
  std::string name;
  const Descriptor file(open_neighbour(folder, name));
  if (!file) return errno;
  unlink(name.c_str());
  return 0;
}

// 0, or why the file cannot be written.
int why_unwritable(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0)
    return errno == ENOENT ? creation_problem(folder_of(target(path))) : errno;
  if (S_ISDIR(status.st_mode)) return EISDIR;
  if (S_ISFIFO(status.st_mode)) return access(path.c_str(), W_OK) == 0 ? 0 : errno;
  const Descriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  return file ? 0 : errno;
}

int why_no_file_in(const std::string& path) {
  std::error_code problem;
  fs::create_directories(path, problem);
  if (problem) return problem.value();
  return fs::is_directory(path, problem) ? creation_problem(path) : ENOTDIR;
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t wrote = write(descriptor, text.data(), text.size());
    if (wrote < 0 && errno != EINTR) return false;
    if (wrote > 0) text.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return true;
}

// 0, or why it could not be written.
int write_in_place(const std::string& path, std::string_view text) {
  const Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666));
  return file && write_all(file.get(), text) ? 0 : errno;
}

// What a new file may be used for, or the old one was.
mode_t mode_of(const fs::path& path) {
  struct stat old {};
  if (stat(path.c_str(), &old) == 0) return old.st_mode & 07777;
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

// 0, or why not; -1 if there can be no neighbour that takes the place of the file.
int write_by_neighbour(const fs::path& path, std::string_view text) {
  const fs::path folder = folder_of(path);
  std::string name;
  Descriptor file(open_nameless(folder));
  const bool nameless = static_cast<bool>(file);
  const Descriptor named(nameless ? -1 : open_neighbour(folder, name));
  const int descriptor = nameless ? file.get() : named.get();
  if (descriptor < 0) return -1;
  const auto give_up = [&](int result) {
    if (!name.empty()) unlink(name.c_str());
    return result;
  };
  if (!write_all(descriptor, text)) return give_up(errno);
  fchmod(descriptor, mode_of(path));
  if (nameless) {
    const std::string self = fmt::format("/proc/self/fd/{}", descriptor);
    name = (folder / fmt::format(".weir-{}-{}", getpid(), descriptor)).string();
    unlink(name.c_str());
    if (linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0) return -1;
  }
  return rename(name.c_str(), path.c_str()) == 0 ? 0 : give_up(-1);
}

}  // namespace

InputError about_file(const std::string& path, std::string message, std::string hint) {
  InputError error;
  const FileId file = error.sources.add(path, "");
  error.diagnostics.push_back({Severity::kError, std::move(message), {file}, std::move(hint)});
  return error;
}

std::optional<InputError> reading_problem(const std::string& path) {
  struct stat status {};
  return reading_problem(path, path, status);
}

Expected<std::string> read_file(const std::string& path) {
  const std::string name = path == "-" ? "/dev/stdin" : path;
  struct stat status {};
  if (auto problem = reading_problem(path, name, status)) return std::move(*problem);
  const File file(std::fopen(name.c_str(), "rb"));
  if (!file) return about_file(path, std::strerror(errno));
  std::string text(static_cast<std::size_t>(status.st_size) + 1, '\0');
  std::size_t used = 0;
  while (const std::size_t got = std::fread(text.data() + used, 1, text.size() - used, file.get())) {
    used += got;
    if (used > kLargestInput) return about_file(path, "this file is larger than 1 GB");
    if (used == text.size()) text.resize(2 * used);  // a pipe, or a file that grows
  }
  if (std::ferror(file.get()) != 0) return about_file(path, std::strerror(errno));
  text.resize(used);
  return text;
}

std::optional<Diagnostic> write_file(const std::string& path, std::string_view text) {
  struct stat status {};
  const bool ordinary = stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode);
  int problem = ordinary ? write_by_neighbour(target(path), text) : -1;
  if (problem < 0) problem = write_in_place(path, text);
  if (problem == 0) return std::nullopt;
  return cannot_write(path, problem);
}

std::optional<Diagnostic> writing_problem(const std::string& path) {
  if (const int problem = why_unwritable(path)) return cannot_write(path, problem);
  return std::nullopt;
}

std::optional<Diagnostic> folder_problem(const std::string& path) {
  if (const int problem = why_no_file_in(path)) return cannot_write(path, problem);
  return std::nullopt;
}

bool same_file(const std::string& a, const std::string& b) {
  struct stat first {
  }, second{};
  const bool exists = stat(a.c_str(), &first) == 0, other_exists = stat(b.c_str(), &second) == 0;
  if (exists && other_exists) return S_ISREG(first.st_mode) && same_file(first, second);
  return exists == other_exists && target(a) == target(b);
}

bool is_stream(const std::string& path, int descriptor) {
  struct stat file {
  }, stream{};
  return stat(path.c_str(), &file) == 0 && fstat(descriptor, &stream) == 0 && S_ISREG(file.st_mode) &&
         same_file(file, stream);
}

}  // namespace weir
