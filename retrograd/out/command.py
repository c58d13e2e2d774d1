"""``retrograd export``."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence

from retrograd.graph.errors import OpError
from retrograd.out.sources import export_source

HELP = """\
retrograd export SOURCE FOLDER [options]

SOURCE is the folder of a SavedModel, a checkpoint with its .meta file beside it, a folder of
checkpoints, or the file of a frozen graph.  FOLDER gets program.stablehlo (jax.export),
weights.safetensors and program.json.

  --inputs NAME,...      tensors that go in     (a SavedModel's signature says so itself)
  --outputs NAME,...     tensors that come out
  --signature KEY        a SavedModel's signature, by default serving_default
  --tags TAG,...         the tags of its graph, by default serve
  --shape INPUT=2,3      the shape of an input; without it unknown sizes stay unknown
"""


def main(args: Sequence[str]) -> int:
    """Carry out the command; the exit status."""
    if list(args[:1]) in (["-h"], ["--help"]):
        sys.stdout.write(HELP)
        return 0
    parser = ArgumentParser("retrograd export", usage=HELP.splitlines()[0], add_help=False, allow_abbrev=False)
    parser.add_argument("source")
    parser.add_argument("folder")
    for name in ("--inputs", "--outputs"):
        parser.add_argument(name, type=lambda text: text.split(","), default=[])
    parser.add_argument("--signature")
    parser.add_argument("--tags", default="serve")
    parser.add_argument("--shape", action="append", default=[], type=_shape)
    given = parser.parse_args(list(args))
    try:
        ins, outs = export_source(
            given.source, given.folder, given.inputs, given.outputs, given.signature, given.tags, dict(given.shape)
        )
    except (OpError, ValueError, KeyError, NotImplementedError, OSError, ImportError) as error:
        text = error.args[0] if isinstance(error, KeyError) else getattr(error, "message", error)
        notes = "".join(f"\n{note}" for note in getattr(error, "__notes__", ()))
        print(f"retrograd: {text}{notes}", file=sys.stderr)
        return 1
    print(f"{given.folder}: {', '.join(ins) or 'nothing'} -> {', '.join(outs)}")
    return 0


def _shape(text: str) -> tuple[str, tuple[int, ...]]:
    """``x=2,3`` as a name and a shape."""
    name, _, sizes = text.partition("=")
    return name, tuple(int(size) for size in sizes.split(",") if size)
