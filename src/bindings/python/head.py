"""libbsparse for Python: one module, ctypes only, no build step.

    import bsparse
    handle = bsparse.Handle("cpu")
    A = bsparse.csr((rows, cols), indptr, indices, data)      # or bsparse.sparse(a SciPy or torch sparse matrix)
    handle.spmm(A, B, C, alpha=1, beta=0)                     # C = A B; B and C are arrays

Arrays are anything with the array interface (NumPy), the CUDA array interface (CuPy, torch), DLPack (torch, JAX) or the
buffer protocol (array.array), in the memory of the handle's backend. They are never copied: what the library could not
use in place is refused, and a descriptor keeps what it points to alive. Failures raise bsparse.Error with the library's
sentence; wrong types, layouts and devices raise TypeError or ValueError.

Every function of bsparse.h is here under its own name. It takes the C function's inputs in order and returns what the C
function writes through pointers: rows, cols, nnz = bsparse.bsMatGetSize(mat). What things mean is said in bsparse.h.
"""

import ctypes
import os
