// Wall clock of calls that are done when they return.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>

#include "bsbench/timer.h"

namespace bench {
namespace {

using Clock = std::chrono::steady_clock;

double microseconds(const Contender& contender, int instance) {
  const auto start = Clock::now();
  contender.enqueue(instance);
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

class CpuTimer final : public Timer {
 public:
  bsStream_t stream() const override { return nullptr; }
  int64_t cache_bytes() const override {
    const int64_t level3 = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return level3 > 0 ? level3 : int64_t{64} << 20;
  }
  std::string device_name() const override {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
      if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
    return "CPU";
  }

  std::vector<Time> measure(const std::vector<Contender>& contenders, const Settings& settings,
                            int instances) override {
    std::vector<double> estimates;
    for (const Contender& contender : contenders) {
      microseconds(contender, 0);
      estimates.push_back(microseconds(contender, 0));
    }
    const std::vector<int> rounds = rounds_of(estimates, settings);
    std::vector<std::vector<double>> samples(contenders.size());
    for (int i = 0; i < settings.rounds; ++i)
      for (size_t c = 0; c < contenders.size(); ++c)
        if (i < rounds[c]) samples[c].push_back(microseconds(contenders[c], i % instances));
    std::vector<Time> times;
    for (auto& of_one : samples) times.push_back(summary(std::move(of_one)));
    return times;
  }
};

}  // namespace

Time summary(std::vector<double> samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  return {samples[samples.size() / 2], samples.front(), samples.back(), static_cast<int>(samples.size()), ""};
}

std::vector<int> rounds_of(const std::vector<double>& estimates, const Settings& settings) {
  constexpr double kFarBehind = 20;
  constexpr int kFew = 3;
  const double fastest = estimates.empty() ? 0 : *std::min_element(estimates.begin(), estimates.end());
  double round = 0;
  for (const double e : estimates) round += e < kFarBehind * fastest ? e : 0;
  const double fits = settings.seconds * 1e6 / std::max(round, 1.0);
  const int few = std::min(kFew, settings.rounds);
  const auto many = static_cast<int>(std::clamp<double>(fits, few, settings.rounds));
  std::vector<int> rounds;
  for (const double e : estimates) rounds.push_back(e < kFarBehind * fastest ? many : few);
  return rounds;
}

std::unique_ptr<Timer> make_cpu_timer() {
  return std::make_unique<CpuTimer>();
}

}  // namespace bench
