#include "base/checkpoint.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace weir {

namespace {

constexpr std::uint32_t kFormat = 1;  // to be counted up whenever any section changes its form
constexpr std::string_view kMagic = "WEIRCKPT";

struct Header {
  std::array<char, 8> magic{};
  std::uint32_t format = kFormat;
  std::uint32_t reserved = 0;
  std::uint64_t size = 0;       // of what follows the header
  std::uint64_t directory = 0;  // where in it the list of sections begins
  Checksum::Sum checksum{};     // of what follows the header
  Checksum::Sum own_checksum{};

  std::string_view bytes() const { return {reinterpret_cast<const char*>(this), sizeof *this}; }
  Checksum::Sum sum() const {
    Checksum checksum_of_rest;
    checksum_of_rest.add(bytes().substr(0, sizeof *this - sizeof own_checksum));
    return checksum_of_rest.sum();
  }
};
static_assert(sizeof(Header) == 96 && std::is_trivially_copyable_v<Header>);

[[noreturn]] void fail(const std::filesystem::path& path) {
  throw std::system_error(errno, std::generic_category(), path.string());
}

void bring_to_disk(int file, const std::filesystem::path& path) {
  if (fsync(file) != 0 && errno != EINVAL) fail(path);  // some file systems cannot
}

CheckpointRefusal damaged(const std::filesystem::path& file, std::string_view how) {
  return {fmt::format("the checkpoint {} is damaged: {}", file.string(), how),
          "remove it to begin from the start"};
}

std::string_view value_of(const CheckpointFacts& facts, std::string_view name) {
  const auto found = std::ranges::find(facts, name, &CheckpointFacts::value_type::first);
  return found == facts.end() ? std::string_view() : std::string_view(found->second);
}

// What the two do not agree about, if there is something.
std::optional<CheckpointRefusal> compare(const CheckpointFacts& saved, const CheckpointFacts& now) {
  if (saved == now) return std::nullopt;
  const std::string_view version = value_of(saved, "Weir");
  if (version != value_of(now, "Weir"))
    return CheckpointRefusal{
        fmt::format("this checkpoint was written by Weir {}; this is {}", version, value_of(now, "Weir")),
        "finish the run with that version, or begin again in another folder"};
  if (value_of(saved, "program") != value_of(now, "program"))
    return CheckpointRefusal{"this checkpoint is of another program",
                             "give the program that it was made for, or another folder"};
  for (const auto* facts : {&saved, &now})
    for (const auto& [name, ignored] : *facts) {
      const std::string_view before = value_of(saved, name), after = value_of(now, name);
      if (before == after) continue;
      const auto shown = [](std::string_view value) { return value.empty() ? "not given" : value; };
      return CheckpointRefusal{fmt::format("this checkpoint is of another question: {} {}, now {}", name,
                                           shown(before), shown(after)),
                               "ask as before, or begin in another folder"};
    }
  return CheckpointRefusal{"this checkpoint is of another question", ""};
}

}  // namespace

// --- Writing

CheckpointWriter::CheckpointWriter(const std::filesystem::path& file, const CheckpointFacts& facts)
    : path_(file), file_(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  if (file_ < 0) fail(path_);
  section("facts");
  (*this)(facts);
}

CheckpointWriter::~CheckpointWriter() {
  if (file_ >= 0) ::close(file_);
}

void CheckpointWriter::section(std::string_view name) {
  end_section();
  parts_.push_back({std::string(name), size_, size_});
}

void CheckpointWriter::end_section() {
  flush();
  if (!parts_.empty()) parts_.back().end = size_;
}

void CheckpointWriter::finish() {
  end_section();
  Header header;
  std::ranges::copy(kMagic, header.magic.begin());
  header.directory = size_;
  (*this)(std::uint64_t{parts_.size()});
  for (const Part& part : parts_) (*this)(part.name, part.begin, part.end);
  flush();
  header.size = size_;
  header.checksum = checksum_.sum();
  header.own_checksum = header.sum();
  write_at(header.bytes(), 0);
  bring_to_disk(file_, path_);
  const int closed = ::close(std::exchange(file_, -1));
  if (closed != 0) fail(path_);
}

void CheckpointWriter::write(std::span<const char> bytes) {
  write_at(bytes, sizeof(Header) + size_);
  checksum_.add(bytes);
  size_ += bytes.size();
}

void CheckpointWriter::write_at(std::span<const char> bytes, std::uint64_t offset) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail(path_);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
}

// --- Reading

Expected<std::unique_ptr<CheckpointReader>, CheckpointRefusal> CheckpointReader::open(
    const std::filesystem::path& path, const CheckpointFacts& facts) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const auto unreadable = [&] {
    return CheckpointRefusal{fmt::format("the checkpoint {} cannot be read: {}", path.string(),
                                         std::generic_category().message(errno)),
                             ""};
  };
  if (file < 0) return unreadable();
  struct stat about {};
  std::unique_ptr<CheckpointReader> reader(new CheckpointReader);
  const bool known = fstat(file, &about) == 0;
  const auto size = static_cast<std::size_t>(about.st_size);
  if (known && size > 0) {
    void* const mapped = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (mapped != MAP_FAILED) reader->file_ = {static_cast<const char*>(mapped), size};
  }
  const bool mapped = known && reader->file_.size() == size;
  const int problem = errno;
  ::close(file);
  errno = problem;
  if (!mapped) return unreadable();
  CheckpointFacts saved;
  try {
    if (auto refusal = reader->validate(path)) return *refusal;
    reader->section("facts");
    (*reader)(saved);
  } catch (const ArchiveError& error) {
    return damaged(path, error.what());
  }
  if (auto difference = compare(saved, facts)) return *difference;
  return reader;
}

CheckpointReader::~CheckpointReader() {
  if (!file_.empty()) munmap(const_cast<char*>(file_.data()), file_.size());
}

std::optional<CheckpointRefusal> CheckpointReader::validate(const std::filesystem::path& path) {
  const auto broken = [&](std::string_view how) { return damaged(path, how); };
  Header header;
  if (file_.size() < sizeof header) return broken("it is cut off");
  std::memcpy(&header, file_.data(), sizeof header);
  if (std::string_view(header.magic.data(), header.magic.size()) != kMagic)
    return CheckpointRefusal{fmt::format("{} is no checkpoint of Weir", path.string()),
                             "name another folder"};
  if (header.format != kFormat)
    return CheckpointRefusal{
        fmt::format("the checkpoint {} has format {}, and this Weir knows {}", path.string(), header.format,
                    kFormat),
        "finish the run with the version that began it, or begin again in another folder"};
  if (header.sum() != header.own_checksum) return broken("its header does not match its checksum");
  const std::span<const char> body = file_.subspan(sizeof header);
  if (body.size() < header.size) return broken("it is cut off");
  if (body.size() > header.size) return broken("something was appended to it");
  Checksum checksum;
  checksum.add(body);
  if (checksum.sum() != header.checksum) return broken("its content does not match its checksum");
  find_sections(header.directory);
  return std::nullopt;
}

void CheckpointReader::find_sections(std::uint64_t directory) {
  const std::span<const char> body = file_.subspan(sizeof(Header));
  if (directory > body.size()) throw ArchiveError("it has no list of its sections");
  ArchiveReader list(body.subspan(static_cast<std::size_t>(directory)));
  auto count = list.next<std::uint64_t>();
  for (std::uint64_t end_of_last = 0; count > 0; --count) {
    auto name = list.next<std::string>();
    const auto begin = list.next<std::uint64_t>(), end = list.next<std::uint64_t>();
    if (begin != end_of_last || end < begin || end > directory)
      throw ArchiveError("its sections are not in their places");
    sections_.emplace_back(std::move(name), body.subspan(begin, end - begin));
    end_of_last = end;
  }
  if (list.left() != 0) throw ArchiveError("there is more than its sections");
}

void CheckpointReader::section(std::string_view name) {
  if (left() != 0) throw ArchiveError("a section is longer than it should be");
  const auto found =
      std::ranges::find(sections_, name, &std::pair<std::string, std::span<const char>>::first);
  if (found == sections_.end()) throw ArchiveError(fmt::format("it has no section '{}'", name));
  static_cast<ArchiveReader&>(*this) = ArchiveReader(found->second);
}

// --- The folder

Expected<std::unique_ptr<Checkpoint>, CheckpointRefusal> Checkpoint::open(const Options& options,
                                                                          CheckpointFacts facts) {
  std::unique_ptr<Checkpoint> checkpoint(new Checkpoint);
  checkpoint->options_ = options;
  checkpoint->facts_ = std::move(facts);
  if (auto refusal = checkpoint->prepare_folder()) return *refusal;
  if (std::filesystem::exists(checkpoint->file())) {
    if (!options.resume)
      return CheckpointRefusal{fmt::format("{} holds a checkpoint already", options.folder.string()),
                               "--resume goes on with it; or name another folder"};
    auto reader = CheckpointReader::open(checkpoint->file(), checkpoint->facts_);
    if (!reader.ok()) return reader.error();
    checkpoint->reader_ = std::move(reader.value());
  }
  checkpoint->wait();
  return checkpoint;
}

// It is there, ours, and nobody else's as long as we live.
std::optional<CheckpointRefusal> Checkpoint::prepare_folder() {
  const std::filesystem::path& folder = options_.folder;
  const auto unusable = [&](const std::string& why) {
    return CheckpointRefusal{fmt::format("{} cannot hold checkpoints: {}", folder.string(), why), ""};
  };
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error && !std::filesystem::is_directory(folder)) return unusable(error.message());
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name != kFile && name != kNewFile)
      return CheckpointRefusal{
          fmt::format("{} holds something that is no checkpoint: {}", folder.string(), name),
          "name an empty folder, or a new one"};
  }
  if (error) return unusable(error.message());
  folder_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder_ < 0) return unusable(std::generic_category().message(errno));
  if (flock(folder_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return CheckpointRefusal{fmt::format("{} is in use by another run of Weir", folder.string()),
                             "name another folder"};
  std::filesystem::remove(new_file(), error);  // what a killed run did not complete
  if (access(folder.c_str(), W_OK) != 0) return unusable(std::generic_category().message(errno));
  return std::nullopt;
}

Checkpoint::~Checkpoint() {
  if (folder_ >= 0) ::close(folder_);
}

void Checkpoint::keep_last(const std::system_error& error) {
  problem_ = error.what();
  std::error_code ignored;
  std::filesystem::remove(new_file(), ignored);
}

void Checkpoint::replace() {
  std::filesystem::rename(new_file(), file());
  bring_to_disk(folder_, options_.folder);
  problem_.clear();
}

void Checkpoint::wait() {
  const auto interval = std::chrono::duration_cast<Clock::duration>(options_.interval);
  next_ = (Clock::now() + interval).time_since_epoch().count();
}

}  // namespace weir
