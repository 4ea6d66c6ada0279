#!/usr/bin/env python3
"""Tables and plots of what `bsbench --json` printed: report.py FILE... [--csv FILE] [--markdown] [--plots FOLDER]

Rows are of one device. A problem that was measured more than once counts as it was measured last; the CSV has all.
The last line printed is the summary. Without --csv, --markdown and --plots there is nothing else.
"""
import argparse
import csv
import math
import pathlib
import sys

from report_rows import latest_outcomes, read_rows, usual_words

COLUMNS = ("date", "device", "commit", "command", "problem", "contender", "us", "tflops", "predicted_us", "chosen",
           "vs_cublas", "vs_cusparse", "regret", "error")


def write_csv(path, rows):
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        for row in rows:
            short = {name: f"{value:.6g}" for name, value in row.items() if isinstance(value, float)}
            writer.writerow(row | short | {"contender": row["route"]})


def number(value, digits=3):
    """Plain digits, as many as say something."""
    if value is None or value <= 0:
        return "-"
    return f"{value:.{max(0, digits - 1 - math.floor(math.log10(value)))}f}"


def table_row(outcome, usual):
    a = outcome.about
    chosen, best = outcome.chosen, outcome.fastest(None)
    words = [a["op"], a["format"], outcome.block, a["dtype"], outcome.sizes, f"{100 * a['density']:.2g} %",
             *(word for word in outcome.others if word not in usual)]
    route = "-" if not chosen else f"`{chosen['route']}`" + (" **wrong**" if chosen["error"] else "")
    another = best and best is not chosen
    peers = [outcome.fastest(peer) for peer in ("cublas", "cusparse")]
    return [" ".join(filter(None, words)), route, number(chosen and chosen["us"]), number(chosen and chosen["tflops"]),
            f"`{best['route']}` {number(best['us'])}" if another else "",
            *(f"{number(p['us'])} {p['route'].split('/')[-1]}" if p else "-" for p in peers),
            *(number(outcome.ratio(name)) for name in ("vs_cublas", "vs_cusparse", "regret"))]


def print_markdown(outcomes):
    usual = usual_words(outcomes)
    commits = sorted({o.about["commit"] for o in outcomes})
    dates = sorted({o.about["date"][:10] for o in outcomes})
    print(f"{outcomes[0].about['device']}, {', '.join(dates)}, commit {', '.join(commits)}."
          + f" If nothing else is said: {', '.join(usual)}.\n")
    print("| problem | chosen route | µs | TFLOP/s | faster route, µs | best cuBLAS, µs | best cuSPARSE, µs | x cuBLAS "
          "| x cuSPARSE | regret |\n|---|---|--:|--:|---|--:|--:|--:|--:|--:|")
    for outcome in outcomes:
        print("| " + " | ".join(table_row(outcome, usual)) + " |")
    print()


def summary(outcomes):
    parts = [f"{len(outcomes)} problems"]
    for peer, name in (("vs_cublas", "cuBLAS"), ("vs_cusparse", "cuSPARSE")):
        ratios = [o.ratio(peer) for o in outcomes if o.ratio(peer)]
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else None
        parts.append(f"x {name} {number(mean)} (geometric mean of {len(ratios)})")
    worst = max((o for o in outcomes if o.ratio("regret")), key=lambda o: o.ratio("regret"), default=None)
    parts.append(f"worst regret {number(worst.ratio('regret'))} ({worst.about['problem']})" if worst
                 else "no regret known")
    parts.append(f"{sum(len(o.wrong) for o in outcomes)} wrong or failed rows")
    return ", ".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE", help="JSON lines of bsbench")
    parser.add_argument("--csv", metavar="FILE", help="writes one row a contender")
    parser.add_argument("--markdown", action="store_true", help="prints a table, one row a problem")
    parser.add_argument("--plots", metavar="FOLDER", help="writes SVG files; needs matplotlib")
    options = parser.parse_args()
    rows = read_rows(options.files)
    outcomes = latest_outcomes(rows)
    if options.csv:
        write_csv(options.csv, rows)
    if options.markdown:
        print_markdown(outcomes)
    if options.plots:
        try:
            import report_plots
        except ImportError as error:
            print(f"report.py: no plots, {error}", file=sys.stderr)
        else:
            for path in report_plots.write_plots(outcomes, pathlib.Path(options.plots)):
                print(f"report.py: wrote {path}", file=sys.stderr)
    print(summary(outcomes))


if __name__ == "__main__":
    main()
