// Times of contenders that take turns, so that all meet the machine in the same state.
#pragma once

#include <memory>
#include <vector>

#include "bsbench/contender.h"

namespace bench {

struct Time {
  double median = -1, fastest = -1, slowest = -1;  // microseconds a call
  int samples = 0;
  std::string error;  // why there are none
};

class Timer {
 public:
  virtual ~Timer() = default;
  virtual bsStream_t stream() const = 0;
  virtual int64_t cache_bytes() const = 0;
  virtual std::string device_name() const = 0;
  // What memory was used between calls is not counted; contenders use instances 0 to `instances` - 1 in turn.
  virtual std::vector<Time> measure(const std::vector<Contender>& contenders, const Settings& settings,
                                    int instances) = 0;
};

std::unique_ptr<Timer> make_cpu_timer();
// Null where the bench was built without CUDA.
std::unique_ptr<Timer> make_cuda_timer(int device);

Time summary(std::vector<double> samples);
// Samples of each contender, from the microseconds that one sample takes: as many as asked for unless time is short,
// and few of those that are far behind the fastest.
std::vector<int> rounds_of(const std::vector<double>& estimates, const Settings& settings);

}  // namespace bench
