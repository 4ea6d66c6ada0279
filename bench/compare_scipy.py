#!/usr/bin/env python3
"""Times bsSpMM beside SciPy in one run: CSR and BSR-32 times dense, f32, random values.

bench/compare_scipy.py [--library build/release/libbsparse.so] [--size 4096] [--columns 512] [--density 0.1]
                       [--repeats 7] [--threads 1,2] [--csv FOLDER]

Every round times each contender once, so that all meet the same machine; medians count. SciPy's products run on
one thread. The result of bsSpMM is checked against SciPy's before anything is timed. One CSV row a line of the table
goes to bench/results/. The exit status is 1 if a product on one thread takes more than 1.5 times SciPy's time.
"""
import argparse
import csv
import datetime
import importlib
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import time

try:
    import numpy as np
    import scipy.sparse
except ImportError:
    sys.exit("compare_scipy.py needs numpy and scipy: pip install numpy scipy")

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOAL = 1.5
BLOCK = 32


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library")
    parser.add_argument("--size", type=int, default=4096)
    parser.add_argument("--columns", type=int, default=512)
    parser.add_argument("--density", type=float, default=0.1)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--threads", default="1,2", help="a list such as 1,2,4")
    parser.add_argument("--csv", default=str(ROOT / "bench" / "results"), help="folder; '' writes none")
    return parser.parse_args()


def find_library(named):
    built = [ROOT / "build" / preset / "libbsparse.so" for preset in ("release", "no-cuda")]
    for path in [pathlib.Path(named)] if named else built:
        if path.exists():
            return str(path)
    sys.exit("compare_scipy.py: build the library first, or name it with --library")


def load_bsparse(library):
    """The Python module of this tree on a library of one's choice."""
    os.environ["BSPARSE_LIBRARY"] = library
    sys.path.insert(0, str(ROOT / "include"))
    return importlib.import_module("bsparse")


def random_csr(size, density, rng):
    matrix = scipy.sparse.random(size, size, density, format="csr", dtype=np.float32, random_state=rng,
                                 data_rvs=lambda n: rng.uniform(-1, 1, n))
    matrix.sort_indices()
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int32), matrix.indptr.astype(np.int32)
    return matrix


def random_bsr(size, density, rng):
    pattern = random_csr(size // BLOCK, density, rng)
    values = rng.uniform(-1, 1, (pattern.nnz, BLOCK, BLOCK)).astype(np.float32)
    return scipy.sparse.bsr_matrix((values, pattern.indices, pattern.indptr), shape=(size, size))


def check(name, result, expected, sparse, dense):
    """Both sum in f32, in orders of their own: the bound is the textbook one for two such sums."""
    terms = max(np.diff(sparse.tocsr().indptr))
    bound = 2 * terms * np.finfo(np.float32).eps * (abs(sparse) @ abs(dense)) + 1e-30
    if not (np.abs(result - expected) <= bound).all():
        sys.exit(f"compare_scipy.py: {name} differs from SciPy by more than rounding")


def milliseconds(run):
    start = time.perf_counter()
    run()
    return 1e3 * (time.perf_counter() - start)


def measure(bsparse, sparse, dense, handles, repeats):
    """Rows of (threads, route, ms, SciPy's ms). handles: {threads: handle}"""
    result = np.full((sparse.shape[0], dense.shape[1]), np.nan, np.float32)
    operands = bsparse.sparse(sparse), bsparse.dense(dense), bsparse.dense(result)
    expected = sparse @ dense
    for threads, handle in handles.items():
        result[:] = np.nan
        handle.spmm(*operands)
        check(f"{sparse.format} on {threads} threads", result, expected, sparse, dense)
    times, scipy_times = {threads: [] for threads in handles}, []
    for _ in range(repeats):
        scipy_times.append(milliseconds(lambda: sparse @ dense))
        for threads, handle in handles.items():
            times[threads].append(milliseconds(lambda: handle.spmm(*operands)))
    scipy_ms = statistics.median(scipy_times)
    routes = {threads: next(c["route"] for c in handle.explain_spmm(*operands).candidates if c["chosen"])
              for threads, handle in handles.items()}
    return [(threads, routes[threads], statistics.median(times[threads]), scipy_ms) for threads in handles]


def cpu_model():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown"


def commit():
    git = ["git", "-C", str(ROOT)]
    name = subprocess.run([*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    changed = subprocess.run([*git, "status", "--porcelain"], capture_output=True, text=True).stdout.strip()
    return name + ("+" if changed else "")


def write_csv(folder, rows):
    command = " ".join(["bench/compare_scipy.py", *map(shlex.quote, sys.argv[1:])])
    origin = {"date": datetime.date.today(), "cpu": cpu_model(), "commit": commit(), "command": command,
              "scipy": scipy.__version__, "load": round(os.getloadavg()[0], 2)}
    path = pathlib.Path(folder) / "scipy.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    is_new = not path.exists()
    with path.open("a", newline="") as file:
        writer = csv.DictWriter(file, [*origin, *rows[0]], lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerows(origin | row for row in rows)


def main():
    options = arguments()
    bsparse = load_bsparse(find_library(options.library))
    handles = {}
    for threads in map(int, options.threads.split(",")):
        handles[threads] = bsparse.Handle("cpu")
        handles[threads].set_num_threads(threads)
    rng = np.random.default_rng(1)
    dense = rng.uniform(-1, 1, (options.size, options.columns)).astype(np.float32)
    rows = []
    print(f"{options.size} x {options.size} x {options.columns}, density {options.density}, {cpu_model()}")
    print(f"{'format':8}{'threads':>8}{'bsSpMM ms':>11}{'SciPy ms':>10}{'ratio':>7}{'GFLOP/s':>9}  route")
    for name, sparse in (("csr", random_csr(options.size, options.density, rng)),
                         ("bsr32", random_bsr(options.size, options.density, rng))):
        gflop = 2e-9 * sparse.nnz * options.columns
        for threads, route, ms, scipy_ms in measure(bsparse, sparse, dense, handles, options.repeats):
            print(f"{name:8}{threads:8}{ms:11.2f}{scipy_ms:10.2f}{ms / scipy_ms:7.2f}{1e3 * gflop / ms:9.1f}  {route}")
            rows.append({"format": name, "threads": threads, "ms": round(ms, 3), "scipy_ms": round(scipy_ms, 3),
                         "ratio": round(ms / scipy_ms, 4), "gflops": round(1e3 * gflop / ms, 2), "route": route})
    if options.csv:
        write_csv(options.csv, rows)
    return int(any(row["threads"] == 1 and row["ratio"] > GOAL for row in rows))


if __name__ == "__main__":
    sys.exit(main())
