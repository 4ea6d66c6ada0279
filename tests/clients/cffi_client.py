"""The header as cffi's parser reads it, after what its manual asks for: no macros, no conditionals.

cffi_client.py HEADER LIBRARY; exit status 77 without cffi.
"""

import re
import sys

try:
    import cffi
except ImportError:
    print("skipped: no cffi")
    sys.exit(77)


def declarations(text):
    text = re.sub(r"^#ifdef __cplusplus\n.*?^#endif\n", "", text, flags=re.S | re.M)
    numbers = re.findall(r"^#define \w+ \d+$", text, flags=re.M)
    plain = re.sub(r"^#.*\n", "", text, flags=re.M).replace("BS_API ", "")
    return "\n".join(numbers) + "\n" + plain


def main():
    ffi = cffi.FFI()
    with open(sys.argv[1], encoding="utf-8") as header:
        ffi.cdef(declarations(header.read()))
    library = ffi.dlopen(sys.argv[2])
    handle, rows, mat = ffi.new("bsHandle_t*"), ffi.new("int64_t*"), ffi.new("bsMatDescr_t*")
    values = ffi.new("float[6]")
    assert library.bsCreateOn(handle, library.BS_BACKEND_CPU, 0) == library.BS_STATUS_SUCCESS
    assert library.bsCreateDense(mat, 2, 3, 3, values, library.BS_R_32F, library.BS_ORDER_ROW) == library.BS_STATUS_SUCCESS
    assert library.bsMatGetSize(mat[0], rows, ffi.NULL, ffi.NULL) == library.BS_STATUS_SUCCESS and rows[0] == 2
    assert library.bsCreateDense(mat, -1, 3, 3, values, 0, 2) == library.BS_STATUS_INVALID_SIZE
    assert ffi.string(library.bsGetLastErrorMessage()) == b"bsCreateDense: rows is -1, must be >= 0"
    assert library.bsDestroy(handle[0]) == library.BS_STATUS_SUCCESS
    assert library.BSPARSE_WORKSPACE_ALIGNMENT == 256


main()
