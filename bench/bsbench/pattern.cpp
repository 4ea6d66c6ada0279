// Generators of patterns.
#include "bsbench/pattern.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bsbench/random.h"
#include "io/matrix_files.h"

namespace bench {
namespace {

void end_line(Structure& s) {
  s.offsets.push_back(s.count());
}

void take_all(Structure& s, int64_t from, int64_t to) {
  for (int64_t j = std::max<int64_t>(from, 0); j < std::min(to, s.extent); ++j) s.indices.push_back(j);
}

// Every place with the same probability: gaps between taken places are geometric.
void sample_line(Structure& s, double probability, Random& random) {
  if (probability >= 1) return take_all(s, 0, s.extent);
  if (probability <= 0) return;
  const double scale = 1 / std::log1p(-probability);
  for (double at = -1;;) {
    at += 1 + std::floor(std::log(1 - random.unit()) * scale);
    if (at >= static_cast<double>(s.extent)) return;
    s.indices.push_back(static_cast<int64_t>(at));
  }
}

void uniform(Structure& s, double density, Random& random) {
  for (int64_t i = 0; i < s.lines; ++i, end_line(s)) sample_line(s, density, random);
}

// Lengths proportional to rank^-0.7 in random order, none above the extent; the factor is found by halving.
void powerlaw(Structure& s, double density, Random& random) {
  std::vector<double> weight(s.lines);
  for (int64_t i = 0; i < s.lines; ++i) weight[i] = std::pow(static_cast<double>(i + 1), -0.7);
  for (int64_t i = s.lines; i > 1; --i) std::swap(weight[i - 1], weight[random.below(i)]);
  double low = 0, high = std::pow(static_cast<double>(s.lines), 0.7);
  for (int step = 0; step < 60; ++step) {
    const double factor = (low + high) / 2;
    double mean = 0;
    for (const double w : weight) mean += std::min(1.0, factor * w) / static_cast<double>(s.lines);
    (mean < density ? low : high) = factor;
  }
  for (const double w : weight) {
    sample_line(s, std::min(1.0, high * w), random);
    end_line(s);
  }
}

void banded(Structure& s, double density) {
  const auto width = std::max<int64_t>(1, std::llround(density * static_cast<double>(s.extent)));
  for (int64_t i = 0; i < s.lines; ++i, end_line(s)) {
    const int64_t centre = i * s.extent / s.lines;
    const int64_t first = std::clamp<int64_t>(centre - width / 2, 0, std::max<int64_t>(s.extent - width, 0));
    take_all(s, first, first + width);
  }
}

void blockdiag(Structure& s, double density) {
  const auto groups = std::max<int64_t>(1, std::llround(1 / std::max(density, 1e-9)));
  for (int64_t i = 0; i < s.lines; ++i, end_line(s)) {
    const int64_t group = i * groups / s.lines;
    take_all(s, group * s.extent / groups, (group + 1) * s.extent / groups);
  }
}

// Magnitude pruning of Transformers: rows and columns differ in scale, a little more where less is pruned (fitted to
// the row lengths of the Deep Learning Matrix Collection).
constexpr double usual_sigma(double density) {
  return density >= 0.3 ? 0.13 : 0.07;
}

// The largest of |z| row_scale column_scale with log-normal scales stay.
void dlmc(Structure& s, double density, double sigma, Random& random) {
  if (sigma < 0) sigma = usual_sigma(density);
  const auto scales = [&](int64_t count) {
    std::vector<float> all(count);
    for (float& scale : all) scale = static_cast<float>(std::exp(sigma * random.normal()));
    return all;
  };
  const std::vector<float> row = scales(s.lines), column = scales(s.extent);
  std::vector<float> weights;
  weights.reserve(s.lines * s.extent);
  for (int64_t i = 0; i < s.lines; ++i)
    for (int64_t j = 0; j < s.extent; ++j)
      weights.push_back(static_cast<float>(std::fabs(random.normal())) * row[i] * column[j]);
  const auto kept = std::clamp<int64_t>(std::llround(density * static_cast<double>(weights.size())), 0,
                                        static_cast<int64_t>(weights.size()));
  std::vector<float> ranked = weights;
  const auto cut = ranked.end() - kept;
  if (kept) std::nth_element(ranked.begin(), cut, ranked.end());
  for (int64_t i = 0; i < s.lines; ++i, end_line(s))
    for (int64_t j = 0; j < s.extent; ++j)
      if (kept && weights[i * s.extent + j] >= *cut) s.indices.push_back(j);
}

}  // namespace

Structure generate(Pattern pattern, int64_t lines, int64_t extent, double density, double sigma, uint64_t seed) {
  Random random(seed);
  Structure s;
  s.lines = lines;
  s.extent = extent;
  switch (pattern) {
    case Pattern::uniform:
      uniform(s, density, random);
      break;
    case Pattern::powerlaw:
      powerlaw(s, density, random);
      break;
    case Pattern::banded:
      banded(s, density);
      break;
    case Pattern::blockdiag:
      blockdiag(s, density);
      break;
    case Pattern::dlmc:
      dlmc(s, density, sigma, random);
      break;
  }
  return s;
}

Structure transposed(const Structure& s) {
  Structure t;
  t.lines = s.extent;
  t.extent = s.lines;
  t.offsets.assign(t.lines + 1, 0);
  for (const int64_t j : s.indices) ++t.offsets[j + 1];
  for (int64_t j = 0; j < t.lines; ++j) t.offsets[j + 1] += t.offsets[j];
  t.indices.resize(s.indices.size());
  std::vector<int64_t> next(t.offsets.begin(), t.offsets.end() - 1);
  for (int64_t i = 0; i < s.lines; ++i)
    for (int64_t p = s.offsets[i]; p < s.offsets[i + 1]; ++p) t.indices[next[s.indices[p]]++] = i;
  return t;
}

Structure blocks_of(const Structure& entries, int64_t block_rows, int64_t block_cols) {
  Structure s;
  s.lines = (entries.lines + block_rows - 1) / block_rows;
  s.extent = (entries.extent + block_cols - 1) / block_cols;
  std::vector<int64_t> line;
  for (int64_t i = 0; i < s.lines; ++i, end_line(s)) {
    line.clear();
    const int64_t end = entries.offsets[std::min((i + 1) * block_rows, entries.lines)];
    for (int64_t p = entries.offsets[i * block_rows]; p < end; ++p) line.push_back(entries.indices[p] / block_cols);
    std::sort(line.begin(), line.end());
    s.indices.insert(s.indices.end(), line.begin(), std::unique(line.begin(), line.end()));
  }
  return s;
}

Structure read_structure(const std::string& path) {
  auto read = bs::io::read_matrix_file(path);
  if (!read) throw std::runtime_error(path + ": " + read.error().text());
  Structure s;
  s.lines = read->rows;
  s.extent = read->cols;
  s.offsets = std::move(read->offsets);
  s.indices = std::move(read->indices);
  return s;
}

}  // namespace bench
