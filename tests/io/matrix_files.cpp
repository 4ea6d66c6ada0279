// The readers of .smtx and .mtx: what they accept, and that each kind of fault is named with its line.
#include "support/catch.h"

#include <cmath>
#include <string>

#include "io/matrix_files.h"

using bs::io::CsrMatrix;
using bs::io::read_mtx;
using bs::io::read_smtx;

namespace {

using Integers = std::vector<int64_t>;
using Reals = std::vector<double>;

struct Fault {
  const char* text;
  const char* message;
};

std::string mtx(const char* kind, const char* body) {
  return std::string("%%MatrixMarket matrix ") + kind + "\n" + body;
}

}  // namespace

TEST_CASE("smtx gives the pattern with its empty rows") {
  const auto matrix = read_smtx("3, 4, 4\n0 2 2 4 \n0 3 3 1 \n");

  REQUIRE(matrix.has_value());
  CHECK(matrix->rows == 3);
  CHECK(matrix->cols == 4);
  CHECK(matrix->offsets == Integers{0, 2, 2, 4});
  CHECK(matrix->indices == Integers{0, 3, 3, 1});
  CHECK(matrix->values.empty());
}

TEST_CASE("smtx without entries may leave the line of indices out, and lines may end in CR LF") {
  for (const char* text : {"2, 5, 0\n0 0 0", "2,5,0\n0 0 0\n\n", "2 5 0\r\n0 0 0\r\n\r\n"}) {
    const auto matrix = read_smtx(text);
    REQUIRE(matrix.has_value());
    CHECK(matrix->offsets == Integers{0, 0, 0});
    CHECK(matrix->indices.empty());
  }
  CHECK(read_smtx("0, 0, 0\n0\n").has_value());
}

TEST_CASE("smtx names each kind of fault") {
  const Fault fault = GENERATE(values<Fault>({
      {"", "line 1: rows is '', must be an integer >= 0"},
      {"3, 4", "line 1: nnz is '', must be an integer >= 0"},
      {"3, -4, 1\n", "line 1: cols is '-4', must be an integer >= 0"},
      {"3, 4, 1, 9\n", "line 1: '9' follows rows, cols, nnz"},
      {"99999999999999999999, 4, 1\n", "line 1: rows is '99999999999999999999', must be an integer >= 0"},
      {"9223372036854775807, 4, 1\n0 0\n", "line 1: rows is '9223372036854775807', must be an integer >= 0"},
      {"3, 4, 4", "line 1: the line of offsets is missing"},
      {"3, 4, 4\n0 2 4\n", "line 2: offset 3 is missing, the line must have 4"},
      {"1000000000000, 4, 4\n0 2 4\n", "line 2: offset 3 is missing, the line must have 1000000000001"},
      {"3, 4, 4\n0 2 x 4\n", "line 2: offset 2 is 'x', not an integer"},
      {"3, 4, 4\n0 2 2 4 4\n", "line 2: '4' follows the 4 values of this line"},
      {"3, 4, 4\n1 2 2 4\n", "line 2: offset 0 is 1, must be in [0, 0]"},
      {"3, 4, 4\n0 2 1 4\n", "line 2: offset 2 is 1, must be in [2, 4]"},
      {"3, 4, 4\n0 2 9 4\n", "line 2: offset 2 is 9, must be in [2, 4]"},
      {"3, 4, 4\n0 2 2 3\n", "line 2: offset 3 is 3, must be nnz 4"},
      {"3, 4, 4\n0 2 2 4", "line 2: the line of indices is missing"},
      {"3, 4, 4\n0 2 2 4\n0 3 3\n", "line 3: column index 3 is missing, the line must have 4"},
      {"3, 4, 4\n0 2 2 4\n0 3 4 1\n", "line 3: column index 2 is 4, must be in [0, 4)"},
      {"3, 4, 4\n0 2 2 4\n0 3 -1 1\n", "line 3: column index 2 is -1, must be in [0, 4)"},
      {"3, 4, 4\n0 2 2 4\n0 3 3 1 1\n", "line 3: '1' follows the 4 values of this line"},
      {"3, 4, 4\n0 2 2 4\n0 3 3 1\n\n7\n", "line 5: '7' follows the matrix"},
  }));

  const auto matrix = read_smtx(fault.text);

  REQUIRE_FALSE(matrix.has_value());
  CHECK(matrix.error().text() == fault.message);
}

TEST_CASE("mtx coordinates become rows in the order of the file, entries given twice stay two") {
  const auto matrix =
      read_mtx(mtx("coordinate real general", "% a comment\n\n2 3 4\n2 3 1.5\n1 1 -2e1\n2 1 +4\n2 3 1\n"));

  REQUIRE(matrix.has_value());
  CHECK(matrix->offsets == Integers{0, 1, 4});
  CHECK(matrix->indices == Integers{0, 2, 0, 2});
  CHECK(matrix->values == Reals{-20, 1.5, 4, 1});
}

TEST_CASE("mtx symmetric and skew-symmetric coordinates give both halves") {
  const auto plain = read_mtx(mtx("coordinate integer symmetric", "2 2 2\n1 1 5\n2 1 7\n"));
  const auto skew = read_mtx(mtx("coordinate real skew-symmetric", "2 2 1\n2 1 7\n"));

  REQUIRE(plain.has_value());
  CHECK(plain->offsets == Integers{0, 2, 3});
  CHECK(plain->indices == Integers{0, 1, 0});
  CHECK(plain->values == Reals{5, 7, 7});
  REQUIRE(skew.has_value());
  CHECK(skew->values == Reals{-7, 7});
}

TEST_CASE("mtx arrays are read column by column and their zeros are left out") {
  const auto plain = read_mtx(mtx("array real general", "2 2\n1\n0\nnan\n4\n"));
  const auto symmetric = read_mtx(mtx("array integer symmetric", "2 2\n1\n2\n3\n"));
  const auto skew = read_mtx(mtx("array real skew-symmetric", "2 2\n2\n"));

  REQUIRE(plain.has_value());
  CHECK(plain->offsets == Integers{0, 2, 3});
  CHECK(plain->indices == Integers{0, 1, 1});
  CHECK(std::isnan(plain->values[1]));
  REQUIRE(symmetric.has_value());
  CHECK(symmetric->values == Reals{1, 2, 2, 3});
  REQUIRE(skew.has_value());
  CHECK(skew->values == Reals{-2, 2});
}

TEST_CASE("mtx patterns have no values, empty matrices are legal, the banner's case does not matter") {
  const auto pattern = read_mtx("%%MatrixMarket MATRIX Coordinate Pattern Symmetric\n2 2 1\n2 1\n");

  REQUIRE(pattern.has_value());
  CHECK(pattern->indices == Integers{1, 0});
  CHECK(pattern->values.empty());
  CHECK(read_mtx(mtx("coordinate real general", "0 0 0\n")).has_value());
  CHECK(read_mtx(mtx("array real general", "0 9000000000000000000\n")).has_value());
}

TEST_CASE("mtx names each kind of fault") {
  struct Case {
    const char *kind, *body, *message;
  };
  const Case fault = GENERATE(values<Case>({
      {"tensor real general", "", "line 1: the format is 'tensor', must be one of: coordinate, array"},
      {"coordinate complex general", "",
       "line 1: the field is 'complex', must be one of: real, double, integer, pattern"},
      {"coordinate real hermitian", "",
       "line 1: the symmetry is 'hermitian', must be one of: general, symmetric, skew-symmetric"},
      {"coordinate real general x", "", "line 1: 'x' follows the symmetry"},
      {"array pattern general", "", "line 1: an array cannot be a pattern"},
      {"coordinate pattern skew-symmetric", "", "line 1: a pattern cannot be skew-symmetric"},
      {"coordinate real general", "% only\n", "line 3: rows is '', must be an integer >= 0"},
      {"coordinate real general", "2 2\n", "line 2: nnz is '', must be an integer >= 0"},
      {"coordinate real general", "2 -2 1\n", "line 2: cols is '-2', must be an integer >= 0"},
      {"coordinate real general", "2 2 1 1\n", "line 2: '1' follows the sizes"},
      {"coordinate real general", "999999999 2 0\n", "line 2: rows is 999999999, limit 67108864"},
      {"coordinate real symmetric", "2 3 0\n", "line 2: a symmetric matrix of 2 rows has 3 columns"},
      {"array real general", "3 9000000000000000000\n", "line 2: rows * cols exceeds 2^63 - 1"},
      {"coordinate real general", "2 2 2\n1 1 1\n", "line 4: entry 1 of 2 has no row"},
      {"coordinate real general", "2 2 900000000000000\n1 1 1", "line 3: entry 1 of 900000000000000 has no row"},
      {"coordinate real general", "2 2 1\n1\n1 1\n", "line 3: entry 0 of 1 has no column"},
      {"coordinate real general", "2 2 1\n3 1 1\n", "line 3: row of entry 0 is '3', must be in [1, 2]"},
      {"coordinate real general", "2 2 1\n1 0 1\n", "line 3: column of entry 0 is '0', must be in [1, 2]"},
      {"coordinate real general", "2 2 1\n1 1\n", "line 3: value 0 is missing"},
      {"coordinate real general", "2 2 1\n1 1 1e999\n",
       "line 3: value 0 is '1e999', not a number that double can hold"},
      {"coordinate integer general", "2 2 1\n1 1 1.5\n", "line 3: value 0 is '1.5', not a 64-bit integer"},
      {"coordinate real general", "2 2 1\n1 1 1 1\n", "line 3: '1' follows the entry"},
      {"coordinate real general", "2 2 1\n1 1 1\n2 2 2\n", "line 4: '2' follows the last entry"},
      {"coordinate real symmetric", "2 2 1\n1 2 1\n",
       "line 3: entry 0 at row 1, column 2 lies outside the triangle that a symmetric file holds"},
      {"coordinate real skew-symmetric", "2 2 1\n1 1 1\n",
       "line 3: entry 0 at row 1, column 1 lies outside the triangle that a symmetric file holds"},
      {"array real general", "2 2\n1\n2\n3\n", "line 6: value 3 is missing"},
      {"array real general", "1 1\n1\n2\n", "line 4: '2' follows the last entry"},
  }));

  const auto matrix = read_mtx(mtx(fault.kind, fault.body));

  REQUIRE_FALSE(matrix.has_value());
  CHECK(matrix.error().text() == fault.message);
}

TEST_CASE("a text that is no MatrixMarket file is refused at once") {
  CHECK(read_mtx("").error().text() == "line 1: the file must begin with %%MatrixMarket");
  CHECK(read_mtx("%MatrixMarket matrix\n").error().text() == "line 1: the file must begin with %%MatrixMarket");
}

TEST_CASE("a file is refused by name, and when it does not exist") {
  CHECK(bs::io::read_matrix_file("a.txt").error().text() == "a.txt: the name must end in .smtx or .mtx");
  CHECK(bs::io::read_matrix_file("/nonexistent/a.mtx").error().text() == "/nonexistent/a.mtx: cannot be opened");
}
