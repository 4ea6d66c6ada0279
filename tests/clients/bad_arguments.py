"""Wrong arguments, generated over every function and argument of include/bsparse.h.

    bad_arguments.py HEADER LIBRARY [PATTERN]      only calls of functions whose name the regular expression finds

Each must give its status and a message with the names of function and argument, write nothing to any output, and print
nothing. Ends with "N passed, N failed, N skipped"; skipped, by name, are cases that do not arise (a wrong workspace where
none is needed). Case by case the results go to the file that BSPARSE_TEST_RESULTS names.
"""

import ctypes
import os
import re
import sys
import tempfile
import traceback

import header
import wrong
from baselines import BASELINES
from world import World

CREATES = re.compile(r"bsCreate|bsMalloc$|.*_explain$")


class Printed:
    """Catches what the library writes to file descriptors 1 and 2; the harness keeps its own way out."""

    def __init__(self):
        self.console = os.fdopen(os.dup(1), "w", buffering=1)
        sys.excepthook = lambda *error: self.console.write("".join(traceback.format_exception(*error)))
        self.file = tempfile.TemporaryFile()
        for descriptor in (1, 2):
            os.dup2(self.file.fileno(), descriptor)

    def take(self):
        self.file.seek(0)
        text = self.file.read()
        self.file.truncate(0)
        self.file.seek(0)
        return text


class Ring:
    def __init__(self, text, library):
        self.functions, self.enumerations = header.functions(text), header.enumerations(text)
        self.statuses = {value: name for name, value in self.enumerations["bsStatus_t"]}
        self.library, self.printed = library, Printed()
        self.results = open(os.environ.get("BSPARSE_TEST_RESULTS", os.devnull), "a", buffering=1, encoding="utf-8")
        self.counts = {"ok": 0, "not ok": 0, "skip": 0}

    def record(self, result, what, detail=""):
        self.counts[result] += 1
        self.results.write(f"{result} {what}{detail}\n")
        if result != "ok":
            self.printed.console.write(f"{result} {what}{detail}\n")

    def check(self, what, problems):
        self.record("not ok" if problems else "ok", what, "".join(f"; {problem}" for problem in problems))

    # The header against itself and against the library

    def check_header(self):
        for name, members in self.enumerations.items():
            values = [value for _, value in members]
            self.check(f"{name} has distinct values", ["no members"] * (not values) +
                       [f"{v} twice" for v in {v for v in values if values.count(v) > 1}])
        names = [key for members in self.enumerations.values() for key, _ in members]
        self.check("enumerators have distinct names", [n for n in set(names) if names.count(n) > 1])
        for name, function in self.functions.items():
            self.check(f"{name} is exported", [] if self.exported(function) else ["no such symbol"])
            fails = function.result == "bsStatus_t"
            self.check(f"{name} has a baseline", [] if not fails or name in BASELINES else ["write one in baselines.py"])
        self.check("every baseline has a function", sorted(set(BASELINES) - set(self.functions)))

    def exported(self, function):
        return hasattr(self.library, function.name)

    def declare(self):
        """Pointers and handles travel as addresses, the rest by width."""
        scalars = {"int64_t": ctypes.c_int64, "int32_t": ctypes.c_int32,
                   **{name: ctypes.c_int32 for name in self.enumerations}}
        for function in filter(self.exported, self.functions.values()):
            entry = getattr(self.library, function.name)
            entry.argtypes = [scalars.get(argument.type, ctypes.c_void_p) for argument in function.arguments]
            entry.restype = ctypes.c_int32 if function.result == "bsStatus_t" else ctypes.c_char_p

    # Calls

    def world(self):
        handle = ctypes.c_void_p()
        self.library.bsCreateOn(ctypes.addressof(handle), 1, 0)
        return World(self.library, handle.value)

    def check_baseline(self, function):
        world = self.world()
        problems = []
        try:
            world.must(function.name, *BASELINES[function.name](world))
        except AssertionError as error:
            problems = [str(error)]
        self.check(f"{function.name}: the valid call", problems)
        return not problems

    def check_nullable(self, function, argument):
        world = self.world()
        arguments = BASELINES[function.name](world)
        arguments[function.index(argument.name)] = None
        status = getattr(self.library, function.name)(*arguments)
        self.check(f"{function.name}: {argument.name} may be NULL", [] if status == 0 else [self.describe(status)])

    def check_wrong(self, function, case):
        world = self.world()
        arguments = BASELINES[function.name](world)
        changed = case.change(world, dict(zip([a.name for a in function.arguments], arguments)))
        if changed is None:
            self.record("skip", f"{function.name}: {case.label}", ": does not arise in the valid call")
            return
        arguments = list(changed.values())
        out = arguments[self.created(function)] if self.created(function) is not None else None
        before = world.snapshot()
        self.results.write(f"begin {function.name}: {case.label}\n")
        self.printed.take()
        status = getattr(self.library, function.name)(*arguments)
        message = self.library.bsGetLastErrorMessage().decode()
        printed = self.printed.take()
        problems = self.judge(function, case, status, message) + [f"printed {printed!r}"] * bool(printed)
        if out:
            problems += self.expect_null(out)
        problems += ["an output was written"] * (world.snapshot() != before)
        self.check(f"{function.name}: {case.label}", problems)

    def judge(self, function, case, status, message):
        if self.statuses.get(status) not in case.statuses:
            return [f"gives {self.describe(status)}, not {' or '.join(case.statuses)}"]
        problems = [f'the message does not start with the function: "{message}"'] * \
            (not message.startswith(function.name + ": "))
        named = any(re.search(rf"\b{name}\b", message) for name in case.names)
        return problems + [f'the message names none of {", ".join(case.names)}: "{message}"'] * (not named)

    def describe(self, status):
        return f'{self.statuses.get(status, status)} "{self.library.bsGetLastErrorMessage().decode()}"'

    @staticmethod
    def created(function):
        """Position of the out-pointer of a function that creates something."""
        pointers = [i for i, argument in enumerate(function.arguments) if argument.type.endswith("_t*") or
                    argument.type == "void**"]
        return pointers[-1] if CREATES.match(function.name) else None

    @staticmethod
    def expect_null(out):
        """A failed creation gives NULL; puts the old content back so that the snapshot sees the rest."""
        value = ctypes.c_int64.from_address(out)
        problems = [] if value.value == 0 else ["the created object is not NULL"]
        ctypes.memmove(out, b"\xa5" * 8, 8)
        return problems

    def check_arguments(self, function):
        for argument in function.arguments:
            if argument.nullable:
                self.check_nullable(function, argument)
            for case in wrong.of_argument(function, argument):
                self.check_wrong(function, case)
        for case in wrong.of_function(function.name):
            self.check_wrong(function, case)

    def run(self, pattern):
        self.check_header()
        self.declare()
        for function in self.functions.values():
            callable_ = self.exported(function) and function.name in BASELINES and re.search(pattern, function.name)
            if callable_ and self.check_baseline(function):
                self.check_arguments(function)
        counts = self.counts
        self.printed.console.write(f"{counts['ok']} passed, {counts['not ok']} failed, {counts['skip']} skipped\n")
        return counts["not ok"] == 0


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as text_:
        ring = Ring(text_.read(), ctypes.CDLL(os.path.abspath(sys.argv[2])))
    sys.exit(0 if ring.run(sys.argv[3] if len(sys.argv) > 3 else "") else 1)
