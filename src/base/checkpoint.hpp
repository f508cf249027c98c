// What a long search knows, kept in a folder, so that another process can go on with it.
//
// The folder holds one file, `weir.checkpoint`. A new one is written beside it, brought to the disk and
// renamed, so at every moment, also if the process is killed, there is the last one that was completed, and
// it is whole. It begins with a header (magic, format, lengths, checksums), then come named sections
// (archive.hpp), of which the first says what the checkpoint is of: facts with names, such as the program's
// digest or the value of an option. A reader looks at the checksums and the facts before it gives a byte
// away. As long as a run has the folder, no other run gets it.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/archive.hpp"
#include "base/checksum.hpp"
#include "base/diagnostic.hpp"

namespace weir {

// What a checkpoint is of, as names and values. "program" is a digest; "--model" and the like are options.
using CheckpointFacts = std::vector<std::pair<std::string, std::string>>;

// Why there is nothing to go on with.
struct CheckpointRefusal {
  std::string message;
  std::string hint;  // may be empty
};

// Writes sections to a file. Throws std::system_error if the file cannot be written.
class CheckpointWriter : public ArchiveWriter {
 public:
  CheckpointWriter(const std::filesystem::path& file, const CheckpointFacts& facts);
  ~CheckpointWriter() override;

  // What follows belongs to a new section.
  void section(std::string_view name);
  // Nothing follows: the file is completed, and on the disk.
  void finish();

 private:
  struct Part {
    std::string name;
    std::uint64_t begin = 0, end = 0;
  };

  void write(std::span<const char> bytes) override;
  void write_at(std::span<const char> bytes, std::uint64_t offset);
  void end_section();

  std::filesystem::path path_;
  int file_;
  std::uint64_t size_ = 0;  // of what follows the header
  Checksum checksum_;
  std::vector<Part> parts_;
};

// Gives the sections of a file that was found to be whole, and of what it should be.
class CheckpointReader : public ArchiveReader {
 public:
  static Expected<std::unique_ptr<CheckpointReader>, CheckpointRefusal> open(
      const std::filesystem::path& file, const CheckpointFacts& facts);
  ~CheckpointReader();
  CheckpointReader(const CheckpointReader&) = delete;
  CheckpointReader& operator=(const CheckpointReader&) = delete;

  // What follows is read from this section, after all of the last one has been.
  void section(std::string_view name);

 private:
  CheckpointReader() = default;

  std::optional<CheckpointRefusal> validate(const std::filesystem::path& path);
  void find_sections(std::uint64_t directory);

  std::span<const char> file_;  // mapped
  std::vector<std::pair<std::string, std::span<const char>>> sections_;
};

// The folder of one run.
class Checkpoint {
 public:
  using Clock = std::chrono::steady_clock;

  struct Options {
    std::filesystem::path folder;
    std::chrono::duration<double> interval{60};
    bool resume = false;  // go on with what is there; otherwise there must be nothing
  };

  static Expected<std::unique_ptr<Checkpoint>, CheckpointRefusal> open(const Options& options,
                                                                       CheckpointFacts facts);
  ~Checkpoint();
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  // Is it time for the next one? To be asked now and then, by any thread.
  bool due() const {
    return Clock::now().time_since_epoch().count() >= next_.load(std::memory_order_relaxed);
  }

  // Is there something to go on with?
  bool found() const { return reader_ != nullptr; }
  // Reads the part of it that `transfer` asks for.
  template <class Part>
  void look_at(Part& part) const {
    part.transfer(*reader_);
  }
  // Reads it, once.
  template <class Whole>
  void load(Whole& whole) {
    whole.transfer(*reader_);
    reader_->section("end");
    reader_.reset();
  }

  // Takes the place of the last one. If that fails, the last one stays, and `problem` says why.
  template <class Whole>
  void save(Whole& whole) {
    save_with([&](CheckpointWriter& writer) { whole.transfer(writer); });
  }

  const std::string& problem() const { return problem_; }

 private:
  Checkpoint() = default;

  std::optional<CheckpointRefusal> prepare_folder();
  template <class Save>
  void save_with(Save&& save) {
    try {
      CheckpointWriter writer(new_file(), facts_);
      save(writer);
      writer.section("end");
      writer.finish();
      replace();
    } catch (const std::system_error& error) {
      keep_last(error);
    }
    wait();
  }
  std::filesystem::path file() const { return options_.folder / kFile; }
  std::filesystem::path new_file() const { return options_.folder / kNewFile; }
  void replace();
  void keep_last(const std::system_error& error);
  void wait();

  static constexpr const char* kFile = "weir.checkpoint";
  static constexpr const char* kNewFile = "weir.checkpoint.new";

  Options options_;
  CheckpointFacts facts_;
  int folder_ = -1;
  std::unique_ptr<CheckpointReader> reader_;
  std::atomic<Clock::rep> next_{0};
  std::string problem_;
};

}  // namespace weir
