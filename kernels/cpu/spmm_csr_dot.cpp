// CSR times one vector: each row of op(S) is a dot product with gathered elements of x, in sixteen partial sums
// whatever the instruction set.
#include "cpu/common/convert.h"
#include "cpu/common/entry_values.h"
#include "cpu/common/epilogue.h"
#include "cpu/common/sparse_rows.h"
#include "cpu/common/spmm_cost.h"
#include "cpu/common/transposed_index.h"
#include "engine/kernel.h"

namespace bs::cpu {
namespace {

constexpr int64_t kRows = 128;  // of one store to C

Verdict supports(const SpmmProblem& p, const Device&) {
  BS_REQUIRE(p.n == 1);
  BS_REQUIRE(p.s.format == Format::csr);
  BS_REQUIRE(!p.s.gated);
  return kAccept;
}

int64_t sum_size(const SpmmProblem& p) {
  return p.s.dtype == DType::f64 ? 8 : 4;
}
int64_t vector_bytes(const SpmmProblem& p) {
  return part(saturating_mul(p.k, sum_size(p)));
}
int64_t sums_bytes(const SpmmProblem& p) {
  return p.reduce > 1 ? part(saturating_mul(p.m, sum_size(p))) : 0;
}

// Every entry costs a gathered load, every row a call; no share of the peak would say that. Measured in CPU time on one
// core of a Xeon at 2 GHz shared with other work: 2.3 ms for 4096 x 4096 f32 at 10 % density, near what memory gives.
constexpr double kEntriesPerCycle = 0.4, kRowsPerCycle = 0.03;

Plan plan(const SpmmProblem& p, const Device& device) {
  const double cycles =
      static_cast<double>(p.s.entries()) / kEntriesPerCycle + static_cast<double>(p.m) / kRowsPerCycle;
  const double compute_us = cycles * static_cast<double>(inputs_of(p)) / (device.cores * device.ghz * 1e3);
  const Work work{.bytes = spmm_work(p, device, p.s.elements(), p.s.entries()).bytes};
  return {.cost_us = std::max(spmm_cost_us(p, device, work, {.memory = 0.6}), compute_us),
          .workspace_bytes = saturating_add(transposed_index_bytes(p.s, inputs_of(p)), vector_bytes(p), sums_bytes(p))};
}

// y as a column where its elements lie next to each other: the epilogue then works on many at a time.
SpmmProblem with_contiguous_result(SpmmProblem p, const SpmmOperands& o) {
  if (p.ldc == 1 && (!p.auxiliary || o.auxiliary_ld == 1)) p.c_layout = Layout::col;
  return p;
}

template <class T>
class VectorProduct {
 public:
  VectorProduct(const SpmmProblem& p, const SpmmOperands& o, const Exec& exec)
      : p_(with_contiguous_result(p, o)), o_(o), workers_(exec.workers), simd_(microkernels(exec.isa)) {
    Workspace workspace(exec.workspace);
    void* index = workspace.take(transposed_index_bytes(p.s, inputs_of(p)));
    s_ = ensure_transposed_index(p.s, o.s, inputs_of(p), index);
    x_ = static_cast<T*>(workspace.take(vector_bytes(p)));
    waiting_sums_ = static_cast<T*>(workspace.take(sums_bytes(p)));
  }

  void run() {
    for (int64_t b = 0; b < p_.batch; ++b) {
      for (int64_t r = 0; r < p_.reduce; ++r) {
        load_x(b + r);
        add_input(b, r);
      }
    }
  }

 private:
  void load_x(int64_t input) {
    const void* x = shifted(o_.b, size_of(p_.b_type), input * o_.b_stride);
    const int64_t stride = p_.b_layout == Layout::row ? p_.ldb : 1;
    if (stride == 1) return widen_run(simd_, p_.b_type, x, 0, x_, p_.k);
    for (int64_t i = 0; i < p_.k; ++i) x_[i] = static_cast<T>(load_double(p_.b_type, x, i * stride));
  }

  void add_input(int64_t b, int64_t r) {
    const Epilogue<T> epilogue(p_, o_, b, simd_);
    workers_->for_ranges((p_.m + kRows - 1) / kRows, 4, [&](int64_t begin, int64_t end) {
      T own_sums[kRows];
      for (int64_t piece = begin; piece < end; ++piece) {
        const int64_t row = piece * kRows, rows = std::min(kRows, p_.m - row);
        T* sums = p_.reduce > 1 ? waiting_sums_ + row : own_sums;
        if (r == 0) std::fill_n(sums, rows, T{0});
        add_rows(b + r, row, rows, sums);
        if (r + 1 == p_.reduce) epilogue.store(sums, 1, row, 0, rows, 1);
      }
    });
  }

  void add_rows(int64_t input, int64_t first, int64_t rows, T* sums) const {
    const SparseRows lists(p_.s, s_, input);
    const EntryValues<T> values(p_.s, s_, lists, input, simd_);
    const auto dot = simd_.of<T>().sparse_dot[index_slot(p_.s.index_type)];
    for (int64_t i = 0; i < rows; ++i) {
      values.for_chunks(lists.begin(first + i), lists.end(first + i), [&](int64_t q, const T* chunk, int64_t count) {
        sums[i] += dot({lists.index_array(q), chunk, count, x_, lists.base()});
      });
    }
  }

  const SpmmProblem p_;
  const SpmmOperands& o_;
  Workers* workers_;
  const Microkernels& simd_;
  SparseOperand s_;
  T* x_ = nullptr;
  T* waiting_sums_ = nullptr;
};

Status launch(const SpmmProblem& p, const Plan&, const SpmmOperands& o, const Exec& exec) {
  if (!reads_product(p, o))
    store_without_product(p, o, exec);
  else if (p.s.dtype == DType::f64)
    VectorProduct<double>(p, o, exec).run();
  else
    VectorProduct<float>(p, o, exec).run();
  return kSuccess;
}

}  // namespace
}  // namespace bs::cpu
BS_DEFINE_SPMM_KERNEL(cpu, csr_dot)
