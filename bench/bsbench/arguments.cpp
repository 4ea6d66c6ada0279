// The command line and the lines of shape files: one syntax, which the library's log prints too.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <map>
#include <stdexcept>

#include "bsbench/spec.h"

namespace bench {
namespace {

using Names = std::map<std::string, int>;
const Names kOps{{"spmm", int(Op::spmm)}, {"sddmm", int(Op::sddmm)}, {"spmv", int(Op::spmv)}};
const Names kFormats{{"csr", BS_FORMAT_CSR}, {"csc", BS_FORMAT_CSC}, {"bsr", BS_FORMAT_BSR}};
const Names kTypes{{"f32", BS_R_32F}, {"f64", BS_R_64F}, {"f16", BS_R_16F}, {"bf16", BS_R_16BF}};
const Names kPatterns{{"uniform", int(Pattern::uniform)},
                      {"powerlaw", int(Pattern::powerlaw)},
                      {"banded", int(Pattern::banded)},
                      {"blockdiag", int(Pattern::blockdiag)},
                      {"dlmc", int(Pattern::dlmc)}};
const Names kOrders{{"row", BS_ORDER_ROW}, {"col", BS_ORDER_COL}};
const Names kIndexTypes{{"i32", BS_INDEX_32I}, {"i64", BS_INDEX_64I}};
const Names kTransposed{{"n", 0}, {"t", 1}};
const Names kAxes{{"row", BS_AXIS_ROW}, {"col", BS_AXIS_COL}};
const Names kActivations{{"none", BS_ACTIVATION_NONE},
                         {"relu", BS_ACTIVATION_RELU},
                         {"gelu_erf", BS_ACTIVATION_GELU_ERF},
                         {"gelu_tanh", BS_ACTIVATION_GELU_TANH},
                         {"silu", BS_ACTIVATION_SILU}};
const Names kAnalysis{{"stats", BS_ANALYZE_STATS},
                      {"order", BS_ANALYZE_ORDER},
                      {"transpose", BS_ANALYZE_TRANSPOSE},
                      {"pack", BS_ANALYZE_PACK},
                      {"none", 0}};

const char* spelled(const Names& names, int value) {
  for (const auto& [name, number] : names)
    if (number == value) return name.c_str();
  return "?";
}

int value_of(const Names& names, const std::string& option, const std::string& word) {
  const auto found = names.find(word);
  if (found != names.end()) return found->second;
  std::string known;
  for (const auto& entry : names) known.append(known.empty() ? "" : ", ").append(entry.first);
  throw std::invalid_argument(option + " is " + word + ", must be one of " + known);
}

std::vector<std::string> split(const std::string& text, const char* separators) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find_first_of(separators, at), text.size());
    if (end > at) parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

// "64" or "16x32".
void set_block(const std::string& text, Spec* spec) {
  const std::vector<std::string> sizes = split(text, "x");
  const bool digits = text.find_first_not_of("0123456789x") == std::string::npos;
  if (!digits || sizes.empty() || sizes.size() > 2)
    throw std::invalid_argument("--block is " + text + ", must be as 64 or 16x32");
  spec->block_rows = std::stoll(sizes.front());
  spec->block_cols = std::stoll(sizes.back());
}

void set_shard(const std::string& text, Settings* settings) {
  if (std::sscanf(text.c_str(), "%d/%d", &settings->shard, &settings->shards) != 2 || settings->shard < 1 ||
      settings->shard > settings->shards)
    throw std::invalid_argument("--shard is " + text + ", must be as 3/8");
}

// One parser a text: CLI11 binds options to variables.
class Parser {
 public:
  Parser() : app_("Times and checks products of libbsparse, beside cuBLAS and cuSPARSE.", "bsbench") {
    app_.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    add_problem();
    add_operands();
    add_options();
    add_settings();
  }

  // Words later in the list win.
  void parse(std::vector<std::string> words) {
    std::reverse(words.begin(), words.end());
    try {
      app_.parse(words);
    } catch (const CLI::CallForHelp&) {
      settings.help = true;
    } catch (const CLI::ParseError& error) {
      throw std::invalid_argument(error.what());
    }
  }
  std::string help() const { return app_.help(); }

  // Types that were not given are those of the sparse matrix.
  Spec finished_spec() const {
    Spec s = spec;
    const auto type = [&s](int given, bs::DType usual) { return given < 0 ? usual : static_cast<bs::DType>(given); };
    s.a_type = type(a_type_, s.dtype);
    s.b_type = type(b_type_, s.dtype);
    s.c_type = type(c_type_, s.dtype);
    s.bias_type = type(bias_type_, s.c_type);
    if (s.op == Op::spmv) s.n = 1;
    const bool sized = s.m >= 1 && s.k >= 1 && s.n >= 1;
    if (!sized && s.file.empty()) throw std::invalid_argument("--m, --k and --n must be given and at least 1");
    if (s.batch > 1 && s.reduce > 1) throw std::invalid_argument("--batch and --reduce cannot both be above 1");
    return s;
  }

  Spec spec;
  Settings settings;

 private:
  template <class T>
  void choice(const char* name, const Names& names, T* value, const char* what) {
    app_.add_option_function<std::string>(
        name, [=, &names](const std::string& word) { *value = static_cast<T>(value_of(names, name, word)); }, what);
  }

  void add_problem() {
    choice("--op", kOps, &spec.op, "spmm, sddmm or spmv");
    choice("--format", kFormats, &spec.format, "csr, csc or bsr");
    app_.add_option_function<std::string>(
        "--block", [this](const std::string& t) { set_block(t, &spec); }, "64 or 16x32");
    choice("--block-order", kOrders, &spec.block_order, "row or col");
    choice("--dtype", kTypes, &spec.dtype, "f32, f64, f16 or bf16");
    app_.add_option("--m", spec.m, "rows of C")->check(CLI::NonNegativeNumber);
    app_.add_option("--k", spec.k, "inner extent")->check(CLI::NonNegativeNumber);
    app_.add_option("--n", spec.n, "columns of C")->check(CLI::NonNegativeNumber);
    app_.add_option("--density", spec.density, "stored share of the sparse matrix")->check(CLI::Range(0.0, 2.0));
    choice("--pattern", kPatterns, &spec.pattern, "uniform, powerlaw, banded, blockdiag or dlmc");
    app_.add_option("--sigma", spec.sigma, "spread of the dlmc pattern, else by density");
    app_.add_option("--file", spec.file, "the pattern of an .smtx or .mtx file")->check(CLI::ExistingFile);
    app_.add_option("--batch", spec.batch, "results")->check(CLI::PositiveNumber);
    app_.add_option("--reduce", spec.reduce, "products summed into one result")->check(CLI::PositiveNumber);
    app_.add_option("--beta", spec.beta, "C = A B + beta C");
    app_.add_option_function<std::string>(
        "--analysis",
        [this](const std::string& text) {
          spec.analysis = 0;
          for (const std::string& word : split(text, ",+")) spec.analysis |= value_of(kAnalysis, "--analysis", word);
        },
        "stats, order, transpose, pack, with commas or +");
  }

  void add_operands() {
    choice("--opa", kTransposed, &spec.transpose_a, "n or t");
    choice("--opb", kTransposed, &spec.transpose_b, "n or t");
    choice("--ordera", kOrders, &spec.order_a, "row or col; sddmm");
    choice("--orderb", kOrders, &spec.order_b, "row or col");
    choice("--orderc", kOrders, &spec.order_c, "row or col");
    app_.add_option("--lda", spec.lda, "sddmm");
    app_.add_option("--ldb", spec.ldb);
    app_.add_option("--ldc", spec.ldc);
    choice("--atype", kTypes, &a_type_, "of a dense A, if not --dtype");
    choice("--btype", kTypes, &b_type_, "if not --dtype");
    choice("--ctype", kTypes, &c_type_, "of a dense C, if not --dtype");
    choice("--offsets", kIndexTypes, &spec.offset_type, "i32 or i64");
    choice("--indices", kIndexTypes, &spec.index_type, "i32 or i64");
    app_.add_option("--base", spec.base)->check(CLI::Range(0, 1));
    app_.add_option("--align", spec.align, "bytes that addresses of dense operands divide by")
        ->check(CLI::Range(1, 16));
    app_.add_flag("--gate", spec.gate, "a gate a block");
    app_.add_flag("--own-structure", spec.own_structure, "batches with offsets and indices of their own");
  }

  void add_options() {
    app_.add_flag("--strict", spec.strict);
    app_.add_flag("--deterministic", spec.deterministic);
    app_.add_flag("--tf32", spec.tf32);
    app_.add_flag("--auxiliary", spec.auxiliary);
    choice("--activation", kActivations, &spec.activation, "relu, gelu_erf, gelu_tanh or silu");
    choice("--bias", kAxes, &spec.bias, "row or col");
    choice("--biastype", kTypes, &bias_type_, "if not C's");
    choice("--bias-gradient", kAxes, &spec.bias_gradient, "row or col; sddmm");
  }

  void add_settings() {
    app_.add_option("--backend", settings.backend)->check(CLI::IsMember({"auto", "cpu", "cuda"}));
    app_.add_option("--device", settings.device, "CUDA ordinal");
    app_.add_option("--route", settings.route, "auto, all or the name of a route");
    app_.add_option_function<std::string>(
        "--peers", [this](const std::string& t) { settings.peers = split(t, ","); }, "cublas,cusparse");
    app_.add_flag_callback(
        "--cold", [this] { settings.cold = true; }, "operands rotate past the last cache");
    app_.add_flag_callback(
        "--warm", [this] { settings.cold = false; }, "the same operands every time (default)");
    app_.add_flag("--check", settings.check, "compare results only, time nothing");
    app_.add_flag("--json", settings.json, "one JSON object a line instead of the table");
    app_.add_option_function<std::string>(
        "--shard", [this](const std::string& t) { set_shard(t, &settings); }, "3/8");
    app_.add_option("--shapes", settings.shapes, "a file with one problem a line")->check(CLI::ExistingFile);
    app_.add_option("--line", settings.line, "a line of the library's log");
    app_.add_option("--rounds", settings.rounds, "samples a contender")->check(CLI::PositiveNumber);
    app_.add_option("--seconds", settings.seconds, "bound of the timed part of a problem")->check(CLI::PositiveNumber);
    app_.add_option("--seed", settings.seed);
    app_.add_option("--commit", settings.commit, "for the JSON lines, if git does not know");
    app_.add_option_function<std::string>(
        "--roof",
        [this](const std::string& text) {
          for (const std::string& number : split(text, ",")) settings.roof.push_back(std::stod(number));
          if (settings.roof.size() != 4)
            throw std::invalid_argument("--roof has four numbers: GB/s, TFLOP/s of f64, f32, 16 bits");
        },
        "ceilings of the device: GB/s, TFLOP/s of f64, f32, 16 bits");
  }

  CLI::App app_;
  int a_type_ = -1, b_type_ = -1, c_type_ = -1, bias_type_ = -1;
};

// A line of the log is the problem behind its fifth comma.
std::vector<std::string> words_of(std::string line) {
  if (line.rfind("bsparse,v1,select,", 0) == 0) line = line.substr(line.find(",--") + 1);
  return split(line.substr(0, line.find('#')), " \t\r");
}

Spec spec_of(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  Parser parser;
  parser.parse(std::move(words));
  return parser.finished_spec();
}

std::vector<Spec> read_shapes(const std::string& path, const std::vector<std::string>& words) {
  std::ifstream file(path);
  std::vector<Spec> specs;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const std::vector<std::string> more = words_of(line);
    if (more.empty()) continue;
    try {
      specs.push_back(spec_of(words, more));
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(path + ":" + std::to_string(number) + ": " + error.what());
    }
  }
  return specs;
}

class Words {
 public:
  void add(const char* name, const std::string& value) {
    text.append(text.empty() ? "--" : " --").append(name).append(" ").append(value);
  }
  void add(const char* name, const Names& names, int value, int usual) {
    if (value != usual) add(name, spelled(names, value));
  }
  void number(const char* name, int64_t value, int64_t usual) {
    if (value != usual) add(name, std::to_string(value));
  }
  void real(const char* name, double value) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.6g", value);
    add(name, digits);
  }
  void flag(const char* name, bool set) {
    if (set) text.append(" --").append(name);
  }
  std::string text;
};

void add_pattern(Words& w, const Spec& s) {
  if (!s.file.empty()) return w.add("file", s.file);
  w.real("density", s.density);
  w.add("pattern", kPatterns, int(s.pattern), int(Pattern::uniform));
  if (s.sigma >= 0) w.real("sigma", s.sigma);
}

void add_layouts(Words& w, const Spec& s) {
  w.add("opa", kTransposed, s.transpose_a, 0);
  w.add("opb", kTransposed, s.transpose_b, 0);
  w.add("ordera", kOrders, s.order_a, BS_ORDER_ROW);
  w.add("orderb", kOrders, s.order_b, BS_ORDER_ROW);
  w.add("orderc", kOrders, s.order_c, BS_ORDER_ROW);
  w.number("lda", s.lda, 0);
  w.number("ldb", s.ldb, 0);
  w.number("ldc", s.ldc, 0);
  w.add("atype", kTypes, int(s.a_type), int(s.dtype));
  w.add("btype", kTypes, int(s.b_type), int(s.dtype));
  w.add("ctype", kTypes, int(s.c_type), int(s.dtype));
  w.add("offsets", kIndexTypes, s.offset_type, BS_INDEX_32I);
  w.add("indices", kIndexTypes, s.index_type, BS_INDEX_32I);
  w.number("base", s.base, 0);
  w.number("align", s.align, 16);
}

void add_analysis(Words& w, bsAnalyzeFlags_t flags) {
  std::string text;
  for (const char* name : {"stats", "order", "transpose", "pack"})
    if (flags & kAnalysis.at(name)) text.append(text.empty() ? "" : "+").append(name);
  if (!text.empty()) w.add("analysis", text);
}

void add_epilogue(Words& w, const Spec& s) {
  w.add("bias", kAxes, s.bias, 0);
  if (s.bias) w.add("biastype", kTypes, int(s.bias_type), int(s.c_type));
  w.add("bias-gradient", kAxes, s.bias_gradient, 0);
  w.add("activation", kActivations, s.activation, BS_ACTIVATION_NONE);
  w.flag("auxiliary", s.auxiliary);
  w.flag("strict", s.strict);
  w.flag("deterministic", s.deterministic);
  w.flag("tf32", s.tf32);
}

}  // namespace

std::string describe(const Spec& s) {
  Words w;
  w.add("op", name_of(s.op));
  w.add("format", format_name(s.format));
  if (s.format == BS_FORMAT_BSR) {
    const std::string rows = std::to_string(s.block_rows);
    w.add("block", s.block_rows == s.block_cols ? rows : rows + "x" + std::to_string(s.block_cols));
    w.add("block-order", kOrders, s.block_order, BS_ORDER_ROW);
  }
  w.add("dtype", bs::name_of(s.dtype));
  w.number("m", s.m, -1);
  w.number("k", s.k, -1);
  w.number("n", s.n, -1);
  add_pattern(w, s);
  w.number("batch", s.batch, 1);
  w.number("reduce", s.reduce, 1);
  if (s.beta != 0) w.real("beta", s.beta);
  add_layouts(w, s);
  w.flag("gate", s.gate);
  w.flag("own-structure", s.own_structure);
  add_analysis(w, s.analysis);
  add_epilogue(w, s);
  return w.text;
}

Arguments parse_arguments(const std::vector<std::string>& words, std::string* help) {
  Parser parser;
  parser.parse(words);
  Arguments arguments{parser.settings, {}, 0};
  if (parser.settings.help) {
    *help = parser.help();
    return arguments;
  }
  std::vector<Spec> specs;
  if (!parser.settings.shapes.empty()) {
    specs = read_shapes(parser.settings.shapes, words);
  } else {
    specs.push_back(spec_of(words, words_of(parser.settings.line)));
  }
  arguments.all = specs.size();
  for (size_t i = 0; i < specs.size(); ++i)
    if (i % parser.settings.shards == static_cast<size_t>(parser.settings.shard - 1))
      arguments.problems.push_back(specs[i]);
  return arguments;
}

const char* name_of(Op op) {
  return spelled(kOps, int(op));
}
const char* name_of(Pattern pattern) {
  return spelled(kPatterns, int(pattern));
}
const char* format_name(bsFormat_t format) {
  return spelled(kFormats, format);
}

}  // namespace bench
