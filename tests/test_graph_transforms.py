"""``tensorflow.tools.graph_transforms``, held to what TensorFlow 1.15.5 made of a graph."""

from __future__ import annotations

import numpy as np
import pytest
from golden.graph_transform_cases import CASES, CHAIN, computed, recorded
from recorded_cases import golden

from retrograd import tf
from retrograd.tf.tools.graph_transforms import TransformGraph

RECORD = golden("graph_transforms")


@pytest.mark.parametrize("case", CASES)
def test_a_transform_makes_the_same_nodes(case: str) -> None:
    assert recorded(tf, TransformGraph, case) == RECORD["nodes"][case]


def test_several_in_a_row_leave_what_is_computed() -> None:
    ops, values = computed(tf, TransformGraph, CHAIN)
    theirs, numbers = RECORD["chain"]
    assert sorted([*ops, "Add"]) == theirs  # TensorFlow keeps one for a control input
    for ours, wanted in zip(values, numbers, strict=True):
        np.testing.assert_allclose(ours, wanted, 1e-5)


def test_zeros_in_eight_bits_are_zeros() -> None:
    with tf.Graph().as_default() as graph:
        tf.identity(tf.zeros([1100], name="c"), name="out")
        constant = tf.graph_util.extract_sub_graph(graph.as_graph_def(), ["out"])
    result = TransformGraph(constant, [], ["out"], ["fold_constants", "quantize_weights"])
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.import_graph_def(result, name="")
        assert not sess.run("out:0").any()


@pytest.mark.parametrize(
    ("case", "words"),
    [("quantize_nodes", "Transform 'quantize_nodes' is not here"), ("(", "Looking for a transform name")],
)
def test_what_cannot_be_done_is_said(case: str, words: str) -> None:
    with pytest.raises(tf.errors.OpError, match=words):
        TransformGraph(tf.GraphDef(), [], [], [case])
