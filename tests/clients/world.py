"""A small world of valid objects on the CPU backend. All memory that calls may see belongs to it, so a snapshot before and
after a call shows every write; what the getters say of the objects is part of the snapshot."""

import ctypes
import struct

I32, ZERO, F32, F64, ROW = 2, 0, 0, 1, 2  # BS_INDEX_32I, BS_INDEX_BASE_ZERO, BS_R_32F, BS_R_64F, BS_ORDER_ROW
N, T = 0, 1                               # BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_TRANSPOSE
ALIGNMENT = 256
OPTIONS = (1, 2, 3, 4)                    # bsOption_t

MATRIX_GETTERS = {"bsMatGetFormat": 1, "bsMatGetSize": 3, "bsMatGetValueType": 1, "bsMatGetConstPointers": 3,
                  "bsMatGetDense": 2, "bsMatGetIndexing": 3, "bsMatGetBlocks": 3, "bsMatGetBatch": 4, "bsMatGetGate": 2,
                  "bsMatGetAnalysis": 1}
OPTION_GETTERS = {"bsOptionsGetRoute": 1, "bsOptionsGetBias": 4, "bsOptionsGetAuxiliary": 1,
                  "bsOptionsGetBiasGradient": 3}
HANDLE_GETTERS = {"bsGetStream": 1, "bsGetPointerMode": 1, "bsGetNumThreads": 1}


class World:
    """CSR, CSC, COO and BSR matrices of 4 x 6 and dense ones that fit them."""

    def __init__(self, library, handle):
        self.library, self.handle, self.blocks, self.matrices = library, handle, [], []
        self.offsets, self.columns = self.ints(0, 2, 3, 3, 5), self.ints(0, 2, 3, 1, 5)
        self.csr = self.create_csr(self.offsets, self.columns, self.floats(5), 5)
        self.csc = self.matrix("bsCreateCsc", 4, 6, 5, self.ints(0, 1, 2, 3, 4, 4, 5), self.ints(0, 3, 0, 1, 3),
                               self.floats(5), I32, I32, ZERO, F32)
        self.coo = self.matrix("bsCreateCoo", 4, 6, 5, self.ints(0, 0, 1, 3, 3), self.columns, self.floats(5), I32, ZERO,
                               F32)
        self.block_offsets, self.block_columns = self.ints(0, 2, 3), self.ints(0, 2, 1)
        self.bsr, self.gradient_bsr = self.create_bsr(2), self.create_bsr(2)
        self.left, self.right = self.dense(4, 2), self.dense(2, 6)
        self.factor, self.result = self.dense(4, 3), self.dense(6, 3)  # csr^T factor = result
        self.x, self.y = self.dense(4, 1), self.dense(6, 1)            # csr^T x = y
        self.source = self.dense(4, 6)
        self.options = self.create("bsCreateOptions")

    # Memory

    def memory(self, content):
        block = ctypes.create_string_buffer(len(content) + ALIGNMENT)
        address = -(-ctypes.addressof(block) // ALIGNMENT) * ALIGNMENT
        ctypes.memmove(address, content, len(content))
        self.blocks.append(block)
        return address

    def ints(self, *numbers):
        return self.memory(struct.pack(f"{len(numbers)}i", *numbers))

    def floats(self, count):
        return self.memory(struct.pack(f"{count}f", *range(1, count + 1)))

    def out(self):
        """Where a call may write one value of up to 8 bytes."""
        return self.memory(b"\xa5" * 8)

    def workspace(self, size):
        return self.memory(b"\xa5" * (size + ALIGNMENT))

    # Calls that must succeed

    def must(self, function, *arguments):
        status = getattr(self.library, function)(*arguments)
        if status != 0:
            raise AssertionError(f"{function} gives {status}: {self.library.bsGetLastErrorMessage().decode()}")

    def written(self, ctype, function, *arguments):
        """What a function writes through its last argument."""
        pointer = self.out()
        self.must(function, *arguments, pointer)
        return ctype.from_address(pointer).value

    def size(self, function, *arguments):
        return self.written(ctypes.c_int64, function, *arguments)

    def create(self, function, *arguments):
        pointer = self.out()
        self.must(function, pointer, *arguments)
        return ctypes.c_void_p.from_address(pointer).value

    # Objects

    def matrix(self, function, *arguments):
        self.matrices.append(self.create(function, *arguments))
        return self.matrices[-1]

    def create_csr(self, offsets, columns, values, nnz):
        return self.matrix("bsCreateCsr", 4, 6, nnz, offsets, columns, values, I32, I32, ZERO, F32)

    def create_bsr(self, block):
        return self.matrix("bsCreateBsr", 4, 6, 3, block, block, self.block_offsets, self.block_columns,
                           self.floats(3 * block * block), I32, I32, ZERO, F32, ROW)

    def dense(self, rows, cols, value_type=F32, values=None):
        values = values or self.memory(struct.pack("d", 1.0) * (2 * rows * cols))
        return self.matrix("bsCreateDense", rows, cols, cols, values, value_type, ROW)

    def read_only(self, mat):
        """The same matrix over the same arrays, which it may not write."""
        pointers = (ctypes.c_void_p * 3)()
        self.must("bsMatGetConstPointers", mat, *[ctypes.addressof(pointers) + 8 * i for i in range(3)])
        self.must("bsMatSetConstPointers", mat, *pointers)
        return mat

    def batched(self, mat, count, value_stride=0):
        self.must("bsMatSetBatch", mat, count, value_stride, 0, 0)
        return mat

    def values_of(self, mat):
        return self.written(ctypes.c_void_p, "bsMatGetConstPointers", mat, None, None)

    def allocation(self):
        pointer = self.out()
        self.must("bsMalloc", self.handle, pointer, 64)
        return ctypes.c_void_p.from_address(pointer).value

    def report(self):
        one = self.floats(1)
        return self.written(ctypes.c_void_p, "bsSpMM_explain", self.handle, T, N, one, self.csr, self.factor, one,
                            self.result, F32, None, None)

    # Snapshot

    def snapshot(self):
        states = [block.raw for block in self.blocks]
        states += [self.ask(name, mat, count) for mat in self.matrices for name, count in MATRIX_GETTERS.items()]
        states += [self.ask(name, self.options, count) for name, count in OPTION_GETTERS.items()]
        states += [self.ask("bsOptionsGetInt", self.options, 1, option) for option in OPTIONS]
        return states + [self.ask(name, self.handle, count) for name, count in HANDLE_GETTERS.items()]

    def ask(self, getter, owner, count, *key):
        values = (ctypes.c_int64 * count)()
        places = [ctypes.addressof(values) + 8 * i for i in range(count)]
        return getter, getattr(self.library, getter)(owner, *key, *places), tuple(values)
