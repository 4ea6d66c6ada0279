// The words of bsbench: what it prints it reads, and a line of the library's log runs again as the same problem.
#include <filesystem>
#include <string>
#include <vector>

#include "bsbench/problem.h"
#include "support/catch.h"

namespace {

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> all;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    all.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

bench::Spec parse(const std::string& text) {
  std::string help;
  return bench::parse_arguments(words(text), &help).problems.at(0);
}

std::string refusal(const std::string& text) {
  try {
    parse(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

// Runs the problem once and returns what the library logged.
std::string logged(const bench::Spec& spec) {
  std::string line;
  bsparse::Handle handle(BS_BACKEND_CPU);
  bsparse::check(bsSetLogCallback(
      handle.get(), [](void* user, const char* text) { *static_cast<std::string*>(user) = text; }, &line));
  bench::Problem problem(handle, spec, 1, 0);
  bench::Problem::Call call(problem, "");
  call.enqueue(0);
  return line;
}

// Entries are drawn anew, so the density moves a little.
std::string without_density(std::string line) {
  line = line.substr(line.find("--op"));
  const size_t at = line.find("--density "), end = line.find(' ', at + 10);
  return line.erase(at, end == std::string::npos ? end : end - at);
}

}  // namespace

TEST_CASE("bsbench reads the problems that it prints", "[bench]") {
  for (const char* text :
       {"--op spmm --format csr --dtype f32 --m 64 --k 96 --n 33 --density 0.2",
        "--op spmm --format bsr --block 8x16 --block-order col --dtype bf16 --m 61 --k 90 --n 31 --density 0.3 "
        "--pattern "
        "banded --batch 3 --beta 0.5 --opa t --opb t --orderb col --orderc col --ldb 99 --ldc 98 --ctype f32 --offsets "
        "i64 --indices i64 --base 1 --align 4 --gate --own-structure --analysis stats+order+transpose+pack --bias row "
        "--biastype bf16 --activation gelu_erf --auxiliary --strict --deterministic --tf32",
        "--op sddmm --format csc --dtype f16 --m 5 --k 6 --n 7 --density 0.5 --pattern dlmc --sigma 0.2 --reduce 2 "
        "--ordera "
        "col --lda 9 --atype f32 --bias-gradient col"}) {
    CHECK(bench::describe(parse(text)) == text);
  }
}

TEST_CASE("bsbench names the argument that it cannot take", "[bench]") {
  const std::string sizes = " --m 4 --k 4 --n 4";
  CHECK(refusal("--op spmx" + sizes).find("--op is spmx, must be one of") == 0);
  CHECK(refusal("--block 16y" + sizes).find("--block is 16y") == 0);
  CHECK(refusal("--analysis stat" + sizes).find("--analysis is stat") == 0);
  CHECK(refusal("--shard 9/8" + sizes).find("--shard is 9/8") == 0);
  CHECK(refusal("--m 4 --k 4").find("--m, --k and --n must be given") == 0);
  CHECK(refusal("--nonsense" + sizes).find("--nonsense") != std::string::npos);
}

TEST_CASE("every shape file is read, and shards cut it into parts", "[bench]") {
  std::string help;
  for (const auto& file : std::filesystem::directory_iterator(BSPARSE_SOURCE_DIR "/tests/shapes")) {
    INFO(file.path().string());
    const auto whole = bench::parse_arguments({"--shapes", file.path().string()}, &help);
    CHECK(!whole.problems.empty());
    size_t parts = 0;
    for (const char* shard : {"1/3", "2/3", "3/3"})
      parts += bench::parse_arguments({"--shapes", file.path().string(), "--shard", shard}, &help).problems.size();
    CHECK(parts == whole.problems.size());
    CHECK(whole.all == whole.problems.size());
  }
}

TEST_CASE("a line of the log runs again as the same problem", "[bench]") {
  std::string help;
  const auto small = bench::parse_arguments({"--shapes", BSPARSE_SOURCE_DIR "/tests/shapes/small.txt"}, &help);
  for (const bench::Spec& spec : small.problems) {
    INFO(bench::describe(spec));
    const std::string line = logged(spec);
    REQUIRE(line.find("bsparse,v1,select,") == 0);
    const auto again = bench::parse_arguments({"--line", line}, &help);
    CHECK(without_density(logged(again.problems.at(0))) == without_density(line));
  }
}
