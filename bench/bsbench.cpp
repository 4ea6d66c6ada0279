// The driver of measurements: problems from the command line or a file, every route and peer checked against sums in
// double and then timed in turn. bench/README.md is its manual.
#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <exception>
#include <stdexcept>

#include "bsbench/check.h"
#include "bsbench/commit.h"
#include "bsbench/peers/peer.h"
#include "bsbench/report.h"
#include "bsbench/timer.h"

namespace bench {
namespace {

// Cost models answer this much for routes of last resort: timed only by name.
constexpr double kLastResort = 1e9;

bsBackend_t backend_of(const Settings& settings) {
  if (settings.backend == "cpu") return BS_BACKEND_CPU;
  if (settings.backend == "cuda") return BS_BACKEND_CUDA;
  return bsparse::Handle().backend();
}

std::unique_ptr<Timer> make_timer(bsBackend_t backend, int device) {
  auto timer = backend == BS_BACKEND_CUDA ? make_cuda_timer(device) : make_cpu_timer();
  if (!timer) throw std::invalid_argument("--backend is cuda, bsbench was built without CUDA");
  return timer;
}

std::string today() {
  char text[32];
  const std::time_t now = std::time(nullptr);
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return text;
}

class Session {
 public:
  Session(const Settings& settings, std::string command)
      : settings_(settings),
        backend_(backend_of(settings)),
        timer_(make_timer(backend_, settings.device)),
        handle_(backend_, backend_ == BS_BACKEND_CUDA ? settings.device : 0),
        origin_{timer_->device_name(), settings.commit.empty() ? BENCH_COMMIT : settings.commit, std::move(command),
                ""} {
    handle_.set_stream(timer_->stream());
    if (!settings.peers.empty() && backend_ == BS_BACKEND_CPU) summary_.missing("the CPU backend has none here");
    if (backend_ == BS_BACKEND_CPU) return;
    for (const std::string& name : settings.peers) {
      std::string reason;
      peers_.push_back(open_peer(name, timer_->stream(), &reason));
      if (peers_.back()) continue;
      peers_.pop_back();
      summary_.missing(reason);
    }
  }

  void run(const Spec& spec, const char* progress) {
    say(progress, describe(spec));
    origin_.date = today();
    try {
      const Outcome outcome = measure(spec, progress);
      hush();
      summary_.add(outcome);
      settings_.json ? print_json(outcome, origin_) : print_table(outcome);
    } catch (const std::exception& error) {
      hush();
      std::fprintf(stderr, "failed: %s: %s\n", describe(spec).c_str(), error.what());
      summary_.add_failure();
    }
  }
  void announce() const { std::fprintf(stderr, "%s, commit %s\n", origin_.device.c_str(), origin_.commit.c_str()); }
  int finish() const {
    summary_.print();
    return summary_.ok() ? 0 : 1;
  }

 private:
  // One line that overwrites itself, where somebody watches.
  static void say(const char* progress, const std::string& text) {
    if (isatty(2)) std::fprintf(stderr, "\r\033[K%s %.120s", progress, text.c_str());
  }
  static void hush() {
    if (isatty(2)) std::fprintf(stderr, "\r\033[K");
  }

  Outcome measure(const Spec& spec, const char* progress) {
    constexpr int64_t kPastCache = 3;
    Problem problem(handle_, spec, settings_.seed, settings_.cold ? kPastCache * timer_->cache_bytes() : 0);
    Outcome outcome = describe_problem(problem);
    std::vector<Contender> contenders = routes(problem, &outcome.refusals);
    for (const auto& peer : peers_)
      for (Contender& contender : peer->contenders(problem, &outcome.refusals))
        contenders.push_back(std::move(contender));
    const std::vector<Contender> right = check(problem, contenders, progress, &outcome);
    if (settings_.check) return outcome;
    say(progress, "timing " + std::to_string(right.size()) + " contenders");
    const std::vector<Time> times = timer_->measure(right, settings_, problem.instances());
    size_t next = 0;
    for (Row& row : outcome.rows) {
      if (!row.error.empty()) continue;
      row.time = times[next++];
      row.error = row.time.error;
    }
    return outcome;
  }

  Outcome describe_problem(Problem& problem) const {
    Outcome o;
    o.spec = problem.spec();
    o.density = problem.host().sparse.density();
    o.entries = problem.host().sparse.structure.count();
    o.flops = problem.host().flops(o.spec);
    o.bytes = problem.host().bytes(o.spec);
    o.roof_microseconds = roofline(o.spec, o.flops, o.bytes, origin_.device, settings_.roof);
    o.instances = problem.instances();
    return o;
  }

  // auto: the engine's choice, by a call that lets it choose. all: every route that accepts, each by name.
  std::vector<Contender> routes(Problem& problem, std::vector<std::string>* refusals) const {
    std::vector<Contender> all;
    for (const Candidate& candidate : problem.candidates()) {
      const bool named = settings_.route == candidate.route;
      const bool wanted = named || (settings_.route == "auto" && candidate.chosen) ||
                          (settings_.route == "all" && (candidate.chosen || candidate.microseconds < kLastResort));
      if (!candidate.accepted && (named || settings_.route == "all"))
        refusals->push_back(candidate.route + ": " + candidate.reason);
      if (candidate.accepted && wanted) all.push_back(contender(problem, candidate));
    }
    if (all.empty() && refusals->empty()) throw std::invalid_argument("no such route: " + settings_.route);
    return all;
  }

  Contender contender(Problem& problem, const Candidate& candidate) const {
    auto call = std::make_shared<Problem::Call>(problem, settings_.route == "auto" ? "" : candidate.route);
    Instance& first = problem.instance(0);
    const HostOperands& host = problem.host();
    return {.name = candidate.route,
            .peer = "",
            .predicted = candidate.microseconds < kLastResort ? candidate.microseconds : -1,
            .chosen = candidate.chosen,
            .enqueue = [call](int instance) { call->enqueue(instance); },
            .result = problem.spec().sparse_result() ? Result::of(host.sparse, first.values.get())
                                                     : Result::of(host.c, first.c_values.get()),
            .tolerance = problem.spec().tf32 ? 0x1p-10 : 0};
  }

  // A row each; the contenders that were right are returned.
  std::vector<Contender> check(Problem& problem, const std::vector<Contender>& contenders, const char* progress,
                               Outcome* outcome) {
    constexpr int kFew = 24, kMany = 96;
    Checker checker(problem, settings_.check ? kMany : kFew, settings_.seed + 7);
    std::vector<Contender> right;
    for (const Contender& contender : contenders) {
      say(progress, "checking " + contender.name);
      Row row{contender.name, contender.peer, "", contender.predicted, contender.chosen, {}};
      try {
        row.error = checker.check(contender);
        if (!row.error.empty()) row.error = "WRONG: " + row.error;
      } catch (const std::exception& error) {
        row.error = std::string("failed: ") + error.what();
      }
      if (row.error.empty()) right.push_back(contender);
      outcome->rows.push_back(std::move(row));
    }
    return right;
  }

  Settings settings_;
  bsBackend_t backend_;
  std::unique_ptr<Timer> timer_;
  bsparse::Handle handle_;
  Origin origin_;
  std::vector<std::unique_ptr<Peer>> peers_;
  Summary summary_;
};

int run(int count, char** words) {
  std::string help, command = "bsbench";
  for (int i = 1; i < count; ++i) command.append(" ").append(words[i]);
  const Arguments arguments = parse_arguments({words + 1, words + count}, &help);
  if (!help.empty()) {
    std::fputs(help.c_str(), stdout);
    return 0;
  }
  Session session(arguments.settings, command);
  session.announce();
  for (size_t i = 0; i < arguments.problems.size(); ++i) {
    char progress[64];
    std::snprintf(progress, sizeof progress, "[%zu/%zu]", i + 1, arguments.problems.size());
    session.run(arguments.problems[i], progress);
  }
  return session.finish();
}

}  // namespace
}  // namespace bench

int main(int count, char** words) {
  try {
    return bench::run(count, words);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bsbench: %s\n", error.what());
    return 2;
  }
}
