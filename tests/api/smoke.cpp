// The headers alone: constants that other libraries' numbers must match.
#include "support/catch.h"

#include "bsparse.h"

TEST_CASE("types, orders and operations have the numbers of cudaDataType and cuSPARSE") {
  CHECK(BS_R_32F == 0);
  CHECK(BS_R_64F == 1);
  CHECK(BS_R_16F == 2);
  CHECK(BS_R_16BF == 14);
  CHECK(BS_INDEX_32I == 2);
  CHECK(BS_INDEX_64I == 3);
  CHECK(BS_OPERATION_TRANSPOSE == 1);
  CHECK(BS_ORDER_COL == 1);
  CHECK(BS_ORDER_ROW == 2);
}
