"""include/bsparse.py: the parts in python/ and a table of functions and constants."""

import pathlib
import textwrap

PARTS = pathlib.Path(__file__).resolve().parent / "python"
SCALARS = {"int64_t": "q", "double": "d", "const char*": "z"}


def letter(type_, enums, callbacks):
    if type_ in callbacks:
        return "c"
    if type_ in enums or type_ == "int32_t":
        return "i"
    return SCALARS.get(type_, "p")


def is_output(argument):
    """What the Python function returns instead of taking: a single value written to the host."""
    return argument["direction"] == "out" and argument.get("memory") == "host" and argument["type"] != "void*"


def code(argument, enums, callbacks):
    if is_output(argument):
        return f"{argument['name']}:>{letter(argument['type'][:-1], enums, callbacks)}"
    return f"{argument['name']}:{letter(argument['type'], enums, callbacks)}"


def table(api):
    enums = {enum["name"] for enum in api["enums"]}
    callbacks = {callback["name"] for callback in api["callbacks"]}
    lines = ["_FUNCTIONS = {"]
    for function in api["functions"]:
        result = letter(function["result"], enums, callbacks)
        words = " ".join([result] + [code(a, enums, callbacks) for a in function["arguments"]])
        pieces = textwrap.wrap(words, 100, drop_whitespace=False)
        lines.append(f'    "{function["name"]}": "{pieces[0]}"')
        lines += [f'        "{piece}"' for piece in pieces[1:]]
        lines[-1] += ","
    lines.append("}")
    lines += [f"{name} = {value}" for name, value in api["numbers"].items()]
    lines += [f"{m['name']} = {m['value']}" for enum in api["enums"] for m in enum["members"]]
    return "\n".join([f"SOVERSION = {api['soversion']}"] + lines)


def make(api):
    """The parts of src/bindings/python in one module, the table behind the first."""
    head, *parts = [(PARTS / f"{name}.py").read_text(encoding="utf-8")
                    for name in ("head", "functions", "arrays", "matrices", "calls")]
    made = "# Made by src/bindings/generate from bsparse.h; what follows, from src/bindings/python.\n"
    return "\n\n".join([f"{head}\n{made}{table(api)}\n", *parts])
