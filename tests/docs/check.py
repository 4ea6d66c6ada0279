#!/usr/bin/env python3
"""Documents against what they describe: check.py KERNEL_TABLE_PROGRAM. One line a test case in BSPARSE_TEST_RESULTS."""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def blocks_of(page, language):
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / page).read_text(), re.S)


def readme_example_is_cut_from_a_tested_program():
    source = (ROOT / "docs/examples/spmm.c").read_text()
    blocks = blocks_of("README.md", "c")
    assert blocks, "README.md has no example"
    for block in blocks:
        assert block in source, "an example of README.md is not part of docs/examples/spmm.c"


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


def main():
    cases = {
        "README example is cut from a tested program": readme_example_is_cut_from_a_tested_program,
        "docs/kernels.md is what the registry prints": lambda: kernel_table_is_what_the_registry_prints(sys.argv[1]),
        "links in the documents lead somewhere": links_lead_somewhere,
        "the kernel of docs/adding_a_kernel.md compiles": kernel_example_compiles,
    }
    failed = 0
    with open(os.environ.get("BSPARSE_TEST_RESULTS", os.devnull), "a") as results:
        for name, case in cases.items():
            try:
                case()
                print(f"ok {name}", file=results)
            except AssertionError as error:
                failed += 1
                print(f"not ok {name}", file=results)
                print(f"{name}: {error}")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
