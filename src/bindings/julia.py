"""include/bsparse.jl: declarations for Julia."""

INTRO = """\
# The interface of libbsparse for Julia, made from bsparse.h, which is the manual: include("bsparse.jl"), then
# BSparse.check(BSparse.bsCreateOn(handle, BSparse.BS_BACKEND_CPU, 0)) with handle = Ref{BSparse.bsHandle_t}(). Set
# LIBBSPARSE in the environment where the library is not on the loader's path. What C writes through a pointer is a Ref.
# Arrays are pointers: keep them with GC.@preserve as long as a descriptor lives. Julia's matrices are BS_ORDER_COL;
# BS_INDEX_BASE_ONE counts from 1.
module BSparse

const libbsparse = get(ENV, "LIBBSPARSE", "libbsparse.so.{soversion}")
"""
SCALARS = {"int32_t": "Int32", "int64_t": "Int64", "double": "Float64", "float": "Float32", "void": "Cvoid"}
CHECK = """
struct Error <: Exception
    status::bsStatus_t
    message::String
end
Base.showerror(io::IO, error::Error) = print(io, unsafe_string(bsStatusName(error.status)), ": ", error.message)

# Throws what failed.
check(status) = status == BS_STATUS_SUCCESS ? nothing : throw(Error(status, unsafe_string(bsGetLastErrorMessage())))

end
"""


def type_of(name):
    if name == "const char*":
        return "Cstring"
    if not name.endswith("*"):
        return SCALARS.get(name, name)
    inner = type_of(name[:-1].removeprefix("const ") if not name.endswith("**") else name[:-1])
    return f"Ptr{{{inner}}}"


def wrapper(function):
    names = [a["name"] for a in function["arguments"]]
    typed = ", ".join(f"{a['name']}::{type_of(a['type'])}" for a in function["arguments"])
    return (f"{function['name']}({', '.join(names)}) =\n"
            f"    @ccall libbsparse.{function['name']}({typed})::{type_of(function['result'])}")


def make(api):
    out = [INTRO.replace("{soversion}", str(api["soversion"]))]
    for handle in api["handles"]:
        out.append(f"const {handle['name']} = Ptr{{Cvoid}}")
    for callback in api["callbacks"]:
        out.append(f"const {callback['name']} = Ptr{{Cvoid}}")
    out.append("")
    out += [f"const {name} = Int32({value})" for name, value in api["numbers"].items()]
    for enum in api["enums"]:
        out.append(f"\nconst {enum['name']} = Int32")
        out += [f"const {m['name']} = Int32({m['value']})" for m in enum["members"]]
    out.append("")
    out += [wrapper(function) for function in api["functions"]]
    return "\n".join(out) + "\n" + CHECK
