// Replays of CUDA graphs between events. Everything of one comparison is enqueued before anything is waited for, so
// that the GPU does not rest and all contenders meet the same clock and power limit.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "bsbench/timer.h"

namespace bench {
namespace {

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  cudaGetLastError();
  throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}
#define BENCH_CUDA(call) check(call, #call)

class Event {
 public:
  Event() { BENCH_CUDA(cudaEventCreate(&event_)); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  void record(cudaStream_t stream) { BENCH_CUDA(cudaEventRecord(event_, stream)); }
  double microseconds_since(const Event& start) const {
    float milliseconds = 0;
    BENCH_CUDA(cudaEventElapsedTime(&milliseconds, start.event_, event_));
    return 1e3 * static_cast<double>(milliseconds);
  }

 private:
  cudaEvent_t event_ = nullptr;
};

// Some calls of a contender, one after the other.
class Graph {
 public:
  Graph(cudaStream_t stream, const Contender& contender, int calls, int instances) : calls_(calls) {
    BENCH_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    std::string error;
    try {
      for (int i = 0; i < calls; ++i) contender.enqueue(i % instances);
    } catch (const std::exception& thrown) {
      error = thrown.what();
    }
    cudaGraph_t graph = nullptr;
    const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
    if (error.empty()) {
      check(ended, "cudaStreamEndCapture");
      const cudaError_t made = cudaGraphInstantiate(&graph_, graph, 0);
      cudaGraphDestroy(graph);
      check(made, "cudaGraphInstantiate");
      return;
    }
    cudaGetLastError();
    if (graph) cudaGraphDestroy(graph);
    throw std::runtime_error("while captured: " + error);
  }
  ~Graph() {
    if (graph_) cudaGraphExecDestroy(graph_);
  }
  Graph(Graph&& other) noexcept : graph_(std::exchange(other.graph_, nullptr)), calls_(other.calls_) {}
  Graph& operator=(Graph&&) = delete;
  void launch(cudaStream_t stream) const { BENCH_CUDA(cudaGraphLaunch(graph_, stream)); }
  int calls() const { return calls_; }

 private:
  cudaGraphExec_t graph_ = nullptr;
  int calls_;
};

struct Sample {
  size_t contender;
  Event start, stop;
};

class CudaTimer final : public Timer {
 public:
  explicit CudaTimer(int device) {
    BENCH_CUDA(cudaSetDevice(device));
    BENCH_CUDA(cudaGetDeviceProperties(&properties_, device));
    BENCH_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  }
  ~CudaTimer() override { cudaStreamDestroy(stream_); }

  bsStream_t stream() const override { return stream_; }
  int64_t cache_bytes() const override { return properties_.l2CacheSize; }
  std::string device_name() const override { return properties_.name; }

  std::vector<Time> measure(const std::vector<Contender>& contenders, const Settings& settings,
                            int instances) override {
    std::vector<Time> times(contenders.size());
    std::vector<size_t> index;  // of contenders that could be captured
    std::vector<Graph> graphs;
    std::vector<double> estimates;
    for (size_t c = 0; c < contenders.size(); ++c) {
      try {
        graphs.push_back(sized_graph(contenders[c], instances));
        index.push_back(c);
        estimates.push_back(once(graphs.back()));
      } catch (const std::exception& error) {
        times[c].error = error.what();
        if (index.size() > estimates.size()) index.pop_back();
        while (graphs.size() > index.size()) graphs.pop_back();
      }
    }
    warm_up(graphs, estimates);
    const std::vector<std::vector<double>> samples = replay(graphs, rounds_of(estimates, settings));
    for (size_t g = 0; g < graphs.size(); ++g) times[index[g]] = summary(samples[g]);
    return times;
  }

 private:
  // So many calls that the resolution of events does not matter and, cold, that every instance has its turn.
  Graph sized_graph(const Contender& contender, int instances) {
    constexpr double kEnough = 200;  // microseconds
    constexpr int kMost = 100;
    const Graph one(stream_, contender, 1, 1);
    once(one);
    const double estimate = std::max(once(one), 0.1);
    const int calls = static_cast<int>(std::clamp(std::ceil(kEnough / estimate), 1.0, double(kMost)));
    return Graph(stream_, contender, (calls + instances - 1) / instances * instances, instances);
  }

  double once(const Graph& graph) {
    Event start, stop;
    start.record(stream_);
    graph.launch(stream_);
    stop.record(stream_);
    wait();
    return stop.microseconds_since(start);
  }

  // The clock settles under load within half a second.
  void warm_up(const std::vector<Graph>& graphs, const std::vector<double>& estimates) {
    constexpr double kSeconds = 0.6, kFarBehind = 20;
    if (graphs.empty()) return;
    const double fastest = *std::min_element(estimates.begin(), estimates.end());
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < kSeconds) {
      for (int turn = 0; turn < 4; ++turn)
        for (size_t g = 0; g < graphs.size(); ++g)
          if (estimates[g] < kFarBehind * fastest) graphs[g].launch(stream_);
      wait();
    }
  }

  std::vector<std::vector<double>> replay(const std::vector<Graph>& graphs, const std::vector<int>& rounds) {
    const int most = rounds.empty() ? 0 : *std::max_element(rounds.begin(), rounds.end());
    std::vector<std::unique_ptr<Sample>> pending;
    for (int i = 0; i < most; ++i) {
      for (size_t g = 0; g < graphs.size(); ++g) {
        if (i >= rounds[g]) continue;
        auto sample = std::make_unique<Sample>();
        sample->contender = g;
        sample->start.record(stream_);
        graphs[g].launch(stream_);
        sample->stop.record(stream_);
        pending.push_back(std::move(sample));
      }
    }
    wait();
    std::vector<std::vector<double>> samples(graphs.size());
    for (const auto& s : pending)
      samples[s->contender].push_back(s->stop.microseconds_since(s->start) / graphs[s->contender].calls());
    return samples;
  }

  void wait() { BENCH_CUDA(cudaStreamSynchronize(stream_)); }

  cudaDeviceProp properties_{};
  cudaStream_t stream_ = nullptr;
};

}  // namespace

std::unique_ptr<Timer> make_cuda_timer(int device) {
  return std::make_unique<CudaTimer>(device);
}

}  // namespace bench
