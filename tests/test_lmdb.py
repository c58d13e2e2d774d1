"""Databases of LMDB: ``golden/pairs.mdb.gz``, which the package ``lmdb`` wrote."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import pytest

from retrograd import tf
from retrograd.files.lmdb import Database

DATA = gzip.decompress((Path(__file__).parent / "golden" / "pairs.mdb.gz").read_bytes())
PAIRS = [(b"key %04d" % i, b"value %d " % i * (i % 7)) for i in range(700)] + [(b"large", bytes(range(256)) * 50)]


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "data.mdb"
    file.write_bytes(DATA)
    return str(file)


def test_all_pairs_come_in_the_order_of_their_keys(path):
    assert list(Database(path).pairs()) == PAIRS
    assert list(Database(str(Path(path).parent)).pairs()) == PAIRS


def test_a_dataset_and_a_reader_give_the_pairs(path):
    with tf.Graph().as_default(), tf.Session() as session:
        following = tf.contrib.data.LMDBDataset([path]).make_one_shot_iterator().get_next()
        assert [tuple(session.run(following)) for _ in range(3)] == PAIRS[:3]
        queue = tf.FIFOQueue(9, [tf.string], [()])
        keys, values = tf.LMDBReader().read_up_to(queue, 1000)
        session.run([queue.enqueue([path]), queue.close()])
        assert list(zip(*session.run([keys, values]), strict=True)) == PAIRS


def test_files_that_are_none(tmp_path, path):
    with pytest.raises(tf.errors.NotFoundError, match="No such file"):
        Database(str(tmp_path / "none"))
    for content in (b"", b"x" * 50, b"x" * 9000, DATA[:8192], bytes(8192)):
        Path(path).write_bytes(content)
        with pytest.raises(tf.errors.DataLossError, match=r"data\.mdb is no database of LMDB, or damaged"):
            list(Database(path).pairs())


def test_damaged_databases_give_errors_alone(path):
    draw = random.Random(0)
    for _ in range(300):
        content = bytearray(DATA)
        for _ in range(draw.choice((1, 3, 30))):
            place = draw.choice(
                (draw.randrange(len(content)), draw.randrange(300), 4096 * draw.randrange(19) + draw.randrange(40))
            )
            content[min(place, len(content) - 1)] = draw.choice((0, 1, 255, draw.randrange(256)))
        Path(path).write_bytes(bytes(content[: draw.choice((None, None, 9000, 40000))]))
        try:
            assert sum(len(value) for _, value in Database(path).pairs()) < 1 << 22
        except (tf.errors.DataLossError, tf.errors.UnimplementedError):
            continue
