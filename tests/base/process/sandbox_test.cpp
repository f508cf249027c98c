// A process in a sandbox cannot do what a compiler need not do, as far as the kernel knows how to keep it
// from that; what `try_sandbox`, and so `weir doctor`, says about it is what is seen here.
#include "base/process/sandbox.hpp"

#include <fcntl.h>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process/process.hpp"
#include "base/temporary_folder.hpp"

namespace weir::sandbox_test {

// What the action returns in a child that is in the sandbox.
bool in_sandbox(const Sandbox& sandbox, const std::function<bool()>& action) {
  const pid_t child = fork();
  if (child == 0) {
    sandbox.enter();
    _exit(action() ? 1 : 0);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "it ended with signal " << WTERMSIG(status);
  return WEXITSTATUS(status) == 1;
}

bool can_open(const std::string& path, int how) { return open(path.c_str(), how, 0600) >= 0; }

class SandboxTest : public testing::Test {
 protected:
  std::string outside(const std::string& name = "file") const { return (outside_.path() / name).string(); }
  std::string inside(const std::string& name = "file") const { return (inside_.path() / name).string(); }

  const SandboxTrial trial_ = try_sandbox();
  const TemporaryFolder inside_, outside_;
  const Sandbox closed_;
  const Sandbox open_{inside_.path()};
};

TEST_F(SandboxTest, NoNetwork) {
  for (const int family : {AF_INET, AF_INET6, AF_UNIX})
    EXPECT_EQ(in_sandbox(closed_, [&] { return socket(family, SOCK_STREAM, 0) >= 0; }), !trial_.no_network);
}

TEST_F(SandboxTest, WritesOnlyInItsFolder) {
  std::ofstream(outside()) << "old";
  for (const Sandbox* sandbox : {&closed_, &open_}) {
    const bool can = !trial_.no_writes;
    EXPECT_EQ(in_sandbox(*sandbox, [&] { return can_open(outside("new"), O_WRONLY | O_CREAT); }), can);
    EXPECT_EQ(in_sandbox(*sandbox, [&] { return can_open(outside(), O_WRONLY); }), can);
    EXPECT_EQ(in_sandbox(*sandbox, [&] { return mkdir(outside("folder").c_str(), 0700) == 0; }), can);
    EXPECT_EQ(in_sandbox(*sandbox, [&] { return symlink("/", outside("link").c_str()) == 0; }), can);
    EXPECT_EQ(in_sandbox(*sandbox, [&] { return unlink(outside().c_str()) == 0; }), can);
    if (can) return;  // the rest is as if there were no sandbox
    EXPECT_TRUE(in_sandbox(*sandbox, [&] { return can_open(outside(), O_RDONLY); }));
    EXPECT_TRUE(in_sandbox(*sandbox, [&] { return can_open("/dev/null", O_WRONLY); }));
  }
  EXPECT_FALSE(in_sandbox(closed_, [&] { return can_open(inside(), O_WRONLY | O_CREAT); }));
  EXPECT_TRUE(in_sandbox(open_, [&] { return can_open(inside(), O_WRONLY | O_CREAT); }));
  EXPECT_TRUE(in_sandbox(open_, [&] { return rename(inside().c_str(), inside("other").c_str()) == 0; }));
  EXPECT_FALSE(
      in_sandbox(open_, [&] { return rename(inside("other").c_str(), outside("other").c_str()) == 0; }));
}

TEST_F(SandboxTest, ModesAndTimesOfFilesStay) {
  std::ofstream(outside()) << "old";
  const bool can = !trial_.filter_built_in;
  EXPECT_EQ(in_sandbox(closed_, [&] { return chmod(outside().c_str(), 0777) == 0; }), can);
  EXPECT_EQ(in_sandbox(closed_, [&] { return utimensat(AT_FDCWD, outside().c_str(), nullptr, 0) == 0; }),
            can);
}

TEST_F(SandboxTest, OtherProcessesAreSafe) {
  const pid_t parent = getpid();
  EXPECT_EQ(in_sandbox(closed_, [&] { return kill(parent, 0) == 0; }), !trial_.no_signals);
  // But a process can end itself.
  const pid_t child = fork();
  if (child == 0) {
    closed_.enter();
    signal(SIGABRT, SIG_DFL);
    abort();
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT) << status;
}

TEST_F(SandboxTest, HoldsForWhatIsStarted) {
  const std::string script = "echo x > '" + outside() + "'";
  for (const char* const way : {"", "sh -c "}) {
    const std::string command = *way == '\0' ? script : std::string(way) + "\"" + script + "\"";
    const auto result =
        run_process({"sh", "-c", command + "; echo read; cat /etc/hostname >/dev/null"}, nullptr, &closed_);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->output, "read\n");  // the pipe is there
    EXPECT_EQ(access(outside().c_str(), F_OK) == 0, !trial_.no_writes) << result->errors;
  }
}

TEST_F(SandboxTest, TheCopyThatTriesIsInside) {
  const auto said = result_if_survived([&] {
    return std::string(can_open(outside(), O_WRONLY | O_CREAT) ? "w" : "-") +
           (socket(AF_INET, SOCK_STREAM, 0) >= 0 ? "n" : "-");
  });
  EXPECT_EQ(said, std::string(trial_.no_writes ? "-" : "w") + (trial_.no_network ? "-" : "n"));
}

TEST_F(SandboxTest, CanBeSwitchedOff) {
  setenv("WEIR_SANDBOX", "off", 1);
  const SandboxTrial off = try_sandbox();
  const Sandbox none;
  unsetenv("WEIR_SANDBOX");
  EXPECT_FALSE(off.no_network || off.no_writes || off.no_signals);
  EXPECT_TRUE(in_sandbox(none, [&] { return can_open(outside(), O_WRONLY | O_CREAT); }));
}

// Where the kernel has all, all is active: this is the machine that tests usually run on, and a trial that
// says nothing is allowed on such a kernel only if the user has switched it off.
TEST_F(SandboxTest, WhatTheKernelHasIsActive) {
  EXPECT_EQ(trial_.no_writes, trial_.landlock_version >= 1);
  if (trial_.landlock_version >= 6 || trial_.filter_built_in) {
    EXPECT_TRUE(trial_.no_signals);
  }
  if (trial_.filter_built_in) {
    EXPECT_TRUE(trial_.no_network && trial_.no_tracing);
  }
}

}  // namespace weir::sandbox_test
