"""The plots of report.py: the same rows give the same bytes. Markers and dashes tell lines apart, colours only help."""
import itertools
import re

import matplotlib

from report_rows import usual_words

matplotlib.use("svg")
from matplotlib import pyplot, ticker

STYLE = {"svg.hashsalt": "bsparse", "svg.fonttype": "none", "font.size": 12, "axes.titlesize": 12, "axes.grid": True,
         "grid.color": "#dddddd", "axes.axisbelow": True, "axes.spines.top": False, "axes.spines.right": False,
         "legend.frameon": False, "lines.markersize": 7}
# Okabe and Ito's colours, darkest first.
LINES = [("#000000", "o", "-"), ("#0072b2", "s", "--"), ("#d55e00", "^", "-."), ("#009e73", "D", ":"),
         ("#cc79a7", "v", "-"), ("#56b4e9", "P", "--"), ("#e69f00", "X", "-."), ("#666666", "*", ":")]
PANEL_COLUMNS = 3


def write_plots(outcomes, folder):
    """Two files a product and format; what a figure could not show is left out."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    with pyplot.rc_context(STYLE):
        for family in sorted({o.family for o in outcomes}):
            members = [o for o in outcomes if o.family == family]
            for kind, figure in (("speedup", speedup(members)), ("roof", roof(members))):
                if figure is None:
                    continue
                written.append(folder / f"{kind}-{'-'.join(family)}.svg")
                figure.savefig(written[-1], metadata={"Date": None, "Creator": None})
                pyplot.close(figure)
    return written


def title_of(outcome):
    return f"{outcome.about['op']}, {outcome.about['format']}, {outcome.about['device']}"


def labels_of(outcomes):
    """What tells these apart: the block, or the type where there are none, and whatever else differs. The analysis,
    long in words, only where nothing else does."""
    usual = usual_words(outcomes) if outcomes else []
    bare = {re.sub(r" --analysis \S+", "", o.about["problem"]) for o in outcomes}
    hidden = "analysis " if len(bare) == len(outcomes) else "\n"
    types = {o.about["dtype"] for o in outcomes}
    labels = []
    for outcome in outcomes:
        others = [word for word in outcome.others if word not in usual and not word.startswith(hidden)]
        block = [f"blocks of {outcome.block}"] if outcome.block else []
        dtype = [outcome.about["dtype"]] if not block or len(types) > 1 else []
        labels.append(", ".join(block + dtype + others))
    return labels


def panels_of(outcomes):
    """{sizes: {label: [(density, speed-up)]}} of lines of two points and more."""
    points = [o for o in outcomes if o.ratio("vs_cublas")]
    panels = {}
    for outcome, label in zip(points, labels_of(points)):
        line = panels.setdefault(outcome.sizes, {}).setdefault(label, [])
        line.append((outcome.about["density"], outcome.ratio("vs_cublas")))
    lines = {sizes: {label: sorted(line) for label, line in panel.items() if len(line) > 1}
             for sizes, panel in panels.items()}
    return {sizes: panel for sizes, panel in lines.items() if panel}


def speedup(outcomes):
    panels = panels_of(outcomes)
    if not panels:
        return None
    labels = list(dict.fromkeys(label for panel in panels.values() for label in panel))
    styles = dict(zip(labels, itertools.cycle(LINES)))
    columns = min(PANEL_COLUMNS, len(panels))
    rows = -(-len(panels) // columns)
    width, height = (4 * columns, 3 * rows + 1.2) if columns > 1 else (7, 4.8)
    figure, grid = pyplot.subplots(rows, columns, figsize=(width, height), sharex=True, sharey=True, squeeze=False,
                                   layout="constrained")
    for axes, (sizes, panel) in itertools.zip_longest(grid.flat, panels.items(), fillvalue=(None, None)):
        if sizes is None:
            axes.remove()
        else:
            draw_panel(axes, sizes, panel, styles)
    set_scales(grid[0][0], [point for panel in panels.values() for line in panel.values() for point in line])
    for axes in grid[:, 0]:
        axes.set_ylabel("x cuBLAS dense")
    for axes in figure.axes[-columns:]:
        axes.set_xlabel("density")
    figure.suptitle("Speed-up over cuBLAS dense: " + title_of(outcomes[0]), fontsize=13)
    handles = [pyplot.Line2D([], [], color=c, marker=m, linestyle=s) for c, m, s in styles.values()]
    figure.legend(handles, labels, loc="outside lower center", ncols=min(len(labels), 1 + 2 * columns), fontsize=11)
    return figure


def draw_panel(axes, sizes, panel, styles):
    axes.axhline(1, color="#000000", linewidth=1)
    for label, line in panel.items():
        colour, marker, dashes = styles[label]
        axes.plot(*zip(*line), color=colour, marker=marker, linestyle=dashes)
    axes.set_title(sizes)
    axes.tick_params(labelbottom=True)


def set_scales(axes, points):
    axes.set_xscale("log")
    axes.set_yscale("log")
    densities = sorted({float(f"{density:.1g}") for density, _ in points})
    if len(densities) <= 6:
        axes.set_xticks(densities)
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda density, _: f"{100 * density:.2g} %"))
    axes.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_minor_locator(ticker.NullLocator())
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda ratio, _: f"{ratio:g}"))


def roof(outcomes):
    """The share of the roofline that the chosen route and the best of each peer reach, one line a problem."""
    known = [o for o in outcomes if o.chosen and o.chosen["roof_share"]]
    if not known:
        return None
    figure, axes = pyplot.subplots(figsize=(9, 1.8 + 0.28 * len(known)), layout="constrained")
    contenders = [("chosen route", "#000000", "o", [o.chosen for o in known])]
    for name, peer, colour, marker in (("cuBLAS dense", "cublas", "#0072b2", "s"),
                                       ("cuSPARSE", "cusparse", "#d55e00", "^")):
        contenders.append((name, colour, marker, [o.fastest(peer) for o in known]))
    for name, colour, marker, rows in contenders:
        shares = [(100 * row["roof_share"], i) for i, row in enumerate(rows) if row and row["roof_share"]]
        if shares:
            axes.plot(*zip(*shares), marker, color=colour, label=name, fillstyle="full" if marker == "o" else "none")
    axes.set_yticks(range(len(known)), [f"{o.sizes}, {100 * o.about['density']:.2g} %, {label}"
                                        for o, label in zip(known, labels_of(known))], fontsize=11)
    axes.set_ylim(len(known) - 0.5, -0.5)
    axes.axvline(100, color="#000000", linewidth=1)
    axes.set_xlim(left=0, right=max(102, axes.get_xlim()[1]))
    axes.set_xlabel("share of the roofline, %")
    figure.suptitle("Useful work against the device's ceilings: " + title_of(outcomes[0]), fontsize=13)
    figure.legend(loc="outside lower center", ncols=3)
    return figure
