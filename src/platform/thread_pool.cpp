// How a job runs: its owner writes it, opens it (state_), and takes pieces like everyone else; workers that find it
// open go in, take pieces until there are none, and leave; the owner closes it and waits until nobody is inside. A
// worker that comes late finds it closed, so the owner never waits for threads that sleep.
#include "platform/thread_pool.h"

#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace bs {
namespace {

constexpr uint64_t kInside = 0xffff;    // low bits: workers inside the job
constexpr uint64_t kOpen = 0x10000;     // the job may be entered
constexpr uint64_t kNextJob = 0x20000;  // high bits: number of the job
constexpr uint64_t job_number(uint64_t state) {
  return state / kNextJob;
}

// Longer than waking a sleeping thread takes (5 to 50 us), so that calls that follow each other closely find workers
// awake.
constexpr std::chrono::microseconds kSpin{50};

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// The pools alive. Both objects need no destructor: handles may outlive the library's static ones.
constinit std::mutex pools_mutex;
constinit ThreadPool* first_pool = nullptr;

// Signals are for the program's own threads.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &old_, nullptr); }

 private:
  sigset_t old_;
};

}  // namespace

std::shared_ptr<ThreadPool> ThreadPool::of_size(int threads) {
  std::unique_ptr<ThreadPool, Destroy> created;  // outlives the lock, which its end takes too
  const std::lock_guard lock(pools_mutex);
  for (ThreadPool* pool = first_pool; pool; pool = pool->next_pool_) {
    if (pool->threads() != threads || pool->process_ != getpid()) continue;
    if (std::shared_ptr<ThreadPool> shared = pool->weak_from_this().lock()) return shared;
  }
  created.reset(new ThreadPool(threads));
  created->next_pool_ = std::exchange(first_pool, created.get());
  return std::shared_ptr<ThreadPool>(std::move(created));
}

void ThreadPool::Destroy::operator()(ThreadPool* pool) const {
  {
    const std::lock_guard lock(pools_mutex);
    ThreadPool** link = &first_pool;
    while (*link && *link != pool) link = &(*link)->next_pool_;
    if (*link) *link = pool->next_pool_;
  }
  // A forked child has the object but not its threads: joining them, or destroying what they wait on, would never
  // return.
  if (pool->process_ == getpid()) delete pool;
}

ThreadPool::ThreadPool(int threads) : spins_(threads <= available_cores()), process_(getpid()) {
  workers_.reserve(static_cast<size_t>(threads - 1));
  try {
    start(threads - 1);
  } catch (...) {  // no destructor will run for what has been started
    stop();
    throw;
  }
}

ThreadPool::~ThreadPool() {
  stop();
}

void ThreadPool::start(int workers) {
  const SignalsBlocked blocked;
  for (int i = 0; i < workers; ++i) workers_.emplace_back([this] { worker_loop(); });
}

void ThreadPool::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  job_published_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::Job::piece(int64_t index) const {
  const int64_t begin = index * grain;
  body(context, begin, begin + std::min(grain, count - begin));
}

void ThreadPool::run(int64_t count, int64_t grain, void (*body)(void*, int64_t, int64_t), void* context) {
  if (count <= 0) return;
  grain = std::max<int64_t>(grain, 1);
  const Job job{count, grain, count / grain + (count % grain != 0), body, context};
  // Another caller's job may take long, a body that calls run() would wait for itself, and in a forked child nobody
  // would come: go alone.
  const bool alone =
      workers_.empty() || job.pieces == 1 || process_ != getpid() || owned_.test_and_set(std::memory_order_acquire);
  if (alone) {
    for (int64_t i = 0; i < job.pieces; ++i) job.piece(i);
    return;
  }
  publish(job);
  work_on_job();
  finish();
}

void ThreadPool::publish(const Job& job) {
  job_ = job;
  next_piece_.store(0, std::memory_order_relaxed);
  state_.store((job_number(state_.load(std::memory_order_relaxed)) + 1) * kNextJob + kOpen);
  wake(job.pieces);
}

// state_ and sleepers_ are sequentially consistent: a worker that goes to sleep sees the job, or is seen here.
void ThreadPool::wake(int64_t pieces) {
  const int64_t useful = pieces - 1, asleep = sleepers_.load();
  if (asleep == 0) return;
  { const std::lock_guard lock(mutex_); }  // a worker between its last look and its sleep
  if (useful >= asleep) return job_published_.notify_all();
  for (int64_t i = 0; i < useful; ++i) job_published_.notify_one();
}

void ThreadPool::work_on_job() noexcept {
  try {
    for (int64_t i; (i = next_piece_.fetch_add(1, std::memory_order_relaxed)) < job_.pieces;) job_.piece(i);
  } catch (...) {  // bodies do not throw; should one do so, its caller is told and no thread dies
    keep(std::current_exception());
  }
}

void ThreadPool::keep(std::exception_ptr error) noexcept {
  if (!has_error_.exchange(true)) error_ = std::move(error);
}

void ThreadPool::finish() {
  state_.fetch_and(~kOpen, std::memory_order_relaxed);
  const auto start = std::chrono::steady_clock::now();
  while (state_.load(std::memory_order_acquire) & kInside) {
    if (std::chrono::steady_clock::now() - start < kSpin)
      pause();
    else
      std::this_thread::yield();
  }
  std::exception_ptr error;
  if (has_error_.exchange(false)) error = std::exchange(error_, nullptr);
  owned_.clear(std::memory_order_release);
  if (error) std::rethrow_exception(error);
}

void ThreadPool::worker_loop() {
  for (uint64_t seen = 0; !stopping_;) {
    if (join_job(&seen)) {
      work_on_job();
      state_.fetch_sub(1, std::memory_order_release);
    } else {
      wait_for_job(seen);
    }
  }
}

// Enters the job if it is open and not one that this worker has been in.
bool ThreadPool::join_job(uint64_t* seen) {
  uint64_t state = state_.load(std::memory_order_relaxed);
  while ((state & kOpen) && job_number(state) != *seen) {
    if (!state_.compare_exchange_weak(state, state + 1, std::memory_order_acquire, std::memory_order_relaxed)) continue;
    *seen = job_number(state);
    return true;
  }
  return false;
}

bool ThreadPool::job_or_stop(uint64_t seen) const {
  const uint64_t state = state_.load();
  return stopping_ || ((state & kOpen) && job_number(state) != seen);
}

void ThreadPool::wait_for_job(uint64_t seen) {
  if (spins_) {
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - start < kSpin) {
      for (int i = 0; i < 32; ++i) pause();
      if (job_or_stop(seen)) return;
    }
  }
  std::unique_lock lock(mutex_);
  sleepers_.fetch_add(1);
  job_published_.wait(lock, [&] { return job_or_stop(seen); });
  sleepers_.fetch_sub(1);
}

int available_cores() {
  for (int possible = 1024; possible <= 1 << 20; possible *= 2) {
    cpu_set_t* set = CPU_ALLOC(static_cast<size_t>(possible));
    if (!set) break;
    const size_t bytes = CPU_ALLOC_SIZE(static_cast<size_t>(possible));
    const bool known = sched_getaffinity(0, bytes, set) == 0;
    const int cores = known ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (known) return std::max(cores, 1);
  }
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace bs
