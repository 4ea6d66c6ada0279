// Results against sums in double, on a sample of elements.
#pragma once

#include <string>
#include <vector>

#include "bsbench/contender.h"
#include "bsbench/problem.h"

namespace bench {

class Checker {
 public:
  // `lines` rows and as many columns of every checked batch; first and last ones are always among them.
  Checker(Problem& problem, int lines, uint64_t seed);

  // Poisons the result, runs the contender and compares: "" or what is wrong.
  std::string check(const Contender& contender);

 private:
  struct Sample {
    int64_t b, i, j, position;
    double expected, absolute, terms;  // sum, sum of magnitudes, number of terms
  };
  void sample_dense(int lines, uint64_t seed);
  void sample_sparse(int count, uint64_t seed);
  void finish(Sample* sample, double old) const;
  Bytes primed(const Result& result) const;

  Problem* problem_;
  std::vector<Sample> samples_;
};

}  // namespace bench
