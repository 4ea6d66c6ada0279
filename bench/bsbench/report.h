// What a run says: a table for people or JSON lines for programs, and a summary.
#pragma once

#include <string>
#include <vector>

#include "bsbench/contender.h"
#include "bsbench/timer.h"

namespace bench {

struct Row {
  std::string name, peer, error;  // error: a wrong result or a failed call; there is then no time
  double predicted = -1;
  bool chosen = false;
  Time time;
};

struct Outcome {
  Spec spec;
  double density = 0, flops = 0, bytes = 0, roof_microseconds = -1;  // < 0: ceilings unknown
  int64_t entries = 0;
  int instances = 1;
  std::vector<Row> rows;                       // routes, then peers, in the order of the engine
  std::vector<std::string> refusals;           // routes and peers that do not serve the problem
  double best(const std::string& peer) const;  // fastest time of a peer, "" for our routes; < 0: none
  double chosen() const;
  double regret() const;  // time of the engine's choice over the fastest route; < 0: not all were timed
};

// Where figures come from.
struct Origin {
  std::string device, commit, command, date;
};

// Microseconds below which the problem cannot be done: work and bytes at the device's ceilings; < 0: unknown.
double roofline(const Spec& spec, double flops, double bytes, const std::string& device,
                const std::vector<double>& given);

void print_table(const Outcome& outcome);
void print_json(const Outcome& outcome, const Origin& origin);

class Summary {
 public:
  void add(const Outcome& outcome);
  void add_failure() { ++failures_; }
  void missing(const std::string& reason) { missing_.push_back(reason); }
  void print() const;  // to standard error
  bool ok() const { return failures_ == 0 && wrong_ == 0; }

 private:
  int problems_ = 0, rows_ = 0, wrong_ = 0, failures_ = 0, refusals_ = 0, regrets_ = 0;
  double log_regret_ = 0, worst_regret_ = 0;
  std::vector<std::string> missing_;
};

}  // namespace bench
