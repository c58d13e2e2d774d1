"""Input that fails: damaged records, threads that raise, sessions that are closed, interrupts."""

from __future__ import annotations

import contextlib
import errno
import gc
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest
from google.protobuf.message import DecodeError

from retrograd import tf
from retrograd.data.nodes import MatchingFilesDataset
from retrograd.files import examples, images, records
from retrograd.files.messages import message
from retrograd.graph import errors
from retrograd.ops import audio
from retrograd.ops.example_values import decoded
from retrograd.ops.queue_states import QueueState
from retrograd.ops.queues import take_element


@pytest.fixture(autouse=True)
def graph() -> Iterator[None]:
    with tf.Graph().as_default():
        yield


def record_file(path: Path, count: int = 5) -> bytes:
    with tf.python_io.TFRecordWriter(str(path)) as writer:
        for i in range(count):
            writer.write(b"record %d" % i * (i + 1))
    return path.read_bytes()


@pytest.mark.parametrize("kind", ["", "ZLIB", "GZIP"])
def test_records_go_both_ways(tmp_path: Path, kind: str) -> None:
    path, options = str(tmp_path / "x"), tf.python_io.TFRecordOptions(kind or None)
    data = [b"", b"a", bytes(range(256)) * 300]
    with tf.python_io.TFRecordWriter(path, options) as writer:
        for each in data:
            writer.write(each)
    assert list(tf.python_io.tf_record_iterator(path, options)) == data


def test_the_bytes_of_a_record_are_tensorflows() -> None:
    assert records.framed(b"abc") == b"\x03\0\0\0\0\0\0\0\xb0\x99I\x0eabcnW\xf1!"


def test_a_damaged_record_says_where(tmp_path: Path) -> None:
    whole = bytearray(record_file(tmp_path / "x"))
    whole[-6] ^= 1
    (tmp_path / "x").write_bytes(bytes(whole))
    with pytest.raises(errors.DataLossError, match=r"corrupted record at \d+"):
        list(tf.python_io.tf_record_iterator(str(tmp_path / "x")))


def test_damaged_records_give_errors_alone(tmp_path: Path) -> None:
    """Whatever bytes change, are missing or come behind: the records before them, then an error or the end."""
    draw, whole = random.Random(0), record_file(tmp_path / "x")
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(draw.randint(1, 4)):
            data[draw.randrange(len(data))] = draw.randrange(256)
        path = tmp_path / "y"
        path.write_bytes(bytes(data[: draw.randint(0, len(data))]))
        try:
            for record in records.Reader(str(path), draw.choice(["", "", "ZLIB", "GZIP"])):
                assert len(record) < 1000
        except errors.OpError:
            pass


def test_a_hostile_length_claims_no_memory(tmp_path: Path) -> None:
    length = (1 << 62).to_bytes(8, "little")
    crc = records.masked(records.extended(0, length)).to_bytes(4, "little")
    (tmp_path / "x").write_bytes(length + crc + b"short")
    with pytest.raises(errors.DataLossError, match="truncated record at 0"):
        list(tf.python_io.tf_record_iterator(str(tmp_path / "x")))


@pytest.mark.parametrize("what", ["example", "png", "gif", "jpeg", "bmp", "wav"])
@pytest.mark.filterwarnings("ignore")
def test_damaged_contents_give_errors_alone(what: str) -> None:
    import io

    from PIL import Image

    draw, out = random.Random(1), io.BytesIO()
    if what == "example":
        feature = tf.train.Feature(int64_list=tf.train.Int64List(value=[1, 2]))
        whole = tf.train.Example(features=tf.train.Features(feature={"a": feature})).SerializeToString()
        read = lambda data: decoded("Example", data)  # noqa: E731
    elif what == "wav":
        with tf.Session() as sess:
            whole = sess.run(tf.audio.encode_wav(np.zeros([20, 2], np.float32), 8000))
        read = audio.samples_of
    else:
        Image.fromarray(np.arange(192, dtype=np.uint8).reshape(8, 8, 3)).save(out, what.upper())
        whole = out.getvalue()
        read = {"gif": images.frames, "bmp": images.bitmap}.get(what, images.decoded)
    for _ in range(150):
        data = bytearray(whole)
        for _ in range(draw.randint(1, 6)):
            data[draw.randrange(len(data))] = draw.randrange(256)
        with contextlib.suppress(errors.OpError):
            read(bytes(data[: draw.randint(1, len(data))]))


def test_a_blocked_run_holds_nobody_up() -> None:
    """While one run waits for a queue, another one writes variables."""
    queue, v = tf.FIFOQueue(1, tf.float32), tf.Variable(0.0)
    waits = v.assign_add(queue.dequeue())
    add, put = v.assign_add(1.0), queue.enqueue(10.0)
    with tf.Session() as sess:
        sess.run(v.initializer)
        thread = threading.Thread(target=sess.run, args=(waits,))
        thread.start()
        for _ in range(5):
            sess.run(add)
        sess.run(put)
        thread.join(5)
        assert sess.run(v) == 15.0


def test_closing_the_session_ends_what_waits() -> None:
    queue = tf.FIFOQueue(1, tf.float32)
    take, found = queue.dequeue(), []

    def run(sess) -> None:
        with pytest.raises(errors.CancelledError, match="Dequeue operation was cancelled"):
            sess.run(take)
        found.append(True)

    sess = tf.Session()
    thread = threading.Thread(target=run, args=(sess,))
    thread.start()
    time.sleep(0.1)
    sess.close()
    thread.join(5)
    assert found


def test_a_thread_that_raises_stops_the_others_and_is_raised() -> None:
    coord = tf.train.Coordinator()
    others = [threading.Thread(target=coord.wait_for_stop) for _ in range(3)]

    def fails() -> None:
        with coord.stop_on_exception():
            raise ValueError("the first")

    for thread in (*others, threading.Thread(target=fails)):
        coord.register_thread(thread)
        thread.start()
    with pytest.raises(ValueError, match="the first"):
        coord.join()
    assert coord.should_stop()


def test_an_error_of_a_queue_runner_reaches_join() -> None:
    queue = tf.FIFOQueue(10, tf.float32)
    bad = queue.enqueue(tf.check_numerics(tf.constant(1.0) / 0.0, "no number"))
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [bad]))
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        with pytest.raises(errors.InvalidArgumentError, match="no number"):
            coord.join(threads)


def test_what_takes_stands_behind_what_puts() -> None:
    """In one run, an op that waits for a queue leaves the others their turn."""
    queue = tf.FIFOQueue(10, tf.float32)
    taken, put = queue.dequeue(), queue.enqueue(3.0)
    with tf.Session() as sess:
        assert sess.run([taken, put])[0] == 3.0


def _example(random: Random) -> bytes:
    example = message("Example")()
    for _ in range(random.randrange(4)):
        feature = example.features.feature[random.choice(["a", "bb", "\u00e9", "x" * 200])]
        kind, count = random.randrange(4), random.choice([0, 1, 1, 2, 3, 40])
        if kind == 0:
            feature.bytes_list.value.extend(random.randbytes(random.choice([0, 1, 5, 150])) for _ in range(count))
        elif kind == 1:
            feature.float_list.value.extend(random.random() for _ in range(count))
        elif kind == 2:
            numbers = [0, 1, -1, 127, 128, 300, 2**40, -(2**63), 2**63 - 1]
            feature.int64_list.value.extend(random.choice(numbers) for _ in range(count))
    return example.SerializeToString()


def _damaged(random: Random, data: bytearray) -> bytes:
    for _ in range(random.choice([0, 0, 1, 1, 2, 5]) if data else 0):
        place = random.randrange(len(data) or 1)
        match random.randrange(4):
            case 0 if data:
                data[place] ^= 1 << random.randrange(8)
            case 1:
                del data[place : place + random.randrange(1, 4)]
            case 2:
                data[place:place] = random.randbytes(random.randrange(1, 12))
            case 3:
                data += _example(random)
    return bytes(data)


def test_examples_are_read_as_the_protobuf_library_reads_them() -> None:
    random, layouts, lists = Random(5), examples.Layouts(), {1: "bytes_list", 2: "float_list", 3: "int64_list"}
    damaged = 0
    for _ in range(2500):
        data = _damaged(random, bytearray(_example(random)))
        try:
            wanted = message("Example").FromString(data).features.feature
        except DecodeError:
            damaged += 1
            with pytest.raises(DecodeError):
                layouts.of(data)
            continue
        data, layout = layouts.of(data)
        assert {k: lists[kind] for k, (kind, _) in layout.features.items()} == {
            k: f.WhichOneof("kind") for k, f in wanted.items() if f.WhichOneof("kind")
        }
        for key, (kind, spans) in layout.features.items():
            found = examples.values_in(data, (kind, spans))
            numbers = np.empty(len(found), found.dtype)
            numbers[:] = list(getattr(wanted[key], lists[kind]).value)
            np.testing.assert_array_equal(found, numbers)
    assert 300 < damaged < 2000


def test_threads_that_meet_at_a_queue_share_it() -> None:
    """The first runs of many threads find one queue, however slowly it is made."""
    from retrograd.ops import queues
    from retrograd.run.store import Store

    op = tf.FIFOQueue(10, tf.float32).queue_ref.op
    memory, meet, found = Store().memory_of(op), threading.Barrier(4), []

    def make(name: str) -> object:
        time.sleep(0.05)
        return object()

    def look() -> None:
        meet.wait(10)
        found.append(queues.resource_of(memory, "", "", make))

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert len(found) == 4
    assert len({id(x) for x in found}) == 1


_PROGRAM = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell runs behind itself ignores interrupts
import tensorflow as tf
names = tf.train.string_input_producer(["x"])
batch = tf.train.shuffle_batch([names.dequeue()], 4, 100, 50, num_threads=4)
stuck = tf.FIFOQueue(1, tf.float32).dequeue()
with tf.Session() as sess:
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess, coord)
    sess.run(batch)
    print("ready", flush=True)
    sess.run(stuck)
"""


_SLEEPING = """
import signal, time
signal.signal(signal.SIGINT, signal.default_int_handler)
import tensorflow as tf
def sleep(x):
    print("ready", flush=True)
    time.sleep(300)
    return x
rows = tf.data.Dataset.range(5).map(lambda i: tf.py_func(sleep, [i], tf.int64), num_parallel_calls=2)
with tf.Session() as sess:
    sess.run(rows.make_one_shot_iterator().get_next())
"""


@pytest.mark.parametrize("text", [_PROGRAM, _SLEEPING])
def test_an_interrupt_ends_a_program_with_threads(tmp_path: Path, text: str) -> None:
    program = tmp_path / "program.py"
    program.write_text(text)
    run = subprocess.Popen(
        [sys.executable, "-m", "retrograd", "run", str(program)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, env={**os.environ, "RETROGRAD_JIT": "auto"},
    )  # fmt: skip
    assert run.stdout is not None
    assert "ready" in run.stdout.readline()
    run.send_signal(signal.SIGINT)
    _, said = run.communicate(timeout=60)  # a second, on a machine that does nothing else
    assert run.returncode
    assert "KeyboardInterrupt" in said


def test_elements_are_computed_ahead() -> None:
    seen, release = [], threading.Event()

    def note(x):
        seen.append(int(x))
        return x

    dataset = tf.data.Dataset.range(100).map(lambda x: tf.py_func(note, [x], tf.int64)).prefetch(5)
    following = dataset.make_one_shot_iterator().get_next()
    with tf.Session() as sess:
        assert sess.run(following) == 0
        for _ in range(100):
            if len(seen) >= 6:
                break
            release.wait(0.05)
        assert seen[:6] == [0, 1, 2, 3, 4, 5]


def test_an_iterator_without_a_dataset_says_so() -> None:
    iterator = tf.data.Iterator.from_structure(tf.int32, [])
    following = iterator.get_next()
    with tf.Session() as sess, pytest.raises(errors.FailedPreconditionError, match="has not been initialized"):
        sess.run(following)


def test_iterators_of_every_kind() -> None:
    first, second = tf.data.Dataset.range(2), tf.data.Dataset.range(10, 12)
    fed = tf.placeholder(tf.string, [])
    feedable = tf.data.Iterator.from_string_handle(fed, first.output_types, first.output_shapes).get_next()
    structure = tf.data.Iterator.from_structure(first.output_types, first.output_shapes)
    begin, again = structure.make_initializer(first), structure.make_initializer(second)
    either = structure.get_next()
    one, two = first.make_one_shot_iterator(), second.make_initializable_iterator()
    with tf.Session() as sess:
        sess.run(begin)
        assert sess.run(either) == 0
        sess.run(again)
        assert [sess.run(either), sess.run(either)] == [10, 11]
        sess.run(two.initializer)
        handles = sess.run([one.string_handle(), two.string_handle()])
        assert [sess.run(feedable, {fed: h}) for h in (*handles, *handles)] == [0, 10, 1, 11]
        with pytest.raises(errors.OutOfRangeError, match="End of sequence"):
            sess.run(feedable, {fed: handles[0]})


def test_tables_change_and_are_saved(tmp_path: Path) -> None:
    table = tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1)
    put = table.insert(tf.constant(["a", "b"]), tf.constant([1, 2], tf.int64))
    found, count = table.lookup(tf.constant(["b", "z"])), table.size()
    saver = tf.train.Saver(allow_empty=True)
    with tf.Session() as sess:
        sess.run(put)
        assert sess.run(found).tolist() == [2, -1]
        path = saver.save(sess, str(tmp_path / "m"))
    with tf.Session() as sess:
        saver.restore(sess, path)
        assert sess.run([found, count])[0].tolist() == [2, -1]


def test_pixels_go_both_ways() -> None:
    draw = np.random.RandomState(0)
    with tf.Session() as sess:
        for dtype, depth in ((np.uint8, 256), (np.uint16, 65536)):
            for channels in (1, 3, 4):
                pixels = draw.randint(0, depth, (5, 7, channels)).astype(dtype)
                coded = tf.image.encode_png(tf.constant(pixels))
                assert (sess.run(tf.image.decode_png(coded, dtype=tf.as_dtype(dtype))) == pixels).all()
        smooth = np.tile(np.arange(64, dtype=np.uint8)[:, None, None] * 3, (1, 64, 3))
        again = sess.run(tf.image.decode_jpeg(tf.image.encode_jpeg(smooth, quality=95)))
        assert np.abs(again.astype(int) - smooth).max() < 8


def test_sound_goes_both_ways() -> None:
    wave = (np.arange(-6, 6).reshape(6, 2) / 8).astype(np.float32)
    with tf.Session() as sess:
        samples, rate = sess.run(tf.audio.decode_wav(tf.audio.encode_wav(wave, 8000)))
    assert rate == 8000
    np.testing.assert_array_equal(samples, wave)


def test_a_missing_file_is_passed_once(tmp_path: Path) -> None:
    (tmp_path / "there").write_text("line\n")
    names = [str(tmp_path / "missing"), str(tmp_path / "there")]
    following = tf.data.TextLineDataset(names).make_one_shot_iterator().get_next()
    with tf.Session() as sess:
        with pytest.raises(errors.NotFoundError, match="missing; No such file"):
            sess.run(following)
        assert sess.run(following) == b"line"


def test_two_writers_of_one_cache(tmp_path):
    cache = str(tmp_path / "cache")
    numbers = tf.data.Dataset.range(3).cache(cache)
    first, second = (tf.data.make_initializable_iterator(numbers) for _ in range(2))
    a, b = first.get_next(), second.get_next()
    with tf.Session() as sess:
        sess.run([first.initializer, second.initializer])
        sess.run(a)
        with pytest.raises(tf.errors.AlreadyExistsError, match="a concurrent caching iterator running"):
            sess.run(b)
        sess.run(first.initializer)  # who begins anew holds it no longer
        sess.run(second.initializer)
        assert [sess.run(b) for _ in range(3)] == [0, 1, 2]
        with pytest.raises(tf.errors.OutOfRangeError):
            sess.run(b)
        sess.run(first.initializer)
        assert sess.run(a) == 0
    assert not os.path.exists(f"{cache}_0.lockfile")


def test_a_writer_of_a_cache_that_was_killed_holds_nothing(tmp_path):
    cache = tmp_path / "cache"
    cache.with_name("cache_0.lockfile").write_text("Created at: 1")
    get_next = tf.data.make_one_shot_iterator(tf.data.Dataset.range(3).cache(str(cache))).get_next()
    with tf.Session() as sess:
        assert [sess.run(get_next) for _ in range(3)] == [0, 1, 2]


@pytest.mark.parametrize("fails", ["write", "fsync"])
def test_a_cache_on_a_full_disk_says_so_and_holds_nothing(tmp_path, monkeypatch, fails):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    cache = str(tmp_path / "cache")
    with tf.Session() as sess, monkeypatch.context() as patched:
        patched.setattr(os, fails, full)  # of the lock's words, of the elements
        get_next = tf.data.make_one_shot_iterator(tf.data.Dataset.range(2).cache(cache)).get_next()
        assert [sess.run(get_next) for _ in range(2)] == [0, 1]
        if fails == "fsync":
            with pytest.raises(errors.ResourceExhaustedError, match=r"cache.data-00000-of-00001; No space left"):
                sess.run(get_next)
    gc.collect()
    with tf.Session() as sess:
        get_next = tf.data.make_one_shot_iterator(tf.data.Dataset.range(2).cache(cache)).get_next()
        assert [sess.run(get_next) for _ in range(2)] == [0, 1]


def test_options_that_contradict_each_other():
    first, second = tf.data.Options(), tf.data.Options()
    first.experimental_threading.private_threadpool_size = 3
    second.experimental_threading.private_threadpool_size = 4
    dataset = tf.data.Dataset.range(1).with_options(first)
    words = r"Cannot merge incompatible values \(3 and 4\) of option: private_threadpool_size"
    with pytest.raises(ValueError, match=words):
        dataset.with_options(second)
    assert dataset.with_options(first).options() == dataset.options()


def _elements(dataset):
    element = tf.data.make_one_shot_iterator(dataset).get_next()
    found = []
    with tf.Session() as sess, contextlib.suppress(tf.errors.OutOfRangeError):
        while True:
            found.append([np.asarray(x).tolist() for x in sess.run(element)])
    return found


@pytest.mark.parametrize("name", ["few", "many"])
def test_a_cache_that_tensorflow_wrote_is_read_and_ours_are_its_bytes(tmp_path, name):
    recorded = Path(__file__).parent / "golden" / "cache"
    rows = tf.data.Dataset.from_tensor_slices(
        ([1, 2, 3], [[b"a", b"bb"], [b"", b"c"], [b"d", b"eee"]], [1.5, 2.5, 3.5])
    )
    if name == "many":
        rows = rows.map(lambda a, b, c: (a, b, c, a, a, a, a, a, a, a, a))
    want = _elements(rows)
    assert len(want) == 3
    assert _elements(rows.cache(str(tmp_path / name))) == want
    assert _elements(rows.take(1).cache(str(recorded / name))) == want
    data = f"{name}.data-00000-of-00001"
    assert (tmp_path / data).read_bytes() == (recorded / data).read_bytes()
    assert _elements(rows.take(1).cache(str(tmp_path / name))) == want


def test_a_cache_in_a_file_takes_no_memory(tmp_path):
    import tracemalloc

    rows = tf.data.Dataset.range(40).map(lambda i: (tf.fill([1 << 18], tf.cast(i, tf.float32)),))
    for _ in range(2):  # written, then read
        element = tf.data.make_one_shot_iterator(rows.cache(str(tmp_path / "x"))).get_next()
        with tf.Session() as sess:
            sess.run(element)
            tracemalloc.start()
            try:
                for i in range(1, 40):
                    assert sess.run(element)[0][-1] == i
                with pytest.raises(tf.errors.OutOfRangeError):
                    sess.run(element)
                assert tracemalloc.get_traced_memory()[1] < 12 << 20
            finally:
                tracemalloc.stop()


def test_a_cache_that_is_left_in_the_middle_leaves_nothing(tmp_path):
    element = tf.data.make_one_shot_iterator(tf.data.Dataset.range(9).cache(str(tmp_path / "x"))).get_next()
    with tf.Session() as sess:
        sess.run(element)
    del sess
    import gc

    gc.collect()
    assert not list(tmp_path.glob("*.tempstate*"))
    assert not list(tmp_path.glob("*.index"))


def test_a_reduction_without_end_ends_with_its_session():
    endless = tf.data.Dataset.from_tensors(1).repeat().reduce(0, lambda x, y: x + y)
    sess, said = tf.Session(), []

    def run():
        try:
            sess.run(endless)
        except tf.errors.CancelledError as error:
            said.append(error.message)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    time.sleep(0.2)
    sess.close()
    thread.join(20)
    assert said
    assert "was cancelled" in said[0]


def test_files_are_matched_when_the_first_is_asked_for(tmp_path: Path) -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        dataset = MatchingFilesDataset(str(tmp_path / "*.txt"))
        found = dataset.make_one_shot_iterator().get_next()
        for _ in range(2):
            with pytest.raises(tf.errors.NotFoundError, match="Don't find any matched files"):
                session.run(found)
        (tmp_path / "a.txt").touch()
        assert session.run(found).endswith(b"a.txt")
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(found)


@pytest.mark.parametrize(
    ("block", "of_inputs", "of_functions", "of_elements"),
    [
        (1, [4, 0, 4, 4, 6, 6, 6], [4, 0, 4, 4, 6, 4, 6, 6, 6, 6, 6], [4, 0, 4, 0, 4, 0, 4, 0, 0, *[6] * 6]),
        (2, [4, 4, 0, 4, 6, 6, 6], [4, 4, 0, 4, 4, *[6] * 6], [4, 4, 0, 0, 4, 4, 0, 0, 0, *[6] * 6]),
    ],
)
def test_an_error_is_told_in_the_turn_of_its_dataset(
    block: int, of_inputs: list[int], of_functions: list[int], of_elements: list[int]
) -> None:
    """The order of TensorFlow 1.15.5; 0 stands for the error."""
    data = tf.data.Dataset

    def checked(x: tf.Tensor) -> tf.Tensor:
        with tf.control_dependencies([tf.assert_none_equal(x, np.int64(5))]):
            return tf.identity(x)

    def elements(dataset: tf.data.Dataset, function: Callable[[tf.Tensor], tf.data.Dataset]) -> list[int]:
        mixed = dataset.apply(tf.data.experimental.parallel_interleave(function, 2, block, False, 1, 0))
        following, result = mixed.make_one_shot_iterator().get_next(), []
        with tf.Session() as session:
            while True:
                try:
                    result.append(int(session.run(following)))
                except tf.errors.OutOfRangeError:
                    return result
                except tf.errors.InvalidArgumentError:
                    result.append(0)

    with tf.Graph().as_default():
        numbers = data.from_tensor_slices(np.int64([4, 5, 6]))
        assert elements(numbers.map(checked), lambda x: data.from_tensors(x).repeat(3)) == of_inputs
        assert elements(numbers, lambda x: data.from_tensors(x).repeat(checked(x))) == of_functions
        assert elements(numbers, lambda x: data.from_tensors(x).repeat(x).map(checked)) == of_elements


def test_an_interrupt_is_not_lost_where_the_queue_gave_meanwhile():
    queue = QueueState("q", threading.Condition(), 3, [tf.float32], [()])

    class Memory:
        def wait(self, condition, ready, word):
            queue.enqueue([(1.0,)], True)
            assert ready()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        take_element(Memory(), queue)
    assert list(queue.elements) == [(1.0,)]


def test_handles_of_another_session_find_iterators_by_their_shared_names() -> None:
    """As in TensorFlow 1.15.5, where a handle holds a name."""
    handle = tf.placeholder(tf.string, [])
    shared = tf.data.Dataset.range(10, 20).make_initializable_iterator(shared_name="both")
    alone = tf.data.Dataset.range(5).make_initializable_iterator()
    ahead = tf.data.Iterator.from_string_handle(handle, shared.output_types, shared.output_shapes).get_next()
    with tf.Session() as sess:
        sess.run([shared.initializer, alone.initializer])
        handles = sess.run([shared.string_handle(), alone.string_handle()])
    with tf.Session() as sess:
        with pytest.raises(tf.errors.NotFoundError, match="both does not exist"):
            sess.run(ahead, {handle: handles[0]})
        sess.run([shared.initializer, alone.initializer])
        assert sess.run(ahead, {handle: handles[0]}) == 10
        with pytest.raises(tf.errors.NotFoundError, match=r"_IteratorV2.* does not exist"):
            sess.run(ahead, {handle: handles[1]})
        with pytest.raises(tf.errors.InvalidArgumentError, match="Could not parse string_handle"):
            sess.run(ahead, {handle: "both"})
