// The CPU workers: every piece once, whatever else happens.
#include "support/catch.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "platform/thread_pool.h"

namespace {

using bs::ThreadPool;

// Whether a job of `count` ran each element once, in pieces that begin at multiples of `grain`.
bool runs_all_once(bs::Workers& workers, int64_t count, int64_t grain) {
  std::vector<int> visits(static_cast<size_t>(count), 0);
  std::atomic<bool> pieces_right{true};
  workers.for_ranges(count, grain, [&](int64_t begin, int64_t end) {
    if (begin % grain != 0 || end - begin > grain || end <= begin) pieces_right = false;
    for (int64_t i = begin; i < end; ++i) ++visits[static_cast<size_t>(i)];
  });
  return pieces_right && visits == std::vector<int>(static_cast<size_t>(count), 1);
}

// The same on several threads at once; returns how many jobs went wrong.
int failures_of_callers(int callers, int jobs) {
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < callers; ++i)
    threads.emplace_back([&failures, jobs, i] {
      for (int job = 0; job < jobs; ++job)
        failures += !runs_all_once(*ThreadPool::of_size(2 + (i + job) % 3), 1 + job % 50, 1 + job % 4);
    });
  for (std::thread& thread : threads) thread.join();
  return failures;
}

}  // namespace

TEST_CASE("a pool runs every piece of a job once") {
  for (const int threads : {1, 2, 4}) {
    const auto pool = ThreadPool::of_size(threads);
    CHECK(pool->threads() == threads);
    for (int64_t count = 0; count < 100; ++count) CHECK(runs_all_once(*pool, count, 1 + count % 7));
  }
}

TEST_CASE("pools of equal size are one, and end with their last owner") {
  const auto first = ThreadPool::of_size(3), second = ThreadPool::of_size(3), other = ThreadPool::of_size(2);

  CHECK(first == second);
  CHECK(first != other);
}

TEST_CASE("callers that share a pool, make it and leave it do not disturb each other") {
  CHECK(failures_of_callers(4, bs::test::reduced() ? 50 : 300) == 0);
}

TEST_CASE("a job inside a job runs on the thread that asks for it") {
  const auto pool = ThreadPool::of_size(3);
  std::atomic<int> visits{0};

  pool->for_ranges(20, 1, [&](int64_t, int64_t) { pool->for_ranges(10, 1, [&](int64_t, int64_t) { ++visits; }); });

  CHECK(visits == 200);
}

TEST_CASE("what a body throws reaches the caller, and the pool goes on") {
  const auto pool = ThreadPool::of_size(3);
  CHECK_THROWS_AS(pool->for_ranges(64, 1,
                                   [](int64_t begin, int64_t) {
                                     if (begin % 3 == 0) throw std::runtime_error("body");
                                   }),
                  std::runtime_error);

  CHECK(runs_all_once(*pool, 64, 1));
}

#if !defined(__SANITIZE_THREAD__)  // which does not follow a child of several threads
TEST_CASE("a forked child works without the threads that it does not have") {
  auto pool = ThreadPool::of_size(3);
  CHECK(runs_all_once(*pool, 40, 2));

  const pid_t child = fork();
  if (child == 0) {
    const bool alone = runs_all_once(*pool, 40, 2);
    auto fresh = ThreadPool::of_size(3);
    const bool right = alone && fresh != pool && runs_all_once(*fresh, 40, 2);
    pool.reset();
    fresh.reset();
    _exit(right ? 0 : 1);
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child);

  CHECK(status == 0);
}
#endif
