"""Nested structures, held to TensorFlow's own."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from retrograd.graph import nest

GOLDEN = Path(__file__).parent / "golden"
THEIRS = json.loads((GOLDEN / "nest.json").read_text())


def test_results_and_errors() -> None:
    ours = runpy.run_path(str(GOLDEN / "nest_cases.py"))["results"](nest)
    assert {k: v for k, v in ours.items() if v != THEIRS[k]} == {}
    assert ours.keys() == THEIRS.keys()


structures = st.recursive(
    st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(max_size=3), inner),
)


@given(structures)
def test_flat_and_back(structure: object) -> None:
    flat = nest.flatten(structure)
    assert nest.pack_sequence_as(structure, flat) == structure
    assert nest.map_structure(lambda x: x, structure) == structure
    assert [leaf for _, leaf in nest.flatten_with_tuple_paths(structure)] == flat
    nest.assert_same_structure(structure, structure)
