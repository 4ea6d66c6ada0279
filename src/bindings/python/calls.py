# Handles, options, products.

_OPERATIONS = {"N": BS_OPERATION_NON_TRANSPOSE, "T": BS_OPERATION_TRANSPOSE, "C": BS_OPERATION_CONJUGATE_TRANSPOSE}
_ACTIVATIONS = {"relu": BS_ACTIVATION_RELU, "gelu": BS_ACTIVATION_GELU_ERF, "gelu_tanh": BS_ACTIVATION_GELU_TANH,
                "silu": BS_ACTIVATION_SILU}
_AXES = {"row": BS_AXIS_ROW, "col": BS_AXIS_COL}
_BACKENDS = {"cpu": BS_BACKEND_CPU, "cuda": BS_BACKEND_CUDA}


class Options:
    """Settings of one call. bias and bias_gradient are (array, "row" or "col"); the rest as in bsOption_t."""

    def __init__(self, route=None, activation=None, strict=False, deterministic=False, allow_tf32=False, bias=None,
                 auxiliary=None, bias_gradient=None):
        self.options, self._kept = bsCreateOptions(), []
        bsOptionsSetRoute(self.options, route)
        bsOptionsSetInt(self.options, BS_OPTION_ACTIVATION, _ACTIVATIONS[activation] if activation else 0)
        for option, value in ((BS_OPTION_STRICT, strict), (BS_OPTION_DETERMINISTIC, deterministic),
                              (BS_OPTION_ALLOW_TF32, allow_tf32)):
            bsOptionsSetInt(self.options, option, int(value))
        if bias:
            array, axis = self._vector(bias, "bias")
            bsOptionsSetBias(self.options, array.address, _typed(array, _VALUE_TYPES, "bias"), axis, 0)
        if bias_gradient:
            array, axis = self._vector(bias_gradient, "bias_gradient")
            if array.read_only:
                raise ValueError("bias_gradient is read-only")
            bsOptionsSetBiasGradient(self.options, array.address, _typed(array, _VALUE_TYPES, "bias_gradient"), axis)
        if auxiliary is not None:
            matrix = asmatrix(auxiliary)
            bsOptionsSetAuxiliary(self.options, matrix.mat)
            self._kept.append(matrix)

    def _vector(self, given, name):
        array = _flat(asarray(given[0], name), name)
        self._kept.append(array)
        return array, _AXES[given[1]]

    def __del__(self):
        if getattr(self, "options", None):
            _library.bsDestroyOptions(self.options)


class Memory:
    """Device memory of a handle, which it keeps alive."""

    def __init__(self, handle, size):
        self._handle, self.size = handle, size
        self.pointer = bsMalloc(handle.handle, size)

    def __del__(self):
        if getattr(self, "pointer", None):
            _library.bsFree(self._handle.handle, self.pointer)


class Report:
    """What explain says: candidates as dictionaries, best first, and a text for people."""

    def __init__(self, report):
        types = (("route", BS_REPORT_ROUTE, ctypes.c_char_p), ("accepted", BS_REPORT_ACCEPTED, ctypes.c_int32),
                 ("reason", BS_REPORT_REASON, ctypes.c_char_p), ("microseconds", BS_REPORT_MICROSECONDS, ctypes.c_double),
                 ("workspace", BS_REPORT_WORKSPACE, ctypes.c_int64), ("chosen", BS_REPORT_CHOSEN, ctypes.c_int32))
        self.candidates = [{name: self._get(report, index, key, type_()) for name, key, type_ in types}
                           for index in range(bsReportGetCount(report))]
        self.text = bsReportGetText(report)
        bsDestroyReport(report)

    @staticmethod
    def _get(report, index, key, value):
        bsReportGet(report, index, key, ctypes.byref(value), ctypes.sizeof(value))
        return value.value.decode() if isinstance(value.value, bytes) else value.value


class Handle:
    """A handle on the GPU if there is one, else on the CPU, or on a named backend: Handle("cuda", 0)."""

    def __init__(self, backend=None, device=0):
        self._workspace = None
        self.handle = bsCreateOn(_BACKENDS[backend], device) if backend else bsCreate()
        self.backend = {number: name for name, number in _BACKENDS.items()}[bsGetBackend(self.handle)]
        self.device = (self.backend, bsGetDevice(self.handle))

    def __del__(self):
        if getattr(self, "handle", None):
            self._workspace = None
            _library.bsDestroy(self.handle)

    def set_stream(self, stream):
        """A cudaStream_t as a number: torch.cuda.current_stream().cuda_stream, cupy.cuda.get_current_stream().ptr."""
        if stream == (bsGetStream(self.handle) or 0):
            return
        self._workspace = None  # freeing waits for the old stream
        bsSetStream(self.handle, stream or None)

    def set_num_threads(self, threads):
        bsSetNumThreads(self.handle, threads)

    def synchronize(self):
        bsSynchronize(self.handle)

    def spmm(self, A, B, C, alpha=1, beta=0, op_a="N", op_b="N", options=None):
        """C = act(alpha op(A) op(B) + beta C + bias); A or B is sparse, C is written."""
        self._run(bsSpMM_bufferSize, bsSpMM, *self._product(A, B, C, alpha, beta, op_a, op_b, options))

    def sddmm(self, A, B, C, alpha=1, beta=0, op_a="N", op_b="N", options=None):
        """C = alpha (op(A) op(B)) at the structure of the sparse C + beta C."""
        self._run(bsSDDMM_bufferSize, bsSDDMM, *self._product(A, B, C, alpha, beta, op_a, op_b, options))

    def spmv(self, A, x, y, alpha=1, beta=0, op_a="N", options=None):
        """y = act(alpha op(A) x + beta y + bias)."""
        arguments, kept = self._product(A, x, y, alpha, beta, op_a, "N", options)
        self._run(bsSpMV_bufferSize, bsSpMV, arguments[:2] + arguments[3:], kept)

    def gate_gradient(self, W, dW, gradient):
        array = _flat(asarray(gradient, "gradient"), "gradient")
        bsBlockGateGrad(self.handle, W.mat, dW.mat, array.address, 0)

    def convert(self, source, destination, allocate, op="N"):
        """destination = op(source); allocate(nnz) gives (indptr, indices, data) of that size, or nothing for dense."""
        def count_and_fill(handle, operation, from_, to, workspace, size):
            bsConvert_count(handle, operation, from_, to, workspace, size)
            arrays = allocate(destination.nnz)
            if arrays:
                arrays = [_flat(asarray(array), "array") for array in arrays]
                bsMatSetConstPointers(to, *[array.address or None for array in arrays])
                destination._give(arrays[:2], arrays[2])
            bsConvert_fill(handle, operation, from_, to, workspace, size)
        self._run(bsConvert_bufferSize, count_and_fill,
                  (self.handle, _OPERATIONS[op], source.mat, destination.mat), (source, destination))

    def explain_spmm(self, A, B, C, alpha=1, beta=0, op_a="N", op_b="N", options=None, device=None):
        arguments, _kept = self._product(A, B, C, alpha, beta, op_a, op_b, options)
        return Report(bsSpMM_explain(*arguments, device))

    def explain_sddmm(self, A, B, C, alpha=1, beta=0, op_a="N", op_b="N", options=None, device=None):
        arguments, _kept = self._product(A, B, C, alpha, beta, op_a, op_b, options)
        return Report(bsSDDMM_explain(*arguments, device))

    def _product(self, A, B, C, alpha, beta, op_a, op_b, options):
        """The C arguments up to the options, and what must live during the call."""
        operands = [asmatrix(given, name) for name, given in zip("ABC", (A, B, C))]
        for name, operand in zip("ABC", operands):
            if operand.device != self.device:
                raise ValueError(f"{name} lies on {operand.device[0]}:{operand.device[1]}, the handle is on "
                                 f"{self.device[0]}:{self.device[1]}")
        compute, scalar = (BS_R_64F, ctypes.c_double) if operands[2].value_type == BS_R_64F else (BS_R_32F, ctypes.c_float)
        scalars = scalar(alpha), scalar(beta)
        a, b, c = (operand.mat for operand in operands)
        return (self.handle, _OPERATIONS[op_a], _OPERATIONS[op_b], ctypes.byref(scalars[0]), a, b,
                ctypes.byref(scalars[1]), c, compute, options and options.options), (operands, scalars)

    def _run(self, query, execute, arguments, _kept):
        size = query(*arguments)
        if size and (self._workspace is None or self._workspace.size < size):
            self._workspace = None
            self._workspace = Memory(self, size)
        execute(*arguments, self._workspace.pointer if size else None, size)
