// One problem on a device: host operands, their copies in device memory, and the calls of the library.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bsbench/operands.h"
#include "bsparse.hpp"

namespace bench {

// Device memory. `shift` bytes off the allocation's start, to make an address that divides by no more.
class DeviceBytes {
 public:
  DeviceBytes() = default;
  DeviceBytes(bsparse::Handle& handle, int64_t bytes, int64_t shift = 0);
  DeviceBytes(bsparse::Handle& handle, const void* source, int64_t bytes, int64_t shift = 0);
  void* get() const { return memory_ ? static_cast<char*>(memory_.get()) + shift_ : nullptr; }
  int64_t bytes() const { return bytes_; }

 private:
  std::unique_ptr<void, bsparse::detail::Free> memory_;
  int64_t shift_ = 0, bytes_ = 0;
};

// The operands on the host. A is the sparse matrix of spmm and spmv; for sddmm A and B are dense and C is sparse.
struct HostOperands {
  explicit HostOperands(Spec* spec, uint64_t seed);  // a file decides sizes in *spec
  Sparse sparse;
  Dense a, b, c;  // a of sddmm only, c not of sddmm
  Bytes bias;     // empty: none

  double flops(const Spec& spec) const;  // useful: two a stored element and column or inner index
  double bytes(const Spec& spec) const;  // each operand once
};

// One set of device arrays and descriptors.
struct Instance {
  Instance(bsparse::Handle& handle, const Spec& spec, const HostOperands& host);
  DeviceBytes offsets, indices, values, gates, a_values, b_values, c_values, auxiliary_values;
  std::vector<bsparse::Matrix> matrices;  // A, B, C, then the auxiliary output
  void* result() const { return c_values.bytes() ? c_values.get() : values.get(); }
};

struct Candidate {
  std::string route, reason;
  double microseconds = 0;
  bool accepted = false, chosen = false;
};

class Problem {
 public:
  // As many instances as make their operands together larger than cache_bytes; 0: one.
  Problem(bsparse::Handle& handle, const Spec& spec, uint64_t seed, int64_t cache_bytes);

  const Spec& spec() const { return spec_; }
  const HostOperands& host() const { return host_; }
  bsparse::Handle& handle() { return *handle_; }
  int instances() const { return static_cast<int>(instances_.size()); }
  Instance& instance(int i) { return *instances_[i]; }
  std::vector<Candidate> candidates();

  // The calls of one route ("" lets the engine choose), with their workspace.
  class Call {
   public:
    Call(Problem& problem, const std::string& route);
    void enqueue(int instance);  // (stream)
    const bsparse::Options* options() const { return &options_; }

   private:
    Problem* problem_;
    bsparse::Options options_;
    bsparse::Workspace workspace_;
    DeviceBytes gradient_;
  };

 private:
  friend class Call;
  bsparse::Product product(const bsparse::Options* options) const;

  bsparse::Handle* handle_;
  Spec spec_;
  HostOperands host_;
  DeviceBytes bias_;
  std::vector<std::unique_ptr<Instance>> instances_;
};

}  // namespace bench
