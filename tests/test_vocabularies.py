"""Texts as numbers of words, against TensorFlow 1.15.5: ``golden/vocabularies.json``."""

import json
from pathlib import Path

import pytest
from golden import vocabulary_cases

from retrograd import tf

GOLDEN = json.loads((Path(__file__).parent / "golden" / "vocabularies.json").read_text())


def test_as_recorded(tmp_path):
    assert vocabulary_cases.outcome(tf.contrib.learn.preprocessing, str(tmp_path / "words")) == GOLDEN


def test_the_way_back_must_be_kept():
    words = tf.contrib.learn.preprocessing.CategoricalVocabulary(support_reverse=False)
    with pytest.raises(ValueError, match="wasn't initialized with support_reverse"):
        words.reverse(1)
