#!/usr/bin/env python3
"""The binary interface against its record in this folder: see docs/abi.md.

    check.py LIBRARY CC            compares
    check.py LIBRARY CC --record   writes the record anew; from soname 1 on it refuses what would break programs

symbols.txt    exported functions with their versions, from the library
constants.txt  enumerators and numbers, from the header
bsparse.abi    types and signatures, by libabigail from a library of empty functions over the header: the real one is
               compiled against the same declarations, and needs no debug information this way
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
API = json.loads((ROOT / "include" / "api.json").read_text(encoding="utf-8"))
SONAME = f"soname {API['soversion']}"


def symbols(library):
    printed = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    return [SONAME] + sorted(line.split()[2] for line in printed.splitlines() if line.split()[1] == "T")


def constants(_library=None):
    versions = ("BSPARSE_VERSION",)  # it is meant to change
    rows = [f"{m['name']} = {m['value']}" for enum in API["enums"] for m in enum["members"]]
    return [SONAME] + rows + [f"{name} = {value}" for name, value in API["numbers"].items() if name not in versions]


TEXTS = {"symbols.txt": symbols, "constants.txt": constants}


def recorded(name):
    return (HERE / name).read_text(encoding="utf-8").splitlines()


def changes(old, new):
    return [f"gone: {line}" for line in old if line not in new] + [f"not recorded: {line}" for line in new if line not in old]


def compare(name, library):
    """What differs. Additions must be recorded, what is gone must not be."""
    return changes(recorded(name), TEXTS[name](library))


def write_interface(cc, folder):
    """The ABI of the header as libabigail's XML."""
    functions = ["#include <bsparse.h>"]
    for function in API["functions"]:
        arguments = ", ".join(f"{a['type']} {a['name']}" for a in function["arguments"]) or "void"
        functions.append(f"{function['result']} {function['name']}({arguments}) {{ return 0; }}")
    source, library, xml = folder / "bsparse.c", folder / f"libbsparse.so.{API['soversion']}", folder / "bsparse.abi"
    source.write_text("\n".join(functions) + "\n", encoding="utf-8")
    subprocess.run([cc, "-w", "-g", "-O0", "-shared", "-fPIC", f"-I{ROOT / 'include'}", "-fdebug-prefix-map=/=",
                    f"-Wl,-soname,{library.name}", "-o", library, source], check=True)
    subprocess.run(["abidw", "--no-comp-dir-path", "--no-corpus-path", "--no-show-locs", "--out-file", xml, library],
                   check=True)
    return xml


def compare_interface(cc):
    with tempfile.TemporaryDirectory() as folder:
        xml = write_interface(cc, pathlib.Path(folder))
        found = subprocess.run(["abidiff", "--no-architecture", HERE / "bsparse.abi", xml], capture_output=True, text=True, check=False)
        return (found.stdout + found.stderr).splitlines() if found.returncode else []


def record(library, cc):
    for name, current in TEXTS.items():
        if not (HERE / name).exists():
            continue
        old, new = recorded(name), current(library)
        gone = [line for line in old if line not in new]
        if gone and old[0] == new[0] != "soname 0":
            sys.exit(f"{name}: {', '.join(gone)} would go, which needs a new soname: see docs/abi.md")
    for name, current in TEXTS.items():
        (HERE / name).write_text("\n".join(current(library)) + "\n", encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copyfile(write_interface(cc, pathlib.Path(folder)), HERE / "bsparse.abi")


def main():
    library, cc = sys.argv[1:3]
    if sys.argv[3:] == ["--record"]:
        record(library, cc)
        return 0
    failed = 0
    cases = {"exported symbols and versions": lambda: compare("symbols.txt", library),
             "values of enumerators": lambda: compare("constants.txt", library),
             "types and signatures": lambda: compare_interface(cc)}
    with open(os.environ.get("BSPARSE_TEST_RESULTS", os.devnull), "a", encoding="utf-8") as results:
        for what, case in cases.items():
            if what.startswith("types") and not shutil.which("abidiff"):
                print(f"skip abi: {what}: no abidiff (abigail-tools)", file=results)
                continue
            problems = case()
            failed += bool(problems)
            print(f"{'not ok' if problems else 'ok'} abi: {what} are those recorded", file=results)
            for problem in problems:
                print(f"{what}: {problem}")
    return int(failed != 0)


sys.exit(main())
