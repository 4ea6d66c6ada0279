"""include/bsparse.py with the standard library alone: PYTHONPATH=include BSPARSE_LIBRARY=LIBRARY smoke.py"""

import array
import gc

import bsparse


def floats(*numbers):
    return array.array("f", numbers)


def rows(width, *numbers):
    """A matrix without NumPy: the buffer of an array in two dimensions."""
    return memoryview(floats(*numbers)).cast("B").cast("f", [len(numbers) // width, width])


def refused(what, kind, call, *arguments, **named):
    try:
        call(*arguments, **named)
    except kind as error:
        assert what in str(error), f"{what!r} is not in {error}"
        return error
    raise AssertionError(f"{what!r} was accepted")


def check_products(handle, S, B):
    product = floats(0, 0, 0, 0)
    C = bsparse.dense(memoryview(product).cast("B").cast("f", [2, 2]))
    handle.spmm(S, B, C)
    assert list(product) == [11, 14, 21, 24], product
    handle.spmm(B, S, C, alpha=2, beta=1, op_a="T", op_b="T")
    assert list(product) == [11 + 22, 14 + 42, 21 + 28, 24 + 48], product
    handle.spmm(S, B, C, options=bsparse.Options(activation="relu", bias=(floats(-12, 1), "row"),
                                                 route="cpu/spmm_reference"))
    assert list(product) == [0, 2, 22, 25], product
    y = floats(0, 0)
    handle.spmv(S, floats(1, 1, 1, 1), y)
    assert list(y) == [3, 3], y
    candidates = handle.explain_spmm(S, B, C, device="cpu").candidates
    assert sum(c["chosen"] for c in candidates) == 1 and candidates[0]["route"].startswith("cpu/"), candidates


def check_gradients(handle, S, B):
    values, gradient = floats(0, 0, 0), floats(0, 0)
    dS = bsparse.csr((2, 4), array.array("i", [0, 2, 3]), array.array("i", [0, 2, 3]), values)
    dC = rows(2, 1, 0, 0, 1)
    handle.sddmm(dC, B, dS, op_b="T", options=bsparse.Options(bias_gradient=(gradient, "row")))
    assert list(values) == [1, 5, 8] and list(gradient) == [1, 1], (values, gradient)


def check_conversion(handle, S):
    offsets = array.array("q", [0] * 5)
    T = bsparse.csr((4, 2), offsets, array.array("i"), floats())
    made = []

    def allocate(nnz):
        made.extend([offsets, array.array("i", [0] * nnz), floats(*[0] * nnz)])
        return made
    handle.convert(S, T, allocate, op="T")
    assert [list(a) for a in made] == [[0, 1, 1, 2, 3], [0, 0, 1], [1, 2, 3]], made


def check_analysis(handle, S):
    S.analyze(handle)
    S.analyze(handle, bsparse.BS_ANALYZE_STATS)
    assert S.stat(bsparse.BS_STAT_ROW_LENGTH_MAX) == 2
    assert S.check(handle)[0] == bsparse.BS_CONTENT_OK


def check_refusals(handle, S, B):
    error = refused("bsCreateDense: rows is -1, must be >= 0", bsparse.Error, bsparse.bsCreateDense, -1, 2, 2, None,
                    bsparse.BS_R_32F, bsparse.BS_ORDER_ROW)
    assert (error.status, error.name) == (bsparse.BS_STATUS_INVALID_SIZE, "BS_STATUS_INVALID_SIZE")
    refused("bsMatGetSize takes mat", TypeError, bsparse.bsMatGetSize)
    refused("B has 2 rows", bsparse.Error, handle.spmm, S, rows(2, 1, 2, 3, 4), rows(2, 0, 0, 0, 0))
    refused("indptr has 2 elements, must have 3", ValueError, bsparse.csr, (2, 4), array.array("i", [0, 1]),
            array.array("i", [0]), floats(1))
    refused("indices has elements of type f4", TypeError, bsparse.csr, (1, 4), array.array("i", [0, 1]), floats(0), floats(1))
    refused("not contiguous", TypeError, handle.spmm, S, B, memoryview(floats(*range(8)))[::2])
    refused("is a list, which has no array interface", TypeError, handle.spmm, S, B, [0, 0, 0, 0])


def check_lifetime(handle):
    """A descriptor keeps its arrays; nothing else does here."""
    S = bsparse.csr((1, 1), array.array("i", [0, 1]), array.array("i", [0]), floats(3))
    B = bsparse.dense(floats(5))
    gc.collect()
    scraps = [floats(*[7] * 16) for _ in range(1000)]
    product = floats(0)
    handle.spmm(S, B, product)
    assert product[0] == 15 and scraps, product


def main():
    assert bsparse.bsGetVersion() == bsparse.BSPARSE_VERSION
    assert bsparse.bsHasFeature("spmm.csr.f32.t") == 1
    assert bsparse.bsStatusName(12) == "BS_STATUS_INVALID_SIZE"
    handle = bsparse.Handle("cpu")
    handle.set_num_threads(2)
    assert handle.device == ("cpu", 0) and bsparse.bsGetNumThreads(handle.handle) == 2
    lines = []
    log = bsparse.LogCallback(lambda user, line: lines.append(line))
    bsparse.bsSetLogCallback(handle.handle, log, None)

    # S = [1 0 2 0; 0 0 0 3], B = [1 2; 3 4; 5 6; 7 8], S B = [11 14; 21 24].
    S = bsparse.csr((2, 4), array.array("i", [0, 2, 3]), array.array("i", [0, 2, 3]), floats(1, 2, 3))
    B = rows(2, 1, 2, 3, 4, 5, 6, 7, 8)
    assert S.shape == (2, 4) and S.nnz == 3
    check_products(handle, S, B)
    assert lines and lines[0].startswith(b"bsparse,v1,select,cpu/"), lines
    check_gradients(handle, S, B)
    check_conversion(handle, S)
    check_analysis(handle, S)
    check_refusals(handle, S, B)
    check_lifetime(handle)


main()
