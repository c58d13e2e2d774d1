"""Write docs/COVERAGE.md: what of TensorFlow 1.15.5's public API is here, and why the rest is not.

usage: python tools/write_coverage.py [--check]

The names are those of retrograd/tf/symbols.txt, the reasons those of retrograd/tf/left_out.txt.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from retrograd import names  # noqa: E402
from retrograd.reasons import left_out, symbols  # noqa: E402

TARGET = ROOT / "docs" / "COVERAGE.md"
HEAD = """\
# Coverage

Written by `python tools/write_coverage.py` from the code. `retrograd doctor PATH` says which names and keyword \
arguments a program uses that are missing, with their lines.

"""


def text() -> str:
    rows, missing = [], defaultdict(list)
    for module, listed in symbols().items():
        here = [name for name in listed if names.member(module, name) is not None]
        rows.append((f"tf.{module}".rstrip("."), len(listed), len(here)))
        for name in listed:
            if name not in here:
                path = f"{module}.{name}".lstrip(".")
                reason, instead = left_out(path)
                missing[reason or "not built yet", instead or "", rows[-1][0]].append(name)
    total, here = sum(row[1] for row in rows), sum(row[2] for row in rows)
    lines = [f"Of {total} public names in {len(rows)} modules of TensorFlow 1.15.5, {here} are here.", ""]
    lines += ["| module | names | here |", "|---|---|---|"]
    lines += [f"| `{module}` | {listed} | {present} |" for module, listed, present in rows]
    lines += ["", "## Left out", "", "| why | module | names | instead |", "|---|---|---|---|"]
    for (reason, instead, module), found in sorted(missing.items(), key=lambda item: item[0][0] == "not built yet"):
        lines.append(f"| {reason} | `{module}` | {', '.join(f'`{name}`' for name in found)} | {instead} |")
    return HEAD + "\n".join(lines) + "\n"


if __name__ == "__main__":
    wanted = text()
    if "--check" in sys.argv:
        sys.exit(TARGET.read_text() != wanted and "docs/COVERAGE.md is old: python tools/write_coverage.py")
    TARGET.write_text(wanted)
