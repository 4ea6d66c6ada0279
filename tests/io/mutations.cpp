// Two hundred thousand damaged files, the same on every run: each gives a sound matrix or an error, never a crash.
#include "support/catch.h"

#include <random>
#include <string>

#include "invariants.h"

namespace {

const std::string kSeeds[] = {
    "3, 4, 4\n0 2 2 4\n0 3 3 1\n",
    "%%MatrixMarket matrix coordinate real general\n% comment\n3 3 3\n1 1 1.5\n3 2 -2e-3\n2 2 4\n",
    "%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 7\n3 3 -1\n",
    "%%MatrixMarket matrix coordinate pattern general\n2 5 3\n1 5\n2 2\n2 1\n",
    "%%MatrixMarket matrix array real general\n2 3\n1\n2\n0\n4\n5\n6\n",
    "%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n",
};

// Words that readers trip over.
const std::string kWords[] = {"-1",
                              "0",
                              "9223372036854775807",
                              "9223372036854775808",
                              "1e400",
                              "nan",
                              "%",
                              ",",
                              "\n",
                              "\r\n",
                              " ",
                              "67108864",
                              "1.5",
                              "symmetric",
                              "array",
                              std::string(1, '\0'),
                              "\xff",
                              "+-1"};

class Mutator {
 public:
  explicit Mutator(uint64_t seed) : random_(seed) {}

  std::string next() {
    std::string text = kSeeds[below(std::size(kSeeds))];
    for (uint64_t edits = 1 + below(4); edits > 0; --edits) edit(text);
    return text;
  }

 private:
  uint64_t below(uint64_t limit) { return random_() % limit; }
  void edit(std::string& text) {
    const size_t at = below(text.size() + 1);
    const size_t length = std::min<size_t>(below(6), text.size() - at);
    switch (below(5)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, kWords[below(std::size(kWords))]);
        break;
      case 2:
        text.replace(at, length, kWords[below(std::size(kWords))]);
        break;
      case 3:
        text.insert(at, text.substr(at, length));
        break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
    }
  }

  std::mt19937_64 random_;
};

}  // namespace

TEST_CASE("damaged files give a sound matrix or an error with its line") {
  constexpr int kCount = 200000;
  // So that a damaged count of rows that is legal does not cost a large array of offsets each time.
  constexpr bs::io::Limits kLimits{.rows = 4096};
  Mutator mutator(20260101);
  int accepted = 0;
  for (int i = 0; i < kCount; ++i) {
    const std::string text = mutator.next();
    const auto smtx = bs::io::read_smtx(text);
    const auto mtx = bs::io::read_mtx(text, kLimits);
    accepted += smtx.has_value() + mtx.has_value();
    if (!is_sound(smtx, text) || !is_sound(mtx, text)) FAIL("input " << i << ":\n" << text);
  }

  // Both outcomes were exercised.
  CHECK(accepted > kCount / 100);
  CHECK(accepted < kCount);
}
