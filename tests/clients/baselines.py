"""For every function of the library one call that succeeds: the list of its arguments in a World."""

from world import F32, I32, N, ROW, T, ZERO

CPU = 1
STATS = 1  # BS_ANALYZE_STATS and BS_STAT_NNZ


def spmm(w):
    """result = csr^T factor."""
    return [w.handle, T, N, w.floats(1), w.csr, w.factor, w.floats(1), w.result, F32, w.options]


def sddmm(w):
    """csr = left right, sampled."""
    return [w.handle, N, N, w.floats(1), w.left, w.right, w.floats(1), w.csr, F32, w.options]


def spmv(w):
    """y = csr^T x."""
    return [w.handle, T, w.floats(1), w.csr, w.x, w.floats(1), w.y, F32, w.options]


def convert(w):
    """A CSR matrix without entries yet = source."""
    return [w.handle, N, w.source, w.create_csr(w.ints(0, 0, 0, 0, 0), None, None, 0)]


def with_workspace(w, function, arguments):
    size = w.size(function + "_bufferSize", *arguments)
    return arguments + [w.workspace(size), size]


def convert_fill(w):
    handle, op, source, destination = convert(w)
    arguments = with_workspace(w, "bsConvert", [handle, op, source, destination])
    w.must("bsConvert_count", *arguments)
    nnz = w.size("bsMatGetSize", destination, None, None)
    w.must("bsMatSetPointers", destination, w.ints(0, 6, 12, 18, 24), w.ints(*[0] * nnz), w.floats(nnz))
    return arguments


def analyze(w):
    size = w.size("bsMatAnalyze_bufferSize", w.handle, w.csr, STATS)
    return [w.handle, w.csr, STATS, w.workspace(size), size]


def analysed(w):
    w.must("bsMatAnalyze", *analyze(w))
    return w.csr


def outs(w, count):
    return [w.out() for _ in range(count)]


CREATES = {
    "bsCreateDense": lambda w: [w.out(), 4, 6, 6, w.floats(24), F32, ROW],
    "bsCreateCsr": lambda w: [w.out(), 4, 6, 5, w.offsets, w.columns, w.floats(5), I32, I32, ZERO, F32],
    "bsCreateCsc": lambda w: [w.out(), 6, 4, 5, w.offsets, w.columns, w.floats(5), I32, I32, ZERO, F32],
    "bsCreateCoo": lambda w: [w.out(), 4, 6, 5, w.ints(0, 0, 1, 3, 3), w.columns, w.floats(5), I32, ZERO, F32],
    "bsCreateBsr": lambda w: [w.out(), 4, 6, 3, 2, 2, w.block_offsets, w.block_columns, w.floats(12), I32, I32, ZERO, F32,
                              ROW],
}

BASELINES = {
    "bsCreate": lambda w: outs(w, 1),
    "bsCreateOn": lambda w: outs(w, 1) + [CPU, 0],
    "bsDestroy": lambda w: [w.create("bsCreateOn", CPU, 0)],
    "bsSetStream": lambda w: [w.handle, None],
    "bsGetStream": lambda w: [w.handle, w.out()],
    "bsSetPointerMode": lambda w: [w.handle, 0],
    "bsGetPointerMode": lambda w: [w.handle, w.out()],
    "bsSetNumThreads": lambda w: [w.handle, 2],
    "bsGetNumThreads": lambda w: [w.handle, w.out()],
    "bsGetBackend": lambda w: [w.handle, w.out()],
    "bsGetDevice": lambda w: [w.handle, w.out()],
    "bsGetDeviceName": lambda w: [w.handle, w.out()],
    "bsSetLogCallback": lambda w: [w.handle, None, None],
    "bsGetVersion": lambda w: outs(w, 1),
    "bsHasFeature": lambda w: [w.memory(b"spmm.csr.f32\0"), w.out()],
    "bsMalloc": lambda w: [w.handle, w.out(), 64],
    "bsFree": lambda w: [w.handle, w.allocation()],
    "bsMemcpy": lambda w: [w.handle, w.floats(4), w.ints(4, 3, 2, 1), 16],
    "bsSynchronize": lambda w: [w.handle],
    **CREATES,
    **{name.replace("bsCreate", "bsCreateConst"): call for name, call in CREATES.items()},
    "bsDestroyMat": lambda w: [w.matrices.pop(0)],
    "bsMatGetFormat": lambda w: [w.csr] + outs(w, 1),
    "bsMatGetSize": lambda w: [w.csr] + outs(w, 3),
    "bsMatGetValueType": lambda w: [w.csr] + outs(w, 1),
    "bsMatGetPointers": lambda w: [w.csr] + outs(w, 3),
    "bsMatGetConstPointers": lambda w: [w.csr] + outs(w, 3),
    "bsMatGetDense": lambda w: [w.left] + outs(w, 2),
    "bsMatGetIndexing": lambda w: [w.csr] + outs(w, 3),
    "bsMatGetBlocks": lambda w: [w.bsr] + outs(w, 3),
    "bsMatGetBatch": lambda w: [w.csr] + outs(w, 4),
    "bsMatGetGate": lambda w: [w.bsr] + outs(w, 2),
    "bsMatGetAnalysis": lambda w: [w.csr] + outs(w, 1),
    "bsMatSetPointers": lambda w: [w.csr, w.offsets, w.columns, w.floats(5)],
    "bsMatSetValues": lambda w: [w.csr, w.floats(5)],
    "bsMatSetConstPointers": lambda w: [w.csr, w.offsets, w.columns, w.floats(5)],
    "bsMatSetConstValues": lambda w: [w.csr, w.floats(5)],
    "bsMatSetBatch": lambda w: [w.csr, 2, 5, 0, 0],
    "bsMatSetGate": lambda w: [w.bsr, w.floats(3), 0],
    "bsMatAnalyze_bufferSize": lambda w: [w.handle, w.csr, STATS, w.out()],
    "bsMatAnalyze": analyze,
    "bsMatStructureChanged": lambda w: [w.csr],
    "bsMatValuesChanged": lambda w: [w.handle, w.csr],
    "bsMatGetStat": lambda w: [analysed(w), STATS, w.out()],
    "bsMatCheck": lambda w: [w.handle, w.csr] + outs(w, 2),
    "bsCreateOptions": lambda w: outs(w, 1),
    "bsDestroyOptions": lambda w: [w.create("bsCreateOptions")],
    "bsOptionsSetInt": lambda w: [w.options, 1, 1],
    "bsOptionsGetInt": lambda w: [w.options, 1, w.out()],
    "bsOptionsSetRoute": lambda w: [w.options, w.memory(b"cpu/spmm_reference\0")],
    "bsOptionsGetRoute": lambda w: [w.options] + outs(w, 1),
    "bsOptionsSetBias": lambda w: [w.options, w.floats(6), F32, 1, 0],
    "bsOptionsGetBias": lambda w: [w.options] + outs(w, 4),
    "bsOptionsSetAuxiliary": lambda w: [w.options, w.dense(6, 3)],
    "bsOptionsGetAuxiliary": lambda w: [w.options] + outs(w, 1),
    "bsOptionsSetBiasGradient": lambda w: [w.options, w.floats(6), F32, 1],
    "bsOptionsGetBiasGradient": lambda w: [w.options] + outs(w, 3),
    "bsSpMM_bufferSize": lambda w: spmm(w) + outs(w, 1),
    "bsSpMM": lambda w: with_workspace(w, "bsSpMM", spmm(w)),
    "bsSDDMM_bufferSize": lambda w: sddmm(w) + outs(w, 1),
    "bsSDDMM": lambda w: with_workspace(w, "bsSDDMM", sddmm(w)),
    "bsSpMV_bufferSize": lambda w: spmv(w) + outs(w, 1),
    "bsSpMV": lambda w: with_workspace(w, "bsSpMV", spmv(w)),
    "bsBlockGateGrad": lambda w: [w.handle, w.bsr, w.gradient_bsr, w.floats(3), 0],
    "bsConvert_bufferSize": lambda w: convert(w) + outs(w, 1),
    "bsConvert_count": lambda w: with_workspace(w, "bsConvert", convert(w)),
    "bsConvert_fill": convert_fill,
    "bsSpMM_explain": lambda w: spmm(w) + [w.memory(b"h200\0"), w.out()],
    "bsSDDMM_explain": lambda w: sddmm(w) + [w.memory(b"h200\0"), w.out()],
    "bsDestroyReport": lambda w: [w.report()],
    "bsReportGetCount": lambda w: [w.report(), w.out()],
    "bsReportGet": lambda w: [w.report(), 0, 1, w.out(), 8],
    "bsReportGetText": lambda w: [w.report(), w.out()],
}
