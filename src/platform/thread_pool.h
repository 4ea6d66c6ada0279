// The CPU workers: threads that handles of equal thread count share.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "model/operands.h"

namespace bs {

// One job at a time. The pieces of a job are exactly [i * grain, (i + 1) * grain), whoever runs them, so a body may
// keep partial results by piece and add them in order: the same bits for every number of threads.
class ThreadPool final : public Workers, public std::enable_shared_from_this<ThreadPool> {
 public:
  // The pool of this many threads (the caller of run() is one of them), started if no handle has one. Its last owner
  // joins the threads, so that nothing runs in the library once all handles are gone.
  static std::shared_ptr<ThreadPool> of_size(int threads);

  void run(int64_t count, int64_t grain, void (*body)(void*, int64_t, int64_t), void* context) override;
  int threads() const override { return static_cast<int>(workers_.size()) + 1; }

 private:
  struct Job {
    int64_t count = 0, grain = 1, pieces = 0;
    void (*body)(void*, int64_t, int64_t) = nullptr;
    void* context = nullptr;
    void piece(int64_t index) const;
  };

  struct Destroy {
    void operator()(ThreadPool* pool) const;
  };

  explicit ThreadPool(int threads);
  ~ThreadPool();
  void start(int workers);
  void stop();

  void publish(const Job& job);
  void wake(int64_t pieces);
  void work_on_job() noexcept;
  void finish();
  void keep(std::exception_ptr error) noexcept;

  void worker_loop();
  bool join_job(uint64_t* seen);
  bool job_or_stop(uint64_t seen) const;
  void wait_for_job(uint64_t seen);

  // The job at hand, its owner's alone while no worker is inside.
  Job job_;
  std::exception_ptr error_;
  std::atomic<bool> has_error_{false};
  std::atomic_flag owned_;  // some caller's job is running

  // Of the job: a number that grows, an open bit, and how many workers are inside (see the constants).
  alignas(64) std::atomic<uint64_t> state_{0};
  alignas(64) std::atomic<int64_t> next_piece_{0};

  alignas(64) std::atomic<int> sleepers_{0};
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
  std::condition_variable job_published_;

  std::vector<std::thread> workers_;
  bool spins_ = false;
  pid_t process_ = 0;  // that the threads live in
  ThreadPool* next_pool_ = nullptr;
};

// Processors this process may run on.
int available_cores();

}  // namespace bs
