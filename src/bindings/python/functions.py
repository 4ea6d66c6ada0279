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
