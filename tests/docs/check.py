#!/usr/bin/env python3
"""Documents against what they describe: check.py KERNEL_TABLE_PROGRAM BUILD_DIR. One line a test case in BSPARSE_TEST_RESULTS."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def blocks_of(page, language):
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / page).read_text(), re.S)


def examples_are_cut_from_tested_programs():
    """The programs of docs/examples are run by the clients ring."""
    pages = [page.relative_to(ROOT) for page in [ROOT / "README.md", *ROOT.glob("docs/*.md")]]
    assert blocks_of("README.md", "c"), "README.md has no example"
    for language, ending in (("c", "c"), ("python", "py"), ("fortran", "f90"), ("rust", "rs")):
        sources = [path.read_text() for path in ROOT.glob(f"docs/examples/*.{ending}")]
        for page in pages:
            for block in blocks_of(page, language):
                assert any(block in source for source in sources), f"not in docs/examples, from {page}:\n{block}"


def examples_are_run():
    """Each program of docs/examples is named where the tests are listed."""
    listed = (ROOT / "tests/clients/CMakeLists.txt").read_text()
    for path in ROOT.glob("docs/examples/*.*"):
        assert path.name in listed or path.stem in listed, f"{path.name} is not run by tests/clients"


def pages_name_existing_functions():
    """A bsName in a page is a function, a type or a name with a star; so are BS_NAMES."""
    header = (ROOT / "include/bsparse.h").read_text()
    for page in ROOT.glob("docs/from_*.md"):
        for name, star in re.findall(r"`(bs[A-Z]\w*|BS_[A-Z0-9_]+)(\*?)", page.read_text()):
            found = re.search(rf"\b{name}" + ("" if star else r"\b"), header)
            assert found, f"{page.name} has {name}, bsparse.h has not"


def kernel_table_is_what_the_registry_prints(program):
    printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    page = (ROOT / "docs/kernels.md").read_text()
    for section in printed.split("\n## "):  # a build without CUDA prints fewer
        assert section.strip() in page, f"docs/kernels.md is stale: run {program} > docs/kernels.md"


def links_lead_somewhere():
    for page in [ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("*/README.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.relative_to(ROOT)} links {target}"


def kernel_example_compiles():
    (example,) = blocks_of("docs/adding_a_kernel.md", "cpp")
    includes = [f"-I{ROOT / folder}" for folder in ("include", "src", "kernels")]
    command = [os.environ.get("CXX", "c++"), "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c++"]
    compiled = subprocess.run([*command, *includes, "-"], input=example, capture_output=True, text=True, check=False)
    assert compiled.returncode == 0, compiled.stderr


class Skip(Exception):
    """The reason why a case does not run."""


def reference_has_every_function(build):
    """The site and the manual pages, made anew."""
    if not shutil.which("doxygen"):
        raise Skip("no doxygen")
    made = subprocess.run(["cmake", "--build", build, "--target", "docs"], capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    folder = pathlib.Path(build) / "docs"
    warnings = (folder / "warnings.txt").read_text()
    assert not warnings, warnings
    functions = set(re.findall(r"^BS_API [^(]*?(bs\w+)\(", (ROOT / "include/bsparse.h").read_text(), re.M))
    site = set(re.findall(r"<name>(bs\w+)</name>", (folder / "bsparse.tag").read_text()))
    assert functions and functions <= site, f"not in the site: {functions - site}"
    pages = {path.stem for path in (folder / "man3").glob("*.3")}
    assert pages == functions, f"manual pages differ: {pages ^ functions}"


def main():
    cases = {
        "examples of the documents are cut from tested programs": examples_are_cut_from_tested_programs,
        "programs of docs/examples are run": examples_are_run,
        "pages for newcomers name existing functions": pages_name_existing_functions,
        "docs/kernels.md is what the registry prints": lambda: kernel_table_is_what_the_registry_prints(sys.argv[1]),
        "links in the documents lead somewhere": links_lead_somewhere,
        "the kernel of docs/adding_a_kernel.md compiles": kernel_example_compiles,
        "the reference site and manual pages have every function": lambda: reference_has_every_function(sys.argv[2]),
    }
    failed = 0
    with open(os.environ.get("BSPARSE_TEST_RESULTS", os.devnull), "a") as results:
        for name, case in cases.items():
            try:
                case()
                print(f"ok {name}", file=results)
            except Skip as reason:
                print(f"skip {name}: {reason}", file=results)
            except AssertionError as error:
                failed += 1
                print(f"not ok {name}", file=results)
                print(f"{name}: {error}")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
