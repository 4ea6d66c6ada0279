// cuSPARSE: every algorithm that serves the problem, preprocessed, dense operands by rows and by columns, since a user
// may choose; the report counts the best. f32 is f32 (Blocked-ELL would compute in TF32, so f32 has none).
#include <functional>

#include "bsbench/peers/cusparse_operands.h"

namespace bench {
namespace {

// One prepared call an instance: preprocessing belongs to a descriptor and its buffer.
struct Call {
  std::function<cusparseStatus_t(size_t*)> size;
  std::function<cusparseStatus_t(void*)> preprocess, execute;
  DeviceBytes buffer;
};

class Calls {
 public:
  explicit Calls(std::shared_ptr<Cusparse> library) : library_(std::move(library)) {}
  void add(Problem& problem, Call call) {
    size_t bytes = 0;
    library_->check(call.size(&bytes));
    call.buffer = DeviceBytes(problem.handle(), std::max<int64_t>(static_cast<int64_t>(bytes), 1));
    if (call.preprocess) library_->check(call.preprocess(call.buffer.get()));
    calls_.push_back(std::move(call));
  }
  void enqueue(int instance) const {
    const Call& call = calls_[instance];
    library_->check(call.execute(call.buffer.get()));
  }

 private:
  std::shared_ptr<Cusparse> library_;
  std::vector<Call> calls_;
};

// What the calls of one contender refer to.
struct Setting {
  Setting(std::shared_ptr<Cusparse> l, Problem& p)
      : library(std::move(l)), problem(&p), scalars(p.spec()), calls(library) {}
  std::shared_ptr<Cusparse> library;
  Problem* problem;
  Scalars scalars;
  std::shared_ptr<Copies> a, b, c;
  std::vector<SparseMatrix> sparse;
  std::vector<DeviceBytes> arrays;  // of Blocked-ELL
  Calls calls;
  cudaDataType compute() const { return scalars.wide ? CUDA_R_64F : CUDA_R_32F; }
};
using SettingPointer = std::shared_ptr<Setting>;

void add_spmm(const SettingPointer& s, int i, cusparseSpMMAlg_t algorithm) {
  const Cusparse& f = *s->library;
  const auto with = [s = s.get(), &f, i, algorithm](auto function, auto last) {
    return function(f.handle, operation(s->problem->spec().transpose_a), CUSPARSE_OPERATION_NON_TRANSPOSE,
                    s->scalars.alpha(), s->sparse[i].get(), s->b->matrix(i), s->scalars.beta(), s->c->matrix(i),
                    s->compute(), algorithm, last);
  };
  s->calls.add(*s->problem, {[=, &f](size_t* bytes) { return with(f.SpMM_bufferSize, bytes); },
                             [=, &f](void* buffer) { return with(f.SpMM_preprocess, buffer); },
                             [=, &f](void* buffer) { return with(f.SpMM, buffer); },
                             {}});
}

void add_sddmm(const SettingPointer& s, int i) {
  const Cusparse& f = *s->library;
  const auto with = [s = s.get(), &f, i](auto function, auto last) {
    return function(f.handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, s->scalars.alpha(),
                    s->a->matrix(i), s->b->matrix(i), s->scalars.beta(), s->sparse[i].get(), s->compute(),
                    CUSPARSE_SDDMM_ALG_DEFAULT, last);
  };
  s->calls.add(*s->problem, {[=, &f](size_t* bytes) { return with(f.SDDMM_bufferSize, bytes); },
                             [=, &f](void* buffer) { return with(f.SDDMM_preprocess, buffer); },
                             [=, &f](void* buffer) { return with(f.SDDMM, buffer); },
                             {}});
}

void add_spmv(const SettingPointer& s, int i, cusparseSpMVAlg_t algorithm) {
  const Cusparse& f = *s->library;
  const auto with = [s = s.get(), &f, i, algorithm](auto function, auto last) {
    return function(f.handle, operation(s->problem->spec().transpose_a), s->scalars.alpha(), s->sparse[i].get(),
                    s->b->vector(i), s->scalars.beta(), s->c->vector(i), s->compute(), algorithm, last);
  };
  s->calls.add(*s->problem, {[=, &f](size_t* bytes) { return with(f.SpMV_bufferSize, bytes); },
                             [=, &f](void* buffer) { return with(f.SpMV_preprocess, buffer); },
                             [=, &f](void* buffer) { return with(f.SpMV, buffer); },
                             {}});
}

void add_blocked_ell(const SettingPointer& s, const BlockedEll& ell) {
  const Sparse& host = s->problem->host().sparse;
  DeviceBytes columns(s->problem->handle(), ell.columns.data(),
                      static_cast<int64_t>(ell.columns.size() * sizeof(int32_t)));
  DeviceBytes values(s->problem->handle(), ell.values.data(), static_cast<int64_t>(ell.values.size()));
  cusparseSpMatDescr_t made = nullptr;
  s->library->check(s->library->CreateBlockedEll(&made, host.rows, host.cols, host.block_rows,
                                                 ell.width * host.block_rows, columns.get(), values.get(),
                                                 CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, cuda_type(host.type)));
  s->sparse.emplace_back(made, s->library->DestroySpMat);
  s->arrays.push_back(std::move(columns));
  s->arrays.push_back(std::move(values));
}

struct Algorithm {
  const char* name;
  cusparseSpMMAlg_t number;
};
std::vector<Algorithm> spmm_algorithms(const Spec& spec) {
  if (spec.format == BS_FORMAT_BSR) return {{"bsr_alg1", CUSPARSE_SPMM_BSR_ALG1}};
  std::vector<Algorithm> all{{"alg1", CUSPARSE_SPMM_CSR_ALG1}, {"alg2", CUSPARSE_SPMM_CSR_ALG2}};
  if (spec.format == BS_FORMAT_CSR && !spec.transpose_a) all.push_back({"alg3", CUSPARSE_SPMM_CSR_ALG3});
  return all;
}

// CSR_ALG1 and CSR_ALG2 form partial sums in f32 and add those in C's type.
bool adds_in_type_of_c(const Spec& spec, const std::string& name) {
  return bs::size_of(spec.c_type) == 2 && (name.rfind("alg1", 0) == 0 || name.rfind("alg2", 0) == 0);
}

class CusparsePeer final : public Peer {
 public:
  explicit CusparsePeer(bsStream_t stream) : library_(std::make_shared<Cusparse>(stream)) {}

  std::vector<Contender> contenders(Problem& problem, std::vector<std::string>* refusals) override {
    const Spec& spec = problem.spec();
    std::string refuses = beyond_peers(spec);
    if (refuses.empty() && spec.batch > 1) refuses = "batches";
    if (refuses.empty()) refuses = refuses_sparse(spec, problem.host().sparse);
    if (!refuses.empty()) {
      refusals->push_back("cusparse: not timed with " + refuses);
      return {};
    }
    found_.clear();
    refusals_ = refusals;
    if (spec.op == Op::spmm) spmm(problem);
    if (spec.op == Op::sddmm) sddmm(problem);
    if (spec.op == Op::spmv) spmv(problem);
    return std::move(found_);
  }

 private:
  // A configuration that cuSPARSE refuses is noted, not an end.
  template <class Prepare>
  void configuration(Problem& problem, const std::string& name, Result result, Prepare prepare) {
    auto setting = std::make_shared<Setting>(library_, problem);
    try {
      prepare(setting);
    } catch (const std::exception& error) {
      refusals_->push_back("cusparse/" + name + ": " + error.what());
      return;
    }
    found_.push_back({.name = "cusparse/" + name,
                      .peer = "cusparse",
                      .enqueue = [setting](int i) { setting->calls.enqueue(i); },
                      .result = result,
                      .tolerance = adds_in_type_of_c(problem.spec(), name) ? 0x1p-6 : 0});
  }
  std::shared_ptr<Copies> copies(Problem& problem, const Dense& source, bool transposed, bsOrder_t order) {
    return std::make_shared<Copies>(*library_, problem, source, transposed, order);
  }
  void describe_all(const SettingPointer& s) {
    for (int i = 0; i < s->problem->instances(); ++i)
      s->sparse.push_back(
          sparse_descriptor(*library_, s->problem->spec(), s->problem->host().sparse, s->problem->instance(i)));
  }

  void spmm(Problem& problem) {
    const Spec& spec = problem.spec();
    const HostOperands& host = problem.host();
    const bool bsr = spec.format == BS_FORMAT_BSR;
    const std::string no_ell = bsr ? refuses_blocked_ell(spec, host.sparse) : "";
    if (!no_ell.empty()) refusals_->push_back("cusparse/ell: not timed with " + no_ell);
    if (bsr && spec.transpose_a) return refusals_->push_back("cusparse: no BSR with op T");
    const BlockedEll ell = bsr && no_ell.empty() ? blocked_ell(host.sparse) : BlockedEll{};
    for (const bsOrder_t order : {BS_ORDER_ROW, BS_ORDER_COL}) {
      const std::string suffix = order == BS_ORDER_ROW ? "_row" : "_col";
      const auto b = copies(problem, host.b, spec.transpose_b, order), c = copies(problem, host.c, false, order);
      for (const Algorithm& algorithm : spmm_algorithms(spec)) {
        configuration(problem, algorithm.name + suffix, c->result(), [&](const SettingPointer& s) {
          s->b = b;
          s->c = c;
          describe_all(s);
          for (int i = 0; i < problem.instances(); ++i) add_spmm(s, i, algorithm.number);
        });
      }
      if (!ell.width) continue;
      configuration(problem, "ell" + suffix, c->result(), [&](const SettingPointer& s) {
        s->b = b;
        s->c = c;
        for (int i = 0; i < problem.instances(); ++i) {
          add_blocked_ell(s, ell);
          add_spmm(s, i, CUSPARSE_SPMM_BLOCKED_ELL_ALG1);
        }
      });
    }
  }

  void sddmm(Problem& problem) {
    const Spec& spec = problem.spec();
    const HostOperands& host = problem.host();
    if (spec.format == BS_FORMAT_CSC) return refusals_->push_back("cusparse: no SDDMM into CSC");
    if (spec.format == BS_FORMAT_CSR && spec.dtype == bs::DType::bf16)
      return refusals_->push_back("cusparse: no SDDMM of bf16 into CSR");
    for (const bsOrder_t order : {BS_ORDER_ROW, BS_ORDER_COL}) {
      const auto a = copies(problem, host.a, spec.transpose_a, BS_ORDER_ROW);
      const auto b = copies(problem, host.b, spec.transpose_b, order);
      const Result result = Result::of(host.sparse, problem.instance(0).values.get());
      configuration(problem, order == BS_ORDER_ROW ? "sddmm_row" : "sddmm_col", result, [&](const SettingPointer& s) {
        s->a = a;
        s->b = b;
        describe_all(s);
        for (int i = 0; i < problem.instances(); ++i) add_sddmm(s, i);
      });
    }
  }

  void spmv(Problem& problem) {
    const Spec& spec = problem.spec();
    const bool bsr = spec.format == BS_FORMAT_BSR;
    const auto x = copies(problem, problem.host().b, spec.transpose_b, BS_ORDER_COL);
    const auto y = copies(problem, problem.host().c, false, BS_ORDER_COL);
    const std::vector<std::pair<const char*, cusparseSpMVAlg_t>> algorithms =
        bsr ? std::vector<std::pair<const char*, cusparseSpMVAlg_t>>{{"spmv_bsr_alg1", CUSPARSE_SPMV_BSR_ALG1}}
            : std::vector<std::pair<const char*, cusparseSpMVAlg_t>>{{"spmv_alg1", CUSPARSE_SPMV_CSR_ALG1},
                                                                     {"spmv_alg2", CUSPARSE_SPMV_CSR_ALG2}};
    for (const auto& [name, number] : algorithms) {
      configuration(problem, name, y->result(), [&, number = number](const SettingPointer& s) {
        s->b = x;
        s->c = y;
        describe_all(s);
        for (int i = 0; i < problem.instances(); ++i) add_spmv(s, i, number);
      });
    }
  }

  std::shared_ptr<Cusparse> library_;
  std::vector<Contender> found_;
  std::vector<std::string>* refusals_ = nullptr;
};

}  // namespace

std::unique_ptr<Peer> open_cusparse(bsStream_t stream, std::string* reason) {
  try {
    return std::make_unique<CusparsePeer>(stream);
  } catch (const std::exception& error) {
    *reason = std::string("cusparse: ") + error.what();
    return nullptr;
  }
}

}  // namespace bench
