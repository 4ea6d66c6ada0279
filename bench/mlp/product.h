// One bsSpMM or bsSDDMM of the network, ready to run again and again. The two have the same arguments, so one type
// serves.
#pragma once

#include <string>

#include "mlp/device.h"

namespace mlp {

struct Operation {
  const char* name;
  decltype(&bsSpMM_bufferSize) buffer_size;
  decltype(&bsSpMM) run;
  decltype(&bsSpMM_explain) explain;
};
inline constexpr Operation kSpmm{"SpMM", bsSpMM_bufferSize, bsSpMM, bsSpMM_explain};
inline constexpr Operation kSddmm{"SDDMM", bsSDDMM_bufferSize, bsSDDMM, bsSDDMM_explain};

// The engine's choice for a product, and why.
struct Explanation {
  std::string route;
  std::string reason;
};

struct Product {
  const Operation* operation;
  bsOperation_t op_a, op_b;
  bsConstMatDescr_t a, b;
  bsMatDescr_t c;
  bsConstOptions_t options;

  int64_t workspace_bytes(const Device& device) const;
  // c = op(a) op(b), at c's structure if it is sparse.
  void run(const Device& device, const Memory& workspace, int64_t bytes) const;
  Explanation explain(const Device& device) const;
};

}  // namespace mlp
