"""include/bsparse.rs: declarations for Rust, without a crate: #[path = "..."] mod bsparse."""

INTRO = """\
// The interface of libbsparse for Rust, made from bsparse.h, which is the manual. Enumerations are i32: a value that a newer
// library adds is data, never undefined behaviour. Objects are opaque; the library never moves them.
#![allow(non_camel_case_types, non_snake_case, non_upper_case_globals, dead_code, clippy::all)]

use std::os::raw::{c_char, c_double, c_float, c_void};
"""
SCALARS = {"int32_t": "i32", "int64_t": "i64", "double": "c_double", "float": "c_float", "char": "c_char",
           "void": "c_void"}


def type_of(name):
    if not name.endswith("*"):
        return SCALARS.get(name, name)
    inner = name[:-1]
    if inner.endswith("*"):
        return f"*mut {type_of(inner)}"
    if inner.startswith("const "):
        return f"*const {type_of(inner[6:])}"
    return f"*mut {type_of(inner)}"


def parameter(argument):
    name = {"type": "type_"}.get(argument["name"], argument["name"])
    return f"{name}: {type_of(argument['type'])}"


def make(api):
    out = [INTRO]
    for struct in sorted({handle["struct"] for handle in api["handles"]}):
        out.append(f"#[repr(C)]\npub struct {struct} {{\n    _opaque: [u8; 0],\n}}")
    for handle in api["handles"]:
        out.append(f"pub type {handle['name']} = *{'const' if handle['const'] else 'mut'} {handle['struct']};")
    for callback in api["callbacks"]:
        parameters = ", ".join(parameter(a) for a in callback["arguments"])
        out.append(f"pub type {callback['name']} = Option<unsafe extern \"C\" fn({parameters})>;")
    out.append("")
    out += [f"pub const {name}: i32 = {value};" for name, value in api["numbers"].items()]
    for enum in api["enums"]:
        out.append(f"\npub type {enum['name']} = i32;")
        out += [f"pub const {m['name']}: {enum['name']} = {m['value']};" for m in enum["members"]]
    out.append('\n#[link(name = "bsparse")]\nextern "C" {')
    for function in api["functions"]:
        parameters = "".join(f"\n        {parameter(a)}," for a in function["arguments"])
        out.append(f"    pub fn {function['name']}({parameters + chr(10) + '    ' if parameters else ''})"
                   f" -> {type_of(function['result'])};")
    return "\n".join(out) + "\n}\n"
