"""Reads include/bsparse.h: functions with arguments, nullability marks and text, enumerations, handles, callbacks."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Argument:
    name: str
    type: str          # "int64_t", "const void*", "bsMatDescr_t*"
    nullable: bool     # marked /* nullable */
    condition: str     # "bytes is 0" where marked /* nullable if bytes is 0 */

    @property
    def conditional(self):
        return bool(self.condition)


@dataclass(frozen=True)
class Function:
    name: str
    result: str
    arguments: tuple
    section: str = ""  # "2. Lifecycle"
    text: str = ""     # the comment above it; functions without a blank line between them share one

    def index(self, name):
        return [argument.name for argument in self.arguments].index(name)


@dataclass(frozen=True)
class Handle:
    name: str
    struct: str
    const: bool
    text: str


@dataclass(frozen=True)
class Member:
    name: str
    value: int
    text: str


def plain(comment):
    """The words of a C comment."""
    return " ".join(re.sub(r"\n\s*\*", "\n", comment.strip()[2:-2]).split())


def without_comments(text):
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.S)


def parse_argument(text):
    mark = re.search(r"/\*\s*nullable(?: if ([^*]*?))?\s*\*/", text)
    words = " ".join(without_comments(text).split())
    type_, name = re.fullmatch(r"(.*?[\s*])(\w+)", words).groups()
    condition = mark[1] or "" if mark else ""
    return Argument(name, re.sub(r"\s+\*", "*", type_.strip()), bool(mark) and not condition, condition)


def parse_arguments(text):
    return () if text.strip() == "void" else tuple(parse_argument(part) for part in text.split(","))


ITEM = re.compile(r"/\*\s*-{20,}\s*\*\s*(?P<section>\d+\. [^,.\n]*).*?\*/"
                  r"|(?P<comment>/\*.*?\*/)"
                  r"|^BS_API\s+(?P<result>[\w\s*]+?[\s*])(?P<name>\w+)\((?P<arguments>.*?)\);", re.S | re.M)


def functions(text):
    found, section, comment, end = {}, "", "", 0
    for item in ITEM.finditer(text):
        if text[end:item.start()].strip(" ") != "\n":  # a comment belongs to what stands on the next line
            comment = ""
        end = item.end()
        if item["section"]:
            section = " ".join(item["section"].split())
        elif item["comment"]:
            comment = plain(item["comment"])
        else:
            result = " ".join(item["result"].split()).replace(" *", "*")
            found[item["name"]] = Function(item["name"], result, parse_arguments(item["arguments"]), section, comment)
    return found


def members(text):
    """{"bsStatus_t": [Member("BS_STATUS_SUCCESS", 0, "..."), ...], ...} in the header's order."""
    found = {}
    for name, body in re.findall(r"typedef int32_t (\w+);(?:\s|/\*.*?\*/)*enum\s*\{(.*?)\};", text, flags=re.S):
        rows = re.findall(r"(\w+)\s*=\s*(-?\d+)\s*,?[ \t]*((?:\s*/\*.*?\*/)?)", body, flags=re.S)
        found[name] = [Member(key, int(value), plain(comment) if comment else "") for key, value, comment in rows]
    return found


def enumerations(text):
    return {name: [(member.name, member.value) for member in rows] for name, rows in members(text).items()}


def handles(text):
    found = re.findall(r"typedef (const )?struct (\w+)\* (\w+);[ \t]*(/\*.*?\*/)?", text)
    return [Handle(name, struct, bool(const), plain(comment) if comment else "")
            for const, struct, name, comment in found]


def callbacks(text):
    """{"bsLogCallback_t": arguments}; they return nothing."""
    found = re.findall(r"typedef void \(\*(\w+)\)\((.*?)\);", text, flags=re.S)
    return {name: parse_arguments(arguments) for name, arguments in found}


def numbers(text):
    """{"BSPARSE_VERSION_MAJOR": 0, ...}: macros that are a literal number."""
    return {name: int(value) for name, value in re.findall(r"^#define (BSPARSE_\w+) (\d+)$", text, flags=re.M)}
