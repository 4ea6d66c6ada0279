"""A Python program (standard library only) that knows the library through ctypes: usage smoke.py LIBRARY."""

import ctypes
import os
import sys
from ctypes import POINTER, byref, c_char_p, c_double, c_float, c_int32, c_int64, c_void_p, sizeof

BS_STATUS_SUCCESS, BS_STATUS_INVALID_HANDLE, BS_STATUS_INVALID_SIZE = 0, 10, 12
BS_BACKEND_CPU = 1
BS_R_32F, BS_INDEX_32I, BS_INDEX_BASE_ZERO = 0, 2, 0
BS_NON_TRANSPOSE, BS_TRANSPOSE = 0, 1
BS_ORDER_ROW = 2
BS_ANALYZE_STATS, BS_STAT_ROW_LENGTH_MAX = 1, 8
BS_REPORT_ROUTE, BS_REPORT_MICROSECONDS, BS_REPORT_CHOSEN = 1, 4, 8

SPMM = [c_void_p, c_int32, c_int32, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_int32, c_void_p]
PROTOTYPES = {
    "bsCreateOn": [POINTER(c_void_p), c_int32, c_int32],
    "bsDestroy": [c_void_p],
    "bsMalloc": [c_void_p, POINTER(c_void_p), c_int64],
    "bsFree": [c_void_p, c_void_p],
    "bsMemcpy": [c_void_p, c_void_p, c_void_p, c_int64],
    "bsCreateDense": [POINTER(c_void_p), c_int64, c_int64, c_int64, c_void_p, c_int32, c_int32],
    "bsCreateCsr": [POINTER(c_void_p)] + [c_int64] * 3 + [c_void_p] * 3 + [c_int32] * 4,
    "bsDestroyMat": [c_void_p],
    "bsMatAnalyze_bufferSize": [c_void_p, c_void_p, c_int32, POINTER(c_int64)],
    "bsMatAnalyze": [c_void_p, c_void_p, c_int32, c_void_p, c_int64],
    "bsMatGetStat": [c_void_p, c_int32, POINTER(c_double)],
    "bsSpMM_bufferSize": SPMM + [POINTER(c_int64)],
    "bsSpMM": SPMM + [c_void_p, c_int64],
    "bsSpMM_explain": SPMM + [c_char_p, POINTER(c_void_p)],
    "bsReportGetCount": [c_void_p, POINTER(c_int64)],
    "bsReportGet": [c_void_p, c_int64, c_int32, c_void_p, c_int64],
    "bsDestroyReport": [c_void_p],
}

lib = ctypes.CDLL(os.path.abspath(sys.argv[1]))
lib.bsGetLastErrorMessage.restype = c_char_p
for name, argtypes in PROTOTYPES.items():
    getattr(lib, name).argtypes = argtypes


def last_error():
    return lib.bsGetLastErrorMessage().decode()


def call(name, *arguments):
    status = getattr(lib, name)(*arguments)
    assert status == BS_STATUS_SUCCESS, f"{name} gives {status}: {last_error()}"


def floats(*numbers):
    return (c_float * len(numbers))(*numbers)


def dense(rows, cols, array):
    mat = c_void_p()
    call("bsCreateDense", byref(mat), rows, cols, cols, array, BS_R_32F, BS_ORDER_ROW)
    return mat


def device_memory(handle, count):
    pointer = c_void_p()
    call("bsMalloc", handle, byref(pointer), count)
    return pointer


def multiply(handle, op, a, b, c):
    alpha, beta, size = c_float(1), c_float(0), c_int64(-1)
    problem = (handle, op, op, byref(alpha), a, b, byref(beta), c, BS_R_32F, None)
    call("bsSpMM_bufferSize", *problem, byref(size))
    workspace = device_memory(handle, size)
    call("bsSpMM", *problem, workspace, size)
    call("bsFree", handle, workspace)


def report_value(report, index, key, ctype):
    value = ctype()
    call("bsReportGet", report, index, key, byref(value), sizeof(value))
    return value.value


def check_explain(handle, a, b, c):
    one, report, count = c_float(1), c_void_p(), c_int64()
    call("bsSpMM_explain", handle, 0, 0, byref(one), a, b, byref(one), c, BS_R_32F, None, b"cpu", byref(report))
    call("bsReportGetCount", report, byref(count))
    candidates = range(count.value)
    assert sum(report_value(report, i, BS_REPORT_CHOSEN, c_int32) for i in candidates) == 1
    assert all(report_value(report, i, BS_REPORT_ROUTE, c_char_p).startswith(b"cpu/") for i in candidates)
    assert all(report_value(report, i, BS_REPORT_MICROSECONDS, c_double) >= 0 for i in candidates)
    call("bsDestroyReport", report)


def check_analysis(handle, mat):
    size, longest = c_int64(-1), c_double()
    call("bsMatAnalyze_bufferSize", handle, mat, BS_ANALYZE_STATS, byref(size))
    buffer = device_memory(handle, size)
    call("bsMatAnalyze", handle, mat, BS_ANALYZE_STATS, buffer, size)
    call("bsMatGetStat", mat, BS_STAT_ROW_LENGTH_MAX, byref(longest))
    assert longest.value == 2
    return buffer


def main():
    handle = c_void_p()
    call("bsCreateOn", byref(handle), BS_BACKEND_CPU, 0)

    # S = [1 0 2 0; 0 0 0 3], D = [1 2; 3 4; 5 6; 7 8], S D = [11 14; 21 24].
    offsets, columns, values = (c_int32 * 3)(0, 2, 3), (c_int32 * 3)(0, 2, 3), floats(1, 2, 3)
    factor, product = floats(1, 2, 3, 4, 5, 6, 7, 8), floats(0, 0, 0, 0)
    s = c_void_p()
    call("bsCreateCsr", byref(s), 2, 4, 3, offsets, columns, values, BS_INDEX_32I, BS_INDEX_32I, BS_INDEX_BASE_ZERO,
         BS_R_32F)
    d, c = dense(4, 2, factor), dense(2, 2, product)

    multiply(handle, BS_NON_TRANSPOSE, s, d, c)
    assert list(product) == [11, 14, 21, 24], list(product)
    multiply(handle, BS_TRANSPOSE, d, s, c)
    assert list(product) == [11, 21, 14, 24], list(product)

    buffer = check_analysis(handle, s)
    check_explain(handle, s, d, c)

    mat = c_void_p(1)
    status = lib.bsCreateDense(byref(mat), -1, 2, 2, None, BS_R_32F, BS_ORDER_ROW)
    assert status == BS_STATUS_INVALID_SIZE and not mat, (status, mat)
    assert last_error() == "bsCreateDense: rows is -1, must be >= 0", last_error()
    assert lib.bsMatGetStat(handle, BS_STAT_ROW_LENGTH_MAX, byref(c_double())) == BS_STATUS_INVALID_HANDLE

    for mat in (s, d, c):
        call("bsDestroyMat", mat)
    call("bsFree", handle, buffer)
    call("bsDestroy", handle)


main()
