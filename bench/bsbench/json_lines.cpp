// One JSON object a row; bench/README.md says what the members mean.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "bsbench/report.h"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

Json known(double value) {
  return value >= 0 ? Json(value) : Json(nullptr);
}
Json quotient(double numerator, double denominator) {
  return numerator > 0 && denominator > 0 ? Json(numerator / denominator) : Json(nullptr);
}

Json problem_members(const Outcome& o) {
  const Spec& s = o.spec;
  Json j;
  j["problem"] = describe(s);
  j["op"] = name_of(s.op);
  j["format"] = format_name(s.format);
  j["block"] = s.format == BS_FORMAT_BSR ? Json{s.block_rows, s.block_cols} : Json(nullptr);
  j["dtype"] = bs::name_of(s.dtype);
  j["m"] = s.m;
  j["k"] = s.k;
  j["n"] = s.n;
  j["batch"] = s.batch;
  j["pattern"] = s.file.empty() ? name_of(s.pattern) : s.file;
  j["density"] = o.density;
  j["entries"] = o.entries;
  j["flops"] = o.flops;
  j["bytes"] = o.bytes;
  j["roof_us"] = known(o.roof_microseconds);
  j["instances"] = o.instances;
  return j;
}

void add_row(Json& j, const Outcome& o, const Row& row) {
  const double us = row.time.median;
  j["route"] = row.name;
  j["peer"] = row.peer.empty() ? Json(nullptr) : Json(row.peer);
  j["right"] = row.error.empty();
  j["error"] = row.error.empty() ? Json(nullptr) : Json(row.error);
  j["us"] = known(us);
  j["us_min"] = known(row.time.fastest);
  j["us_max"] = known(row.time.slowest);
  j["samples"] = row.time.samples;
  j["tflops"] = us > 0 ? Json(o.flops / us * 1e-6) : Json(nullptr);
  j["gbs"] = us > 0 ? Json(o.bytes / us * 1e-3) : Json(nullptr);
  j["roof_share"] = quotient(o.roof_microseconds, us);
  j["predicted_us"] = known(row.predicted);
  j["chosen"] = row.chosen;
  j["vs_cublas"] = quotient(o.best("cublas"), us);
  j["vs_cusparse"] = quotient(o.best("cusparse"), us);
  j["regret"] = known(o.regret());
}

}  // namespace

void print_json(const Outcome& o, const Origin& origin) {
  for (const Row& row : o.rows) {
    Json j = problem_members(o);
    add_row(j, o, row);
    j["date"] = origin.date;
    j["device"] = origin.device;
    j["commit"] = origin.commit;
    j["command"] = origin.command;
    std::puts(j.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
  }
  std::fflush(stdout);
}

}  // namespace bench
