"""Measures retrograd beside its peers: python -m bench [WORKLOAD...]

The peers are installed first where they are missing.  Results go into bench/results/; workloads that are not measured
keep what was measured before.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

from bench import measuring, peers, report
from bench.catalogue import WORKLOADS

RESULTS = Path(__file__).parent / "results"


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = parser.add_argument
    names("workloads", nargs="*", metavar="WORKLOAD", help=f"of {', '.join(WORKLOADS)} (default: all)")
    names("--peers", type=lambda text: text.split(","), default=list(peers.USUAL), metavar="NAME,...",
          help=f"of {', '.join(peers.PEERS)} (default: {','.join(peers.USUAL)})")  # fmt: skip
    names("--rounds", type=int, help=f"turns of each peer (default: {measuring.Effort().rounds})")
    names("--quick", action="store_true", help="a rough measurement")
    names("--mnist", type=Path, metavar="FOLDER", help="MNIST's four files (default: those in the package)")
    names("--results", type=Path, default=RESULTS, metavar="FOLDER", help="where results go (default: bench/results)")
    names("--no-install", action="store_true", help="leave out the peers that are not installed")
    names("--report", action="store_true", help="measure nothing: write the reports anew from what was kept")
    args = parser.parse_args()
    for given, known in ((args.workloads, WORKLOADS), (args.peers, peers.PEERS)):
        for name in given:
            if name not in known:
                parser.error(f"{name!r} is none of {', '.join(known)}")
    return args


class Bar:
    """A line on a terminal that says how far the measurement is; elsewhere nothing."""

    WIDTH = 24

    def __init__(self, total: int) -> None:
        self.total = total
        self.done = 0
        self.name = ""
        self.start = time.monotonic()

    def show(self, what: str = "") -> None:
        """Draw the bar again."""
        if not sys.stderr.isatty():
            return
        full = self.WIDTH * self.done // max(self.total, 1)
        minutes, seconds = divmod(int(time.monotonic() - self.start), 60)
        line = f"[{'#' * full:.<{self.WIDTH}}] {self.done}/{self.total} {minutes}:{seconds:02} {self.name}: {what}"
        sys.stderr.write("\r\x1b[K" + line[:150])
        sys.stderr.flush()

    def clear(self) -> None:
        """Take the line away."""
        if sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def install(names: list[str]) -> None:
    """Install the environments that the peers ``names`` and the plot need, and say what is missing."""
    needed = dict.fromkeys([*(peers.PEERS[name].environment for name in names), "plot"])
    for environment in filter(None, needed):
        said = peers.installed(environment)
        if said != "there":
            print(f"{environment}: {said}", flush=True)


def write(folder: Path, records: dict[str, report.Record]) -> None:
    """Write all files of the results."""
    folder.mkdir(parents=True, exist_ok=True)
    records = {name: records[name] for name in WORKLOADS if name in records}
    report.write(folder / "results.json", records)
    (folder / "results.csv").write_text(report.as_csv(records))
    (folder / "results.md").write_text(report.markdown(records))
    python = peers.python_of("plot")
    drawing = report.drawing(records)
    if python is not None and drawing["rows"]:
        paths = [Path(__file__).parent / "plot.py", folder / "ratios.svg", folder / "ratios.png"]
        command = [python, *map(str, paths)]
        subprocess.run(command, input=json.dumps(drawing), text=True, check=True)


def main() -> None:
    args = arguments()
    records = report.read(args.results / "results.json")
    if args.report:
        write(args.results, records)
        return
    if not args.no_install:
        install(args.peers)
    effort = measuring.QUICK if args.quick else measuring.Effort()
    if args.rounds:
        effort = effort._replace(rounds=args.rounds, processes=min(args.rounds, effort.processes))
    from retrograd.io import mnist

    source = args.mnist or Path(mnist.__file__).parent / "data" / "mnist"
    digits = measuring.read_digits(source)
    measuring.put_digits(source)
    chosen = args.workloads or list(WORKLOADS)
    bar = Bar(len(chosen))
    print(report.machine(), flush=True)
    for name in chosen:
        bar.name = name
        records[name] = measuring.measured(WORKLOADS[name], args.peers, digits, effort, bar.show)
        bar.done += 1
        bar.clear()
        print(report.summary(name, records[name]), flush=True)
        write(args.results, records)
    print(f"written to {args.results}")


if __name__ == "__main__":
    main()
