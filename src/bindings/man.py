"""man.py API_JSON FOLDER: a manual page for every function."""

import json
import pathlib
import sys
import textwrap


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in ".'" else line for line in text.split("\n"))


def prototype(function):
    arguments = ", ".join(f"{a['type']} {a['name']}" for a in function["arguments"]) or "void"
    return f"{function['result']} {function['name']}({arguments});"


def describe(argument):
    words = [argument["type"], argument["direction"]]
    words += [f"{argument['memory']} memory"] if "memory" in argument else []
    words += ["borrowed"] if argument.get("borrowed") else []
    nullable = argument.get("nullable")
    words += ["may be NULL" + ("" if nullable is True else f" if {nullable}")] if nullable else []
    return ", ".join(words)


def page(api, function):
    others = [f for f in api["functions"] if f["section"] == function["section"] and f is not function]
    same_text = [f["name"] for f in others if function["text"] and f["text"] == function["text"]]
    lines = [f".TH {function['name']} 3 \"\" \"libbsparse {api['version']}\" \"{function['section']}\"",
             ".SH NAME", escaped(f"{function['name']} - {function['section'].split('. ')[1].lower()}"), ".SH SYNOPSIS",
             ".nf", "#include <bsparse.h>", ""]
    lines += [escaped(line) for line in textwrap.wrap(prototype(function), 76, subsequent_indent="    ")] + [".fi"]
    lines += [".SH DESCRIPTION", escaped("\n".join(textwrap.wrap(function["text"], 100)))]
    for argument in function["arguments"]:
        lines += [".TP", f".I {argument['name']}", escaped(describe(argument))]
    if function["stream"]:
        lines += [".PP", escaped("Enqueues work on the handle's stream and returns.")]
    if same_text:
        lines += [".SH SEE ALSO", escaped(", ".join(f"{name}(3)" for name in same_text))]
    return "\n".join(lines) + "\n"


def main():
    api = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for function in api["functions"]:
        (folder / f"{function['name']}.3").write_text(page(api, function), encoding="utf-8")


main()
