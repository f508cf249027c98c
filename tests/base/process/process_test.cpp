// Programs that are started run alone, end when they are told to, and take with them what they started.
#include "base/process/process.hpp"

#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>

namespace weir::process_test {

std::vector<std::string> shell(const std::string& script) { return {"sh", "-c", script}; }

TEST(Process, GivesWhatTheProgramWrites) {
  const auto result = run_process(shell("echo out; echo err >&2; exit 3"));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->status, 3);
  EXPECT_EQ(result->output, "out\n");
  EXPECT_EQ(result->errors, "err\n");
}

TEST(Process, ManyBytesOnBothSides) {
  const auto result = run_process(shell("head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2"));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->output.size(), 300000);
  EXPECT_EQ(result->errors.size(), 300000);
}

TEST(Process, NoSuchProgram) { EXPECT_FALSE(run_process({"/nowhere/program"})); }

TEST(Process, SignalsAreTold) {
  const auto result = run_process(shell("kill -TERM $$"));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->status, 128 + SIGTERM);
}

TEST(Process, NoSignalIsBlocked) {
  sigset_t set, before;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &set, &before);
  const auto result = run_process(shell("grep SigBlk /proc/self/status"));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ASSERT_TRUE(result);
  EXPECT_NE(result->output.find("0000000000000000"), std::string::npos) << result->output;
}

TEST(Process, VariablesReplaceThoseOfOurs) {
  auto process = Process::start(
      {.command = shell("test \"$HOME\" = there"), .variables = {"HOME=there"}, .memory_bytes = {}});
  ASSERT_TRUE(process);
  EXPECT_EQ(process->wait().exit_code, 0);
}

TEST(Process, AStoppedContextEndsTheProgram) {
  Context context({.timeout = std::chrono::milliseconds(50), .memory_bytes = {}}, {}, false);
  const auto result = run_process(shell("sleep 1000"), &context);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->status, 128 + SIGKILL);
}

TEST(Process, WhatItStartedEndsWithIt) {
  const auto result = run_process(shell("sleep 1000 >/dev/null 2>&1 & echo $!"));
  ASSERT_TRUE(result);
  const pid_t left = static_cast<pid_t>(std::stol(result->output));
  bool gone = false;
  for (int i = 0; i < 3000 && !gone; ++i) {
    std::ifstream status("/proc/" + std::to_string(left) + "/stat");
    std::string number, name, state;
    gone = !(status >> number >> name >> state) || state == "Z";
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_TRUE(gone);
}

TEST(Process, MemoryIsLimited) {
  auto process = Process::start({.command = {"python3", "-c", "x = bytearray(1 << 30)"},
                                 .variables = {},
                                 .memory_bytes = std::uint64_t{200} << 20});
  ASSERT_TRUE(process) << "python3, which the tests need anyway, does not start";
  EXPECT_NE(process->wait().exit_code, 0);
}

}  // namespace weir::process_test
