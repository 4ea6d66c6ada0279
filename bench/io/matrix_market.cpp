// The MatrixMarket reader.
#include <algorithm>
#include <limits>

#include "io/matrix_files.h"
#include "io/scanner.h"

namespace bs::io {
namespace {

struct Entry {
  int64_t row, col;
  double value;
};

enum class Symmetry { general, symmetric, skew };

struct Banner {
  bool array = false;
  bool pattern = false;
  bool integer = false;
  Symmetry symmetry = Symmetry::general;
};

struct Sizes {
  int64_t rows = 0, cols = 0, nnz = 0;
};

std::string str(int64_t number) {
  return std::to_string(number);
}

// The words of the banner may be written in any case.
std::string lower(std::string_view word) {
  std::string text(word);
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

// Which of the listed words comes next.
Expected<int> choose(Scanner& scanner, const char* name, std::initializer_list<const char*> words) {
  const std::string_view word = scanner.word();
  const std::string wanted = lower(word);
  int position = 0;
  std::string list;
  for (const char* candidate : words) {
    if (wanted == candidate) return position;
    list += (position++ ? ", " : "") + std::string(candidate);
  }
  return ReadError{scanner.line(), std::string(name) + " is " + quoted(word) + ", must be one of: " + list};
}

Expected<Banner> read_banner(Scanner& scanner) {
  if (scanner.word() != "%%MatrixMarket") return ReadError{1, "the file must begin with %%MatrixMarket"};
  const auto object = choose(scanner, "the object", {"matrix"});
  if (!object) return object.error();
  const auto format = choose(scanner, "the format", {"coordinate", "array"});
  if (!format) return format.error();
  const auto field = choose(scanner, "the field", {"real", "double", "integer", "pattern"});
  if (!field) return field.error();
  const auto symmetry = choose(scanner, "the symmetry", {"general", "symmetric", "skew-symmetric"});
  if (!symmetry) return symmetry.error();
  const Banner banner{.array = *format == 1,
                      .pattern = *field == 3,
                      .integer = *field == 2,
                      .symmetry = static_cast<Symmetry>(*symmetry)};
  if (!scanner.at_line_end()) return ReadError{1, quoted(scanner.word()) + " follows the symmetry"};
  if (banner.pattern && banner.array) return ReadError{1, "an array cannot be a pattern"};
  if (banner.pattern && banner.symmetry == Symmetry::skew) return ReadError{1, "a pattern cannot be skew-symmetric"};
  return banner;
}

// Leaves the scanner at the first line that is neither a comment nor blank.
void skip_comments(Scanner& scanner) {
  while (scanner.next_line())
    if (!scanner.at_comment() && !scanner.at_line_end()) return;
}

Expected<Sizes> read_sizes(Scanner& scanner, const Banner& banner, const Limits& limits) {
  skip_comments(scanner);
  Sizes sizes;
  const std::pair<const char*, int64_t*> fields[] = {{"rows", &sizes.rows}, {"cols", &sizes.cols}, {"nnz", &sizes.nnz}};
  for (int i = 0; i < (banner.array ? 2 : 3); ++i) {
    const auto& [name, field] = fields[i];
    const std::string_view word = scanner.word();
    const auto number = number_of<int64_t>(word);
    if (!number || *number < 0)
      return ReadError{scanner.line(), std::string(name) + " is " + quoted(word) + ", must be an integer >= 0"};
    *field = *number;
  }
  const int64_t line = scanner.line();
  if (!scanner.at_line_end()) return ReadError{line, quoted(scanner.word()) + " follows the sizes"};
  if (sizes.rows > limits.rows) return ReadError{line, "rows is " + str(sizes.rows) + ", limit " + str(limits.rows)};
  if (banner.symmetry != Symmetry::general && sizes.rows != sizes.cols)
    return ReadError{line, "a symmetric matrix of " + str(sizes.rows) + " rows has " + str(sizes.cols) + " columns"};
  if (banner.array && sizes.cols > 0 && sizes.rows > std::numeric_limits<int64_t>::max() / sizes.cols)
    return ReadError{line, "rows * cols exceeds 2^63 - 1"};
  return sizes;
}

// One reader for the parts that follow the sizes; the first fault ends it.
class BodyReader {
 public:
  BodyReader(Scanner& scanner, const Banner& banner, const Sizes& sizes)
      : scanner_(scanner), banner_(banner), sizes_(sizes) {}

  std::optional<ReadError> coordinates(std::vector<Entry>* entries) {
    // An entry takes at least "1 1" and a newline.
    entries->reserve(static_cast<size_t>(std::min(sizes_.nnz, scanner_.bytes_left() / 4 + 1)));
    for (int64_t p = 0; p < sizes_.nnz; ++p) {
      Entry entry{0, 0, 1.0};
      if (!index("row", p, sizes_.rows, scanner_.word_anywhere(), &entry.row) ||
          !index("column", p, sizes_.cols, scanner_.word(), &entry.col) ||
          (!banner_.pattern && !value(p, scanner_.word(), &entry.value)) || !belongs(p, entry) || !line_ends())
        return error_;
      entries->push_back(entry);
    }
    return end();
  }

  // Column by column; the symmetric forms hold the lower triangle only, the skew one without its diagonal.
  std::optional<ReadError> array(std::vector<Entry>* entries) {
    int64_t p = 0;
    for (int64_t col = 0; col < sizes_.cols; ++col) {
      for (int64_t row = first_row(col); row < sizes_.rows; ++row, ++p) {
        Entry entry{row, col, 0.0};
        if (!value(p, scanner_.word_anywhere(), &entry.value) || !line_ends()) return error_;
        if (entry.value != 0.0) entries->push_back(entry);  // true for NaN
      }
      // Columns without elements take no text, so nothing but the header would bound this loop.
      if (first_row(col) >= sizes_.rows) break;
    }
    return end();
  }

 private:
  int64_t first_row(int64_t col) const {
    if (banner_.symmetry == Symmetry::general) return 0;
    return banner_.symmetry == Symmetry::symmetric ? col : col + 1;
  }
  bool fault(const std::string& what) {
    error_ = ReadError{scanner_.line(), what};
    return false;
  }
  bool index(const char* name, int64_t p, int64_t limit, std::string_view word, int64_t* out) {
    if (word.empty()) return fault("entry " + str(p) + " of " + str(sizes_.nnz) + " has no " + name);
    const auto number = number_of<int64_t>(word);
    if (!number || *number < 1 || *number > limit)
      return fault(std::string(name) + " of entry " + str(p) + " is " + quoted(word) + ", must be in [1, " +
                   str(limit) + "]");
    *out = *number - 1;
    return true;
  }
  bool value(int64_t p, std::string_view word, double* out) {
    if (word.empty()) return fault("value " + str(p) + " is missing");
    std::optional<double> number;
    if (banner_.integer) {
      number = number_of<int64_t>(word);
    } else {
      number = number_of<double>(word);
    }
    if (!number)
      return fault("value " + str(p) + " is " + quoted(word) + ", not " +
                   (banner_.integer ? "a 64-bit integer" : "a number that double can hold"));
    *out = *number;
    return true;
  }
  bool belongs(int64_t p, const Entry& entry) {
    if (entry.row < first_row(entry.col) && banner_.symmetry != Symmetry::general)
      return fault("entry " + str(p) + " at row " + str(entry.row + 1) + ", column " + str(entry.col + 1) +
                   " lies outside the triangle that a symmetric file holds");
    return true;
  }
  bool line_ends() { return scanner_.at_line_end() || fault(quoted(scanner_.word()) + " follows the entry"); }
  std::optional<ReadError> end() {
    if (const std::string_view extra = scanner_.word_anywhere(); !extra.empty())
      return ReadError{scanner_.line(), quoted(extra) + " follows the last entry"};
    return std::nullopt;
  }

  Scanner& scanner_;
  const Banner& banner_;
  const Sizes& sizes_;
  ReadError error_;
};

// The other half of a symmetric matrix, each entry behind its own.
std::vector<Entry> mirrored(const std::vector<Entry>& entries, Symmetry symmetry) {
  const double sign = symmetry == Symmetry::skew ? -1.0 : 1.0;
  std::vector<Entry> all;
  all.reserve(2 * entries.size());
  for (const Entry& entry : entries) {
    all.push_back(entry);
    if (entry.row != entry.col) all.push_back({entry.col, entry.row, sign * entry.value});
  }
  return all;
}

// Counting sort by row: stable, so that rows keep the file's order.
CsrMatrix csr_of(const Sizes& sizes, const std::vector<Entry>& entries, bool with_values) {
  CsrMatrix matrix{.rows = sizes.rows, .cols = sizes.cols, .offsets = {}, .indices = {}, .values = {}};
  matrix.offsets.assign(static_cast<size_t>(sizes.rows) + 1, 0);
  for (const Entry& entry : entries) ++matrix.offsets[static_cast<size_t>(entry.row) + 1];
  for (size_t i = 1; i < matrix.offsets.size(); ++i) matrix.offsets[i] += matrix.offsets[i - 1];

  std::vector<int64_t> next(matrix.offsets.begin(), matrix.offsets.end() - 1);
  matrix.indices.resize(entries.size());
  matrix.values.resize(with_values ? entries.size() : 0);
  for (const Entry& entry : entries) {
    const auto p = static_cast<size_t>(next[static_cast<size_t>(entry.row)]++);
    matrix.indices[p] = entry.col;
    if (with_values) matrix.values[p] = entry.value;
  }
  return matrix;
}

}  // namespace

Expected<CsrMatrix> read_mtx(std::string_view text, const Limits& limits) {
  Scanner scanner(text);
  const auto banner = read_banner(scanner);
  if (!banner) return banner.error();
  const auto sizes = read_sizes(scanner, *banner, limits);
  if (!sizes) return sizes.error();

  std::vector<Entry> entries;
  BodyReader body(scanner, *banner, *sizes);
  if (auto error = banner->array ? body.array(&entries) : body.coordinates(&entries)) return *error;
  if (banner->symmetry != Symmetry::general) entries = mirrored(entries, banner->symmetry);
  return csr_of(*sizes, entries, !banner->pattern);
}

}  // namespace bs::io
