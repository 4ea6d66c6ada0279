"""Every language interface has every function that the library exports, and is what the header makes of it.

    bindings.py SOURCE_DIR LIBRARY

One test case a binding goes to the file that BSPARSE_TEST_RESULTS names.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

INCLUDE = pathlib.Path(sys.argv[1]) / "include"
GENERATE = pathlib.Path(sys.argv[1]) / "src" / "bindings" / "generate"
DECLARED = {"bsparse.h": r"^BS_API [^(]*?(bs\w+)\(", "bsparse.f90": r'bind\(C, name="(bs\w+)"\)',
            "bsparse.rs": r"^    pub fn (bs\w+)\(", "bsparse.jl": r"@ccall libbsparse\.(bs\w+)\(",
            "bsparse.py": r'^    "(bs\w+)": "'}


def exported(library):
    printed = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    return {name.split("@")[0] for _, kind, name in (line.split() for line in printed.splitlines()) if kind == "T"}


def declared(name):
    text = (INCLUDE / name).read_text(encoding="utf-8")
    if name == "api.json":
        return [function["name"] for function in json.loads(text)["functions"]]
    return re.findall(DECLARED[name], re.sub(r" &\n\s*", " ", text), flags=re.M)  # Fortran's lines joined


def main():
    functions, failed = exported(sys.argv[2]), 0
    with open(os.environ.get("BSPARSE_TEST_RESULTS", os.devnull), "a", encoding="utf-8") as results:
        def check(what, problems):
            nonlocal failed
            failed += bool(problems)
            print(f"{'not ok' if problems else 'ok'} {what}", file=results)
            for problem in problems:
                print(f"{what}: {problem}")

        check("bindings: the library exports functions", [] if functions else ["none found"])
        for name in (*DECLARED, "api.json"):
            found = declared(name)
            check(f"bindings: {name} has the functions of the library",
                  [f"{f} is missing" for f in sorted(functions - set(found))] +
                  [f"{f} is not exported" for f in sorted(set(found) - functions)] +
                  [f"{f} stands twice" for f in sorted({f for f in found if found.count(f) > 1})])
        made = subprocess.run([sys.executable, GENERATE, "--check"], capture_output=True, text=True, check=False)
        check("bindings: all are made from the present header", (made.stdout + made.stderr).splitlines())
    sys.exit(failed != 0)


main()
