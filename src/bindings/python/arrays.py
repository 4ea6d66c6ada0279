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
