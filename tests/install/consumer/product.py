"""C = A B from Python, with the module and the library of the tree that holds both; usage: product.py TREE"""

import array
import os
import sys

import bsparse

assert os.path.realpath(bsparse.__file__).startswith(os.path.realpath(sys.argv[1])), bsparse.__file__
with open("/proc/self/maps", encoding="utf-8") as maps:
    loaded = {line.split()[-1] for line in maps if "libbsparse" in line}
assert loaded and all(path.startswith(os.path.realpath(sys.argv[1])) for path in loaded), loaded
A = bsparse.csr((2, 2), array.array("i", [0, 2, 3]), array.array("i", [0, 1, 1]), array.array("f", [1, 2, 3]))
result = array.array("f", [0, 0])
bsparse.Handle("cpu").spmm(A, array.array("f", [1, 100]), result)
assert list(result) == [201, 300], result
