"""The MNIST reader: TensorFlow 1.15.5's recorded batches, and files that are not what they should be."""

import contextlib
import functools
import gzip
import http.server
import io
import json
import pathlib
import runpy
import struct
import threading

import numpy as np
import pytest

import retrograd
from retrograd import hook
from retrograd.graph.stack import default_graph
from retrograd.io import mnist

GOLDEN = pathlib.Path(__file__).parent / "golden"
RECORDED = json.loads((GOLDEN / "mnist.json").read_text())
PACKAGED = pathlib.Path(mnist.__file__).parent / "data" / "mnist"


@pytest.fixture(autouse=True)
def numpys_stream():
    """Leave NumPy's global stream and the graph's seed as they were."""
    state, seed = np.random.get_state(), default_graph().seed
    yield
    np.random.set_state(state)
    default_graph().seed = seed


@pytest.fixture(scope="module")
def measured():
    """What the recording script records under retrograd."""
    before = hook.installed()
    retrograd.install()
    try:
        script = runpy.run_path(str(GOLDEN / "record_mnist.py"))
        with contextlib.redirect_stdout(io.StringIO()):
            return script["record"](str(PACKAGED))
    finally:
        if not before:
            retrograd.uninstall()


@pytest.fixture
def folder(tmp_path):
    """A folder with a small data set."""
    for part, count in (("train", 6), ("t10k", 4)):
        pixels = np.arange(count * 784).astype(np.uint8).tobytes()
        write(tmp_path / f"{part}-images-idx3-ubyte.gz", struct.pack(">4I", 2051, count, 28, 28) + pixels)
        write(tmp_path / f"{part}-labels-idx1-ubyte.gz", struct.pack(">2I", 2049, count) + bytes(range(count)))
    return tmp_path


def write(path, content):
    path.write_bytes(gzip.compress(content))


@pytest.mark.parametrize("case", RECORDED["readings"])
def test_batches_are_those_of_tensorflow(measured, case):
    assert measured["readings"][case] == RECORDED["readings"][case]


def test_real_digits_are_those_of_tensorflow(measured):
    assert measured["real"] == RECORDED["real"]


@pytest.mark.parametrize("case", RECORDED["errors"])
def test_errors_begin_as_tensorflows(measured, case):
    got, want = measured["errors"][case], RECORDED["errors"][case]
    assert got[0] == want[0]
    assert want[1] in ("", str(got[1]).partition("\n")[0], got[1])


def test_names_are_those_of_tensorflow(measured):
    assert measured["names"] == RECORDED["names"]


@pytest.mark.smoke
def test_the_packaged_digits_are_read_where_the_folder_has_none(tmp_path, capsys):
    there = tmp_path / "data"
    digits = mnist.read_data_sets(f"{there}/", one_hot=True)
    assert capsys.readouterr() == ("".join(f"Extracting {there}/{name}\n" for name in mnist.SHA256), "")
    assert list(there.iterdir()) == []  # the folder that a download makes: programs write beside the data
    assert [part.num_examples for part in digits] == [55000, 5000, 10000]
    images, labels = digits.train.next_batch(100)
    assert (images.shape, images.dtype, labels.shape, labels.dtype) == (
        (100, 784),
        np.float32,
        (100, 10),
        np.float64,
    )
    assert digits.test.images is digits.test.images
    assert 0.13 < digits.test.images.mean() < 0.14


def test_the_packaged_files_are_the_known_ones():
    import hashlib

    assert {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in PACKAGED.iterdir()} == mnist.SHA256


def test_files_in_the_folder_go_before(folder):
    digits = mnist.read_data_sets(str(folder), validation_size=2, seed=1)
    assert [part.num_examples for part in digits] == [4, 2, 4]
    assert digits.validation.labels.tolist() == [0, 1]


def test_a_batch_is_of_the_images_as_they_are_now(folder):
    """Reading all images, before or after shuffling, changes no batch."""
    lazy, eager = (mnist.read_data_sets(str(folder), validation_size=0).train for _ in "ab")
    np.random.seed(5)
    batches = [lazy.next_batch(4) for _ in range(7)]
    np.random.seed(5)
    for x, y in batches:
        assert eager.images.shape == (6, 784)
        x_too, y_too = eager.next_batch(4)
        np.testing.assert_array_equal(x, x_too)
        np.testing.assert_array_equal(y, y_too)
    np.testing.assert_array_equal(lazy.images, eager.images)


def test_fake_data_needs_no_files(tmp_path, capsys):
    digits = mnist.read_data_sets(str(tmp_path), fake_data=True, one_hot=True)
    images, labels = digits.train.next_batch(3)
    assert images == [[1] * 784] * 3
    assert labels == [[1] + [0] * 9] * 3
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("content", "error", "found"),
    [
        (gzip.compress(struct.pack(">4I", 2051, 6, 28, 28) + bytes(6 * 784))[:40], EOFError, "40 bytes"),
        (b"<html>not here</html>", gzip.BadGzipFile, "Not a gzipped file"),
        (gzip.compress(struct.pack(">4I", 2051, 6, 28, 28) + bytes(100)), ValueError, "found 100"),
        (gzip.compress(struct.pack(">4I", 2051, 1, 28, 28) + bytes(785)), ValueError, "found 785"),
        (gzip.compress(struct.pack(">2I", 2051, 6)), ValueError, "found 8"),
        (gzip.compress(struct.pack(">2I", 2049, 1) + b"\0"), ValueError, "Invalid magic number 2049"),
        (gzip.compress(b""), ValueError, "Invalid magic number 0"),
        (b"", ValueError, "Invalid magic number 0"),
    ],
    ids=["truncated", "not gzip", "too short", "too long", "no head", "labels", "nothing in it", "empty"],
)
def test_a_damaged_file_is_named_with_the_line_to_type(folder, content, error, found):
    damaged = folder / mnist.TRAIN_IMAGES
    damaged.write_bytes(content)
    with pytest.raises(error) as raised:
        mnist.read_data_sets(str(folder), validation_size=1)
    first, _, fix = str(raised.value).splitlines()
    assert str(damaged) in first
    assert found in str(raised.value)
    assert fix == f"  Fix:   delete it and run again:  rm {damaged}"


def test_flipped_bits_are_noticed(folder):
    path = folder / mnist.TEST_IMAGES
    content = bytearray(path.read_bytes())
    content[-6] ^= 1  # in the checksum
    path.write_bytes(content)
    with pytest.raises(OSError, match="CRC check failed") as raised:
        mnist.read_data_sets(str(folder), validation_size=1)
    assert str(path) in str(raised.value)


@pytest.fixture
def server(folder):
    """The address of a server with the folder's files, all but the labels to train with."""
    (folder / mnist.TRAIN_LABELS).rename(folder / "elsewhere")
    quiet = type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(quiet, directory=folder)) as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}/"
        running.shutdown()
        thread.join()


def test_another_data_set_is_downloaded(folder, server, tmp_path_factory, capsys):
    there = tmp_path_factory.mktemp("new") / "data"
    path = mnist.maybe_download(mnist.TEST_LABELS, str(there), server + mnist.TEST_LABELS)
    assert pathlib.Path(path).read_bytes() == (folder / mnist.TEST_LABELS).read_bytes()
    size = (folder / mnist.TEST_LABELS).stat().st_size
    assert capsys.readouterr().out == f"Successfully downloaded {mnist.TEST_LABELS} {size} bytes.\n"
    with pytest.raises(OSError, match="could not download") as raised:
        mnist.read_data_sets(str(there), source_url=server)
    assert f"curl -L -o {there / mnist.TRAIN_LABELS} {server}{mnist.TRAIN_LABELS}" in str(raised.value)
    assert sorted(p.name for p in there.iterdir()) == [mnist.TEST_LABELS, mnist.TRAIN_IMAGES]


def test_a_download_with_a_wrong_checksum_leaves_nothing(server, tmp_path_factory, monkeypatch):
    monkeypatch.setattr(mnist, "MNIST_URLS", (server,))
    monkeypatch.setattr(mnist, "_PACKAGED", "/nowhere")
    there = tmp_path_factory.mktemp("new")
    with pytest.raises(OSError, match=f"expected SHA-256 {mnist.SHA256[mnist.TEST_LABELS]}, found"):
        mnist.maybe_download(mnist.TEST_LABELS, str(there), server + mnist.TEST_LABELS)
    assert list(there.iterdir()) == []


def test_maybe_download_puts_the_packaged_file_there(tmp_path):
    url = mnist.DEFAULT_SOURCE_URL + mnist.TEST_LABELS
    path = mnist.maybe_download(mnist.TEST_LABELS, str(tmp_path / "data"), url)
    assert pathlib.Path(path).read_bytes() == (PACKAGED / mnist.TEST_LABELS).read_bytes()


def test_progress_is_drawn_on_a_terminal(monkeypatch):
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr("sys.stderr", terminal)
    show = mnist._progress("digits", 2_000_000)
    show(1_000_000)
    show(2_000_000)
    assert terminal.getvalue() == (
        "\rdigits [###############               ] 1.0 of 2.0 MB"
        "\rdigits [##############################] 2.0 of 2.0 MB\n"
    )
