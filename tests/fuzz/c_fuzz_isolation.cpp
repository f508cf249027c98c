#include "fuzz/c_fuzz_isolation.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "base/error.hpp"

namespace weir::fuzz {

namespace {

constexpr std::uint64_t kBatch = 250;  // rounds that one process may run, one after the other

// Of one worker, seen by its processes and by the one that watches them.
struct Slot {
  std::uint64_t next = 0;  // the round that runs or is to run
  bool asked = false;      // weir, in this round
  Tally tally;
  char problem[4000] = {};
};

Slot* shared_slots(std::size_t count) {
  void* memory =
      mmap(nullptr, count * sizeof(Slot), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  WEIR_CHECK(memory != MAP_FAILED, "there is memory to share");
  return new (memory) Slot[count];
}

void set_clock(unsigned seconds) {
  const itimerval limit{{0, 0}, {static_cast<time_t>(seconds), 0}};
  setitimer(ITIMER_PROF, &limit, nullptr);
}

class Watch {
 public:
  Watch(const Rounds& rounds, const Check& check)
      : rounds_(rounds),
        check_(check),
        workers_(std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, rounds.count)),
        slots_(shared_slots(workers_)),
        processes_(workers_, -1) {
    std::string pattern = (std::filesystem::temp_directory_path() / "weir-c-fuzz-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    for (std::size_t i = 0; i < workers_; ++i) slots_[i].next = i;
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch() {
    munmap(slots_, workers_ * sizeof(Slot));
    if (failures_ == 0) std::filesystem::remove_all(folder_);
  }

  bool run(Tally& tally) {
    for (std::size_t i = 0; i < workers_; ++i) start(i);
    while (wait_for_one()) {
    }
    for (std::size_t i = 0; i < workers_; ++i) add(slots_[i].tally, tally);
    return failures_ == 0;
  }

 private:
  void start(std::size_t worker) {
    processes_[worker] = -1;
    if (slots_[worker].next >= rounds_.count || failures_ >= rounds_.most_failures) return;
    std::fflush(nullptr);
    const pid_t process = fork();
    WEIR_CHECK(process >= 0, "a process can be made");
    if (process == 0) work(slots_[worker]);
    processes_[worker] = process;
  }

  std::string file_of(std::uint64_t round) const {
    return fmt::format("{}/{}-{}{}", folder_, rounds_.seed, round, rounds_.suffix);
  }

  // Exits with 1 if a round fails.
  [[noreturn]] void work(Slot& slot) {
    const int errors = dup(STDERR_FILENO), nowhere = open("/dev/null", O_WRONLY);
    for (std::uint64_t left = kBatch; left > 0 && slot.next < rounds_.count; --left) {
      slot.asked = false;
      dup2(nowhere, STDERR_FILENO);  // what LLVM says about its own crashes
      Round round{slot.next, file_of(slot.next), slot.tally, [&] {
                    slot.asked = true;
                    dup2(errors, STDERR_FILENO);
                    set_clock(rounds_.seconds);
                  }};
      const std::string problem = ask(round);
      set_clock(0);
      if (!problem.empty()) {
        std::strncpy(slot.problem, problem.c_str(), sizeof slot.problem - 1);
        _exit(1);
      }
      std::filesystem::remove(round.file);
      slot.next += workers_;
    }
    _exit(0);
  }

  std::string ask(Round& round) const {
    try {
      return check_(round);
    } catch (const std::exception& error) {
      return fmt::format("exception: {}", error.what());
    }
  }

  bool wait_for_one() {
    int status = 0;
    const pid_t process = waitpid(-1, &status, 0);
    if (process < 0) return false;
    const auto found = std::find(processes_.begin(), processes_.end(), process);
    if (found == processes_.end()) return true;
    const auto worker = static_cast<std::size_t>(found - processes_.begin());
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) note_end(slots_[worker], status);
    start(worker);
    return true;
  }

  // LLVM may crash on what we make of a module; that says nothing about weir.
  void note_end(Slot& slot, int status) {
    const bool told = slot.problem[0] != '\0';
    if (!slot.asked && !told) {
      ++slot.tally.spoiled;
    } else {
      ++failures_;
      fmt::print(stderr, "c_fuzz: round {} with seed {}: {}\n  input: {}\n", slot.next, rounds_.seed,
                 told ? slot.problem : how_it_ended(status), file_of(slot.next));
    }
    slot.problem[0] = '\0';
    slot.next += workers_;
  }

  std::string how_it_ended(int status) const {
    if (WIFEXITED(status)) return fmt::format("the process exits with status {}", WEXITSTATUS(status));
    if (WTERMSIG(status) == SIGPROF) return fmt::format("no answer within {} s", rounds_.seconds);
    return fmt::format("crash: {}", strsignal(WTERMSIG(status)));
  }

  static void add(const Tally& part, Tally& sum) {
    sum.accepted += part.accepted;
    sum.rejected += part.rejected;
    sum.compared += part.compared;
    sum.safe += part.safe;
    sum.given_up += part.given_up;
    sum.without_line += part.without_line;
    sum.spoiled += part.spoiled;
  }

  const Rounds& rounds_;
  const Check& check_;
  std::size_t workers_;
  Slot* slots_;
  std::vector<pid_t> processes_;
  std::string folder_;
  std::size_t failures_ = 0;
};

}  // namespace

bool run_rounds(const Rounds& rounds, const Check& check, Tally& tally) {
  return Watch(rounds, check).run(tally);
}

}  // namespace weir::fuzz
