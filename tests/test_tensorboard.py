"""TensorBoard on the files of a training: what its server hands out, and what a browser shows, where there is one."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.tf.contrib.tensorboard.plugins import projector

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("localhost", 0))
        port: int = listener.getsockname()[1]
        return port


def train(folder: Path) -> None:
    """Writes what each of TensorBoard's pages shows."""
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [None, 16], name="x")
        with tf.name_scope("model"):
            w = tf.Variable(tf.ones([16, 3]), name="w")
            loss = tf.reduce_mean(tf.square(tf.matmul(x, w)))
        tf.summary.scalar("loss", loss)
        tf.summary.histogram("w", w)
        tf.summary.image("picture", tf.reshape(x, [-1, 4, 4, 1]), 1)
        tf.summary.audio("tone", tf.sin(tf.range(800.0))[None], 8000)
        tf.summary.text("note", tf.strings.join(["loss ", tf.as_string(loss)]))
        step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
        merged = tf.summary.merge_all()
        writer = tf.summary.FileWriter(str(folder), sess.graph)
        sess.run(tf.global_variables_initializer())
        batch = np.linspace(0, 1, 32).reshape(2, 16)
        for i in range(10):
            metadata = tf.RunMetadata()
            options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
            summary, _ = sess.run([merged, step], {x: batch}, options=options, run_metadata=metadata)
            writer.add_summary(summary, i)
        writer.add_run_metadata(metadata, "step9")
        tf.train.Saver().save(sess, str(folder / "model.ckpt"))
        config = projector.ProjectorConfig()
        config.embeddings.add(tensor_name=w.op.name)
        projector.visualize_embeddings(writer, config)
        writer.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("tensorboard")
    train(folder)
    port = free_port()
    start = "import sys, retrograd; retrograd.install(); from tensorboard.main import run_main; run_main()"
    arguments = ["--logdir", str(folder), "--port", str(port), "--load_fast=false", "--reload_interval=1"]
    process = subprocess.Popen(
        [sys.executable, "-c", start, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    address = f"http://localhost:{port}"
    try:
        for _ in range(120):
            time.sleep(0.5)
            try:
                if json.loads(urllib.request.urlopen(f"{address}/data/plugin/scalars/tags").read()):
                    break
            except OSError:
                assert process.poll() is None, "TensorBoard has ended"
        yield address
    finally:
        process.terminate()
        process.wait(20)


def read(server: str, path: str) -> bytes:
    data: bytes = urllib.request.urlopen(f"{server}/data/plugin/{path}").read()
    return data


def told(server: str, path: str) -> Any:
    return json.loads(read(server, path))


def test_every_page_has_its_data(server: str) -> None:
    scalars = told(server, "scalars/scalars?run=.&tag=loss")
    assert [row[1] for row in scalars] == list(range(10))
    assert scalars[0][2] > scalars[-1][2] >= 0
    assert len(told(server, "histograms/histograms?run=.&tag=w")) == 10
    image = told(server, "images/images?run=.&tag=picture/image&sample=0")[-1]
    assert read(server, f"images/individualImage?{image['query']}").startswith(b"\x89PNG")
    sound = told(server, "audio/audio?run=.&tag=tone/audio/0&sample=0")[-1]
    assert read(server, f"audio/individualAudio?{sound['query']}").startswith(b"RIFF")
    assert told(server, "text/text?run=.&tag=note")[-1]["text"].startswith("<p>loss ")
    assert b'name: "model/MatMul"' in read(server, "graphs/graph?run=.&conceptual=false")


def test_traces_tell_the_shape_of_every_output(server: str) -> None:
    text = read(server, "graphs/run_metadata?run=.&tag=step9").decode()
    assert 'node_name: "model/MatMul"' in text
    # the page cannot draw a node that has an output without a shape
    assert text.count("tensor_description {") == text.count("shape {")


def test_the_projector_reads_the_checkpoint(server: str) -> None:
    (run,) = told(server, "projector/runs")
    embeddings = told(server, f"projector/info?run={run}")["embeddings"]
    assert {"tensorName": "model/w", "tensorShape": [16, 3]} in embeddings
    values = np.frombuffer(read(server, f"projector/tensor?run={run}&name=model/w"), np.float32)
    assert values.shape == (48,)


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium to look with")
def test_a_browser_draws_the_graph(server: str, tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    shot = tmp_path / "page.png"
    assert BROWSER is not None
    subprocess.run(
        [
            BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=900,700",
            "--virtual-time-budget=6000", f"--user-data-dir={tmp_path}", f"--screenshot={shot}", f"{server}/#graphs",
        ],
        check=True, timeout=60, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    shown = image.open(shot).convert("RGB").crop((330, 120, 900, 700))  # the page without its menus
    assert len(shown.getcolors(1 << 20)) > 60
