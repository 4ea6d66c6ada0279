#include "cases/products.h"

#include <cstring>
#include <optional>

#include "support/catch.h"

namespace bs::cases {
namespace {

bsDataType_t compute_of(bsDataType_t type) {
  return type == BS_R_64F ? BS_R_64F : BS_R_32F;
}

double read(const Dense& m, bsOperation_t op, int64_t i, int64_t j) {
  return op == BS_OPERATION_NON_TRANSPOSE ? m.at(i, j) : m.at(j, i);
}

double old_value(double beta, double value) {
  return beta == 0 ? 0 : beta * value;
}

template <class Product, class Output>
void check_product(bsHandle_t handle, const Product& product, const Output& c, bsOptions_t given) {
  std::optional<Options> own;
  const bsOptions_t options = given ? given : own.emplace();
  const std::vector<double> wanted = exact(product);
  const int accepted = on_every_route(handle, product.call(), options, c.values,
                                      [&](const Route&) { CHECK(mismatches(c, wanted) == 0); });
  CHECK(accepted > 0);
}

}  // namespace

Call Spmm::call() const {
  Call call{.alpha = alpha, .beta = beta, .c = c->mat, .compute = compute_of(c->layout.type)};
  call.op_a = sparse_left ? op_sparse : op_dense, call.op_b = sparse_left ? op_dense : op_sparse;
  call.a = sparse_left ? sparse->mat : dense->mat, call.b = sparse_left ? dense->mat : sparse->mat;
  return call;
}

Call Sddmm::call() const {
  return {.op = Op::sddmm,
          .op_a = op_a,
          .op_b = op_b,
          .alpha = alpha,
          .beta = beta,
          .a = a->mat,
          .b = b->mat,
          .c = c->mat,
          .compute = compute_of(c->storage.type)};
}

std::vector<double> exact(const Spmm& p) {
  const int64_t m = p.c->rows, n = p.c->cols;
  std::vector<double> sums(static_cast<size_t>(m * n), 0.0);
  const auto at = [&](int64_t i, int64_t j) -> double& { return sums[static_cast<size_t>(i * n + j)]; };
  for (const Sparse::Element& e : p.sparse->elements) {
    if (p.alpha == 0) break;
    const bool flipped = p.op_sparse != BS_OPERATION_NON_TRANSPOSE;
    const int64_t row = flipped ? e.col : e.row, col = flipped ? e.row : e.col;
    const double value = p.sparse->value(e);
    for (int64_t j = 0; p.sparse_left && j < n; ++j) at(row, j) += value * read(*p.dense, p.op_dense, col, j);
    for (int64_t i = 0; !p.sparse_left && i < m; ++i) at(i, col) += read(*p.dense, p.op_dense, i, row) * value;
  }
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      at(i, j) = (p.alpha == 0 ? 0 : p.alpha * at(i, j)) + old_value(p.beta, p.c->at(i, j));
  return sums;
}

std::vector<double> exact(const Sddmm& p) {
  const int64_t k = p.op_a == BS_OPERATION_NON_TRANSPOSE ? p.a->cols : p.a->rows;
  std::vector<double> results;
  for (const Sparse::Element& e : p.c->elements) {
    double sum = 0;
    for (int64_t i = 0; p.alpha != 0 && i < k; ++i) sum += read(*p.a, p.op_a, e.row, i) * read(*p.b, p.op_b, i, e.col);
    results.push_back((p.alpha == 0 ? 0 : p.alpha * sum) + old_value(p.beta, p.c->value(e)));
  }
  return results;
}

int64_t mismatches(const Dense& c, const std::vector<double>& wanted) {
  int64_t wrong = c.gaps_intact() ? 0 : 1;
  for (int64_t i = 0; i < c.rows; ++i)
    for (int64_t j = 0; j < c.cols; ++j)
      wrong += !same(c.at(i, j), rounded(c.layout.type, wanted[static_cast<size_t>(i * c.cols + j)]));
  return wrong;
}

int64_t mismatches(const Sparse& c, const std::vector<double>& wanted) {
  int64_t wrong = 0;
  for (size_t i = 0; i < wanted.size(); ++i) wrong += !same(c.value(c.elements[i]), rounded(c.storage.type, wanted[i]));
  return wrong;
}

void check_everywhere(bsHandle_t handle, const Spmm& product, bsOptions_t options) {
  check_product(handle, product, *product.c, options);
}

void check_everywhere(bsHandle_t handle, const Sddmm& product, bsOptions_t options) {
  check_product(handle, product, *product.c, options);
}

}  // namespace bs::cases
