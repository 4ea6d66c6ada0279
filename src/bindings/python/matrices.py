# Descriptors with what they point to.

class Matrix:
    """A descriptor with what it points to. Made by dense(), csr(), csc(), coo(), bsr() and sparse()."""

    def __init__(self, mat, structure, values):
        self.mat, self._kept, self._gate, self._analysis = mat, None, None, None
        self.device = values.device
        self._give(structure, values)

    def _give(self, structure, values):
        """Says which arrays may be written; the descriptor has them as const."""
        arrays = [array for array in (*structure, values) if array.size]
        if len({array.device for array in arrays}) > 1:
            raise ValueError(f"the arrays of one matrix lie on {', '.join(f'{d[0]}:{d[1]}' for d in {a.device for a in arrays})}")
        self._kept = (structure, values)
        offsets, indices = (array.address or None for array in structure) if structure else (None, None)
        if not any(array.read_only for array in (*structure, values)):
            bsMatSetPointers(self.mat, offsets, indices, values.address or None)
        elif not values.read_only:
            bsMatSetValues(self.mat, values.address or None)

    def __del__(self):
        if getattr(self, "mat", None):
            _library.bsDestroyMat(self.mat)

    @property
    def shape(self):
        return bsMatGetSize(self.mat)[:2]

    @property
    def nnz(self):
        return bsMatGetSize(self.mat)[2]

    @property
    def value_type(self):
        return bsMatGetValueType(self.mat)

    def set_values(self, values):
        """Other values at the old structure: what analysis found of it stays."""
        new = _flat(asarray(values, "values"), "values")
        if _typed(new, _VALUE_TYPES, "values") != self.value_type or new.size != self._kept[1].size:
            raise ValueError("values differ in type or number from the old ones")
        (bsMatSetConstValues if new.read_only else bsMatSetValues)(self.mat, new.address or None)
        self._kept = (self._kept[0], new)

    def set_gate(self, gate, stride=0):
        array = None if gate is None else _flat(asarray(gate, "gate"), "gate")
        if array and array.kind != "f4":
            raise TypeError(f"gate has elements of type {array.kind}, must be f4")
        bsMatSetGate(self.mat, array.address if array else None, stride)
        self._gate = array

    def set_batch(self, count, value_stride, offset_stride=0, index_stride=0):
        bsMatSetBatch(self.mat, count, value_stride, offset_stride, index_stride)

    def analyze(self, handle, flags=BS_ANALYZE_STATS | BS_ANALYZE_ORDER | BS_ANALYZE_TRANSPOSE):
        size = bsMatAnalyze_bufferSize(handle.handle, self.mat, flags)
        memory = Memory(handle, size)
        bsMatAnalyze(handle.handle, self.mat, flags, memory.pointer, size)
        self._analysis = memory  # the old one goes after it was replaced

    def stat(self, which):
        return bsMatGetStat(self.mat, which)

    def check(self, handle):
        """(finding, position) of bsMatCheck; raises on errors."""
        return bsMatCheck(handle.handle, self.mat)


def dense(values, name="values"):
    """Rows or columns contiguous; one dimension is a column vector, three are a batch of matrices."""
    array = asarray(values, name)
    type_ = _typed(array, _VALUE_TYPES, name)
    shape, strides = array.shape, array.strides
    if len(shape) == 1:
        shape, strides = (shape[0], 1), (strides[0], 1)
    if len(shape) not in (2, 3):
        raise ValueError(f"{name} has {len(shape)} dimensions, must have 1, 2 or 3")
    rows, cols = shape[-2:]
    order, ld = _layout(rows, cols, *strides[-2:], name)
    matrix = Matrix(bsCreateConstDense(rows, cols, ld, array.address or None, type_, order), (), array)
    if len(shape) == 3:
        matrix.set_batch(shape[0], strides[0])
    return matrix


def _layout(rows, cols, row_stride, col_stride, name):
    if (col_stride == 1 or cols <= 1) and (row_stride >= cols or rows <= 1):
        return BS_ORDER_ROW, max(row_stride if rows > 1 else cols, 1)
    if (row_stride == 1 or rows <= 1) and (col_stride >= rows or cols <= 1):
        return BS_ORDER_COL, max(col_stride if cols > 1 else rows, 1)
    raise ValueError(f"{name} is not contiguous in rows or columns: {rows} x {cols}, strides {row_stride}, {col_stride} "
                     "in elements; make a contiguous copy first")


def _expect(array, size, name):
    if array.size != size:
        raise ValueError(f"{name} has {array.size} elements, must have {size}")


def _structure(first, second, data, names):
    """Three contiguous arrays and their types."""
    arrays = [_flat(asarray(given, name), name) for given, name in zip((first, second, data), names)]
    types = [_typed(array, table, name)
             for array, table, name in zip(arrays, (_INDEX_TYPES, _INDEX_TYPES, _VALUE_TYPES), names)]
    return arrays, types, [array.address or None for array in arrays]


def _compressed(create, lists, shape, indptr, indices, data, base):
    arrays, (offset_type, index_type, type_), pointers = _structure(indptr, indices, data, ("indptr", "indices", "data"))
    _expect(arrays[0], lists + 1, "indptr")
    _expect(arrays[2], arrays[1].size, "data")
    return Matrix(create(*shape, arrays[1].size, *pointers, offset_type, index_type, base, type_), arrays[:2], arrays[2])


def csr(shape, indptr, indices, data, base=BS_INDEX_BASE_ZERO):
    return _compressed(bsCreateConstCsr, shape[0], shape, indptr, indices, data, base)


def csc(shape, indptr, indices, data, base=BS_INDEX_BASE_ZERO):
    return _compressed(bsCreateConstCsc, shape[1], shape, indptr, indices, data, base)


def coo(shape, rows, cols, data, base=BS_INDEX_BASE_ZERO):
    arrays, (row_type, index_type, type_), pointers = _structure(rows, cols, data, ("rows", "cols", "data"))
    if row_type != index_type:
        raise TypeError("rows and cols differ in type")
    _expect(arrays[0], arrays[2].size, "rows")
    _expect(arrays[1], arrays[2].size, "cols")
    return Matrix(bsCreateConstCoo(*shape, arrays[2].size, *pointers, index_type, base, type_), arrays[:2], arrays[2])


def bsr(shape, indptr, indices, data, base=BS_INDEX_BASE_ZERO, order=BS_ORDER_ROW):
    """data: blocks x rows of a block x columns of a block. shape counts elements and need not be a multiple."""
    arrays, (offset_type, index_type, type_), pointers = _structure(indptr, indices, data, ("indptr", "indices", "data"))
    if len(arrays[2].shape) != 3:
        raise ValueError(f"data has {len(arrays[2].shape)} dimensions, must be blocks x rows x columns")
    block = arrays[2].shape[1:] if order == BS_ORDER_ROW else arrays[2].shape[:0:-1]
    _expect(arrays[0], -(-shape[0] // block[0]) + 1, "indptr")
    _expect(arrays[1], arrays[2].shape[0], "indices")
    return Matrix(bsCreateConstBsr(*shape, arrays[1].size, *block, *pointers, offset_type, index_type, base, type_, order),
                  arrays[:2], arrays[2])


def sparse(matrix):
    """A SciPy or torch sparse matrix in CSR, CSC, COO or BSR, over its own arrays."""
    layout = str(getattr(matrix, "layout", "")).removeprefix("torch.sparse_")
    if layout in ("csr", "bsr"):
        make = csr if layout == "csr" else bsr
        return make(tuple(matrix.shape), matrix.crow_indices(), matrix.col_indices(), matrix.values())
    if layout == "csc":
        return csc(tuple(matrix.shape), matrix.ccol_indices(), matrix.row_indices(), matrix.values())
    if layout == "coo":
        indices = matrix.indices()
        return coo(tuple(matrix.shape), indices[0], indices[1], matrix.values())
    format_ = getattr(matrix, "format", None)
    if format_ in ("csr", "csc", "bsr"):
        return {"csr": csr, "csc": csc, "bsr": bsr}[format_](matrix.shape, matrix.indptr, matrix.indices, matrix.data)
    if format_ == "coo":
        return coo(matrix.shape, matrix.row, matrix.col, matrix.data)
    raise TypeError(f"{type(matrix).__name__} is not a SciPy or torch matrix in CSR, CSC, COO or BSR")


def asmatrix(given, name="matrix"):
    """Matrices as they are, SciPy and torch sparse matrices by sparse(), anything else by dense()."""
    if isinstance(given, Matrix):
        return given
    is_sparse = "sparse_" in str(getattr(given, "layout", "")) or hasattr(given, "format") and hasattr(given, "nnz")
    return sparse(given) if is_sparse else dense(given, name)
