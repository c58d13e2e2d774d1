"""Draws what ``bench.report.drawing`` says, read as JSON from standard input: plot.py FILE...

Runs in an environment that has matplotlib.
"""

import json
import sys

import matplotlib  # type: ignore[import-not-found]

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # type: ignore[import-not-found]


def main() -> None:
    drawing = json.load(sys.stdin)
    rows, peers = drawing["rows"], drawing["peers"]
    plt.rcParams.update({"font.size": 9, "svg.fonttype": "none", "svg.hashsalt": "bench"})
    figure, axes = plt.subplots(figsize=(9, 1.5 + 0.42 * len(rows)))
    for k, row in enumerate(rows):
        if k % 2:
            axes.axhspan(k - 0.5, k + 0.5, color="#f2f2f2", zorder=0)
        drawn = [name for name in peers if name in row["bars"]]
        for i, name in enumerate(drawn):
            bar = row["bars"][name]
            y = k + (0.7 * (i + 0.5) / len(drawn) - 0.35)
            spread = [[max(bar["value"] - bar["low"], 0)], [max(bar["high"] - bar["value"], 0)]]
            axes.errorbar(bar["value"], y, xerr=spread, fmt="o", ms=4.5, lw=1.2, color=peers[name][1])
    for name, (label, colour) in peers.items():
        axes.plot([], [], "o", color=colour, label=label, gid=name)
    axes.axvline(1, color="#d1495b", lw=1.5)
    axes.set_xscale("log")
    axes.set_yticks(range(len(rows)), [row["title"] for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlabel("time beside retrograd's (right of the line: slower than retrograd)")
    axes.grid(axis="x", color="#dddddd", lw=0.6)
    axes.xaxis.set_major_formatter(lambda x, _: f"{x:g}")
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    figure.legend(loc="lower center", ncols=3, frameon=False)
    axes.set_title(drawing["machine"], fontsize=8, color="#666666")
    figure.tight_layout(rect=(0, 0.09 if len(rows) > 8 else 0.2, 1, 1))
    for path in sys.argv[1:]:
        figure.savefig(path, dpi=150, metadata={"Date": None} if path.endswith(".svg") else None)


if __name__ == "__main__":
    main()
