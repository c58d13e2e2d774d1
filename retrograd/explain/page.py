"""An explanation as a page: one file of HTML that needs no other.

It shows the program.  Beside each line that built something on the way stands how large its gradient was, and what
is wrong stands below the line where it is to be mended.
"""

from __future__ import annotations

import linecache
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import NamedTuple

from retrograd.explain.finding import Finding
from retrograd.explain.measures import Measure, number
from retrograd.explain.text import heading, height, size, subject, typical, verdict
from retrograd.explain.way import Line, Way

Part = tuple[Way, Sequence[Finding]]

_AROUND = 2  # lines of the program that are shown around those that built something
_WIDTH, _HEIGHT = 120, 18  # of the picture beside a line, in pixels
_MOST = 60  # bars of it


def document(parts: Iterable[Part]) -> str:
    """A whole page of several explanations."""
    parts = list(parts)
    title = escape(heading(*parts[0])) if parts else "gradients"
    body = "\n".join(fragment(*part, number=i) for i, part in enumerate(parts, 1))
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n</head>\n'
        f"<body style='margin:0'>\n{body}\n</body>\n</html>\n"
    )


def fragment(way: Way, findings: Sequence[Finding], number: int = 1) -> str:
    """One explanation, as it may stand in any page; ``number`` tells it from others there."""
    cards = [_Card(f"finding-{number}-{i}", i, f) for i, f in enumerate(findings, 1)]
    wrong = any(f.is_wrong for f in findings)
    state = f'<span class="{"bad" if wrong else "good"}">{escape(verdict(findings))}</span>'
    return (
        f'<style>\n{_style()}</style>\n<section class="retrograd-explained">\n<h1>{escape(subject(way))} {state}</h1>\n'
        f"{_summary(cards)}{_program(way, cards)}{_weights(way)}</section>"
    )


@cache
def _style() -> str:
    return Path(__file__).with_name("page.css").read_text(encoding="utf-8")


class _Card(NamedTuple):
    """A finding with the name and the number that it has on the page."""

    name: str
    number: int
    finding: Finding

    @property
    def kind(self) -> str:
        return "bad" if self.finding.is_wrong else "note"


def _summary(cards: Sequence[_Card]) -> str:
    rows = []
    for card in cards:
        line = card.finding.line
        link = f' <a href="#{card.name}">line {line[1]}</a>' if line else ""
        rows.append(f'<li class="{card.kind}">{escape(card.finding.title)}{link}</li>')
    return f"<ol>{''.join(rows)}</ol>\n" if rows else ""


# -- the program -------------------------------------------------------------------------------


def _program(way: Way, cards: Sequence[_Card]) -> str:
    """The files of the program around the lines that built something; what no line is known of stands before."""
    by_line = {(line.file, line.number): line for line in way.lines}
    files = dict.fromkeys([file for file, _ in by_line] + [c.finding.line[0] for c in cards if c.finding.line])
    return "".join(
        [_shown(card) for card in cards if not card.finding.line] + [_file(file, by_line, cards) for file in files]
    )


def _file(file: str, by_line: Mapping[tuple[str, int], Line], cards: Sequence[_Card]) -> str:
    told: dict[int, list[_Card]] = {}
    for card in cards:
        if card.finding.line and card.finding.line[0] == file:
            told.setdefault(card.finding.line[1], []).append(card)
    numbers = {n for f, n in by_line if f == file} | set(told)
    near = {m for n in numbers for m in range(n - _AROUND, n + _AROUND + 1)}
    last = len(linecache.getlines(file))
    rows: list[str] = []
    before = 0
    for n in sorted({m for m in near if 0 < m <= last} | numbers):
        if n > before + 1 and rows:
            rows.append('<tr class="gap"><td></td><td colspan="4">&#8942;</td></tr>')
        before = n
        rows.append(_row(file, n, by_line.get((file, n)), n in told))
        rows += [f'<tr class="told"><td></td><td colspan="4">{_shown(card)}</td></tr>' for card in told.get(n, [])]
    return (
        f'<h2 title="{escape(file)}">{escape(Path(file).name)}</h2>\n<div class="scroll"><table class="program">\n'
        '<tr><th></th><th></th><th class="n" title="root of the mean square">value</th>'
        '<th class="n" title="root of the sum of squares, of the whole tensor">gradient</th>'
        f"<th>{_scale()}</th></tr>\n" + "\n".join(rows) + "\n</table></div>\n"
    )


def _row(file: str, n: int, line: Line | None, is_told: bool) -> str:
    code = escape(linecache.getline(file, n).rstrip("\n"))
    if line is None:
        return f'<tr><td class="no">{n}</td><td><pre>{code}</pre></td><td></td><td></td><td></td></tr>'
    gradient = line.main.gradient
    ops = escape(", ".join(f"{s.op.name} ({s.op.type})" for s in line.steps[-12:]))
    return (
        f'<tr class="built{" here" if is_told else ""}"><td class="no">{n}</td><td title="{ops}"><pre>{code}</pre></td>'
        f'<td class="n">{typical(line.main.value)}</td><td class="n {_class(gradient)}">{size(line.main)}</td>'
        f"<td>{_picture(line)}</td></tr>"
    )


def _class(gradient: Measure | None) -> str:
    if gradient is None:
        return "none"
    return "" if gradient.is_finite and not gradient.is_zero else "bad"


def _picture(line: Line) -> str:
    """The gradient's size on the page's scale; where a line was met more than once, one bar for each time."""
    series = line.series
    if len(series) < 2:
        gradient = line.main.gradient
        if gradient is None:
            return ""
        x = _along(gradient.norm) if gradient.is_finite else 1.0
        kind = _class(gradient) or "bar"
        return (
            f'<svg width="{_WIDTH}" height="{_HEIGHT}" role="img"><title>{size(line.main)}</title>'
            f'<rect class="rail" y="{_HEIGHT / 2 - 3:g}" width="{_WIDTH}" height="6"/>'
            f'<rect class="{kind}" y="{_HEIGHT / 2 - 3:g}" width="{max(x * _WIDTH, 2):.1f}" height="6"/></svg>'
        )
    count = min(len(series), _MOST)
    cells = [series[i * (len(series) - 1) // max(count - 1, 1)] for i in range(count)]
    largest = max((v for v in series if math.isfinite(v)), default=0.0)
    wide = _WIDTH / count
    bars = []
    for i, v in enumerate(cells):
        high = max(height(v, largest) * _HEIGHT, 1)
        kind = "bar" if v and math.isfinite(v) else "bad"
        bars.append(
            f'<rect class="{kind}" x="{i * wide:.1f}" y="{_HEIGHT - high:.1f}" width="{max(wide - 1, 1):.1f}" '
            f'height="{high:.1f}"><title>{number(v)}</title></rect>'
        )
    words = f"{number(series[0])} &rarr; {number(series[-1])}, {len(series)} times"
    return f'<svg width="{_WIDTH}" height="{_HEIGHT}" role="img">{"".join(bars)}</svg> <small>{words}</small>'


_LEAST, _LARGEST = -9, 3  # decades of the page's scale


def _along(x: float) -> float:
    """Where ``x`` stands on the scale of the page, from 0 to 1."""
    if x <= 0:
        return 0.0
    return min(max((math.log10(x) - _LEAST) / (_LARGEST - _LEAST), 0.0), 1.0)


def _scale() -> str:
    marks = "".join(
        f'<text x="{_along(10.0**d) * _WIDTH:.0f}" y="12" text-anchor="{anchor}">{words}</text>'
        for d, words, anchor in ((-9, "1e-9", "start"), (-3, "1e-3", "middle"), (3, "1e3", "end"))
    )
    return f'<svg width="{_WIDTH}" height="{_HEIGHT}">{marks}</svg>'


def _shown(card: _Card) -> str:
    f = card.finding
    return (
        f'<div class="finding {card.kind}" id="{card.name}"><b>{card.number}. {escape(f.title)}</b>'
        f"<dl><dt>Why</dt><dd>{escape(f.why)}</dd><dt>Fix</dt><dd><code>{escape(_unindented(f.fix))}</code></dd></dl></div>"
    )


def _unindented(fix: str) -> str:
    return "\n".join(line.strip() for line in fix.split("\n"))


# -- the weights -------------------------------------------------------------------------------


def _weights(way: Way) -> str:
    rows = []
    for w in way.weights:
        shape = "" if w.value is None else " &times; ".join(map(str, w.value.shape))
        x = _along(w.gradient.norm) if w.gradient is not None and w.gradient.is_finite else 0.0
        kind = _class(w.gradient)
        rows.append(
            f'<tr><td><code>{escape(w.name)}</code></td><td class="n">{shape}</td><td class="n">{typical(w.value)}</td>'
            f'<td class="n {kind}">{size(w)}</td><td><svg width="{_WIDTH}" height="{_HEIGHT}">'
            f'<rect class="rail" y="{_HEIGHT / 2 - 3:g}" width="{_WIDTH}" height="6"/>'
            f'<rect class="bar" y="{_HEIGHT / 2 - 3:g}" width="{x * _WIDTH:.1f}" height="6"/></svg></td></tr>'
        )
    return (
        '<h2>with respect to</h2>\n<div class="scroll"><table>\n<tr><th></th><th class="n">shape</th>'
        f'<th class="n">value</th><th class="n">gradient</th><th>{_scale()}</th></tr>\n'
        + "\n".join(rows)
        + "\n</table></div>\n"
        '<p class="legend">value: the root of the mean square of the elements. gradient: the root of the sum of '
        "squares of the whole tensor, on a scale of decades. A line that was met more than once, or runs in a loop, "
        "has a bar for each time, as high as its decades below the largest.</p>\n"
    )
