// Streams and graphs for tests on a GPU.
#pragma once

#include <cuda_runtime_api.h>

#include "support/backend.h"

namespace bs::test {

#define CUDA_OK(call) REQUIRE((call) == cudaSuccess)

// One that does not wait for the default stream, as a careful program has.
class Stream {
 public:
  Stream() { CUDA_OK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cudaStream_t() const { return stream_; }
  void wait() const { CUDA_OK(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

// What `call` enqueues, captured in the mode that forbids whatever might synchronise or allocate. Arrays must have been
// sent to the device before.
class Graph {
 public:
  template <class Call>
  Graph(const Stream& stream, Call&& call) : stream_(stream) {
    Mirror::before_call();
    CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    status_ = call();
    cudaGraph_t graph = nullptr;
    const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
    INFO("the call gave " << bsStatusName(status_) << " " << bsGetLastErrorMessage());
    CHECK(status_ == BS_STATUS_SUCCESS);
    INFO(cudaGetErrorString(ended));
    REQUIRE(ended == cudaSuccess);
    CUDA_OK(cudaGraphInstantiate(&graph_, graph, 0));
    CUDA_OK(cudaGraphDestroy(graph));
  }
  ~Graph() {
    if (graph_) cudaGraphExecDestroy(graph_);
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  // With the values that the test's arrays have now.
  void replay() const {
    Mirror::before_call();
    CUDA_OK(cudaGraphLaunch(graph_, stream_));
    stream_.wait();
    Mirror::after_call();
  }

 private:
  const Stream& stream_;
  cudaGraphExec_t graph_ = nullptr;
  bsStatus_t status_ = BS_STATUS_INTERNAL_ERROR;
};

}  // namespace bs::test
