// kernels/registry.def as text: names of all rows, also of those that this build leaves out.
#pragma once

#include <fstream>
#include <string>
#include <vector>

namespace bs::test {

// "BS_SPMM_KERNEL(cpu, reference)" becomes "cpu/spmm_reference".
inline std::vector<std::string> registry_rows() {
  std::vector<std::string> names;
  std::ifstream file(BSPARSE_SOURCE_DIR "/kernels/registry.def");
  for (std::string line; std::getline(file, line);) {
    const size_t open = line.find("_KERNEL("), comma = line.find(", "), close = line.find(')');
    if (line.rfind("BS_", 0) != 0 || open == std::string::npos || comma == std::string::npos) continue;
    std::string op = line.substr(3, open - 3);
    for (char& letter : op) letter = static_cast<char>(letter + ('a' - 'A'));
    const size_t start = open + 8;
    names.push_back(line.substr(start, comma - start) + "/" + op + "_" + line.substr(comma + 2, close - comma - 2));
  }
  return names;
}

}  // namespace bs::test
