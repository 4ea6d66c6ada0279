// The table, the roofline and the summary.
#include "bsbench/report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace bench {
namespace {

// What a machine sustains: GB/s and TFLOP/s. The H200's are measured: reads of HBM, FMA on CUDA cores and the rate of a
// dense main loop fed from L2 at the power limit, f64 from the data sheet at 90 %.
struct Ceilings {
  const char* device;
  double gbs, f64_tflops, f32_tflops, half_tflops;
};
constexpr Ceilings kCeilings[] = {{"H200", 4600, 60, 60, 775}};

std::string number(double value, const char* format) {
  if (value < 0) return "-";
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string ratio(double numerator, double denominator) {
  return numerator > 0 && denominator > 0 ? number(numerator / denominator, "%.2f") : "-";
}

void print_row(const Outcome& o, const Row& row) {
  std::printf("%c %-34s", row.chosen ? '*' : ' ', row.name.c_str());
  if (!row.error.empty()) {
    std::printf(" %s\n", row.error.c_str());
    return;
  }
  const double us = row.time.median;
  if (us <= 0) {
    std::printf(" right\n");
    return;
  }
  const std::string roof = o.roof_microseconds > 0 ? number(100 * o.roof_microseconds / us, "%.0f%%") : "-";
  std::printf("%11.2f%10.3f%9.1f%7s%11s%10s%11s\n", us, o.flops / us * 1e-6, o.bytes / us * 1e-3, roof.c_str(),
              number(row.predicted, "%.2f").c_str(), ratio(o.best("cublas"), us).c_str(),
              ratio(o.best("cusparse"), us).c_str());
}

}  // namespace

double Outcome::best(const std::string& peer) const {
  double fastest = -1;
  for (const Row& row : rows)
    if (row.peer == peer && row.time.median > 0 && (fastest < 0 || row.time.median < fastest))
      fastest = row.time.median;
  return fastest;
}

double Outcome::chosen() const {
  for (const Row& row : rows)
    if (row.chosen) return row.time.median;
  return -1;
}

double Outcome::regret() const {
  const auto routes = std::count_if(rows.begin(), rows.end(), [](const Row& row) { return row.peer.empty(); });
  return routes > 1 && chosen() > 0 ? chosen() / best("") : -1;
}

double roofline(const Spec& spec, double flops, double bytes, const std::string& device,
                const std::vector<double>& given) {
  std::vector<double> ceilings = given;
  for (const Ceilings& c : kCeilings)
    if (ceilings.empty() && device.find(c.device) != std::string::npos)
      ceilings = {c.gbs, c.f64_tflops, c.f32_tflops, c.half_tflops};
  if (ceilings.empty()) return -1;
  const int64_t size = bs::size_of(spec.dtype);
  const double tflops = size == 8 ? ceilings[1] : size == 4 ? ceilings[2] : ceilings[3];
  return std::max(bytes / ceilings[0] * 1e-3, flops / tflops * 1e-6);
}

void print_table(const Outcome& o) {
  std::printf("\n%s\n  density %.4g, %lld %s%s\n", describe(o.spec).c_str(), o.density,
              static_cast<long long>(o.entries), o.spec.format == BS_FORMAT_BSR ? "blocks" : "entries",
              o.instances > 1 ? (", " + std::to_string(o.instances) + " sets of operands in turn").c_str() : "");
  std::printf("  %-34s%11s%10s%9s%7s%11s%10s%11s\n", "route", "us", "TFLOP/s", "GB/s", "roof", "predicted", "x cuBLAS",
              "x cuSPARSE");
  for (const Row& row : o.rows) print_row(o, row);
  if (o.regret() > 0) std::printf("  regret %.3f\n", o.regret());
  for (const std::string& refusal : o.refusals) std::printf("  no %s\n", refusal.c_str());
  std::fflush(stdout);
}

void Summary::add(const Outcome& o) {
  ++problems_;
  refusals_ += static_cast<int>(o.refusals.size());
  for (const Row& row : o.rows) {
    ++rows_;
    if (!row.error.empty()) ++wrong_;
  }
  if (o.regret() <= 0) return;
  ++regrets_;
  log_regret_ += std::log(o.regret());
  worst_regret_ = std::max(worst_regret_, o.regret());
}

void Summary::print() const {
  std::fprintf(stderr, "%d problems, %d rows, %d wrong or failed rows, %d failed problems, %d refusals\n", problems_,
               rows_, wrong_, failures_, refusals_);
  if (regrets_)
    std::fprintf(stderr, "regret of %d choices: geometric mean %.3f, worst %.3f\n", regrets_,
                 std::exp(log_regret_ / regrets_), worst_regret_);
  for (const std::string& reason : missing_) std::fprintf(stderr, "peer missing: %s\n", reason.c_str());
}

}  // namespace bench
