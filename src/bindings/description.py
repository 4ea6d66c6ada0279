"""The library as data: what include/api.json holds and every language interface is made from.

Beside what the header declares an argument has
  direction   in; out: written through the pointer; inout: memory that a call may write
  memory      of pointers that are not handles: host; device (of the handle's backend); scalar (where the pointer mode
              says); any (host or device)
  borrowed    true: kept by the object that the call makes or changes, so the memory must outlive it
"""

import header

# void* of these functions; elsewhere a pointer to void or float is an array in device memory.
MEMORY = {("bsMemcpy", "destination"): "any", ("bsMemcpy", "source"): "any", ("bsReportGet", "data"): "host",
          ("bsSetLogCallback", "user"): "host", ("bsFree", "pointer"): "device"}
DIRECTION = {("bsReportGet", "data"): "out", ("bsMemcpy", "destination"): "out", ("bsBlockGateGrad", "gradient"): "out"}
NOT_STREAM = ("bsSetStream", "bsConvert_count")  # their text speaks of (stream) calls and is not about them
ARRAY = "it has no elements, or no call reads it yet"
BORROWS = ("bsCreate", "bsMatSet", "bsOptionsSet", "bsSetLogCallback")


def memory(function, argument):
    if not argument.type.endswith("*"):
        return None
    if argument.type in ("void*", "const void*", "float*", "const float*"):
        if argument.name in ("alpha", "beta"):
            return "scalar"
        return MEMORY.get((function.name, argument.name), "device")
    return "host"


def direction(function, argument):
    if (function.name, argument.name) in DIRECTION:
        return DIRECTION[function.name, argument.name]
    if not argument.type.endswith("*") or argument.type in ("const void*", "const float*", "const char*"):
        return "in"
    if argument.type in ("void*", "float*"):
        return "inout"
    return "out"


def describe_argument(function, argument):
    found = {"name": argument.name, "type": argument.type, "direction": direction(function, argument)}
    if memory(function, argument):
        found["memory"] = memory(function, argument)
    if argument.nullable or argument.condition:
        found["nullable"] = argument.condition or True
    elif "device" == memory(function, argument) and function.name.startswith(("bsCreate", "bsMatSet")):
        found["nullable"] = ARRAY
    array = argument.type in ("void*", "const void*", "float*", "const float*")
    borrows = function.name.startswith(BORROWS) or argument.name == "buffer"
    if (array and borrows) or (function.name, argument.name) == ("bsOptionsSetAuxiliary", "auxiliary"):
        found["borrowed"] = True
    return found


def describe_function(function):
    return {"name": function.name, "result": function.result, "section": function.section,
            "stream": "(stream)" in function.text and not function.name.endswith("_bufferSize") and
                      function.name not in NOT_STREAM,
            "text": function.text,
            "arguments": [describe_argument(function, argument) for argument in function.arguments]}


def describe(text):
    numbers = header.numbers(text)
    version = [numbers.pop(f"BSPARSE_VERSION_{part}") for part in ("MAJOR", "MINOR", "PATCH")]
    return {
        "library": "bsparse", "version": ".".join(map(str, version)),
        "numbers": {"BSPARSE_VERSION": version[0] * 10000 + version[1] * 100 + version[2], **numbers},
        "handles": [vars(handle) for handle in header.handles(text)],
        "enums": [{"name": name, "type": "int32_t", "members": [vars(member) for member in members]}
                  for name, members in header.members(text).items()],
        "callbacks": [{"name": name, "arguments": [{"name": a.name, "type": a.type} for a in arguments]}
                      for name, arguments in header.callbacks(text).items()],
        "functions": [describe_function(function) for function in header.functions(text).values()],
    }
