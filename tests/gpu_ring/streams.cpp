// Several streams, and the same bits every time.
#include "api/random_products.h"
#include "gpu_ring/stream.h"

namespace {

using namespace bs::test;

int case_count() {
  return reduced() ? 10 : 120;
}

// Everything is sent, then all calls are enqueued before any is waited for.
template <class Case>
void run_together(const std::vector<const Handles*>& handles, const std::function<void(int)>& before_call,
                  const std::vector<const Stream*>& streams) {
  std::vector<std::unique_ptr<Case>> all;
  for (int i = 0; i < case_count(); ++i) {
    INFO("case " << i);
    all.push_back(std::make_unique<Case>(*handles[i % handles.size()], 3000 + i));
    all.back()->prepare();
    all.back()->expect();
  }
  for (const Stream* stream : streams) stream->wait();
  Mirror::before_call();
  for (int i = 0; i < case_count(); ++i) {
    before_call(i);
    ok(all[i]->execute());
  }
  for (const Stream* stream : streams) stream->wait();
  Mirror::after_call();
  for (int i = 0; i < case_count(); ++i) {
    INFO("case " << i);
    all[i]->check();
  }
}

template <class Case>
void two_handles_at_once() {
  Handles first, second;
  const Stream one, two;
  first.set_stream(one), second.set_stream(two);
  run_together<Case>({&first, &second}, [](int) {}, {&one, &two});
}

template <class Case>
void one_handle_in_turn() {
  Handles handles;
  const Stream one, two;
  run_together<Case>({&handles}, [&](int i) { handles.set_stream(i % 2 ? two : one); }, {&one, &two});
}

// Sums that do not come out even, so that another order shows.
double uneven(Random& random) {
  return random.symmetric();
}

template <class Case>
void same_bits() {
  Handles handles;
  const int runs = reduced() ? 3 : 50;
  int compared = 0;
  for (uint64_t seed = 1; seed <= (reduced() ? 5u : 60u); ++seed) {
    Case one(handles, 4000 + seed);
    one.prepare();
    Random random(seed);
    one.change(random, uneven);
    INFO("seed " << seed << ", route " << one.route);
    one.repack();
    const std::vector<char> before = one.result().bytes();
    std::vector<char> first;
    for (int run = 0; run < runs; ++run) {
      one.result().set_bytes(before);
      ok(one.execute());
      const std::vector<char> now = one.result().bytes();
      if (run == 0) first = now;
      compared += run > 0 && !now.empty();
      if (now == first) continue;
      INFO("run " << run);
      CHECK(false);
      break;
    }
  }
  CHECK(compared > 0);
}

}  // namespace

BACKEND_TEST_CASE("two handles on two streams at once give what one gives") {
  two_handles_at_once<SpmmCase>();
  two_handles_at_once<SddmmCase>();
}

BACKEND_TEST_CASE("one handle on two streams in turn gives what it gives on one") {
  one_handle_in_turn<SpmmCase>();
  one_handle_in_turn<SddmmCase>();
}

BACKEND_TEST_CASE("bsSpMM and bsSpMV repeat bit for bit, by the engine's choice and by name") {
  same_bits<SpmmCase>();
}

BACKEND_TEST_CASE("bsSDDMM repeats bit for bit, by the engine's choice and by name") {
  same_bits<SddmmCase>();
}
