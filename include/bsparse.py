"""libbsparse for Python: one module, ctypes only, no build step.

    import bsparse
    handle = bsparse.Handle("cpu")
    A = bsparse.csr((rows, cols), indptr, indices, data)      # or bsparse.sparse(a SciPy or torch sparse matrix)
    handle.spmm(A, B, C, alpha=1, beta=0)                     # C = A B; B and C are arrays

Arrays are anything with the array interface (NumPy), the CUDA array interface (CuPy, torch), DLPack (torch, JAX) or the
buffer protocol (array.array), in the memory of the handle's backend. They are never copied: what the library could not
use in place is refused, and a descriptor keeps what it points to alive. Failures raise bsparse.Error with the library's
sentence; wrong types, layouts and devices raise TypeError or ValueError.

Every function of bsparse.h is here under its own name. It takes the C function's inputs in order and returns what the C
function writes through pointers: rows, cols, nnz = bsparse.bsMatGetSize(mat). What things mean is said in bsparse.h.
"""

import ctypes
import os

# Made by src/bindings/generate from bsparse.h; what follows, from src/bindings/python.
SOVERSION = 0
_FUNCTIONS = {
    "bsCreate": "i handle:>p",
    "bsCreateOn": "i handle:>p backend:i device:i",
    "bsDestroy": "i handle:p",
    "bsSetStream": "i handle:p stream:p",
    "bsGetStream": "i handle:p stream:>p",
    "bsSetPointerMode": "i handle:p mode:i",
    "bsGetPointerMode": "i handle:p mode:>i",
    "bsSetNumThreads": "i handle:p threads:i",
    "bsGetNumThreads": "i handle:p threads:>i",
    "bsGetBackend": "i handle:p backend:>i",
    "bsGetDevice": "i handle:p device:>i",
    "bsGetDeviceName": "i handle:p name:>z",
    "bsSetLogCallback": "i handle:p callback:c user:p",
    "bsGetVersion": "i version:>i",
    "bsHasFeature": "i feature:z supported:>i",
    "bsStatusName": "z status:i",
    "bsStatusString": "z status:i",
    "bsGetLastErrorMessage": "z",
    "bsMalloc": "i handle:p pointer:>p bytes:q",
    "bsFree": "i handle:p pointer:p",
    "bsMemcpy": "i handle:p destination:p source:p bytes:q",
    "bsSynchronize": "i handle:p",
    "bsCreateDense": "i mat:>p rows:q cols:q ld:q values:p valueType:i order:i",
    "bsCreateCsr": "i mat:>p rows:q cols:q nnz:q rowOffsets:p colIndices:p values:p offsetType:i indexType:i base:i "
        "valueType:i",
    "bsCreateCsc": "i mat:>p rows:q cols:q nnz:q colOffsets:p rowIndices:p values:p offsetType:i indexType:i base:i "
        "valueType:i",
    "bsCreateCoo": "i mat:>p rows:q cols:q nnz:q rowIndices:p colIndices:p values:p indexType:i base:i valueType:i",
    "bsCreateBsr": "i mat:>p rows:q cols:q nnzb:q rowBlockSize:q colBlockSize:q rowOffsets:p colIndices:p values:p "
        "offsetType:i indexType:i base:i valueType:i blockOrder:i",
    "bsCreateConstDense": "i mat:>p rows:q cols:q ld:q values:p valueType:i order:i",
    "bsCreateConstCsr": "i mat:>p rows:q cols:q nnz:q rowOffsets:p colIndices:p values:p offsetType:i indexType:i base:i "
        "valueType:i",
    "bsCreateConstCsc": "i mat:>p rows:q cols:q nnz:q colOffsets:p rowIndices:p values:p offsetType:i indexType:i base:i "
        "valueType:i",
    "bsCreateConstCoo": "i mat:>p rows:q cols:q nnz:q rowIndices:p colIndices:p values:p indexType:i base:i valueType:i",
    "bsCreateConstBsr": "i mat:>p rows:q cols:q nnzb:q rowBlockSize:q colBlockSize:q rowOffsets:p colIndices:p values:p "
        "offsetType:i indexType:i base:i valueType:i blockOrder:i",
    "bsDestroyMat": "i mat:p",
    "bsMatGetFormat": "i mat:p format:>i",
    "bsMatGetSize": "i mat:p rows:>q cols:>q nnz:>q",
    "bsMatGetValueType": "i mat:p valueType:>i",
    "bsMatGetPointers": "i mat:p offsets:>p indices:>p values:>p",
    "bsMatGetConstPointers": "i mat:p offsets:>p indices:>p values:>p",
    "bsMatGetDense": "i mat:p ld:>q order:>i",
    "bsMatGetIndexing": "i mat:p offsetType:>i indexType:>i base:>i",
    "bsMatGetBlocks": "i mat:p rowBlockSize:>q colBlockSize:>q blockOrder:>i",
    "bsMatGetBatch": "i mat:p count:>q valueStride:>q offsetStride:>q indexStride:>q",
    "bsMatGetGate": "i mat:p gate:>p stride:>q",
    "bsMatGetAnalysis": "i mat:p flags:>i",
    "bsMatSetPointers": "i mat:p offsets:p indices:p values:p",
    "bsMatSetConstPointers": "i mat:p offsets:p indices:p values:p",
    "bsMatSetValues": "i mat:p values:p",
    "bsMatSetConstValues": "i mat:p values:p",
    "bsMatSetBatch": "i mat:p count:q valueStride:q offsetStride:q indexStride:q",
    "bsMatSetGate": "i mat:p gate:p stride:q",
    "bsMatAnalyze_bufferSize": "i handle:p mat:p flags:i bytes:>q",
    "bsMatAnalyze": "i handle:p mat:p flags:i buffer:p bytes:q",
    "bsMatStructureChanged": "i mat:p",
    "bsMatValuesChanged": "i handle:p mat:p",
    "bsMatGetStat": "i mat:p stat:i value:>d",
    "bsMatCheck": "i handle:p mat:p finding:>i position:>q",
    "bsCreateOptions": "i options:>p",
    "bsDestroyOptions": "i options:p",
    "bsOptionsSetInt": "i options:p option:i value:q",
    "bsOptionsGetInt": "i options:p option:i value:>q",
    "bsOptionsSetRoute": "i options:p route:z",
    "bsOptionsGetRoute": "i options:p route:>z",
    "bsOptionsSetBias": "i options:p bias:p type:i axis:i stride:q",
    "bsOptionsGetBias": "i options:p bias:>p type:>i axis:>i stride:>q",
    "bsOptionsSetAuxiliary": "i options:p auxiliary:p",
    "bsOptionsGetAuxiliary": "i options:p auxiliary:>p",
    "bsOptionsSetBiasGradient": "i options:p gradient:p type:i axis:i",
    "bsOptionsGetBiasGradient": "i options:p gradient:>p type:>i axis:>i",
    "bsSpMM_bufferSize": "i handle:p opA:i opB:i alpha:p A:p B:p beta:p C:p compute:i options:p bytes:>q",
    "bsSpMM": "i handle:p opA:i opB:i alpha:p A:p B:p beta:p C:p compute:i options:p workspace:p bytes:q",
    "bsSDDMM_bufferSize": "i handle:p opA:i opB:i alpha:p A:p B:p beta:p C:p compute:i options:p bytes:>q",
    "bsSDDMM": "i handle:p opA:i opB:i alpha:p A:p B:p beta:p C:p compute:i options:p workspace:p bytes:q",
    "bsSpMV_bufferSize": "i handle:p opA:i alpha:p A:p x:p beta:p y:p compute:i options:p bytes:>q",
    "bsSpMV": "i handle:p opA:i alpha:p A:p x:p beta:p y:p compute:i options:p workspace:p bytes:q",
    "bsBlockGateGrad": "i handle:p W:p dW:p gradient:p stride:q",
    "bsConvert_bufferSize": "i handle:p op:i source:p destination:p bytes:>q",
    "bsConvert_count": "i handle:p op:i source:p destination:p workspace:p bytes:q",
    "bsConvert_fill": "i handle:p op:i source:p destination:p workspace:p bytes:q",
    "bsSpMM_explain": "i handle:p opA:i opB:i alpha:p A:p B:p beta:p C:p compute:i options:p device:z report:>p",
    "bsSDDMM_explain": "i handle:p opA:i opB:i alpha:p A:p B:p beta:p C:p compute:i options:p device:z report:>p",
    "bsDestroyReport": "i report:p",
    "bsReportGetCount": "i report:p count:>q",
    "bsReportGet": "i report:p index:q key:i data:p size:q",
    "bsReportGetText": "i report:p text:>z",
}
BSPARSE_VERSION = 100
BSPARSE_WORKSPACE_ALIGNMENT = 256
BS_STATUS_SUCCESS = 0
BS_STATUS_INVALID_HANDLE = 10
BS_STATUS_INVALID_POINTER = 11
BS_STATUS_INVALID_SIZE = 12
BS_STATUS_INVALID_VALUE = 13
BS_STATUS_INVALID_TYPE = 14
BS_STATUS_INVALID_SHAPE = 15
BS_STATUS_INVALID_ALIAS = 16
BS_STATUS_INVALID_POINTER_MODE = 17
BS_STATUS_INSUFFICIENT_WORKSPACE = 20
BS_STATUS_STALE_ANALYSIS = 21
BS_STATUS_INVALID_CONTENT = 22
BS_STATUS_NOT_SUPPORTED = 30
BS_STATUS_ARCH_MISMATCH = 31
BS_STATUS_ALLOC_FAILED = 40
BS_STATUS_CUDA_ERROR = 50
BS_STATUS_EARLIER_CUDA_ERROR = 51
BS_STATUS_MISSING_LIBRARY = 52
BS_STATUS_IO_ERROR = 60
BS_STATUS_INTERNAL_ERROR = 90
BS_BACKEND_CPU = 1
BS_BACKEND_CUDA = 2
BS_R_32F = 0
BS_R_64F = 1
BS_R_16F = 2
BS_R_16BF = 14
BS_INDEX_32I = 2
BS_INDEX_64I = 3
BS_INDEX_BASE_ZERO = 0
BS_INDEX_BASE_ONE = 1
BS_OPERATION_NON_TRANSPOSE = 0
BS_OPERATION_TRANSPOSE = 1
BS_OPERATION_CONJUGATE_TRANSPOSE = 2
BS_ORDER_COL = 1
BS_ORDER_ROW = 2
BS_FORMAT_CSR = 1
BS_FORMAT_CSC = 2
BS_FORMAT_COO = 3
BS_FORMAT_BSR = 6
BS_FORMAT_DENSE = 100
BS_POINTER_MODE_HOST = 0
BS_POINTER_MODE_DEVICE = 1
BS_ANALYZE_STATS = 1
BS_ANALYZE_ORDER = 2
BS_ANALYZE_TRANSPOSE = 4
BS_ANALYZE_PACK = 8
BS_STAT_NNZ = 1
BS_STAT_DENSITY = 2
BS_STAT_ROW_LENGTH_MEAN = 3
BS_STAT_ROW_LENGTH_STDDEV = 4
BS_STAT_ROW_LENGTH_MIN = 5
BS_STAT_ROW_LENGTH_MEDIAN = 6
BS_STAT_ROW_LENGTH_P95 = 7
BS_STAT_ROW_LENGTH_MAX = 8
BS_STAT_EMPTY_ROWS = 9
BS_STAT_EMPTY_COLS = 10
BS_STAT_SORTED = 11
BS_STAT_OCCUPANCY_8 = 12
BS_STAT_OCCUPANCY_16 = 13
BS_STAT_OCCUPANCY_32 = 14
BS_STAT_OCCUPANCY_64 = 15
BS_CONTENT_OK = 0
BS_CONTENT_OFFSET_RANGE = 1
BS_CONTENT_OFFSET_DECREASING = 2
BS_CONTENT_INDEX_RANGE = 3
BS_CONTENT_UNSORTED = 10
BS_CONTENT_DUPLICATE = 11
BS_OPTION_STRICT = 1
BS_OPTION_DETERMINISTIC = 2
BS_OPTION_ALLOW_TF32 = 3
BS_OPTION_ACTIVATION = 4
BS_ACTIVATION_NONE = 0
BS_ACTIVATION_RELU = 1
BS_ACTIVATION_GELU_ERF = 2
BS_ACTIVATION_GELU_TANH = 3
BS_ACTIVATION_SILU = 4
BS_AXIS_ROW = 1
BS_AXIS_COL = 2
BS_REPORT_ROUTE = 1
BS_REPORT_ACCEPTED = 2
BS_REPORT_REASON = 3
BS_REPORT_MICROSECONDS = 4
BS_REPORT_WORKSPACE = 5
BS_REPORT_DETERMINISTIC = 6
BS_REPORT_ISOLATES = 7
BS_REPORT_CHOSEN = 8


# Functions of the library, errors, and where the library is.

_LETTERS = {"i": ctypes.c_int32, "q": ctypes.c_int64, "d": ctypes.c_double, "z": ctypes.c_char_p, "p": ctypes.c_void_p}
LogCallback = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)
_LETTERS["c"] = LogCallback


class Error(RuntimeError):
    """A status other than success: .status, .name, and the library's sentence."""

    def __init__(self, status, message):
        self.status, self.name = status, _library.bsStatusName(status).decode()
        super().__init__(f"{self.name}: {message}")


def _places():
    """Where the library may be: named, in a wheel, in the tree this file was installed to, where the loader looks."""
    here, name = os.path.dirname(os.path.abspath(__file__)), f"libbsparse.so.{SOVERSION}"
    if os.environ.get("BSPARSE_LIBRARY"):
        return [os.environ["BSPARSE_LIBRARY"]]
    folders = [here, os.path.join(here, "bsparse.libs"), os.path.join(here, "..", "lib"),
               os.path.join(here, "..", "lib", f"{os.uname().machine}-linux-gnu"), os.path.join(here, "..", "lib64")]
    return [path for path in (os.path.join(folder, name) for folder in folders) if os.path.exists(path)] + [name]


_library = ctypes.CDLL(_places()[0])


def _declare(name, code):
    """Gives the module a function `name` that takes the inputs and returns the outputs of the C function."""
    result, *words = code.split()
    arguments = [word.split(":") for word in words]
    entry = getattr(_library, name)
    entry.restype = _LETTERS[result]
    entry.argtypes = [ctypes.c_void_p if letter.startswith(">") else _LETTERS[letter] for _, letter in arguments]
    outputs = [_LETTERS[letter[1:]] for _, letter in arguments if letter.startswith(">")]
    inputs = [argument for argument, letter in arguments if not letter.startswith(">")]

    def call(*given):
        if len(given) != len(inputs):
            raise TypeError(f"{name} takes {', '.join(inputs) or 'nothing'}: {len(inputs)} arguments, not {len(given)}")
        values = [output() for output in outputs]
        written, read = iter(values), (value.encode() if isinstance(value, str) else value for value in given)
        status = entry(*[ctypes.byref(next(written)) if letter.startswith(">") else next(read)
                         for _, letter in arguments])
        if result != "i":
            return status.decode()
        if status != BS_STATUS_SUCCESS:
            raise Error(status, _library.bsGetLastErrorMessage().decode())
        found = [value.value.decode() if isinstance(value.value, bytes) else value.value for value in values]
        return found[0] if len(found) == 1 else tuple(found) if found else None

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"{name}({', '.join(inputs)}), see bsparse.h"
    globals()[name] = call


for _name, _code in _FUNCTIONS.items():
    _declare(_name, _code)


# Arrays of other packages: where they lie and what they hold.

_VALUE_TYPES = {"f4": BS_R_32F, "f8": BS_R_64F, "f2": BS_R_16F, "bf2": BS_R_16BF}
_INDEX_TYPES = {"i4": BS_INDEX_32I, "i8": BS_INDEX_64I}
_DLPACK_CODES = {0: "i", 1: "u", 2: "f", 4: "bf"}
_FORMATS = {"f": "f4", "d": "f8", "e": "f2", "i": "i4", "l": "i8", "q": "i8"}


class Array:
    """An array of someone else's: address, element type such as "f4", shape, strides in elements, device, owner."""

    def __init__(self, owner, address, kind, shape, strides, device, read_only):
        self.owner, self.address, self.kind, self.shape = owner, address, kind, tuple(shape)
        self.strides = tuple(strides) if strides is not None else _packed(self.shape)
        self.device, self.read_only = device, read_only

    @property
    def size(self):
        return _product(self.shape)

    def is_contiguous(self):
        return self.size == 0 or all(n == 1 or s == p for n, s, p in zip(self.shape, self.strides, _packed(self.shape)))


def _product(numbers):
    result = 1
    for number in numbers:
        result *= number
    return result


def _packed(shape):
    return tuple(_product(shape[i + 1:]) for i in range(len(shape)))


def asarray(given, name="array"):
    """The Array behind an object, by the first protocol that it has."""
    if isinstance(given, Array):
        return given
    if hasattr(given, "layout") and "sparse" in str(given.layout):
        raise TypeError(f"{name} is a sparse tensor: bsparse.sparse() makes a matrix of it")
    for protocol in (_from_cuda_interface, _from_interface, _from_dlpack, _from_buffer):
        found = protocol(given)
        if found:
            return found
    raise TypeError(f"{name} is a {type(given).__name__}, which has no array interface, DLPack or buffer")


def _from_typestr(given, interface, device):
    kind, item = interface["typestr"][1:], int(interface["typestr"][2:])
    if interface["typestr"][0] == ">":
        raise TypeError("big-endian arrays are not supported")
    if str(getattr(given, "dtype", "")).endswith("bfloat16"):
        kind = "bf2"
    strides = interface.get("strides")
    address, read_only = interface["data"]
    return Array(given, address, kind, interface["shape"], strides and [s // item for s in strides], device, read_only)


def _from_interface(given):
    interface = getattr(given, "__array_interface__", None)
    return interface and _from_typestr(given, interface, ("cpu", 0))


def _from_cuda_interface(given):
    # torch computes it, and refuses types such as bfloat16 by raising: those come by DLPack.
    if "bfloat16" in str(getattr(given, "dtype", "")):
        return None
    interface = getattr(given, "__cuda_array_interface__", None)
    device = getattr(getattr(given, "device", None), "index", None) or getattr(getattr(given, "device", None), "id", 0)
    return interface and _from_typestr(given, interface, ("cuda", device))


class _DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


def _from_dlpack(given):
    if not hasattr(given, "__dlpack__"):
        return None
    device_type, device = given.__dlpack_device__()
    places = {1: "cpu", 2: "cuda", 3: "cpu", 13: "cuda"}  # plain, CUDA, pinned, managed
    if device_type not in places:
        raise TypeError(f"arrays of DLPack device type {device_type} are not supported")
    # -1: no synchronisation of streams; the work is the handle's stream's, whose order is the caller's business.
    capsule = given.__dlpack__(stream=-1) if places[device_type] == "cuda" else given.__dlpack__()
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    tensor = _DLTensor.from_address(pointer(capsule, b"dltensor"))
    shape = [tensor.shape[i] for i in range(tensor.ndim)]
    strides = [tensor.strides[i] for i in range(tensor.ndim)] if tensor.strides else None
    kind = f"{_DLPACK_CODES.get(tensor.code, '?')}{tensor.bits // 8}"
    # The capsule is not consumed: it keeps the memory, and frees it when it goes.
    return Array((given, capsule), (tensor.data or 0) + tensor.byte_offset, kind, shape, strides,
                 (places[device_type], device if places[device_type] == "cuda" else 0), False)


def _from_buffer(given):
    try:
        view = memoryview(given)
    except TypeError:
        return None
    kind = _FORMATS.get(view.format.lstrip("<=@"), view.format)
    if view.readonly or not view.contiguous:
        raise TypeError("a buffer that is read-only or not contiguous cannot be used in place: make a writable "
                        "contiguous copy first")
    address = ctypes.addressof((ctypes.c_char * view.nbytes).from_buffer(given)) if view.nbytes else 0
    return Array(given, address, kind, view.shape, [s // view.itemsize for s in view.strides], ("cpu", 0), False)


def _typed(array, types, name):
    if array.kind not in types:
        raise TypeError(f"{name} has elements of type {array.kind}, must be one of {', '.join(types)}")
    return types[array.kind]


def _flat(array, name):
    """A contiguous array, as C wants it."""
    if not array.is_contiguous():
        raise ValueError(f"{name} is not contiguous: shape {array.shape}, strides {array.strides} in elements; "
                         "make a contiguous copy first")
    return array


# Descriptors with what they point to.

class Matrix:
    """A descriptor with what it points to. Made by dense(), csr(), csc(), coo(), bsr() and sparse()."""

    def __init__(self, mat, structure, values):
        self.mat, self._kept, self._gate, self._analysis = mat, None, None, None
        self.device = values.device
        self._give(structure, values)

    def _give(self, structure, values):
        """Says which arrays may be written; the descriptor has them as const."""
        arrays = [array for array in (*structure, values) if array.size]
        if len({array.device for array in arrays}) > 1:
            raise ValueError(f"the arrays of one matrix lie on {', '.join(f'{d[0]}:{d[1]}' for d in {a.device for a in arrays})}")
        self._kept = (structure, values)
        offsets, indices = (array.address or None for array in structure) if structure else (None, None)
        if not any(array.read_only for array in (*structure, values)):
            bsMatSetPointers(self.mat, offsets, indices, values.address or None)
        elif not values.read_only:
            bsMatSetValues(self.mat, values.address or None)

    def __del__(self):
        if getattr(self, "mat", None):
            _library.bsDestroyMat(self.mat)

    @property
    def shape(self):
        return bsMatGetSize(self.mat)[:2]

    @property
    def nnz(self):
        return bsMatGetSize(self.mat)[2]

    @property
    def value_type(self):
        return bsMatGetValueType(self.mat)

    def set_values(self, values):
        """Other values at the old structure: what analysis found of it stays."""
        new = _flat(asarray(values, "values"), "values")
        if _typed(new, _VALUE_TYPES, "values") != self.value_type or new.size != self._kept[1].size:
            raise ValueError("values differ in type or number from the old ones")
        (bsMatSetConstValues if new.read_only else bsMatSetValues)(self.mat, new.address or None)
        self._kept = (self._kept[0], new)

    def set_gate(self, gate, stride=0):
        array = None if gate is None else _flat(asarray(gate, "gate"), "gate")
        if array and array.kind != "f4":
            raise TypeError(f"gate has elements of type {array.kind}, must be f4")
        bsMatSetGate(self.mat, array.address if array else None, stride)
        self._gate = array

    def set_batch(self, count, value_stride, offset_stride=0, index_stride=0):
        bsMatSetBatch(self.mat, count, value_stride, offset_stride, index_stride)

    def analyze(self, handle, flags=BS_ANALYZE_STATS | BS_ANALYZE_ORDER | BS_ANALYZE_TRANSPOSE):
        size = bsMatAnalyze_bufferSize(handle.handle, self.mat, flags)
        memory = Memory(handle, size)
        bsMatAnalyze(handle.handle, self.mat, flags, memory.pointer, size)
        self._analysis = memory  # the old one goes after it was replaced

    def stat(self, which):
        return bsMatGetStat(self.mat, which)

    def check(self, handle):
        """(finding, position) of bsMatCheck; raises on errors."""
        return bsMatCheck(handle.handle, self.mat)


def dense(values, name="values"):
    """Rows or columns contiguous; one dimension is a column vector, three are a batch of matrices."""
    array = asarray(values, name)
    type_ = _typed(array, _VALUE_TYPES, name)
    shape, strides = array.shape, array.strides
    if len(shape) == 1:
        shape, strides = (shape[0], 1), (strides[0], 1)
    if len(shape) not in (2, 3):
        raise ValueError(f"{name} has {len(shape)} dimensions, must have 1, 2 or 3")
    rows, cols = shape[-2:]
    order, ld = _layout(rows, cols, *strides[-2:], name)
    matrix = Matrix(bsCreateConstDense(rows, cols, ld, array.address or None, type_, order), (), array)
    if len(shape) == 3:
        matrix.set_batch(shape[0], strides[0])
    return matrix


def _layout(rows, cols, row_stride, col_stride, name):
    if (col_stride == 1 or cols <= 1) and (row_stride >= cols or rows <= 1):
        return BS_ORDER_ROW, max(row_stride if rows > 1 else cols, 1)
    if (row_stride == 1 or rows <= 1) and (col_stride >= rows or cols <= 1):
        return BS_ORDER_COL, max(col_stride if cols > 1 else rows, 1)
    raise ValueError(f"{name} is not contiguous in rows or columns: {rows} x {cols}, strides {row_stride}, {col_stride} "
                     "in elements; make a contiguous copy first")


def _expect(array, size, name):
    if array.size != size:
        raise ValueError(f"{name} has {array.size} elements, must have {size}")


def _structure(first, second, data, names):
    """Three contiguous arrays and their types."""
    arrays = [_flat(asarray(given, name), name) for given, name in zip((first, second, data), names)]
    types = [_typed(array, table, name)
             for array, table, name in zip(arrays, (_INDEX_TYPES, _INDEX_TYPES, _VALUE_TYPES), names)]
    return arrays, types, [array.address or None for array in arrays]


def _compressed(create, lists, shape, indptr, indices, data, base):
    arrays, (offset_type, index_type, type_), pointers = _structure(indptr, indices, data, ("indptr", "indices", "data"))
    _expect(arrays[0], lists + 1, "indptr")
    _expect(arrays[2], arrays[1].size, "data")
    return Matrix(create(*shape, arrays[1].size, *pointers, offset_type, index_type, base, type_), arrays[:2], arrays[2])


def csr(shape, indptr, indices, data, base=BS_INDEX_BASE_ZERO):
    return _compressed(bsCreateConstCsr, shape[0], shape, indptr, indices, data, base)


def csc(shape, indptr, indices, data, base=BS_INDEX_BASE_ZERO):
    return _compressed(bsCreateConstCsc, shape[1], shape, indptr, indices, data, base)


def coo(shape, rows, cols, data, base=BS_INDEX_BASE_ZERO):
    arrays, (row_type, index_type, type_), pointers = _structure(rows, cols, data, ("rows", "cols", "data"))
    if row_type != index_type:
        raise TypeError("rows and cols differ in type")
    _expect(arrays[0], arrays[2].size, "rows")
    _expect(arrays[1], arrays[2].size, "cols")
    return Matrix(bsCreateConstCoo(*shape, arrays[2].size, *pointers, index_type, base, type_), arrays[:2], arrays[2])


def bsr(shape, indptr, indices, data, base=BS_INDEX_BASE_ZERO, order=BS_ORDER_ROW):
    """data: blocks x rows of a block x columns of a block. shape counts elements and need not be a multiple."""
    arrays, (offset_type, index_type, type_), pointers = _structure(indptr, indices, data, ("indptr", "indices", "data"))
    if len(arrays[2].shape) != 3:
        raise ValueError(f"data has {len(arrays[2].shape)} dimensions, must be blocks x rows x columns")
    block = arrays[2].shape[1:] if order == BS_ORDER_ROW else arrays[2].shape[:0:-1]
    _expect(arrays[0], -(-shape[0] // block[0]) + 1, "indptr")
    _expect(arrays[1], arrays[2].shape[0], "indices")
    return Matrix(bsCreateConstBsr(*shape, arrays[1].size, *block, *pointers, offset_type, index_type, base, type_, order),
                  arrays[:2], arrays[2])


def sparse(matrix):
    """A SciPy or torch sparse matrix in CSR, CSC, COO or BSR, over its own arrays."""
    layout = str(getattr(matrix, "layout", "")).removeprefix("torch.sparse_")
    if layout in ("csr", "bsr"):
        make = csr if layout == "csr" else bsr
        return make(tuple(matrix.shape), matrix.crow_indices(), matrix.col_indices(), matrix.values())
    if layout == "csc":
        return csc(tuple(matrix.shape), matrix.ccol_indices(), matrix.row_indices(), matrix.values())
    if layout == "coo":
        indices = matrix.indices()
        return coo(tuple(matrix.shape), indices[0], indices[1], matrix.values())
    format_ = getattr(matrix, "format", None)
    if format_ in ("csr", "csc", "bsr"):
        return {"csr": csr, "csc": csc, "bsr": bsr}[format_](matrix.shape, matrix.indptr, matrix.indices, matrix.data)
    if format_ == "coo":
        return coo(matrix.shape, matrix.row, matrix.col, matrix.data)
    raise TypeError(f"{type(matrix).__name__} is not a SciPy or torch matrix in CSR, CSC, COO or BSR")


def asmatrix(given, name="matrix"):
    """Matrices as they are, SciPy and torch sparse matrices by sparse(), anything else by dense()."""
    if isinstance(given, Matrix):
        return given
    is_sparse = "sparse_" in str(getattr(given, "layout", "")) or hasattr(given, "format") and hasattr(given, "nnz")
    return sparse(given) if is_sparse else dense(given, name)


# Handles, options, products.

_OPERATIONS = {"N": BS_OPERATION_NON_TRANSPOSE, "T": BS_OPERATION_TRANSPOSE, "C": BS_OPERATION_CONJUGATE_TRANSPOSE}
_ACTIVATIONS = {"relu": BS_ACTIVATION_RELU, "gelu": BS_ACTIVATION_GELU_ERF, "gelu_tanh": BS_ACTIVATION_GELU_TANH,
                "silu": BS_ACTIVATION_SILU}
_AXES = {"row": BS_AXIS_ROW, "col": BS_AXIS_COL}
_BACKENDS = {"cpu": BS_BACKEND_CPU, "cuda": BS_BACKEND_CUDA}


class Options:
    """Settings of one call. bias and bias_gradient are (array, "row" or "col"); the rest as in bsOption_t."""

    def __init__(self, route=None, activation=None, strict=False, deterministic=False, allow_tf32=False, bias=None,
                 auxiliary=None, bias_gradient=None):
        self.options, self._kept = bsCreateOptions(), []
        bsOptionsSetRoute(self.options, route)
        bsOptionsSetInt(self.options, BS_OPTION_ACTIVATION, _ACTIVATIONS[activation] if activation else 0)
        for option, value in ((BS_OPTION_STRICT, strict), (BS_OPTION_DETERMINISTIC, deterministic),
                              (BS_OPTION_ALLOW_TF32, allow_tf32)):
            bsOptionsSetInt(self.options, option, int(value))
        if bias:
            array, axis = self._vector(bias, "bias")
            bsOptionsSetBias(self.options, array.address, _typed(array, _VALUE_TYPES, "bias"), axis, 0)
        if bias_gradient:
            array, axis = self._vector(bias_gradient, "bias_gradient")
            if array.read_only:
                raise ValueError("bias_gradient is read-only")
            bsOptionsSetBiasGradient(self.options, array.address, _typed(array, _VALUE_TYPES, "bias_gradient"), axis)
        if auxiliary is not None:
            matrix = asmatrix(auxiliary)
            bsOptionsSetAuxiliary(self.options, matrix.mat)
            self._kept.append(matrix)

    def _vector(self, given, name):
        array = _flat(asarray(given[0], name), name)
        self._kept.append(array)
        return array, _AXES[given[1]]

    def __del__(self):
        if getattr(self, "options", None):
            _library.bsDestroyOptions(self.options)


class Memory:
    """Device memory of a handle, which it keeps alive."""

    def __init__(self, handle, size):
        self._handle, self.size = handle, size
        self.pointer = bsMalloc(handle.handle, size)

    def __del__(self):
        if getattr(self, "pointer", None):
            _library.bsFree(self._handle.handle, self.pointer)


class Report:
    """What explain says: candidates as dictionaries, best first, and a text for people."""

    def __init__(self, report):
        types = (("route", BS_REPORT_ROUTE, ctypes.c_char_p), ("accepted", BS_REPORT_ACCEPTED, ctypes.c_int32),
                 ("reason", BS_REPORT_REASON, ctypes.c_char_p), ("microseconds", BS_REPORT_MICROSECONDS, ctypes.c_double),
                 ("workspace", BS_REPORT_WORKSPACE, ctypes.c_int64), ("chosen", BS_REPORT_CHOSEN, ctypes.c_int32))
        self.candidates = [{name: self._get(report, index, key, type_()) for name, key, type_ in types}
                           for index in range(bsReportGetCount(report))]
        self.text = bsReportGetText(report)
        bsDestroyReport(report)

    @staticmethod
    def _get(report, index, key, value):
        bsReportGet(report, index, key, ctypes.byref(value), ctypes.sizeof(value))
        return value.value.decode() if isinstance(value.value, bytes) else value.value


class Handle:
    """A handle on the GPU if there is one, else on the CPU, or on a named backend: Handle("cuda", 0)."""

    def __init__(self, backend=None, device=0):
        self._workspace = None
        self.handle = bsCreateOn(_BACKENDS[backend], device) if backend else bsCreate()
        self.backend = {number: name for name, number in _BACKENDS.items()}[bsGetBackend(self.handle)]
        self.device = (self.backend, bsGetDevice(self.handle))

    def __del__(self):
        if getattr(self, "handle", None):
            self._workspace = None
            _library.bsDestroy(self.handle)

    def set_stream(self, stream):
        """A cudaStream_t as a number: torch.cuda.current_stream().cuda_stream, cupy.cuda.get_current_stream().ptr."""
        if stream == (bsGetStream(self.handle) or 0):
            return
        self._workspace = None  # freeing waits for the old stream
        bsSetStream(self.handle, stream or None)

    def set_num_threads(self, threads):
        bsSetNumThreads(self.handle, threads)

    def synchronize(self):
        bsSynchronize(self.handle)

    def spmm(self, A, B, C, alpha=1, beta=0, op_a="N", op_b="N", options=None):
        """C = act(alpha op(A) op(B) + beta C + bias); A or B is sparse, C is written."""
        self._run(bsSpMM_bufferSize, bsSpMM, *self._product(A, B, C, alpha, beta, op_a, op_b, options))

    def sddmm(self, A, B, C, alpha=1, beta=0, op_a="N", op_b="N", options=None):
        """C = alpha (op(A) op(B)) at the structure of the sparse C + beta C."""
        self._run(bsSDDMM_bufferSize, bsSDDMM, *self._product(A, B, C, alpha, beta, op_a, op_b, options))

    def spmv(self, A, x, y, alpha=1, beta=0, op_a="N", options=None):
        """y = act(alpha op(A) x + beta y + bias)."""
        arguments, kept = self._product(A, x, y, alpha, beta, op_a, "N", options)
        self._run(bsSpMV_bufferSize, bsSpMV, arguments[:2] + arguments[3:], kept)

    def gate_gradient(self, W, dW, gradient):
        array = _flat(asarray(gradient, "gradient"), "gradient")
        bsBlockGateGrad(self.handle, W.mat, dW.mat, array.address, 0)

    def convert(self, source, destination, allocate, op="N"):
        """destination = op(source); allocate(nnz) gives (indptr, indices, data) of that size, or nothing for dense."""
        def count_and_fill(handle, operation, from_, to, workspace, size):
            bsConvert_count(handle, operation, from_, to, workspace, size)
            arrays = allocate(destination.nnz)
            if arrays:
                arrays = [_flat(asarray(array), "array") for array in arrays]
                bsMatSetConstPointers(to, *[array.address or None for array in arrays])
                destination._give(arrays[:2], arrays[2])
            bsConvert_fill(handle, operation, from_, to, workspace, size)
        self._run(bsConvert_bufferSize, count_and_fill,
                  (self.handle, _OPERATIONS[op], source.mat, destination.mat), (source, destination))

    def explain_spmm(self, A, B, C, alpha=1, beta=0, op_a="N", op_b="N", options=None, device=None):
        arguments, _kept = self._product(A, B, C, alpha, beta, op_a, op_b, options)
        return Report(bsSpMM_explain(*arguments, device))

    def explain_sddmm(self, A, B, C, alpha=1, beta=0, op_a="N", op_b="N", options=None, device=None):
        arguments, _kept = self._product(A, B, C, alpha, beta, op_a, op_b, options)
        return Report(bsSDDMM_explain(*arguments, device))

    def _product(self, A, B, C, alpha, beta, op_a, op_b, options):
        """The C arguments up to the options, and what must live during the call."""
        operands = [asmatrix(given, name) for name, given in zip("ABC", (A, B, C))]
        for name, operand in zip("ABC", operands):
            if operand.device != self.device:
                raise ValueError(f"{name} lies on {operand.device[0]}:{operand.device[1]}, the handle is on "
                                 f"{self.device[0]}:{self.device[1]}")
        compute, scalar = (BS_R_64F, ctypes.c_double) if operands[2].value_type == BS_R_64F else (BS_R_32F, ctypes.c_float)
        scalars = scalar(alpha), scalar(beta)
        a, b, c = (operand.mat for operand in operands)
        return (self.handle, _OPERATIONS[op_a], _OPERATIONS[op_b], ctypes.byref(scalars[0]), a, b,
                ctypes.byref(scalars[1]), c, compute, options and options.options), (operands, scalars)

    def _run(self, query, execute, arguments, _kept):
        size = query(*arguments)
        if size and (self._workspace is None or self._workspace.size < size):
            self._workspace = None
            self._workspace = Memory(self, size)
        execute(*arguments, self._workspace.pointer if size else None, size)
