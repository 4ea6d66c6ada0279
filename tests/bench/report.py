#!/usr/bin/env python3
"""bench/report.py over report.jsonl, whose figures are made up. One line a test case in BSPARSE_TEST_RESULTS."""

import csv
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
REPORT = HERE.parents[1] / "bench/report.py"
FIXTURE = HERE / "report.jsonl"


class Skip(Exception):
    pass


def run(*words, path=""):
    return subprocess.run([sys.executable, "-B", REPORT, *words], capture_output=True, text=True,
                          env=os.environ | {"PYTHONPATH": str(path)})


def passed(*words, path=""):
    done = run(*words, path=path)
    assert done.returncode == 0, done.stderr
    return done


def csv_has_a_row_a_contender(folder):
    passed(FIXTURE, "--csv", folder / "new/rows.csv")
    with (folder / "new/rows.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(FIXTURE.read_text().splitlines())
    first = next(row for row in rows if row["commit"] == "abc1234")
    assert first["contender"] == "cuda/spmm_bsr_mma" and first["chosen"] == "True", first
    assert [float(first[name]) for name in ("us", "predicted_us", "vs_cublas", "vs_cusparse", "regret")] \
        == [2, 1.5, 4, 9, 1], first
    wrong = [row for row in rows if row["error"]]
    assert len(wrong) == 1 and wrong[0]["us"] == "", wrong


def table_has_the_last_measurement_of_each_problem():
    lines = [line for line in passed(FIXTURE, "--markdown").stdout.splitlines() if line.startswith("| sp")]
    assert lines == [
        "| spmm bsr 64 bf16 1024 x 1024 x 1024 10 % | `cuda/spmm_bsr_mma` | 2.00 | 109 |  | 8.00 gemm_row "
        "| 18.0 bsr_alg1_row | 4.00 | 9.00 | 1.00 |",
        "| spmm bsr 64 bf16 1024 x 1024 x 1024 50 % | `cuda/spmm_bsr_mma` | 5.00 | 43.6 | `cuda/spmm_bsr_band` 4.00 "
        "| 5.00 gemm_row | 5.00 bsr_alg1_row | 1.00 | 1.00 | 1.25 |",
        "| spmm bsr 64 bf16 1024 x 1024 x 1024 10 % opa t analysis stats+order+transpose "
        "| `cuda/spmm_bsr_mma` **wrong** | - | - |  | 8.00 gemm_row | - | - | - | - |",
        "| spmv csr f32 96 x 64 20 % analysis none | `cuda/spmv_csr_rows` | 0.500 | 436 |  | - | - | - | - | - |",
    ], "\n".join(lines)


def summary_has_geometric_means_and_the_worst_regret():
    line = passed(FIXTURE).stdout
    assert line == (
        "4 problems, x cuBLAS 2.00 (geometric mean of 2), x cuSPARSE 3.00 (geometric mean of 2), worst regret 1.25 "
        "(--op spmm --format bsr --block 64 --dtype bf16 --m 1024 --k 1024 --n 1024 --density 0.5 "
        "--analysis stats+order), 1 wrong or failed rows\n"), line


def lines_of_something_else_are_named(folder):
    for text, message in (("{}", "other.jsonl:1 lacks block, "), ("text", "other.jsonl:1 is not JSON of bsbench"),
                          ("", "rows of one device are needed, these have none")):
        (folder / "other.jsonl").write_text(text)
        done = run(folder / "other.jsonl")
        assert done.returncode == 1 and message in done.stderr, done.stderr


def devices_are_not_mixed(folder):
    (folder / "other.jsonl").write_text(FIXTURE.read_text().replace("Fixture GPU", "Another GPU"))
    done = run(FIXTURE, folder / "other.jsonl")
    assert done.returncode == 1 and "these have Another GPU, Fixture GPU" in done.stderr, done.stderr


def without_matplotlib_plots_are_left_out_with_a_sentence(folder):
    (folder / "matplotlib.py").write_text("raise ImportError('matplotlib is missing')\n")
    done = passed(FIXTURE, "--plots", folder / "plots", path=folder)
    assert "no plots, matplotlib is missing" in done.stderr, done.stderr
    assert done.stdout.startswith("4 problems") and not (folder / "plots").exists()


def plots_are_the_same_bytes_each_time(folder):
    if subprocess.run([sys.executable, "-c", "import matplotlib"], capture_output=True).returncode:
        raise Skip("matplotlib is missing")
    for name in ("first", "second"):
        passed(FIXTURE, "--plots", folder / name)
    plots = sorted(path.name for path in (folder / "first").iterdir())
    assert plots == ["roof-spmm-bsr.svg", "speedup-spmm-bsr.svg"], plots
    for name in plots:
        first = (folder / "first" / name).read_text()
        assert "1024 x 1024 x 1024" in first and first == (folder / "second" / name).read_text(), name


def outcome_of(case):
    try:
        with tempfile.TemporaryDirectory() as folder:
            case(pathlib.Path(folder)) if case.__code__.co_argcount else case()
    except Skip as reason:
        return "skip", f": {reason}"
    except AssertionError as error:
        print(f"{case.__name__}: {error}")
        return "not ok", ""
    return "ok", ""


def main():
    cases = (csv_has_a_row_a_contender, table_has_the_last_measurement_of_each_problem,
             summary_has_geometric_means_and_the_worst_regret, lines_of_something_else_are_named, devices_are_not_mixed,
             without_matplotlib_plots_are_left_out_with_a_sentence, plots_are_the_same_bytes_each_time)
    failed = 0
    with open(os.environ.get("BSPARSE_TEST_RESULTS", os.devnull), "a") as results:
        for case in cases:
            verdict, reason = outcome_of(case)
            failed += verdict == "not ok"
            print(f"{verdict} report: {case.__name__.replace('_', ' ')}{reason}", file=results)
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
