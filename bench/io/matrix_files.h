// Reads sparse matrices from .smtx (patterns of the Deep Learning Matrix Collection) and MatrixMarket .mtx files, for
// the bench and the tests. A file is untrusted: every fault is reported with its line, and memory grows with what was
// read, never with what a header announces.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace bs::io {

// Rows of the CSR form, columns counted from 0. `values` is empty where the file has only a pattern.
struct CsrMatrix {
  int64_t rows = 0;
  int64_t cols = 0;
  std::vector<int64_t> offsets;
  std::vector<int64_t> indices;
  std::vector<double> values;
};

// What is wrong and where; line 0 is the file as a whole.
struct ReadError {
  int64_t line = 0;
  std::string what;
  std::string text() const { return line ? "line " + std::to_string(line) + ": " + what : what; }
};

// A value or the reason why there is none, as std::expected of C++23.
template <class T>
class Expected {
 public:
  Expected(T value) : state_(std::move(value)) {}
  Expected(ReadError error) : state_(std::move(error)) {}
  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }
  T& operator*() { return *std::get_if<0>(&state_); }
  const T& operator*() const { return *std::get_if<0>(&state_); }
  T* operator->() { return std::get_if<0>(&state_); }
  const T* operator->() const { return std::get_if<0>(&state_); }
  const ReadError& error() const { return *std::get_if<1>(&state_); }

 private:
  std::variant<T, ReadError> state_;
};

// The row offsets of a coordinate file are the one array that its text does not justify: a million empty rows cost no
// bytes there. So rows are limited, and the array is made after all entries were read.
struct Limits {
  int64_t rows = int64_t{1} << 26;
};

// "rows, cols, nnz", a line of rows + 1 offsets, a line of nnz column indices.
Expected<CsrMatrix> read_smtx(std::string_view text);

// coordinate or array; real, integer or pattern; general, symmetric or skew-symmetric, both halves are returned. Rows
// are in the order of the file inside a row, entries given twice stay two. Of an array the elements that are not zero
// are taken.
Expected<CsrMatrix> read_mtx(std::string_view text, const Limits& limits = {});

// By the name's end, .smtx or .mtx.
Expected<CsrMatrix> read_matrix_file(const std::string& path, const Limits& limits = {});

}  // namespace bs::io
