// What a choice costs on the host: bsSpMM_bufferSize for problems not seen before (the engine asks every route), for
// one problem again and again (the handle's cache), and a whole bsSpMM so small that little but the call is left.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>

#include "mlp/product.h"
#include "mlp/weights.h"

namespace {

using mlp::Array, mlp::check, mlp::Device, mlp::Matrix, mlp::Memory, mlp::Product, mlp::Weights;
using Clock = std::chrono::steady_clock;

constexpr double kCachedGoal = 2.0, kColdGoal = 10.0;

double microseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::micro>(duration).count();
}

// One sparse problem: size x size at one entry a row, times size x columns.
class Problem {
 public:
  Problem(const Device& device, int64_t size, int64_t columns)
      : weights_(diagonal(size)),
        offsets_(device, weights_.offsets),
        indices_(device, weights_.indices),
        values_(device, weights_.values),
        b_values_(device, std::vector<float>(size * columns, 1.0f)),
        c_values_(device, size * columns),
        a_(sparse_matrix(weights_, offsets_, indices_, values_)),
        b_(dense_matrix(size, columns, b_values_)),
        c_(dense_matrix(size, columns, c_values_)) {}
  Product product() const {
    return {&mlp::kSpmm, BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_NON_TRANSPOSE, a_.get(), b_.get(), c_.get(), nullptr};
  }

 private:
  static Weights diagonal(int64_t size) {
    Weights weights{.rows = size, .cols = size, .block = 1, .offsets = {0}, .indices = {}, .values = {}};
    for (int32_t i = 0; i < size; ++i) {
      weights.indices.push_back(i);
      weights.offsets.push_back(i + 1);
      weights.values.push_back(1.0f);
    }
    return weights;
  }

  Weights weights_;
  Array<int32_t> offsets_, indices_;
  Array<float> values_, b_values_, c_values_;
  Matrix a_, b_, c_;
};

double median(std::vector<double> samples) {
  std::nth_element(samples.begin(), samples.begin() + samples.size() / 2, samples.end());
  return samples[samples.size() / 2];
}

// The median over rounds of the mean of some calls: rounds so short that a busy machine leaves most of them alone.
template <class Call>
double repeated(Call call) {
  constexpr int kRounds = 501, kCalls = 100;
  std::vector<double> rounds;
  for (int round = 0; round < kRounds; ++round) {
    const auto start = Clock::now();
    for (int i = 0; i < kCalls; ++i) call();
    rounds.push_back(microseconds(Clock::now() - start) / kCalls);
  }
  return median(rounds);
}

// Each of these products differs in its number of columns, so none is in the cache.
double cold(const Device& device) {
  std::vector<double> samples;
  for (int64_t columns = 1; columns <= 400; ++columns) {
    const Problem problem(device, 64, columns);
    const Product product = problem.product();
    const auto start = Clock::now();
    product.workspace_bytes(device);
    samples.push_back(microseconds(Clock::now() - start));
  }
  return median(samples);
}

int run() {
  const Device device;
  const Problem problem(device, 8, 4);
  const Product product = problem.product();
  const int64_t bytes = product.workspace_bytes(device);
  const Memory workspace(device, bytes);

  const double cold_time = cold(device);
  const double cached = repeated([&] { product.workspace_bytes(device); });
  const double call = repeated([&] { product.run(device, workspace, bytes); });
  check(bsSynchronize(device.handle()));
  std::printf("host time of a choice on %s\n", device.name());
  std::printf("  cold    bsSpMM_bufferSize, new problem       %7.3f us  (goal < %.0f)\n", cold_time, kColdGoal);
  std::printf("  cached  bsSpMM_bufferSize, same problem      %7.3f us  (goal < %.0f)\n", cached, kCachedGoal);
  std::printf("  cached  bsSpMM, 8 x 8 with 8 entries, n = 4  %7.3f us\n", call);
  return cached < kCachedGoal && cold_time < kColdGoal ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "choice_time: %s\n", error.what());
    return 1;
  }
}
