"""The header as Doxygen reads it: comments marked for it, sections as groups, a shared comment at each of its functions.

Doxygen's INPUT_FILTER: prints the file given.
"""

import re
import sys

import header


def section(banner, is_first):
    lines = [re.sub(r"^ \* ?", "", line) for line in banner.splitlines()[1:-1]]
    number, title = re.match(r"(\d+)\. ([^,.]*)", lines[0]).groups()
    rest = [lines[0][len(f"{number}. {title}"):].lstrip(",. ")] + lines[1:]
    end = "" if is_first else "/** @} */\n"
    return f"{end}/** @defgroup section{number} {number}. {title}\n" + "\n".join(rest) + "\n@{ */"


def marked(comment, mark):
    return mark + comment[2:]


def convert(text):
    out, end, comment, is_open, is_first = [], 0, "", False, True
    for item in header.ITEM.finditer(text):
        between, end = text[end:item.start()], item.end()
        if is_open and (between.strip(" ") != "\n" or not item["name"]):
            out.append(marked(comment, "/**"))  # of a type or macro
            is_open = False
        if between.strip(" ") != "\n":
            comment = ""
        if item["section"]:
            out += [between, section(item[0], is_first)]
            is_first = False
        elif item["name"]:
            out += [between] if not is_open else []
            out += [marked(comment, "/**") + "\n" if comment else "", item[0]]
            is_open = False
        elif between.endswith("\n") or not between:
            out.append(between)
            comment, is_open = item[0], True
        else:
            out += [between, marked(item[0], "/**<")]
    body, tail = ("".join(out) + text[end:]).rsplit("#ifdef __cplusplus", 1)
    return keep_head(body + "/** @} */\n#ifdef __cplusplus" + tail)


def keep_head(text):
    """The first comment is a table, which stays as it is written."""
    head, rest = text.split("*/", 1)
    return head.replace("/** ", "/** @file\n * @verbatim\n * ", 1).rstrip() + "\n * @endverbatim\n */" + rest


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        content = file.read()
    print(convert(content) if sys.argv[1].endswith("bsparse.h") else content, end="")
