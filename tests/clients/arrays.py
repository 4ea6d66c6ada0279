"""include/bsparse.py on arrays and sparse matrices of other packages. One test case a package goes to the file that
BSPARSE_TEST_RESULTS names, skipped by name where the package is not installed. Arguments: the cases to run, which must
not be skipped then (exit status 77).
"""

import importlib
import os
import sys

import bsparse


def refused(what, kind, call, *arguments):
    try:
        call(*arguments)
    except kind as error:
        assert what in str(error), f"{what!r} is not in {error}"
        return
    raise AssertionError(f"{what!r} was accepted")


def with_numpy(numpy, handle):
    rng = numpy.random.default_rng(1)
    offsets, columns = numpy.array([0, 2, 3, 3]), numpy.array([0, 2, 1], numpy.int32)
    for type_, bound in ((numpy.float32, 1e-6), (numpy.float64, 1e-14), (numpy.float16, 1e-2)):
        values = rng.uniform(-1, 1, 3).astype(type_)
        S = numpy.zeros((3, 3), type_)
        S[0, 0], S[0, 2], S[1, 1] = values
        A = bsparse.csr((3, 3), offsets, columns, values)
        for B in (rng.uniform(-1, 1, (3, 5)).astype(type_), numpy.asfortranarray(rng.uniform(-1, 1, (3, 5)).astype(type_)),
                  rng.uniform(-1, 1, (3, 9)).astype(type_)[:, :5]):
            C = numpy.full((3, 5), numpy.nan, type_)
            handle.spmm(A, B, C)
            assert abs(C - S @ B).max() <= bound, (type_, C, S @ B)
    wide = rng.uniform(-1, 1, (3, 10))
    refused("B is not contiguous in rows or columns", ValueError, handle.spmm, A, wide[:, ::2], C)
    refused("indices is not contiguous", ValueError, bsparse.csr, (3, 3), offsets, numpy.arange(6)[::2], values)
    refused("values has elements of type c16", TypeError, bsparse.dense, wide.astype(complex))
    C.flags.writeable = False
    refused("C: given as const, cannot be written", bsparse.Error, handle.spmm, A, numpy.asfortranarray(B), C)
    batch = rng.uniform(-1, 1, (4, 3, 5)).astype(numpy.float16)
    results = numpy.zeros((4, 3, 5), numpy.float16)
    handle.spmm(A, batch, results)
    assert abs(results - S @ batch).max() < 1e-2


def with_scipy(scipy, handle):
    numpy, sparse = importlib.import_module("numpy"), importlib.import_module("scipy.sparse")
    csr = sparse.random(60, 40, 0.2, format="csr", dtype=numpy.float32, random_state=1)
    blocks = sparse.random(24, 40, 0.3, dtype=numpy.float64, random_state=2).tobsr((4, 8))
    for matrix in (csr, csr.tocsc(), blocks):
        B = numpy.random.default_rng(3).uniform(-1, 1, (40, 7)).astype(matrix.dtype)
        C = numpy.empty((matrix.shape[0], 7), matrix.dtype)
        handle.spmm(matrix, B, C)
        assert abs(C - matrix @ B).max() < 1e-5, matrix.format
    assert bsparse.sparse(csr.tocoo()).nnz == csr.nnz
    refused("SciPy or torch matrix in CSR", TypeError, bsparse.sparse, csr.tolil())


def with_torch(torch, handle):
    for type_, bound in ((torch.float32, 1e-6), (torch.float64, 1e-14), (torch.bfloat16, 2e-2)):
        S = torch.tensor([[1, 0, 2, 0], [0, 0, 0, 3]], dtype=type_)
        B = torch.rand(4, 5, dtype=type_)
        C = torch.zeros(2, 5, dtype=type_)
        A = bsparse.csr((2, 4), torch.tensor([0, 2, 3]), torch.tensor([0, 2, 3]), torch.tensor([1, 2, 3], dtype=type_))
        handle.spmm(A, B, C)
        assert (C - S.double().matmul(B.double()).to(type_)).abs().max() <= bound, type_
    csr = torch.tensor([[1.0, 0, 2, 0], [0, 0, 0, 3]]).to_sparse_csr()
    C = torch.zeros(2, 1)
    handle.spmm(csr, torch.ones(4, 1), C)
    assert C.flatten().tolist() == [3, 3]
    handle.spmm(csr, torch.ones(1, 4).t(), C)  # a transposed view is a column-major matrix
    assert C.flatten().tolist() == [3, 3]
    refused("sparse tensor", TypeError, bsparse.dense, csr)


class Skip(Exception):
    """The reason why a case does not run."""


def gpu_handle():
    if not bsparse.bsHasFeature("cuda"):
        raise Skip("built without CUDA")
    try:
        return bsparse.Handle("cuda")
    except bsparse.Error as error:
        raise Skip(f"no GPU: {error}") from error


def with_torch_on_gpu(torch, cpu):
    handle = gpu_handle()
    handle.set_stream(torch.cuda.current_stream().cuda_stream)
    for type_, bound in ((torch.float32, 1e-5), (torch.float64, 1e-13), (torch.bfloat16, 2e-2), (torch.float16, 1e-2)):
        S = torch.tensor([[1, 0, 2, 0], [0, 0, 0, 3]], dtype=type_, device="cuda")
        B, C = torch.rand(4, 5, dtype=type_, device="cuda"), torch.zeros(2, 5, dtype=type_, device="cuda")
        handle.spmm(bsparse.csr((2, 4), torch.tensor([0, 2, 3], device="cuda"), torch.tensor([0, 2, 3], device="cuda"),
                                torch.tensor([1, 2, 3], dtype=type_, device="cuda")), B, C)
        assert (C - S.double().matmul(B.double()).to(type_)).abs().max() <= bound, type_
    sparse = S.double().to_sparse_csr()
    C = torch.zeros(2, 1, dtype=torch.float64, device="cuda")
    handle.spmm(sparse, torch.ones(4, 1, dtype=torch.float64, device="cuda"), C)
    assert C.flatten().tolist() == [3, 3]
    refused("B lies on cpu:0, the handle is on cuda:0", ValueError, handle.spmm, sparse,
            torch.ones(4, 1, dtype=torch.float64), C)
    refused("lies on cuda:0, the handle is on cpu:0", ValueError, cpu.spmm, sparse, C, C)
    refused("arrays of one matrix lie on", ValueError, bsparse.csr, (2, 4), torch.tensor([0, 2, 3]),
            torch.tensor([0, 2, 3], device="cuda"), torch.ones(3, device="cuda"))


def with_cupy(cupy, _cpu):
    handle = gpu_handle()
    handle.set_stream(cupy.cuda.get_current_stream().ptr)
    sparse = importlib.import_module("cupyx.scipy.sparse")
    csr = sparse.random(60, 40, 0.2, format="csr", dtype=cupy.float32, random_state=1)
    B, C = cupy.random.rand(40, 7, dtype=cupy.float32), cupy.zeros((60, 7), cupy.float32)
    handle.spmm(csr, B, C)
    assert float(abs(C - csr @ B).max()) < 1e-5
    handle.spmm(csr, cupy.asfortranarray(B), C, alpha=2, beta=1)
    assert float(abs(C - 3 * (csr @ B)).max()) < 1e-5


TESTS = {"numpy": ("numpy", with_numpy), "scipy": ("scipy", with_scipy), "torch": ("torch", with_torch),
         "torch on a GPU": ("torch", with_torch_on_gpu), "cupy": ("cupy", with_cupy)}


def main():
    failed, skipped, handle = 0, [], bsparse.Handle("cpu")
    with open(os.environ.get("BSPARSE_TEST_RESULTS", os.devnull), "a", encoding="utf-8") as results:
        for name in sys.argv[1:] or TESTS:
            what = f"bsparse.py: arrays of {name}"
            package, test = TESTS[name]
            try:
                module = importlib.import_module(package)
            except ImportError:
                print(f"skip {what}: not installed", file=results)
                skipped.append(f"{name}: not installed")
                continue
            try:
                test(module, handle)
                print(f"ok {what}", file=results)
            except Skip as reason:
                print(f"skip {what}: {reason}", file=results)
                skipped.append(f"{name}: {reason}")
            except Exception as error:  # any failure is this case's
                failed += 1
                print(f"not ok {what}: {error}", file=results)
                print(f"{what}: {type(error).__name__}: {error}")
    if skipped and sys.argv[1:] and not failed:
        print("skipped:", "; ".join(skipped))
        sys.exit(77)
    sys.exit(failed != 0)


main()
