"""What distinguishes two graphs in files is told as TensorFlow 1.15.5 tells it."""

import json
import sys
from pathlib import Path

import pytest

from retrograd import tf
from retrograd.tf.python import pywrap_tensorflow

GOLDEN = Path(__file__).parent / "golden"
sys.path.insert(0, str(GOLDEN))

import graph_difference_cases  # noqa: E402

TOLD = json.loads((GOLDEN / "graph_difference.json").read_text())


def test_differences_are_told_as_recorded():
    told = {n: pywrap_tensorflow.EqualGraphDefWrapper(a, b).decode() for n, a, b in graph_difference_cases.pairs(tf)}
    assert told == TOLD


def test_graphs_that_differ_fail_a_test():
    def graph(value):
        with tf.Graph().as_default() as built:
            tf.constant(value, name="a")
        return built.as_graph_def()

    tf.test.assert_equal_graph_def(graph(1.0), graph(1.0))
    with pytest.raises(AssertionError, match="Node named 'a' has attr 'value' with value: Tensor<type: float shape"):
        tf.test.assert_equal_graph_def(graph(1.0), graph(2.0))
