"""An explanation as text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from retrograd.explain.finding import Finding
from retrograd.explain.measures import Measure, number
from retrograd.explain.way import Line, Step, Way, Weight, line_of

_BARS = " ▁▂▃▄▅▆▇█"
_CODE = 52  # characters of a line of code that are shown
_CELLS = 12  # bars of a line
_WEIGHTS = 24  # rows


def report(way: Way, findings: Sequence[Finding]) -> str:
    """The findings, then the lines of the program, then the weights."""
    return "\n".join([heading(way, findings), *_told(findings), "", *_lines(way, findings), "", *_weights(way)])


def heading(way: Way, findings: Sequence[Finding]) -> str:
    """What was differentiated, and how many problems there are."""
    return f"{subject(way)}: {verdict(findings)}"


def subject(way: Way) -> str:
    """What was differentiated."""
    names = ", ".join(f"'{y.op.name}'" for y in way.ys)
    place = next((p for y in way.ys if (p := line_of(y.op))), None)
    where = f" ({Path(place[0]).name}:{place[1]})" if place else ""
    run = f", run {way.run}" if way.run else ""
    return f"gradients of {names}{where}{run}"


def verdict(findings: Sequence[Finding]) -> str:
    """How many problems there are."""
    wrong = sum(f.is_wrong for f in findings)
    notes = len(findings) - wrong
    told = f"{wrong} problem{'s' * (wrong != 1)}" if wrong else "nothing wrong is seen"
    return told + (f", {notes} note{'s' * (notes != 1)}" if notes else "")


def _told(findings: Sequence[Finding]) -> list[str]:
    lines = []
    for i, f in enumerate(findings, 1):
        lines += [f"{i}. {'' if f.is_wrong else 'Note: '}{f.title}", f"  Why:   {f.why}"]
        lines += [f"  Where: {f.place}"] if f.place else []
        lines += [f"  Fix:   {f.fix}"]
    return lines


def _lines(way: Way, findings: Sequence[Finding]) -> list[str]:
    marks = {f.line: i for i, f in reversed([*enumerate(findings, 1)]) if f.line}
    rows, file = [], None
    numbers = max((len(str(line.number)) for line in way.lines), default=1)
    rows.append(f"{'':{numbers + 4}}{'':{_CODE}}  {'value':>9} {'gradient':>9}")
    for line in way.lines:
        if line.file != file:
            file = line.file
            rows.append(Path(file).name)
        value = line.main.value
        code = line.text if len(line.text) <= _CODE else line.text[: _CODE - 3] + "..."
        mark = f"{marks[line.file, line.number]}>" if (line.file, line.number) in marks else ""
        row = f"{mark:>3} {line.number:>{numbers}}  {code:<{_CODE}} {typical(value):>9} {size(line.main):>9}"
        rows.append(f"{row}  {_tail(line)}".rstrip())
    return rows


def _tail(line: Line) -> str:
    """Bars of the gradient over the times that a line was met."""
    series = line.series
    if len(series) < 2:
        return ""
    first, last = series[0], series[-1]
    return f"{bars(series)}  {number(first)} .. {number(last)}, {len(series)} times"


def bars(series: Sequence[float]) -> str:
    """Decades below the largest of ``series`` as bars."""
    count = min(len(series), _CELLS)
    cells = [series[i * (len(series) - 1) // max(count - 1, 1)] for i in range(count)]
    largest = max((x for x in series if math.isfinite(x)), default=0.0)
    return "".join(_BARS[round(8 * height(x, largest))] for x in cells)


def height(x: float, largest: float) -> float:
    """How high a bar is: 1 for the largest, a ninth less for each decade below it, 0 for 0."""
    if x == 0 or largest == 0:
        return 0.0
    if not math.isfinite(x):
        return 1.0
    return min(max(1 + math.log10(x / largest) / 9, 0.1), 1.0)


def typical(measure: Measure | None) -> str:
    """The size of a typical element."""
    if measure is None:
        return ""
    return kind(measure) or number(measure.rms)


def size(of: Step | Weight) -> str:
    """The size of a whole gradient; ``None`` if there is none, ``-`` if the run did not compute it."""
    if of.gradient is None:
        return "-" if of.has_gradient else "None"
    return kind(of.gradient) or number(of.gradient.norm)


def kind(measure: Measure) -> str:
    """``nan`` or ``inf`` where one is in it."""
    return "nan" if measure.nans else "inf" if measure.infs else ""


def _weights(way: Way) -> list[str]:
    shown = way.weights[:_WEIGHTS]
    width = max((len(w.name) for w in shown), default=0)
    rows = [f"{'':{width}}  {'shape':<16} {'value':>9} {'gradient':>9}"]
    for w in shown:
        shape = "" if w.value is None else "x".join(map(str, w.value.shape))
        rows.append(f"{w.name:<{width}}  {shape:<16} {typical(w.value):>9} {size(w):>9}")
    if len(way.weights) > len(shown):
        rows.append(f"and {len(way.weights) - len(shown)} more")
    rows.append("value: the root of the mean square; gradient: the root of the sum of squares, of a whole tensor")
    return rows
