"""Wrong values: what can be derived from an argument's type and name, and combinations that only a function knows."""

import ctypes
import re
from dataclasses import dataclass
from typing import Callable

from world import ALIGNMENT, F32, F64, T

HANDLE, POINTER, SIZE, VALUE = ("BS_STATUS_INVALID_" + word for word in ("HANDLE", "POINTER", "SIZE", "VALUE"))
TYPE, SHAPE, ALIAS = ("BS_STATUS_INVALID_" + word for word in ("TYPE", "SHAPE", "ALIAS"))
WORKSPACE, NOT_SUPPORTED = "BS_STATUS_INSUFFICIENT_WORKSPACE", "BS_STATUS_NOT_SUPPORTED"
HUGE = 1 << 62
OBJECTS = {"bsHandle_t": "handle", "bsMatDescr_t": "matrix", "bsConstMatDescr_t": "matrix", "bsOptions_t": "options",
           "bsConstOptions_t": "options", "bsReport_t": "report"}


@dataclass
class Case:
    label: str
    change: Callable   # (world, {name: value}) -> the changed dictionary, or None where the case does not arise
    statuses: tuple
    names: tuple       # the message has one of them


def setting(argument, label, value, *statuses, names=None):
    """A case that replaces one argument; a callable value is given the world and the arguments."""
    def change(world, arguments):
        new = value(world, arguments) if callable(value) else value
        return {**arguments, argument: new}
    return Case(f"{argument} {label}", change, statuses, names or (argument,))


# From the type

def of_argument(function, argument):
    if argument.type in OBJECTS:
        return wrong_objects(argument)
    if argument.type == "void*" and argument.name in ("workspace", "buffer"):
        return wrong_workspaces(argument.name)
    if argument.type in ("int64_t", "int32_t"):
        return wrong_numbers(function, argument)
    if argument.type == "const char*":
        null = [] if argument.nullable else [setting(argument.name, "NULL", None, POINTER)]
        return null + [setting(argument.name, "unknown", lambda w, a: w.memory(b"no such name\0"), VALUE),
                       setting(argument.name, "empty", lambda w, a: w.memory(b"\0"), VALUE)]
    if argument.type.endswith("*"):
        return wrong_pointers(function.name, argument)
    if argument.type in ("bsStream_t", "bsLogCallback_t"):
        return []
    status = TYPE if argument.type == "bsDataType_t" else VALUE
    return [setting(argument.name, str(number), number, status) for number in (-1, 1 << 20, 99)]


def wrong_objects(argument):
    others = {"handle": lambda w, a: w.handle, "matrix": lambda w, a: w.csr, "options": lambda w, a: w.options}
    others.pop(OBJECTS[argument.type], None)
    cases = [setting(argument.name, f"is {kind}", other, HANDLE) for kind, other in others.items()]
    cases.append(setting(argument.name, "is zeroed memory", lambda w, a: w.memory(bytes(256)), HANDLE))
    return cases if argument.nullable else cases + [setting(argument.name, "NULL", None, HANDLE)]


def wrong_pointers(function, argument):
    array = argument.type in ("void*", "const void*")
    if array and (function.startswith("bsCreate") or re.fullmatch("bsMatSet(Const)?(Pointers|Values)", function)):
        return misaligned(argument.name)
    if argument.conditional or not argument.nullable:
        return [setting(argument.name, "NULL", None, POINTER)]
    return misaligned(argument.name) if argument.name in ("gate", "bias", "gradient") and "Get" not in function else []


def misaligned(name):
    return [setting(name, "misaligned", lambda w, a: a[name] + 1, POINTER)]


def wrong_workspaces(name):
    def needed(change):
        def guarded(world, arguments):
            return change(arguments) if arguments["bytes"] > 0 else None
        return guarded
    return [Case(f"{name} NULL", needed(lambda a: {**a, name: None}), (POINTER,), (name,)),
            Case(f"{name} misaligned", needed(lambda a: {**a, name: a[name] + ALIGNMENT // 2}), (POINTER,), (name,)),
            Case("bytes 0", needed(lambda a: {**a, "bytes": 0}), (WORKSPACE,), ("bytes", name))]


def wrong_numbers(function, argument):
    name = argument.name
    if name == "value":
        return [setting(name, str(number), number, VALUE) for number in (-1, 2, HUGE)]
    if name == "index":
        return [setting(name, str(number), number, SIZE) for number in (-1, 1 << 20, HUGE)]
    if name == "size":
        return [setting(name, str(number), number, SIZE) for number in (-1, 0, 7, 9)]
    if name == "device":
        return [setting(name, str(number), number, SIZE) for number in (-1, 1)]
    cases = [setting(name, "-1", -1, SIZE), setting(name, "lowest", -(1 << 63), SIZE)]
    if function.name.startswith("bsCreate"):
        names = tuple(a.name for a in function.arguments if a.type in ("int64_t", "void*", "const void*"))
        cases.append(setting(name, "2^62", HUGE, SIZE, names=names))
    if function.name == "bsMalloc":
        cases.append(setting(name, "2^62", HUGE, "BS_STATUS_ALLOC_FAILED"))
    return cases


# What only a function knows

def of_function(name):
    stem = name.split("_")[0]
    executes = name == stem
    cases = [case for names, listed in LISTED.items() if name in names.split() for case in listed]
    if stem in ("bsSpMM", "bsSDDMM", "bsSpMV"):
        cases += of_product(stem)
        cases += of_execution(stem) if executes else []
    return cases


def of_product(stem):
    sparse, dense, out = {"bsSpMM": ("A", "B", "C"), "bsSDDMM": ("C", "A", "C"), "bsSpMV": ("A", "x", "y")}[stem]
    everyone = ("A", "B", "C") if stem != "bsSpMV" else ("A", "x", "y")
    inputs = [operand for operand in everyone if operand != out]
    cases = [setting(sparse, "is COO", lambda w, a: w.coo, SHAPE, names=everyone),
             setting(sparse, "is dense", lambda w, a: w.source, SHAPE, names=everyone),
             setting(dense, "is sparse", lambda w, a: w.csr, SHAPE, names=everyone)]
    for operand in everyone:
        cases.append(setting(operand, "has an odd shape", lambda w, a: w.dense(5, 7), SHAPE, names=everyone))
    cases += [setting("compute", "f64 for f32 matrices", F64, TYPE), setting("compute", "f16", 2, TYPE)]
    for operand in [o for o in everyone if o != sparse]:
        cases.append(setting(operand, "is f64 among f32", lambda w, a, o=operand: double(w, a[o]), TYPE,
                             names=everyone + ("compute",)))
    for operand in inputs:
        cases.append(Case(f"{operand} has 2 batches, {out} 3", lambda w, a, o=operand: batches(w, a, o, out), (SHAPE,),
                          everyone))
    return cases


def double(world, mat):
    shape = (ctypes.c_int64 * 2)()
    world.must("bsMatGetSize", mat, ctypes.addressof(shape), ctypes.addressof(shape) + 8, None)
    return world.dense(shape[0], shape[1], F64)


def batches(world, arguments, operand, out):
    world.batched(arguments[operand], 2)
    world.batched(arguments[out], 3, 64)
    return arguments


def of_execution(stem):
    out, inputs = {"bsSpMM": ("C", "AB"), "bsSDDMM": ("C", "AB"), "bsSpMV": ("y", "Ax")}[stem]
    everyone = (out, *inputs)
    cases = [Case(f"{out} overlaps {o}", lambda w, a, o=o: overlapping(w, a, out, o), (ALIAS,), everyone) for o in inputs]
    cases.append(Case("workspace overlaps " + out, lambda w, a: {**a, "workspace": w.values_of(a[out]), "bytes": 256},
                      (ALIAS,), ("workspace",)))
    cases.append(setting(out, "is read-only", lambda w, a: w.read_only(a[out]), POINTER))
    for operand in everyone:
        cases.append(Case(f"{operand} has no arrays", lambda w, a, o=operand: without_arrays(w, a, o), (POINTER,),
                          everyone))
    return cases


def overlapping(world, arguments, out, operand):
    """Makes the output's values lie on the operand's."""
    replace_values(world, arguments[out], world.values_of(arguments[operand]))
    return arguments


def without_arrays(world, arguments, operand):
    world.must("bsMatSetPointers", arguments[operand], None, None, None)
    return arguments


def replace_values(world, mat, values):
    pointers = (ctypes.c_void_p * 3)()
    world.must("bsMatGetConstPointers", mat, *[ctypes.addressof(pointers) + 8 * i for i in range(3)])
    world.must("bsMatSetPointers", mat, pointers[0], pointers[1], values)


def auxiliary(make):
    def change(world, arguments):
        world.must("bsOptionsSetAuxiliary", world.options, make(world, arguments))
        return arguments
    return change


def bias(value_type, axis):
    def change(world, arguments):
        world.must("bsOptionsSetBias", world.options, world.floats(16), value_type, axis, 0)
        return arguments
    return change


LISTED = {
    "bsCreateDense bsCreateConstDense": [setting("ld", "less than cols", 5, SIZE), setting("ld", "0", 0, SIZE)],
    "bsCreateCsr bsCreateCsc bsCreateCoo bsCreateBsr "
    "bsCreateConstCsr bsCreateConstCsc bsCreateConstCoo bsCreateConstBsr": [
        setting("cols", "beyond 32-bit indices", 1 << 40, SIZE, names=("cols", "indexType", "offsetType"))],
    "bsCreateCsr bsCreateCsc bsCreateConstCsr bsCreateConstCsc": [
        setting("nnz", "beyond 32-bit offsets", 1 << 31, SIZE, names=("nnz", "offsetType"))],
    "bsCreateBsr bsCreateConstBsr": [
        setting("rowBlockSize", "0", 0, SIZE), setting("colBlockSize", "65537", 65537, SIZE),
        setting("nnzb", "beyond 32-bit offsets", 1 << 31, SIZE, names=("nnzb", "offsetType"))],
    "bsMatGetPointers": [setting("mat", "is read-only", lambda w, a: w.read_only(a["mat"]), POINTER)],
    "bsSetNumThreads": [setting("threads", "0", 0, SIZE), setting("threads", "1025", 1025, SIZE)],
    "bsMatGetDense": [setting("mat", "is CSR", lambda w, a: w.csr, SHAPE)],
    "bsMatGetIndexing": [setting("mat", "is dense", lambda w, a: w.left, SHAPE)],
    "bsMatGetBlocks bsMatSetGate bsMatGetGate": [setting("mat", "is CSR", lambda w, a: w.csr, SHAPE)],
    "bsMatSetBatch": [setting("mat", "is COO", lambda w, a: w.coo, SHAPE)],
    "bsMatSetPointers bsMatSetConstPointers": [Case("offsets for a dense matrix", lambda w, a: {**a, "mat": w.left}, (POINTER,),
                              ("offsets", "indices"))],
    "bsMatAnalyze_bufferSize bsMatAnalyze": [setting("mat", "is dense", lambda w, a: w.left, SHAPE),
                                             setting("mat", "is COO", lambda w, a: w.coo, SHAPE)],
    "bsMatGetStat": [setting("mat", "has no analysis", lambda w, a: w.bsr, "BS_STATUS_STALE_ANALYSIS")],
    "bsSpMM bsSpMM_bufferSize bsSpMM_explain bsSpMV bsSpMV_bufferSize": [
        Case("auxiliary of another shape", auxiliary(lambda w, a: w.dense(5, 7)), (SHAPE,), ("auxiliary",)),
        Case("auxiliary of another type", auxiliary(lambda w, a: double(w, a.get("C", a.get("y")))), (TYPE,),
             ("auxiliary",)),
        Case("bias of f64 for f32", bias(F64, 1), (TYPE,), ("bias",))],
    "bsSpMM bsSpMV": [Case("auxiliary is the result", auxiliary(lambda w, a: a.get("C", a.get("y"))), (ALIAS,),
                           ("auxiliary",))],
    "bsSDDMM bsSDDMM_bufferSize bsSDDMM_explain": [
        Case("bias for bsSDDMM", bias(F32, 1), (VALUE, NOT_SUPPORTED), ("bias", "options"))],
    "bsBlockGateGrad": [setting("W", "is CSR", lambda w, a: w.csr, SHAPE),
                        setting("dW", "is CSR", lambda w, a: w.csr, SHAPE, names=("dW", "W")),
                        setting("dW", "has other blocks", lambda w, a: w.create_bsr(1), SHAPE, names=("dW", "W")),
                        setting("gradient", "overlaps W", lambda w, a: w.values_of(w.bsr), ALIAS)],
    "bsConvert_bufferSize bsConvert_count bsConvert_fill": [
        setting("op", "makes the shapes differ", T, SHAPE, names=("op", "source", "destination")),
        setting("source", "is f64", lambda w, a: w.dense(4, 6, F64), TYPE, names=("source", "destination")),
        setting("destination", "is f64", lambda w, a: w.dense(4, 6, F64), TYPE, names=("source", "destination")),
        setting("destination", "is batched", lambda w, a: w.batched(w.csc, 2), SHAPE, names=("destination",))],
    "bsConvert_count bsConvert_fill": [
        setting("destination", "is read-only", lambda w, a: w.read_only(a["destination"]), POINTER)],
    "bsConvert_fill": [Case("destination has another nnz", lambda w, a: {**a, "destination": w.csr}, (SIZE,),
                            ("destination", "nnz"))],
}
