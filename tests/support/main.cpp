// main of every Catch2 executable. Writes one line a test case to the file that BSPARSE_TEST_RESULTS names ("begin
// NAME", then "ok NAME", "not ok NAME" or "skip NAME: REASON"), so that a crash names the case it happened in.
#define CATCH_CONFIG_RUNNER
#include "support/catch.h"

#include <cstdio>
#include <cstdlib>

namespace bs::test {
namespace {

std::string skip_reason;

// Cases that run on several backends are told apart by it: "cuda: NAME".
std::string reported(const std::string& name) {
  const char* backend = std::getenv("BSPARSE_TEST_BACKEND");
  return backend ? std::string(backend) + ": " + name : name;
}

void report(const std::string& line) {
  const char* path = std::getenv("BSPARSE_TEST_RESULTS");
  std::FILE* file = path ? std::fopen(path, "a") : nullptr;
  if (!file) return;
  std::fprintf(file, "%s\n", line.c_str());
  std::fclose(file);
}

#if BS_CATCH_MAJOR >= 3
using ListenerBase = Catch::EventListenerBase;
const std::string& name_of(const Catch::TestCaseStats& stats) {
  return stats.testInfo->name;
}
#else
using ListenerBase = Catch::TestEventListenerBase;
const std::string& name_of(const Catch::TestCaseStats& stats) {
  return stats.testInfo.name;
}
#endif

struct ResultLines : ListenerBase {
  using ListenerBase::ListenerBase;
  void testCaseStarting(const Catch::TestCaseInfo& info) override {
    skip_reason.clear();
    report("begin " + reported(info.name));
  }
  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    const std::string name = reported(name_of(stats));
    if (stats.totals.testCases.failed) return report("not ok " + name);
    report(skip_reason.empty() ? "ok " + name : "skip " + name + ": " + skip_reason);
  }
};

class TableTest : public Catch::ITestInvoker {
 public:
  explicit TableTest(std::function<void()> body) : body_(std::move(body)) {}
  void invoke() const override { body_(); }

 private:
  std::function<void()> body_;
};

}  // namespace

void note_skip(const std::string& reason) {
  skip_reason = reason;
  std::printf("skipped: %s\n", reason.c_str());
}

void add_test(const std::string& name, const std::string& tags, std::function<void()> body) {
#if BS_CATCH_MAJOR >= 3
  auto invoker = Catch::Detail::make_unique<TableTest>(std::move(body));
#else
  auto* invoker = new TableTest(std::move(body));
#endif
  Catch::AutoReg(std::move(invoker), CATCH_INTERNAL_LINEINFO, Catch::StringRef(), Catch::NameAndTags{name, tags});
}

}  // namespace bs::test

using bs::test::ResultLines;  // the macro makes an identifier of the name
CATCH_REGISTER_LISTENER(ResultLines)

int main(int argc, char** argv) {
  return Catch::Session().run(argc, argv);
}
