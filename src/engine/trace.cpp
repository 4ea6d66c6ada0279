// Text of problems and choices. Only reached when somebody listens.
#include "engine/trace.h"

#include <algorithm>

#include <charconv>

namespace bs {
namespace {

// "%.3g" without the locale's decimal point.
std::string general(double value, int digits) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits);
  return {text, end};
}

class Arguments {
 public:
  explicit Arguments(const char* op) { word("op", op); }

  void word(const char* name, const char* value) {
    flag(name, true);
    text_.append(1, ' ').append(value);
  }
  void flag(const char* name, bool set) {
    if (!set) return;
    if (!text_.empty()) text_.append(1, ' ');
    text_.append("--").append(name);
  }
  void number(const char* name, int64_t value) { word(name, std::to_string(value).c_str()); }
  void number_unless(int64_t usual, const char* name, int64_t value) {
    if (value != usual) number(name, value);
  }
  void type_unless(DType usual, const char* name, DType value) {
    if (value != usual) word(name, name_of(value));
  }
  void layout(const char* name, Layout value) {
    if (value == Layout::col) word(name, "col");
  }
  void axis(const char* name, Axis value) {
    if (value != Axis::none) word(name, value == Axis::row ? "row" : "col");
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void add_blocks(Arguments& a, const SparseShape& s) {
  if (s.format != Format::bsr) return;
  std::string block = std::to_string(s.block_rows);
  if (s.block_rows != s.block_cols) block.append("x").append(std::to_string(s.block_cols));
  a.word("block", block.c_str());
  a.layout("block-order", s.block_layout);
}

void add_density(Arguments& a, const SparseShape& s) {
  const double all = static_cast<double>(s.rows) * static_cast<double>(s.cols);
  a.word("density", general(all > 0 ? static_cast<double>(s.elements()) / all : 0.0, 4).c_str());
}

void add_analysis(Arguments& a, const SparseShape& s) {
  std::string flags;
  const auto add = [&flags](bool set, const char* name) {
    if (set) flags.append(flags.empty() ? "" : "+").append(name);
  };
  add(s.stats.known != 0, "stats");
  add(s.has_order, "order");
  add(s.has_transpose, "transpose");
  add(s.has_pack, "pack");
  if (!flags.empty()) a.word("analysis", flags.c_str());
}

void add_sparse(Arguments& a, const SparseShape& s) {
  a.word("format", s.format == Format::bsr ? "bsr" : "csr");
  add_blocks(a, s);
  a.word("dtype", name_of(s.dtype));
}

void add_details(Arguments& a, const SparseShape& s) {
  add_density(a, s);
  if (s.transposed) a.word("opa", "t");
  if (s.offset_type == IndexType::i64) a.word("offsets", "i64");
  if (s.index_type == IndexType::i64) a.word("indices", "i64");
  a.number_unless(0, "base", s.base);
  a.flag("gate", s.gated);
  a.flag("own-structure", s.own_structure);
  add_analysis(a, s);
}

void add_batch(Arguments& a, int64_t batch, int64_t reduce) {
  a.number_unless(1, "batch", batch);
  a.number_unless(1, "reduce", reduce);
}

void add_constraints(Arguments& a, const Constraints& c) {
  a.number_unless(16, "align", std::min(c.alignment, c.block_alignment));
  a.flag("strict", c.strict);
  a.flag("deterministic", c.deterministic);
  a.flag("tf32", c.allow_tf32);
}

constexpr int64_t tight(Layout layout, int64_t rows, int64_t cols) {
  const int64_t line = layout == Layout::row ? cols : rows;
  return line > 1 ? line : 1;
}

const char* name_of(Activation activation) {
  constexpr const char* kNames[] = {"none", "relu", "gelu_erf", "gelu_tanh", "silu"};
  return kNames[static_cast<int>(activation)];
}

void add_sizes(Arguments& a, int64_t m, int64_t k, int64_t n) {
  a.number("m", m);
  a.number("k", k);
  a.number("n", n);
}

}  // namespace

std::string describe_arguments(const SpmmProblem& p) {
  Arguments a("spmm");
  add_sparse(a, p.s);
  add_sizes(a, p.m, p.k, p.n);
  add_details(a, p.s);
  a.type_unless(p.s.dtype, "btype", p.b_type);
  a.type_unless(p.s.dtype, "ctype", p.c_type);
  a.layout("orderb", p.b_layout);
  a.layout("orderc", p.c_layout);
  a.number_unless(tight(p.b_layout, p.k, p.n), "ldb", p.ldb);
  a.number_unless(tight(p.c_layout, p.m, p.n), "ldc", p.ldc);
  add_batch(a, p.batch, p.reduce);
  a.axis("bias", p.bias);
  if (p.bias != Axis::none) a.type_unless(p.c_type, "biastype", p.bias_type);
  if (p.activation != Activation::none) a.word("activation", name_of(p.activation));
  a.flag("auxiliary", p.auxiliary);
  add_constraints(a, p.constraints);
  return a.text();
}

std::string describe_arguments(const SddmmProblem& p) {
  Arguments a("sddmm");
  add_sparse(a, p.s);
  add_sizes(a, p.m, p.k, p.n);
  add_details(a, p.s);
  a.type_unless(p.s.dtype, "atype", p.l_type);
  a.type_unless(p.s.dtype, "btype", p.r_type);
  a.layout("ordera", p.l_layout);
  a.layout("orderb", p.r_layout);
  a.number_unless(tight(p.l_layout, p.m, p.k), "lda", p.ldl);
  a.number_unless(tight(p.r_layout, p.k, p.n), "ldb", p.ldr);
  add_batch(a, p.batch, p.reduce);
  a.axis("bias-gradient", p.bias_gradient);
  if (p.bias_gradient != Axis::none) a.type_unless(p.s.dtype, "biastype", p.bias_type);
  add_constraints(a, p.constraints);
  return a.text();
}

std::string describe_arguments(const GateGradProblem& p) {
  Arguments a("gategrad");
  add_sparse(a, p.s);
  a.number("m", p.s.rows);
  a.number("k", p.s.cols);
  add_details(a, p.s);
  a.type_unless(p.s.dtype, "dwtype", p.dw_type);
  add_batch(a, p.batch, 1);
  add_constraints(a, p.constraints);
  return a.text();
}

std::string select_line(const char* route, double microseconds, const std::string& arguments) {
  std::string line = "bsparse,v1,select,";
  line.append(route).append(",").append(general(microseconds, 3)).append(",").append(arguments);
  return line;
}

}  // namespace bs
