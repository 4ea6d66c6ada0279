"""Reads include/bsparse.h: functions with their arguments and nullability marks, enumerations with their values."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Argument:
    name: str
    type: str          # "int64_t", "const void*", "bsMatDescr_t*"
    nullable: bool     # marked /* nullable */
    conditional: bool  # marked /* nullable if ... */


@dataclass(frozen=True)
class Function:
    name: str
    result: str
    arguments: tuple

    def index(self, name):
        return [argument.name for argument in self.arguments].index(name)


def parse_argument(text):
    mark = re.search(r"/\*\s*(nullable[^*]*?)\s*\*/", text)
    words = " ".join(re.sub(r"/\*.*?\*/", "", text, flags=re.S).split())
    type_, name = re.fullmatch(r"(.*?[\s*])(\w+)", words).groups()
    return Argument(name, re.sub(r"\s+\*", "*", type_.strip()), bool(mark) and mark[1] == "nullable",
                    bool(mark) and mark[1] != "nullable")


def parse_function(result, name, arguments):
    plain = arguments.strip()
    parsed = () if plain == "void" else tuple(parse_argument(part) for part in plain.split(","))
    return Function(name, " ".join(result.split()).replace(" *", "*"), parsed)


def functions(text):
    found = re.findall(r"^BS_API\s+([\w\s*]+?[\s*])(\w+)\((.*?)\);", text, flags=re.S | re.M)
    return {name: parse_function(result, name, arguments) for result, name, arguments in found}


def enumerations(text):
    """{"bsStatus_t": [("BS_STATUS_SUCCESS", 0), ...], ...} in the header's order."""
    plain = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    found = re.findall(r"typedef int32_t (\w+);\s*enum\s*\{(.*?)\};", plain, flags=re.S)
    return {name: [(key, int(value)) for key, value in re.findall(r"(\w+)\s*=\s*(-?\d+)", body)] for name, body in found}
