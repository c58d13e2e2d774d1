"""Pipelines divided among workers, replicas and threads, and functions of rows: ``golden/dividing.json``."""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from retrograd import tf
from retrograd.data import dividing
from retrograd.data.tables import make_tf_record_dataset

GOLDEN = Path(__file__).parent / "golden"
sys.path.insert(0, str(GOLDEN))
import dividing_cases as recorded  # noqa: E402


def _elements(dataset) -> list:
    return recorded.outcome(tf, lambda: dataset())


@pytest.mark.filterwarnings("ignore")
def test_divided_as_recorded(tmp_path):
    want = json.loads((GOLDEN / "dividing.json").read_text())
    got = recorded.outcomes(tf, tmp_path, dividing, dividing, tf.contrib.eager.defun)
    assert json.loads(json.dumps(got)) == want


def test_workers_share_out_files_that_are_shuffled(tmp_path):
    files = recorded.files_in(tf, tmp_path)

    def part(index):
        names = tf.data.Dataset.list_files(files).apply(tf.data.experimental.shuffle_and_repeat(9, 2))
        return dividing._AutoShardDataset(names.flat_map(tf.data.TFRecordDataset), 2, index)

    both = [x for i in range(2) for x in _elements(lambda i=i: part(i))]
    assert sorted(both) == sorted([f"{i}.{j}" for i in range(4) for j in range(3)] * 2)


def test_a_pipeline_of_which_a_part_reads_files_is_divided_once(tmp_path):
    files = recorded.files_in(tf, tmp_path)

    def part(index):
        rows = tf.data.TFRecordDataset(files).concatenate(tf.data.Dataset.from_tensor_slices(["a", "b"]))
        return dividing._AutoShardDataset(rows, 2, index)

    assert sum(len(_elements(lambda i=i: part(i))) for i in range(2)) == 14


@pytest.mark.parametrize("by", ["options", "pool"])
def test_a_pipeline_uses_no_more_threads_than_it_may(by):
    def dataset():
        rows = tf.data.Dataset.range(40).map(
            lambda x: tf.py_func(lambda _: np.int64(threading.get_ident()), [x], tf.int64), num_parallel_calls=16
        )
        if by == "pool":
            return dividing.override_threadpool(rows, dividing.PrivateThreadPool(2, display_name="two"))
        options = tf.data.Options()
        options.experimental_threading.private_threadpool_size = 2
        return rows.with_options(options)

    assert 1 <= len(set(_elements(dataset))) <= 2


def test_no_threads_are_refused():
    options = tf.data.Options()
    options.experimental_threading.private_threadpool_size = 0
    found = _elements(lambda: tf.data.Dataset.range(3).with_options(options))
    assert found == [["InvalidArgumentError", "`num_threads` must be >= 1"]]


def test_records_of_files_in_batches(tmp_path):
    files = recorded.files_in(tf, tmp_path)
    found = _elements(lambda: make_tf_record_dataset(
        files, 5, lambda x: tf.strings.substr(x, 0, 1), num_epochs=1, shuffle=False, num_parallel_reads=2
    ))  # fmt: skip
    assert found == [["0", "1", "0", "1", "0"], ["1", "2", "3", "2", "3"], ["2", "3"]]


def test_functions_of_elements_get_variables_within_a_scope():
    with tf.Graph().as_default(), tf.Session() as session:

        def counted(_):
            with tf.variable_scope("scope", reuse=tf.AUTO_REUSE):
                return tf.get_variable("counter", (), tf.int32, use_resource=True).assign_add(1)

        iterator = tf.data.Dataset.from_tensors(0).repeat(3).map(counted).make_initializable_iterator()
        following = iterator.get_next()
        session.run([tf.global_variables_initializer()])
        session.run(iterator.initializer)
        assert [int(session.run(following)) for _ in range(3)] == [1, 2, 3]
