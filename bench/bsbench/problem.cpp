// Device copies, descriptors and calls.
#include "bsbench/problem.h"

#include <algorithm>

namespace bench {
namespace {

bsDataType_t type_number(bs::DType type) {
  return static_cast<bsDataType_t>(type);
}
bsOperation_t op_number(bool transposed) {
  return transposed ? BS_OPERATION_TRANSPOSE : BS_OPERATION_NON_TRANSPOSE;
}

// Index arrays in the type and base of the problem.
DeviceBytes upload_integers(bsparse::Handle& handle, const std::vector<int64_t>& values, bsIndexType_t type, int base,
                            int64_t copies) {
  std::vector<int32_t> narrow;
  std::vector<int64_t> wide;
  for (int64_t copy = 0; copy < copies; ++copy) {
    for (const int64_t value : values) {
      if (type == BS_INDEX_32I) narrow.push_back(static_cast<int32_t>(value + base));
      if (type == BS_INDEX_64I) wide.push_back(value + base);
    }
  }
  if (type == BS_INDEX_32I) return {handle, narrow.data(), static_cast<int64_t>(narrow.size() * sizeof(int32_t))};
  return {handle, wide.data(), static_cast<int64_t>(wide.size() * sizeof(int64_t))};
}

bsparse::Indices indices_of(const DeviceBytes& array, int64_t count, bsIndexType_t type) {
  if (type == BS_INDEX_32I) return std::span<int32_t>(static_cast<int32_t*>(array.get()), count);
  return std::span<int64_t>(static_cast<int64_t*>(array.get()), count);
}

DeviceBytes upload(bsparse::Handle& handle, const Bytes& bytes, const Spec& spec) {
  return {handle, bytes.data(), static_cast<int64_t>(bytes.size()), spec.align < 16 ? spec.align : 0};
}

bsparse::Matrix dense_matrix(const Dense& d, const DeviceBytes& array) {
  auto mat =
      bsparse::Matrix::dense(d.rows, d.cols, {array.get(), d.stride() * d.batch, type_number(d.type)}, d.order, d.ld);
  if (d.batch > 1) mat.set_batch(d.batch, d.stride());
  return mat;
}

bsparse::Matrix sparse_matrix(bsparse::Handle& handle, const Spec& spec, const Sparse& s, const Instance& on) {
  const Structure& structure = s.structure;
  const bsparse::Indices offsets = indices_of(on.offsets, structure.lines + 1, spec.offset_type);
  const bsparse::Indices indices = indices_of(on.indices, structure.count(), spec.index_type);
  const bsparse::Values values{on.values.get(), s.elements(), type_number(s.type)};
  auto mat = s.format == BS_FORMAT_BSR   ? bsparse::Matrix::bsr(s.rows, s.cols, s.block_rows, s.block_cols, offsets,
                                                                indices, values, s.block_order, spec.base)
             : s.format == BS_FORMAT_CSC ? bsparse::Matrix::csc(s.rows, s.cols, offsets, indices, values, spec.base)
                                         : bsparse::Matrix::csr(s.rows, s.cols, offsets, indices, values, spec.base);
  const bool own = spec.own_structure && s.batch > 1;
  if (s.batch > 1) mat.set_batch(s.batch, s.elements(), own ? structure.lines + 1 : 0, own ? structure.count() : 0);
  if (!s.gates.empty()) mat.set_gate({static_cast<const float*>(on.gates.get()), s.gates.size()});
  if (spec.analysis) mat.analyze(handle, spec.analysis);
  return mat;
}

Dense random_dense(Dense d, uint64_t seed) {
  d.values = random_values(d.type, d.stride() * d.batch, seed);
  return d;
}

// A dense operand op(X) of rows x cols, as stored.
Dense input(int64_t rows, int64_t cols, bool transposed, bsOrder_t order, int64_t ld, bs::DType type, int64_t batch) {
  if (transposed) std::swap(rows, cols);
  return Dense::of(rows, cols, order, ld, type, batch);
}

void take_sizes_from_file(Spec* spec) {
  if (spec->file.empty()) return;
  const Structure entries = read_structure(spec->file);
  int64_t rows = entries.lines, cols = entries.extent;
  if (spec->transpose_a && !spec->sparse_result()) std::swap(rows, cols);
  spec->m = rows;
  (spec->sparse_result() ? spec->n : spec->k) = cols;
  if (spec->k < 1 || spec->n < 1) throw std::invalid_argument("--n (spmm) or --k (sddmm) must be given with --file");
}

}  // namespace

DeviceBytes::DeviceBytes(bsparse::Handle& handle, int64_t bytes, int64_t shift) : shift_(shift), bytes_(bytes) {
  void* memory = nullptr;
  bsparse::check(bsMalloc(handle.get(), &memory, bytes + shift));
  memory_ = {memory, bsparse::detail::Free{handle.get(), bytes}};
}

DeviceBytes::DeviceBytes(bsparse::Handle& handle, const void* source, int64_t bytes, int64_t shift)
    : DeviceBytes(handle, bytes, shift) {
  if (bytes) bsparse::check(bsMemcpy(handle.get(), get(), source, bytes));
}

HostOperands::HostOperands(Spec* spec, uint64_t seed) {
  take_sizes_from_file(spec);
  const Spec& s = *spec;
  int64_t rows = s.m, cols = s.sparse_result() ? s.n : s.k;
  if (s.transpose_a && !s.sparse_result()) std::swap(rows, cols);
  sparse = make_sparse(s, rows, cols, seed);
  b = random_dense(input(s.k, s.n, s.transpose_b, s.order_b, s.ldb, s.b_type, s.products()), seed + 3);
  if (s.sparse_result()) {
    a = random_dense(input(s.m, s.k, s.transpose_a, s.order_a, s.lda, s.a_type, s.products()), seed + 4);
  } else {
    c = random_dense(Dense::of(s.m, s.n, s.order_c, s.ldc, s.c_type, s.batch), seed + 5);
  }
  if (s.bias) bias = random_values(s.bias_type, s.bias == BS_AXIS_ROW ? s.m : s.n, seed + 6);
}

double HostOperands::flops(const Spec& s) const {
  const double inner = static_cast<double>(s.sparse_result() ? s.k : s.n);
  return 2.0 * static_cast<double>(sparse.elements()) * inner * static_cast<double>(s.products());
}

double HostOperands::bytes(const Spec& s) const {
  const auto width = [](bsIndexType_t type) { return type == BS_INDEX_64I ? 8 : 4; };
  const int64_t copies = s.own_structure ? s.products() : 1;
  const int64_t structure =
      ((sparse.structure.lines + 1) * width(s.offset_type) + sparse.structure.count() * width(s.index_type)) * copies;
  const int64_t result = s.sparse_result() ? static_cast<int64_t>(sparse.values.size()) : c.bytes();
  const int64_t inputs =
      s.sparse_result() ? a.bytes() + b.bytes() : static_cast<int64_t>(sparse.values.size()) + b.bytes();
  return static_cast<double>(structure + inputs + result * (s.beta != 0 ? 2 : 1));
}

Instance::Instance(bsparse::Handle& handle, const Spec& spec, const HostOperands& host) {
  const Sparse& s = host.sparse;
  const int64_t copies = spec.own_structure ? s.batch : 1;
  offsets = upload_integers(handle, s.structure.offsets, spec.offset_type, spec.base, copies);
  indices = upload_integers(handle, s.structure.indices, spec.index_type, spec.base, copies);
  values = {handle, s.values.data(), static_cast<int64_t>(s.values.size())};
  if (!s.gates.empty()) gates = {handle, s.gates.data(), static_cast<int64_t>(s.gates.size() * sizeof(float))};
  b_values = upload(handle, host.b.values, spec);
  bsparse::Matrix sparse = sparse_matrix(handle, spec, s, *this);
  if (spec.sparse_result()) {
    a_values = upload(handle, host.a.values, spec);
    matrices.push_back(dense_matrix(host.a, a_values));
    matrices.push_back(dense_matrix(host.b, b_values));
    matrices.push_back(std::move(sparse));
    return;
  }
  c_values = upload(handle, host.c.values, spec);
  matrices.push_back(std::move(sparse));
  matrices.push_back(dense_matrix(host.b, b_values));
  matrices.push_back(dense_matrix(host.c, c_values));
  if (!spec.auxiliary) return;
  auxiliary_values = upload(handle, host.c.values, spec);
  matrices.push_back(dense_matrix(host.c, auxiliary_values));
}

Problem::Problem(bsparse::Handle& handle, const Spec& spec, uint64_t seed, int64_t cache_bytes)
    : handle_(&handle), spec_(spec), host_(&spec_, seed) {
  if (!host_.bias.empty()) bias_ = {handle, host_.bias.data(), static_cast<int64_t>(host_.bias.size())};
  const auto once = static_cast<int64_t>(std::max(1.0, host_.bytes(spec_)));
  const int64_t count = std::clamp<int64_t>(cache_bytes / once + (cache_bytes > 0), 1, 256);
  for (int64_t i = 0; i < count; ++i) instances_.push_back(std::make_unique<Instance>(handle, spec_, host_));
}

bsparse::Product Problem::product(const bsparse::Options* options) const {
  return {.opA = op_number(spec_.transpose_a),
          .opB = op_number(spec_.transpose_b),
          .alpha = 1,
          .beta = spec_.beta,
          .options = options};
}

Problem::Call::Call(Problem& problem, const std::string& route) : problem_(&problem) {
  const Spec& s = problem.spec_;
  options_.route(route);
  if (s.strict) options_.set(BS_OPTION_STRICT, 1);
  if (s.deterministic) options_.set(BS_OPTION_DETERMINISTIC, 1);
  if (s.tf32) options_.set(BS_OPTION_ALLOW_TF32, 1);
  if (s.activation) options_.set(BS_OPTION_ACTIVATION, s.activation);
  if (s.bias)
    options_.bias({problem.bias_.get(), s.bias == BS_AXIS_ROW ? s.m : s.n, type_number(s.bias_type)},
                  static_cast<bsAxis_t>(s.bias));
  if (s.auxiliary && !s.sparse_result()) options_.auxiliary(problem.instances_[0]->matrices[3]);
  if (!s.bias_gradient) return;
  const int64_t length = (s.bias_gradient == BS_AXIS_ROW ? s.m : s.n) * s.batch;
  gradient_ = {*problem.handle_, length * bs::size_of(s.bias_type)};
  options_.bias_gradient({gradient_.get(), length, type_number(s.bias_type)}, static_cast<bsAxis_t>(s.bias_gradient));
}

void Problem::Call::enqueue(int instance) {
  std::vector<bsparse::Matrix>& mats = problem_->instances_[instance]->matrices;
  bsparse::Handle& handle = *problem_->handle_;
  const bsparse::Product product = problem_->product(&options_);
  switch (problem_->spec_.op) {
    case Op::spmm:
      return bsparse::spmm(handle, mats[0], mats[1], mats[2], workspace_, product);
    case Op::sddmm:
      return bsparse::sddmm(handle, mats[0], mats[1], mats[2], workspace_, product);
    case Op::spmv:
      return bsparse::spmv(handle, mats[0], mats[1], mats[2], workspace_, product);
  }
}

std::vector<Candidate> Problem::candidates() {
  const Call plain(*this, "");
  const std::vector<bsparse::Matrix>& mats = instances_[0]->matrices;
  const bsparse::Product asked = product(plain.options());
  const auto report = spec_.sparse_result() ? bsparse::Report::sddmm(*handle_, mats[0], mats[1], mats[2], asked)
                                            : bsparse::Report::spmm(*handle_, mats[0], mats[1], mats[2], asked);
  std::vector<Candidate> all;
  for (int64_t i = 0; i < report.size(); ++i) {
    all.push_back({.route = report.route(i),
                   .reason = report.get<const char*>(i, BS_REPORT_REASON),
                   .microseconds = report.get<double>(i, BS_REPORT_MICROSECONDS),
                   .accepted = report.get<int32_t>(i, BS_REPORT_ACCEPTED) != 0,
                   .chosen = report.chosen(i)});
  }
  return all;
}

}  // namespace bench
