"""The few calls of libbsparse that the comparison needs, through ctypes."""
import ctypes
import os

import numpy as np

F32, INDEX_32, BASE_ZERO, ORDER_ROW, OP_N = 0, 2, 0, 2, 0
BACKEND_CPU = 1
i32, i64, pointer = ctypes.c_int32, ctypes.c_int64, ctypes.c_void_p


class Library:
    """Raises on every status that is not success, with the library's own sentence."""

    def __init__(self, path):
        self._dll = ctypes.CDLL(path)
        self._dll.bsGetLastErrorMessage.restype = ctypes.c_char_p
        self._dll.bsStatusName.restype = ctypes.c_char_p

    def call(self, name, *arguments):
        status = getattr(self._dll, name)(*arguments)
        if status:
            message = self._dll.bsGetLastErrorMessage().decode()
            raise RuntimeError(f"{self._dll.bsStatusName(status).decode()}: {message}")


class Handle:
    """A CPU handle with its own number of threads: the environment is read when it is made."""

    def __init__(self, library, threads):
        self.library, self.threads = library, threads
        before = os.environ.get("BSPARSE_NUM_THREADS")
        os.environ["BSPARSE_NUM_THREADS"] = str(threads)
        self.value = pointer()
        library.call("bsCreateOn", ctypes.byref(self.value), i32(BACKEND_CPU), i32(0))
        if before is None:
            del os.environ["BSPARSE_NUM_THREADS"]
        else:
            os.environ["BSPARSE_NUM_THREADS"] = before


def address(array):
    return pointer(array.ctypes.data)


class Matrix:
    """A descriptor over the arrays of a numpy array or a scipy CSR or BSR matrix, which it keeps alive."""

    def __init__(self, library, matrix):
        self.value, self._matrix, self._library = pointer(), matrix, library
        if isinstance(matrix, np.ndarray):
            rows, cols = matrix.shape
            library.call("bsCreateDense", ctypes.byref(self.value), i64(rows), i64(cols), i64(cols), address(matrix),
                         i32(F32), i32(ORDER_ROW))
            return
        arrays = [address(a) for a in (matrix.indptr, matrix.indices, matrix.data)]
        types = [i32(INDEX_32), i32(INDEX_32), i32(BASE_ZERO), i32(F32)]
        sizes = [i64(n) for n in (*matrix.shape, len(matrix.indices))]
        if matrix.format == "csr":
            library.call("bsCreateCsr", ctypes.byref(self.value), *sizes, *arrays, *types)
        else:
            blocks = [i64(n) for n in matrix.blocksize]
            library.call("bsCreateBsr", ctypes.byref(self.value), *sizes, *blocks, *arrays, *types, i32(ORDER_ROW))


class Product:
    """C = A B, to be run again and again."""

    def __init__(self, handle, a, b, c):
        self._library = handle.library
        one, zero = ctypes.c_float(1), ctypes.c_float(0)
        self._arguments = [handle.value, i32(OP_N), i32(OP_N), ctypes.byref(one), a.value, b.value, ctypes.byref(zero),
                           c.value, i32(F32), None]
        needed = i64()
        self._library.call("bsSpMM_bufferSize", *self._arguments, ctypes.byref(needed))
        store = np.empty(needed.value + 256, np.uint8)  # the library wants 256-byte alignment
        aligned = -(-store.ctypes.data // 256) * 256
        self._kept = (a, b, c, handle, store)
        self._workspace = [pointer(aligned), needed]
        report, text = pointer(), ctypes.c_char_p()
        self._library.call("bsSpMM_explain", *self._arguments, None, ctypes.byref(report))
        self._library.call("bsReportGetText", report, ctypes.byref(text))
        self.explanation = text.value.decode()
        self.route = self._chosen(report)
        self._library.call("bsDestroyReport", report)

    def run(self):
        self._library.call("bsSpMM", *self._arguments, *self._workspace)

    def _chosen(self, report, key_route=1, key_chosen=8):
        count, chosen, route = i64(), i32(), ctypes.c_char_p()
        self._library.call("bsReportGetCount", report, ctypes.byref(count))
        for i in range(count.value):
            self._library.call("bsReportGet", report, i64(i), i32(key_chosen), ctypes.byref(chosen), i64(4))
            if chosen.value:
                self._library.call("bsReportGet", report, i64(i), i32(key_route), ctypes.byref(route), i64(8))
                return route.value.decode()
        return "none"
