// op(S) as a dense image times B by cuBLASLt: for patterns so full that skipping zeros costs more than multiplying by
// them, and the floor that no sparse row may fall below. The image comes from BS_ANALYZE_PACK or is made in the
// workspace. Zeros do meet B, so non-finite values spread.
//
// Two ways to C. Directly, where cuBLASLt can do the whole of it: host scalars, no epilogue but a bias along C's lines.
// Else in chunks through the workspace, in f32 (f64): a chunk stays in L2, and the epilogue of all other rows finishes
// it, with one rounding. Device scalars go this way because cuBLASLt does not promise that alpha = 0 keeps NaN of A and
// B out of C; ReLU does because that of cuBLASLt is documented as max(x, 0), which need not keep NaN.
#include "cuda/common/dense_product.h"
#include "cuda/common/densify.h"
#include "cuda/common/launch.h"
#include "cuda/device/epilogue.cuh"
#include "engine/cost.h"
#include "engine/kernel.h"

namespace bs::cuda {
namespace {

constexpr int kThreads = 256;
// Inputs with an S of their own are made dense as many at a time as fit in this, at least one: enough to fill the
// device.
constexpr int64_t kImageBudget = int64_t{64} << 20;
constexpr int64_t kMostImageElements = int64_t{1} << 40;  // no device holds more

DType accumulator(const SpmmProblem& p) {
  return p.s.dtype == DType::f64 ? DType::f64 : DType::f32;
}

// C's contiguous lines: rows where it is row-major.
int64_t lines_of(const SpmmProblem& p) {
  return p.c_layout == Layout::row ? p.m : p.n;
}
int64_t line_length(const SpmmProblem& p) {
  return p.c_layout == Layout::row ? p.n : p.m;
}

// Where the parts of the workspace lie.
struct Parts {
  int64_t images = 0;  // held at a time
  Chunk chunk;
  int64_t staged = 0, product = 0, product_bytes = 0, bytes = 0;

  explicit Parts(const SpmmProblem& p) {
    const int64_t inputs = p.batch * p.reduce, image = image_bytes(p.s);
    if (!p.s.has_pack)
      images = std::clamp<int64_t>(kImageBudget / std::max<int64_t>(image, 1), 1, std::max<int64_t>(inputs, 1));
    chunk = Chunk::of(p.batch, lines_of(p), line_length(p), accumulator(p));
    staged = images * image;
    // Always there: a problem does not say whether its scalars lie in device memory.
    product = staged + chunk.bytes(accumulator(p));
    product_bytes = product_workspace_bytes(p.m, p.n, p.batch);
    bytes = product + product_bytes;
  }
};

// op(S) of any input, dense.
class Images {
 public:
  Images(const SpmmProblem& p, const SpmmOperands& o, const Exec& e, int64_t capacity)
      : p_(p), o_(o), e_(e), capacity_(capacity), shared_(shares_image(p.s, o.s)) {}

  // `count`: inputs from `input` on that the matrix may be strided over.
  Status at(int64_t input, DenseMatrix* matrix, int64_t* count) {
    const int64_t inputs = p_.batch * p_.reduce;
    const bool packed = p_.s.has_pack;
    if (packed || shared_) *count = inputs - input;
    if (!packed) BS_TRY(make(input, count));
    *matrix = {.data = packed ? o_.s.packed : e_.workspace,
               .rows = p_.m,
               .cols = p_.k,
               .ld = packed ? p_.s.cols : image_ld(p_.s),
               .stride = shared_  ? 0
                         : packed ? p_.s.rows * p_.s.cols
                                  : image_bytes(p_.s) / size_of(p_.s.dtype),
               .type = p_.s.dtype,
               .layout = p_.s.transposed ? Layout::col : Layout::row};
    *matrix = matrix->from(packed ? input : input - first_);
    return kSuccess;
  }

 private:
  Status make(int64_t input, int64_t* count) {
    const bool held = held_ > 0 && (shared_ || (input >= first_ && input < first_ + held_));
    if (!held) {
      first_ = input;
      held_ = shared_ ? 1 : std::min(capacity_, p_.batch * p_.reduce - input);
      BS_TRY(densify(p_.s, o_.s, first_, held_, e_.workspace, e_));
    }
    if (!shared_) *count = first_ + held_ - input;
    return kSuccess;
  }

  const SpmmProblem& p_;
  const SpmmOperands& o_;
  const Exec& e_;
  int64_t capacity_, first_ = 0, held_ = 0;
  bool shared_;
};

DenseMatrix b_of(const SpmmProblem& p, const SpmmOperands& o, int64_t input) {
  const DenseMatrix b{
      .data = o.b, .rows = p.k, .cols = p.n, .ld = p.ldb, .stride = o.b_stride, .type = p.b_type, .layout = p.b_layout};
  return b.from(input);
}

// `product` is null where there is none.
template <class Acc>
__global__ void __launch_bounds__(kThreads)
    finish(Slice slice, const Acc* product, int64_t ld, int64_t stride, Epilogue<Acc> epilogue) {
  // A chunk's 32 MiB have few elements: the divisions are of 32 bits.
  const auto length = static_cast<uint32_t>(slice.length), lines = static_cast<uint32_t>(slice.lines);
  const uint32_t total = static_cast<uint32_t>(slice.results) * lines * length;
  for (uint32_t t = blockIdx.x * kThreads + threadIdx.x; t < total; t += gridDim.x * kThreads) {
    const uint32_t at = t % length, line = t / length % lines, result = t / length / lines;
    const Acc sum = product ? product[result * stride + line * ld + at] : Acc(0);
    const int64_t outer = slice.line + line, inner = slice.at + at;
    const bool row = epilogue.c_layout == Layout::row;
    epilogue.store(slice.result + result, row ? outer : inner, row ? inner : outer, sum);
  }
}

template <class Acc>
Status launch_finish(const SpmmProblem& p, const SpmmOperands& o, const Chunk& chunk, const Slice& slice,
                     const void* product, const Exec& e) {
  const int64_t total = slice.results * slice.lines * slice.length;
  const auto grid = static_cast<unsigned>(std::min<int64_t>(ceil_div(total, kThreads), 1 << 16));
  finish<Acc><<<grid, kThreads, 0, static_cast<cudaStream_t>(e.stream)>>>(
      slice, static_cast<const Acc*>(product), chunk.ld, chunk.stride(), Epilogue<Acc>::from(p, o));
  return launched("spmm_dense_cublas: finish");
}

bool is_zero(const SpmmProblem& p, const void* scalar) {
  return p.s.dtype == DType::f64 ? *static_cast<const double*>(scalar) == 0 : *static_cast<const float*>(scalar) == 0;
}

bool reads_product(const SpmmProblem& p, const SpmmOperands& o) {
  return p.k > 0 && p.reduce > 0 && (o.scalars.on_device || !is_zero(p, o.scalars.alpha));
}

bool bias_by_cublas(const SpmmProblem& p) {
  const Axis along = p.c_layout == Layout::row ? Axis::col : Axis::row;
  return p.bias == along && p.bias_type == p.c_type && p.c_type != DType::f64 && p.reduce <= 1;
}

// Further summands are added to C, which 16 bits would round each time.
bool goes_direct(const SpmmProblem& p) {
  return p.activation == Activation::none && !p.auxiliary && (p.bias == Axis::none || bias_by_cublas(p)) &&
         (p.reduce <= 1 || size_of(p.c_type) >= 4);
}

Status multiply_directly(const SpmmProblem& p, const SpmmOperands& o, const Parts& parts, const Exec& e) {
  Images images(p, o, e, parts.images);
  const DenseMatrix c{
      .data = o.c, .rows = p.m, .cols = p.n, .ld = p.ldc, .stride = o.c_stride, .type = p.c_type, .layout = p.c_layout};
  for (int64_t input = 0, count = 0; input < p.batch * p.reduce; input += count) {
    DenseMatrix s;
    BS_TRY(images.at(input, &s, &count));
    if (p.reduce > 1) count = 1;  // one after the other, in order
    const int64_t result = p.reduce > 1 ? 0 : input;
    const DenseProduct product{
        .left = s,
        .right = b_of(p, o, input),
        .result = c.from(result),
        .batch = count,
        .bias = o.bias ? static_cast<const char*>(o.bias) + result * o.bias_stride * size_of(p.bias_type) : nullptr,
        .bias_stride = o.bias_stride,
        .allow_tf32 = p.constraints.allow_tf32};
    const HostScalars scalars{o.scalars.alpha, input == result ? o.scalars.beta : add_product(p.s.dtype).beta};
    BS_TRY(multiply(product, scalars, static_cast<char*>(e.workspace) + parts.product, parts.product_bytes, e));
  }
  return kSuccess;
}

// The product of one slice into the workspace, summands in order.
Status stage(const SpmmProblem& p, const SpmmOperands& o, const Parts& parts, const Slice& slice, Images& images,
             const Exec& e) {
  char* memory = static_cast<char*>(e.workspace);
  const bool row = p.c_layout == Layout::row;
  const int64_t row0 = row ? slice.line : slice.at, rows = row ? slice.lines : slice.length;
  const int64_t col0 = row ? slice.at : slice.line, cols = row ? slice.length : slice.lines;
  const DenseMatrix to{.data = memory + parts.staged,
                       .rows = rows,
                       .cols = cols,
                       .ld = parts.chunk.ld,
                       .stride = parts.chunk.stride(),
                       .type = accumulator(p),
                       .layout = p.c_layout};
  for (int64_t r = 0; r < p.reduce; ++r) {
    DenseMatrix s;
    int64_t count;
    BS_TRY(images.at(slice.result + r, &s, &count));
    const DenseProduct product{.left = s.row_range(row0, rows),
                               .right = b_of(p, o, slice.result + r).col_range(col0, cols),
                               .result = to,
                               .batch = slice.results,
                               .allow_tf32 = p.constraints.allow_tf32};
    BS_TRY(multiply(product, r == 0 ? product_only(p.s.dtype) : add_product(p.s.dtype), memory + parts.product,
                    parts.product_bytes, e));
  }
  return kSuccess;
}

Status multiply_in_chunks(const SpmmProblem& p, const SpmmOperands& o, const Parts& parts, const Exec& e) {
  Images images(p, o, e, parts.images);
  const bool multiplies = reads_product(p, o);
  const void* staged = multiplies ? static_cast<char*>(e.workspace) + parts.staged : nullptr;
  for (Slice all{.lines = lines_of(p), .length = line_length(p)}; all.result < p.batch; all.result += all.results) {
    all.results = std::min(parts.chunk.results, p.batch - all.result);
    if (multiplies) {
      DenseMatrix s;
      int64_t count;
      BS_TRY(images.at(all.result, &s, &count));
      all.results = std::min(all.results, count);
    }
    BS_TRY(for_slices(parts.chunk, all, [&](const Slice& slice) -> Status {
      if (multiplies) BS_TRY(stage(p, o, parts, slice, images, e));
      return accumulator(p) == DType::f64 ? launch_finish<double>(p, o, parts.chunk, slice, staged, e)
                                          : launch_finish<float>(p, o, parts.chunk, slice, staged, e);
    }));
  }
  return kSuccess;
}

Verdict supports(const SpmmProblem& p, const Device& d) {
  BS_REQUIRE(d.has_cublas);
  BS_REQUIRE(p.s.dtype == p.b_type);
  BS_REQUIRE(p.c_type == p.b_type || p.c_type == DType::f32);
  BS_REQUIRE(std::max(p.m, std::max(p.n, p.k)) <= kMaxDenseExtent);
  BS_REQUIRE(std::max(p.ldb, p.ldc) <= kMaxDenseExtent);
  BS_REQUIRE(p.m * p.k <= kMostImageElements);
  BS_REQUIRE(p.s.block_rows * p.s.block_cols <= (1 << 30));
  // A 16-bit image would round gates and sums of duplicates, and the product once more.
  const bool wide = size_of(p.s.dtype) >= 4;
  BS_REQUIRE(wide || !p.s.gated);
  BS_REQUIRE(wide || (p.s.stats.known && p.s.stats.sorted));
  return kAccept;
}

// Every stored element read with its index, and the image written: once by rows of CSR that ascend, else after a zero
// fill.
double densify_us(const SparseShape& s, const Device& d) {
  const double element = static_cast<double>(size_of(s.dtype));
  const bool whole_rows = s.format == Format::csr && s.stats.known && s.stats.sorted;
  const double bytes = static_cast<double>(image_bytes(s)) +
                       (whole_rows ? 1 : 2) * static_cast<double>(s.elements()) * element +
                       product_of(s.entries(), size_of(s.index_type));
  return (whole_rows ? 1 : 2) * d.launch_us + bytes / (d.memory_gbs * 1e3 * 0.7);
}

// The chunks pass through L2 and cost two launches each.
double staging_us(const SpmmProblem& p, const Parts& parts, const Device& d) {
  const double elements = static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.batch);
  return parts.chunk.count(p.batch, lines_of(p), line_length(p)) * 2 * d.launch_us +
         elements * 2 * static_cast<double>(size_of(accumulator(p))) / (d.l2_gbs * 1e3 * 0.5);
}

Plan plan(const SpmmProblem& p, const Device& d) {
  const Parts parts(p);
  const int64_t inputs = p.batch * p.reduce, made = p.s.has_pack        ? 0
                                                    : p.s.own_structure ? inputs
                                                                        : std::min<int64_t>(inputs, 1);
  const double products = product_us(p.m, p.n, p.k, inputs, p.s.dtype, p.c_type, p.constraints.allow_tf32, d);
  return {.cost_us = static_cast<double>(std::max<int64_t>(p.reduce, 1)) * d.launch_us + products +
                     static_cast<double>(made) * densify_us(p.s, d) + (goes_direct(p) ? 0 : staging_us(p, parts, d)),
          .workspace_bytes = parts.bytes};
}

Status launch(const SpmmProblem& p, const Plan&, const SpmmOperands& o, const Exec& e) {
  if (p.m == 0 || p.n == 0 || p.batch == 0) return kSuccess;
  const Parts parts(p);
  if (goes_direct(p) && !o.scalars.on_device && reads_product(p, o)) return multiply_directly(p, o, parts, e);
  return multiply_in_chunks(p, o, parts, e);
}

}  // namespace
}  // namespace bs::cuda

BS_DEFINE_SPMM_KERNEL(cuda, dense_cublas, .isolates = false)
