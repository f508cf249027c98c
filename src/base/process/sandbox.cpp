#include "base/process/sandbox.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string>
#include <string_view>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef WEIR_HAS_SECCOMP
#include <seccomp.h>
#endif

#include "base/error.hpp"
#include "base/temporary_folder.hpp"

namespace weir {

namespace {

constexpr std::uint64_t kLargestFile = std::uint64_t{1} << 30;

// Landlock as the kernel defines it, here because the headers of most systems are older than their kernels.
namespace landlock {

constexpr long kCreateRuleset = 444, kAddRule = 445, kRestrictSelf = 446;  // the same on every machine
constexpr unsigned kAskVersion = 1;
constexpr int kPathBeneath = 1;

struct Ruleset {
  std::uint64_t files = 0, network = 0, scopes = 0;
};

struct [[gnu::packed]] PathRule {
  std::uint64_t allowed = 0;
  std::int32_t folder = -1;
};

constexpr std::uint64_t kWriteFile = 1 << 1, kTruncate = 1 << 14, kControlDevice = 1 << 15;
// Removing and making files of all kinds, writing them.
constexpr std::uint64_t kChanges = kWriteFile | 0x1ff0;
constexpr std::uint64_t kRefer = 1 << 13;
constexpr std::uint64_t kBindAndConnect = 3;
constexpr std::uint64_t kAbstractSockets = 1, kSignals = 2;

// Which of the accesses exist since when.
constexpr int kHasRefer = 2, kHasTruncate = 3, kHasNetwork = 4, kHasControl = 5, kHasScopes = 6;

int version() {
  const long answer = syscall(kCreateRuleset, nullptr, 0, kAskVersion);
  return answer < 0 ? 0 : static_cast<int>(answer);
}

Ruleset all_changes(int version) {
  Ruleset all{.files = kChanges};
  if (version >= kHasRefer) all.files |= kRefer;
  if (version >= kHasTruncate) all.files |= kTruncate;
  if (version >= kHasControl) all.files |= kControlDevice;
  if (version >= kHasNetwork) all.network = kBindAndConnect;
  if (version >= kHasScopes) all.scopes = kAbstractSockets | kSignals;
  return all;
}

// A kernel does not take what it does not know.
std::size_t size_of_ruleset(int version) {
  if (version >= kHasScopes) return sizeof(Ruleset);
  return version >= kHasNetwork ? 2 * sizeof(std::uint64_t) : sizeof(std::uint64_t);
}

void allow(int rules, const std::filesystem::path& path, std::uint64_t accesses) {
  PathRule rule{.allowed = accesses, .folder = open(path.c_str(), O_PATH | O_CLOEXEC)};
  if (rule.folder < 0) return;
  syscall(kAddRule, rules, kPathBeneath, &rule, 0);
  close(rule.folder);
}

// A descriptor, or -1.
int make_rules(int version, const std::optional<std::filesystem::path>& writable_folder) {
  const Ruleset all = all_changes(version);
  const int rules = static_cast<int>(syscall(kCreateRuleset, &all, size_of_ruleset(version), 0));
  if (rules < 0) return -1;
  fcntl(rules, F_SETFD, FD_CLOEXEC);
  allow(rules, "/dev/null", all.files & (kWriteFile | kTruncate | kControlDevice));
  if (writable_folder) allow(rules, *writable_folder, all.files);
  return rules;
}

}  // namespace landlock

#ifdef WEIR_HAS_SECCOMP

// System calls that no compiler needs. Numbers that the library does not know are left out.
constexpr std::array kNeverNeeded = {
    // The network, also what is called so on one machine; and what could ask for it behind the filter's back.
    "socket", "socketcall", "connect", "bind", "listen", "accept", "accept4", "sendto", "sendmsg", "sendmmsg",
    "recvmmsg", "io_uring_setup", "io_uring_enter", "io_uring_register",
    // Other processes.
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_getfd", "kcmp",
    "perf_event_open", "userfaultfd",
    // The machine.
    "mount", "umount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "fsopen", "fsconfig",
    "fsmount", "fspick", "mount_setattr", "unshare", "setns", "reboot", "swapon", "swapoff", "init_module",
    "finit_module", "delete_module", "kexec_load", "kexec_file_load", "bpf", "keyctl", "add_key",
    "request_key", "acct", "quotactl", "quotactl_fd", "settimeofday", "clock_settime", "clock_adjtime",
    "adjtimex", "stime", "sethostname", "setdomainname", "iopl", "ioperm", "syslog", "vhangup", "nfsservctl",
    "open_by_handle_at", "name_to_handle_at", "fanotify_init"};

// What Landlock does not look at.
constexpr std::array kChangesOfFiles = {
    "chmod",     "fchmod",     "fchmodat",         "fchmodat2",    "chown",        "fchown",
    "lchown",    "fchownat",   "chown32",          "fchown32",     "lchown32",     "utime",
    "utimes",    "utimensat",  "utimensat_time64", "futimesat",    "setxattr",     "lsetxattr",
    "fsetxattr", "setxattrat", "removexattr",      "lremovexattr", "fremovexattr", "removexattrat"};

// `tgkill` is missing: a process ends itself with it.
constexpr std::array kWaysToSignal = {"kill", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo",
                                      "pidfd_send_signal"};

class FilterMaker {
 public:
  FilterMaker() : filter_(seccomp_init(SCMP_ACT_ALLOW)) {
    if (filter_ != nullptr && seccomp_arch_native() == SCMP_ARCH_X86_64)
      seccomp_arch_add(filter_, SCMP_ARCH_X86);
  }
  FilterMaker(const FilterMaker&) = delete;
  FilterMaker& operator=(const FilterMaker&) = delete;
  ~FilterMaker() {
    if (filter_ != nullptr) seccomp_release(filter_);
  }

  template <std::size_t kCount>
  void refuse(const std::array<const char*, kCount>& names) {
    for (const char* name : names) {
      const int number = seccomp_syscall_resolve_name(name);
      if (filter_ != nullptr && number != __NR_SCMP_ERROR)
        seccomp_rule_add(filter_, SCMP_ACT_ERRNO(EPERM), number, 0);
    }
  }

  // Typing for the user, into the terminal that Weir was started from.
  void refuse_typing() {
    constexpr scmp_datum_t kLowWord = 0xffffffff;
    if (filter_ != nullptr)
      seccomp_rule_add(filter_, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1,
                       SCMP_A1(SCMP_CMP_MASKED_EQ, kLowWord, TIOCSTI));
  }

  // The bytes of the program for the kernel.
  std::string program() const {
    const int file = memfd_create("filter", MFD_CLOEXEC);
    std::string bytes;
    if (filter_ != nullptr && file >= 0 && seccomp_export_bpf(filter_, file) == 0) {
      bytes.resize(static_cast<std::size_t>(lseek(file, 0, SEEK_END)));
      if (pread(file, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) bytes.clear();
    }
    if (file >= 0) close(file);
    return bytes;
  }

 private:
  scmp_filter_ctx filter_;
};

#endif

}  // namespace

#ifdef WEIR_HAS_SECCOMP
std::vector<Sandbox::FilterInstruction> Sandbox::make_filter(bool writes, bool signals) {
  FilterMaker maker;
  maker.refuse(kNeverNeeded);
  maker.refuse_typing();
  if (!writes) maker.refuse(kChangesOfFiles);
  if (!signals) maker.refuse(kWaysToSignal);
  const std::string bytes = maker.program();
  std::vector<FilterInstruction> filter(bytes.size() / sizeof(FilterInstruction));
  bytes.copy(reinterpret_cast<char*>(filter.data()), filter.size() * sizeof(FilterInstruction));
  return filter;
}
#else
std::vector<Sandbox::FilterInstruction> Sandbox::make_filter(bool, bool) { return {}; }
#endif

Sandbox::Sandbox(std::optional<std::filesystem::path> writable_folder)
    : largest_file_(writable_folder ? kLargestFile : 0) {
  static_assert(sizeof(FilterInstruction) == sizeof(sock_filter));
  if (sandbox_is_off()) {
    largest_file_ = RLIM_INFINITY;
    return;
  }
  const int version = landlock::version();
  if (version > 0) rules_ = landlock::make_rules(version, writable_folder);
  filter_ = make_filter(writable_folder.has_value(), rules_ >= 0 && version >= landlock::kHasScopes);
}

Sandbox::~Sandbox() {
  if (rules_ >= 0) close(rules_);
}

// The limits of the size of files is what is left where the kernel has no Landlock: files can be made, but
// nothing can be written into them. Pipes are no files.
void Sandbox::enter() const noexcept {
  rlimit size{};
  getrlimit(RLIMIT_FSIZE, &size);
  if (size.rlim_cur > largest_file_) size.rlim_cur = size.rlim_max = largest_file_;
  setrlimit(RLIMIT_FSIZE, &size);
  if (rules_ < 0 && filter_.empty()) return;
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (rules_ >= 0) syscall(landlock::kRestrictSelf, rules_, 0);
  if (filter_.empty()) return;
  auto* const first =
      const_cast<sock_filter*>(reinterpret_cast<const sock_filter*>(filter_.data()));  // the kernel copies it
  sock_fprog program{.len = static_cast<unsigned short>(filter_.size()), .filter = first};
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

bool sandbox_is_off() {
  const char* const choice = std::getenv("WEIR_SANDBOX");
  return choice != nullptr && std::string_view(choice) == "off";
}

namespace {

enum Feat : int {
  kReachesNetwork = 1,
  kWritesOutside = 2,
  kSignalsParent = 4,
  kTraces = 8,
  kGainsRights = 16
};

// In the child: what it can do, as a number.
int possible_feats(const std::string& outside, pid_t parent) {
  int possible = 0;
  if (const int made = socket(AF_INET, SOCK_STREAM, 0); made >= 0) possible |= kReachesNetwork;
  if (const int made = open(outside.c_str(), O_WRONLY | O_CREAT, 0600); made >= 0) possible |= kWritesOutside;
  if (kill(parent, 0) == 0) possible |= kSignalsParent;
  if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0) possible |= kTraces;
  if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) possible |= kGainsRights;
  return possible;
}

}  // namespace

SandboxTrial try_sandbox() {
  const TemporaryFolder inside, outside;
  const Sandbox sandbox(inside.path());
  const std::string file = (outside.path() / "file").string();
  const pid_t parent = getpid();
  const pid_t child = fork();
  WEIR_CHECK(child >= 0, "a process can be made");
  if (child == 0) {
    sandbox.enter();
    _exit(possible_feats(file, parent));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    WEIR_CHECK(errno == EINTR, "a process that was started can be waited for");
  const int possible = WIFEXITED(status) ? WEXITSTATUS(status) : ~0;
  SandboxTrial trial;
  trial.no_network = (possible & kReachesNetwork) == 0;
  trial.no_writes = (possible & kWritesOutside) == 0;
  trial.no_signals = (possible & kSignalsParent) == 0;
  trial.no_tracing = (possible & kTraces) == 0;
  trial.no_new_rights = (possible & kGainsRights) == 0;
  trial.landlock_version = landlock::version();
#ifdef WEIR_HAS_SECCOMP
  trial.filter_built_in = true;
#endif
  return trial;
}

}  // namespace weir
