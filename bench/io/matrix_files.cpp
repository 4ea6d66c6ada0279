// The .smtx reader and the choice of the reader by the file's name.
#include "io/matrix_files.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>

#include "io/scanner.h"

namespace bs::io {
namespace {

std::string str(int64_t number) {
  return std::to_string(number);
}

// Counts `count` numbers of one line into `out`, each within [least(previous), most].
class NumberLine {
 public:
  NumberLine(Scanner& scanner, const char* name) : scanner_(scanner), name_(name) {}

  // Each number takes a digit and a blank, so the text left bounds how many can come, whatever the header says.
  std::optional<ReadError> read(int64_t count, std::vector<int64_t>* out) {
    out->reserve(static_cast<size_t>(std::min(count, scanner_.bytes_left() / 2 + 1)));
    for (int64_t i = 0; i < count; ++i) {
      const std::string_view word = scanner_.word();
      if (word.empty()) return error(i, "is missing, the line must have " + str(count));
      const auto number = number_of<int64_t>(word);
      if (!number) return error(i, "is " + quoted(word) + ", not an integer");
      out->push_back(*number);
    }
    if (const std::string_view extra = scanner_.word(); !extra.empty())
      return ReadError{scanner_.line(), quoted(extra) + " follows the " + str(count) + " values of this line"};
    return std::nullopt;
  }
  ReadError error(int64_t i, const std::string& what) const {
    return {scanner_.line(), std::string(name_) + " " + str(i) + " " + what};
  }

 private:
  Scanner& scanner_;
  const char* name_;
};

struct SmtxHeader {
  int64_t rows, cols, nnz;
};

Expected<SmtxHeader> read_smtx_header(Scanner& scanner) {
  int64_t sizes[3];
  const char* const names[] = {"rows", "cols", "nnz"};
  for (int i = 0; i < 3; ++i) {
    const std::string_view word = scanner.word(true);
    const auto number = number_of<int64_t>(word);
    if (!number || *number < 0 || *number == std::numeric_limits<int64_t>::max())
      return ReadError{scanner.line(), std::string(names[i]) + " is " + quoted(word) + ", must be an integer >= 0"};
    sizes[i] = *number;
  }
  if (const std::string_view extra = scanner.word(true); !extra.empty())
    return ReadError{scanner.line(), quoted(extra) + " follows rows, cols, nnz"};
  return SmtxHeader{sizes[0], sizes[1], sizes[2]};
}

std::optional<ReadError> check_offsets(const NumberLine& line, const std::vector<int64_t>& offsets, int64_t nnz) {
  int64_t least = 0;
  for (size_t i = 0; i < offsets.size(); ++i) {
    const int64_t most = i == 0 ? 0 : nnz;
    if (offsets[i] < least || offsets[i] > most)
      return line.error(static_cast<int64_t>(i),
                        "is " + str(offsets[i]) + ", must be in [" + str(least) + ", " + str(most) + "]");
    least = offsets[i];
  }
  if (least != nnz)
    return line.error(static_cast<int64_t>(offsets.size()) - 1, "is " + str(least) + ", must be nnz " + str(nnz));
  return std::nullopt;
}

std::optional<ReadError> check_indices(const NumberLine& line, const std::vector<int64_t>& indices, int64_t cols) {
  const auto bad = std::find_if(indices.begin(), indices.end(), [=](int64_t j) { return j < 0 || j >= cols; });
  if (bad == indices.end()) return std::nullopt;
  return line.error(bad - indices.begin(), "is " + str(*bad) + ", must be in [0, " + str(cols) + ")");
}

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && std::string_view(text).substr(text.size() - end.size()) == end;
}

}  // namespace

Expected<CsrMatrix> read_smtx(std::string_view text) {
  Scanner scanner(text);
  const auto header = read_smtx_header(scanner);
  if (!header) return header.error();

  CsrMatrix matrix{.rows = header->rows, .cols = header->cols, .offsets = {}, .indices = {}, .values = {}};
  if (!scanner.next_line()) return ReadError{scanner.line(), "the line of offsets is missing"};
  NumberLine offsets(scanner, "offset");
  if (auto error = offsets.read(header->rows + 1, &matrix.offsets)) return *error;
  if (auto error = check_offsets(offsets, matrix.offsets, header->nnz)) return *error;

  // Without entries the line of indices may be left out.
  if (!scanner.next_line() && header->nnz > 0) return ReadError{scanner.line(), "the line of indices is missing"};
  NumberLine indices(scanner, "column index");
  if (auto error = indices.read(header->nnz, &matrix.indices)) return *error;
  if (auto error = check_indices(indices, matrix.indices, header->cols)) return *error;

  if (const std::string_view extra = scanner.word_anywhere(); !extra.empty())
    return ReadError{scanner.line(), quoted(extra) + " follows the matrix"};
  return matrix;
}

Expected<CsrMatrix> read_matrix_file(const std::string& path, const Limits& limits) {
  const bool is_smtx = ends_with(path, ".smtx");
  if (!is_smtx && !ends_with(path, ".mtx")) return ReadError{0, path + ": the name must end in .smtx or .mtx"};
  std::ifstream file(path, std::ios::binary);
  if (!file) return ReadError{0, path + ": cannot be opened"};
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.bad()) return ReadError{0, path + ": cannot be read"};
  auto matrix = is_smtx ? read_smtx(text) : read_mtx(text, limits);
  if (!matrix) return ReadError{matrix.error().line, path + ": " + matrix.error().what};
  return matrix;
}

}  // namespace bs::io
