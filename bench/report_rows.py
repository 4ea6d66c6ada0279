"""Rows of `bsbench --json` and what report.py asks about them."""
import collections
import json
import pathlib
import re
import sys

NEEDED = {"problem", "op", "format", "block", "dtype", "m", "k", "n", "density", "instances", "route", "peer", "error",
          "us", "tflops", "roof_share", "predicted_us", "chosen", "vs_cublas", "vs_cusparse", "regret", "date",
          "device", "commit", "command"}
SAID_BY_MEMBERS = {"op", "format", "block", "dtype", "m", "k", "n", "density", "file"}


class Outcome:
    """One problem measured once: its rows, and what tables and plots ask about them."""

    def __init__(self, rows):
        self.rows = rows
        self.about = rows[0]
        self.chosen = next((r for r in rows if r["chosen"]), None)
        self.wrong = [r for r in rows if r["error"]]

    def fastest(self, peer):
        """None stands for the library's routes."""
        timed = [r for r in self.rows if r["peer"] == peer and is_time(r["us"])]
        return min(timed, key=lambda r: r["us"], default=None)

    def ratio(self, name):
        """A ratio of the chosen route, None where either side has no time."""
        return self.chosen and self.chosen[name]

    @property
    def family(self):
        return self.about["op"], self.about["format"]

    @property
    def sizes(self):
        a = self.about
        return " x ".join(str(a[size]) for size in ("m", "k", "n")[:2 if a["op"] == "spmv" else 3])

    @property
    def block(self):
        block = self.about["block"]
        return block and (str(block[0]) if block[0] == block[1] else "x".join(map(str, block)))

    @property
    def others(self):
        """Words of the problem that no member says, such as "opa t"."""
        options = re.findall(r"--(\S+)((?: (?!--)\S+)*)", self.about["problem"])
        words = [name + value for name, value in options if name not in SAID_BY_MEMBERS | {"analysis"}]
        words.append("analysis" + dict(options).get("analysis", " none"))
        words += [pathlib.Path(value.strip()).name for name, value in options if name == "file"]
        return words + ["cold"] * (self.about["instances"] > 1)


def is_time(us):
    return us is not None and us > 0  # 0 would be a run with --check only


def read_rows(names):
    rows = []
    for name in names:
        for number, line in enumerate(pathlib.Path(name).read_text().splitlines(), 1):
            try:
                row = json.loads(line)
                missing = NEEDED - row.keys()
            except (ValueError, AttributeError):
                sys.exit(f"report.py: {name}:{number} is not JSON of bsbench")
            if missing:
                sys.exit(f"report.py: {name}:{number} lacks {', '.join(sorted(missing))}")
            rows.append(row)
    if len({row["device"] for row in rows}) != 1:
        sys.exit("report.py: rows of one device are needed, these have "
                 + (", ".join(sorted({row["device"] for row in rows})) or "none"))
    return rows


def latest_outcomes(rows):
    """bsbench stamps all rows of a measurement with the same date."""
    runs = {}
    for row in rows:
        runs.setdefault((row["problem"], row["instances"] > 1), {}).setdefault(row["date"], []).append(row)
    return [Outcome(dates[max(dates)]) for dates in runs.values()]


def usual_words(outcomes):
    """Said once for all problems: what all have, and the analysis that most have, as none has two."""
    said = collections.Counter(word for o in outcomes for word in o.others)
    analysis = next(word for word, _ in said.most_common() if word.startswith("analysis "))
    return [word for word, count in said.items() if count == len(outcomes) or word == analysis]
