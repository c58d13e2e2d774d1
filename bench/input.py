"""Input pipelines in retrograd and in TensorFlow 1.15.5: how many examples a second each gives.

usage: python -m bench.input [CASE...] [--rounds N] [--clock processor]

One process for each of the two, kept alive; they take turns, a third of a second each, on the same files.  A ratio is
that of the medians: 2.00 means that retrograd gives twice as many.  By the processor's clock, the time of all threads
counts, and the ratio is that of the best turns: so a machine that does other things can be measured on.  Without
TensorFlow 1.15.5 (see ``bench.peers``) retrograd is measured alone.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial

from bench import pipelines, tfrecords

ROWS, BATCH, TURN = 2000, 32, 0.35
RETROGRAD, TENSORFLOW = "retrograd", "TensorFlow 1.15.5"
CLOCKS = {"wall": time.perf_counter, "processor": time.process_time}


# -- what is measured: programs that both run ---------------------------------------------------


def programs(tf, np, folder):  # type: ignore[no-untyped-def]
    """For each case a function that builds its graph: (what to run, what to run first, examples per run)."""
    dataset = tf.data.Dataset
    images = np.random.RandomState(0).rand(ROWS, 28, 28).astype("float32")
    labels = np.arange(ROWS).astype("int64")
    records = os.path.join(folder, "train.tfrecord")
    tables = os.path.join(folder, "table.tfrecord")
    text, sequence, mixtures = (os.path.join(folder, f) for f in ("table.csv", "sequence.tfrecord", "mixed.tfrecord"))
    codes = os.path.join(folder, "jpeg.tfrecord"), os.path.join(folder, "png.tfrecord")
    one, many = tf.FixedLenFeature, tf.VarLenFeature
    picture = {"image": one([], tf.string), "label": one([], tf.int64)}
    table = {f"x{i}": one([], tf.float32) for i in range(12)}
    table.update(y=one([64], tf.float32), ids=many(tf.int64), words=many(tf.string), label=one([], tf.int64))
    mixed = {f"d{i:02}": one([], tf.int64, 0) for i in range(20)}
    mixed.update({f"f{i:02}": one([4], tf.float32) for i in range(10)})
    mixed.update({f"v{i:02}": many((tf.int64, tf.float32, tf.string)[i % 3]) for i in range(20)})
    few = {key: mixed[key] for key in ("d00", "d01", "f00", "v00", "v02")}
    steps = {"ids": tf.FixedLenSequenceFeature([], tf.int64)}

    def taken(pipeline, count=BATCH):  # type: ignore[no-untyped-def]
        iterator = pipeline.make_initializable_iterator()
        return iterator.get_next(), iterator.initializer, count

    def pixels(serialized):  # type: ignore[no-untyped-def]
        features = tf.parse_single_example(serialized, picture)
        image = tf.reshape(tf.decode_raw(features["image"], tf.uint8), [28, 28, 1])
        return tf.cast(image, tf.float32) / 255.0, features["label"]

    def decoded(decode):  # type: ignore[no-untyped-def]
        def parse(serialized):  # type: ignore[no-untyped-def]
            features = tf.parse_single_example(serialized, picture)
            image = tf.image.resize_images(decode(features["image"], channels=3), [64, 64])
            return image, features["label"]

        return parse

    def rows():  # type: ignore[no-untyped-def]
        return dataset.from_tensor_slices((images, labels)).repeat()

    def scaled(x, y):  # type: ignore[no-untyped-def]
        return x / 255.0, tf.one_hot(y, 10)

    def trained(pipeline):  # type: ignore[no-untyped-def]
        (x, y), initializer, count = taken(pipeline)
        logits = tf.layers.dense(tf.layers.dense(tf.reshape(x, [-1, 784]), 64, tf.nn.relu), 10)
        loss = tf.losses.sparse_softmax_cross_entropy(y % 10, logits)
        step = tf.train.AdamOptimizer().minimize(loss)
        return step, [initializer, tf.global_variables_initializer()], count

    def generated():  # type: ignore[no-untyped-def]
        for i in itertools.count():
            yield images[i % ROWS], labels[i % ROWS]

    def cells(line):  # type: ignore[no-untyped-def]
        columns = tf.decode_csv(line, [[0.0]] * 8 + [[0], [""]])
        return tf.stack(columns[:8]), columns[8], columns[9]

    def numbers(line):  # type: ignore[no-untyped-def]
        return tf.string_to_number(tf.string_split([line], ",").values[:8])

    def lengths(x, y):  # type: ignore[no-untyped-def]
        return x[: y % 28], y

    def buckets(pipeline):  # type: ignore[no-untyped-def]
        by_length = tf.data.experimental.bucket_by_sequence_length
        return pipeline.apply(by_length(lambda x, y: tf.shape(x)[0], [8, 16, 24], [BATCH] * 4))

    def windows(pipeline):  # type: ignore[no-untyped-def]
        group = tf.data.experimental.group_by_window
        return pipeline.apply(group(lambda x, y: y % 4, lambda key, rows: rows.batch(BATCH), BATCH))

    def sequences(serialized):  # type: ignore[no-untyped-def]
        context = {"label": one([], tf.int64)}
        _, found = tf.parse_single_sequence_example(serialized, context, steps)
        return found["ids"]

    def queued_cells():  # type: ignore[no-untyped-def]
        _, line = tf.TextLineReader().read(tf.train.string_input_producer([text]))
        return tf.train.batch(cells(line), BATCH), None, BATCH

    def queued():  # type: ignore[no-untyped-def]
        names = tf.train.string_input_producer([records])
        _, serialized = tf.TFRecordReader().read(names)
        return tf.train.shuffle_batch(pixels(serialized), BATCH, 2000, 500), None, BATCH

    read = tf.data.TFRecordDataset
    return {
        **pipelines.programs(tf, np, folder),
        "range": lambda: taken(dataset.range(10**9), 1),
        "range, map": lambda: taken(dataset.range(10**9).map(lambda x: x * 2), 1),
        "rows, shuffle, batch": lambda: taken(rows().shuffle(1000).batch(BATCH)),
        "rows, map, batch": lambda: taken(rows().map(scaled).batch(BATCH)),
        "rows, batch, map, prefetch": lambda: taken(rows().batch(BATCH).map(scaled).prefetch(2)),
        "rows, padded batch": lambda: taken(rows().map(lambda x, y: (x[: y % 9], y)).padded_batch(
            BATCH, ([None, 28], []))),
        "records, batch": lambda: taken(read(records).repeat().batch(BATCH)),
        "records, parse, batch": lambda: taken(read(records).repeat().map(pixels).batch(BATCH)),
        "records, parse in parallel": lambda: taken(read(records).repeat().shuffle(1000).map(pixels, 4)
                                                    .batch(BATCH).prefetch(2)),
        "records, batch, parse": lambda: taken(read(records).repeat().batch(BATCH).map(
            lambda s: tf.parse_example(s, picture))),
        "table, parse, batch": lambda: taken(read(tables).repeat().map(
            lambda s: tf.parse_single_example(s, {k: v for k, v in table.items() if k not in ("ids", "words")}))
            .batch(BATCH)),
        "table, batch, parse": lambda: taken(read(tables).repeat().batch(BATCH).map(
            lambda s: tf.parse_example(s, table))),
        "jpeg": lambda: taken(read(codes[0]).repeat().map(decoded(tf.image.decode_jpeg), 2).batch(BATCH)),
        "png": lambda: taken(read(codes[1]).repeat().map(decoded(tf.image.decode_png), 2).batch(BATCH)),
        "a training step": lambda: trained(read(records).repeat().shuffle(1000).map(pixels, 2).batch(BATCH)
                                           .prefetch(2)),
        "mixed, batch, parse": lambda: taken(read(mixtures).repeat().batch(BATCH).map(
            lambda s: tf.parse_example(s, mixed))),
        "mixed, batch, parse few": lambda: taken(read(mixtures).repeat().batch(BATCH).map(
            lambda s: tf.parse_example(s, few))),
        "mixed, parse, batch": lambda: taken(read(mixtures).repeat().map(
            lambda s: tf.parse_single_example(s, mixed)).batch(BATCH)),
        "mixed, parse few, batch": lambda: taken(read(mixtures).repeat().map(
            lambda s: tf.parse_single_example(s, few)).batch(BATCH)),
        "mixed, parse dataset": lambda: taken(read(mixtures).repeat().batch(BATCH).apply(
            tf.data.experimental.parse_example_dataset(mixed))),
        "mixed, batched features": lambda: taken(tf.data.experimental.make_batched_features_dataset(
            mixtures, BATCH, mixed, shuffle_buffer_size=1000)),
        "sequences, parse": lambda: taken(read(sequence).repeat().map(sequences).padded_batch(BATCH, [None])),
        "text, csv, batch": lambda: taken(dataset.from_tensor_slices([text]).repeat().flat_map(
            lambda f: tf.data.TextLineDataset(f).skip(1)).map(cells).shuffle(1000).batch(BATCH)),
        "text, batch, csv": lambda: taken(tf.data.TextLineDataset(text).skip(1).repeat().batch(BATCH).map(cells)),
        "text, split, batch": lambda: taken(tf.data.TextLineDataset(text).skip(1).repeat().map(numbers).batch(BATCH)),
        "csv dataset": lambda: taken(tf.data.experimental.CsvDataset(
            text, [tf.float32] * 8 + [tf.int32, tf.string], header=True).repeat().batch(BATCH)),
        "make_csv_dataset": lambda: taken(tf.data.experimental.make_csv_dataset(
            text, BATCH, label_name="c8", shuffle_buffer_size=1000)),
        "rows, filter, batch": lambda: taken(rows().filter(lambda x, y: y % 2 > 0).batch(BATCH)),
        "rows, interleave, batch": lambda: taken(dataset.range(8).repeat().interleave(
            lambda i: dataset.from_tensor_slices((images[:100], labels[:100])), 4, 8).batch(BATCH)),
        "rows, buckets": lambda: taken(buckets(rows().map(lengths))),
        "rows, group by window": lambda: taken(windows(rows())),
        "rows, map and batch": lambda: taken(rows().apply(tf.data.experimental.map_and_batch(scaled, BATCH))),
        "rows, cache, shuffle": lambda: taken(dataset.from_tensor_slices((images, labels)).map(scaled).cache()
                                              .shuffle(1000).repeat().batch(BATCH)),
        "rows, random images": lambda: taken(rows().map(lambda x, y: (tf.image.random_flip_left_right(
            x[..., None]), y)).batch(BATCH)),
        "generator, batch": lambda: taken(dataset.from_generator(
            generated, (tf.float32, tf.int64), ((28, 28), ())).batch(BATCH)),
        "generator, map, prefetch": lambda: taken(dataset.from_generator(
            generated, (tf.float32, tf.int64)).map(lambda x, y: (tf.reshape(x, [784]), y)).batch(BATCH).prefetch(1)),
        "py_func": lambda: taken(rows().map(lambda x, y: tuple(tf.py_func(
            lambda x, y: (x * 2, y), [x, y], [tf.float32, tf.int64]))).batch(BATCH)),
        "queues": queued,
        "queues, csv": queued_cells,
    }  # fmt: skip


def write_files(tf, np, folder):  # type: ignore[no-untyped-def]
    """The files that the cases read."""
    random = np.random.RandomState(1)
    ints, floats, texts = (partial(f, tf) for f in (tfrecords.of_ints, tfrecords.of_floats, tfrecords.of_texts))

    def pictures():  # type: ignore[no-untyped-def]
        for i in range(ROWS):
            yield {"image": texts(random.bytes(784)), "label": ints(i)}

    def table():  # type: ignore[no-untyped-def]
        for i in range(ROWS):
            row = {f"x{k}": floats(random.rand()) for k in range(12)}
            ids = random.randint(0, 1 << 20, random.randint(20))
            words = [b"word %d" % k for k in range(random.randint(6))]
            yield dict(row, y=floats(*random.rand(64)), ids=ints(*ids), words=texts(*words), label=ints(i))

    def mixture():  # type: ignore[no-untyped-def]
        def values(n):  # type: ignore[no-untyped-def]
            return ints(*random.randint(0, 1 << 16, n)), floats(*random.rand(n)), texts(*[b"text"] * n)

        for _ in range(ROWS):
            row = {f"d{k:02}": values(1)[0] for k in range(20)}
            row.update({f"f{k:02}": values(4)[1] for k in range(10)})
            row.update({f"v{k:02}": values(random.randint(5))[k % 3] for k in range(20)})
            yield row

    def sequence():  # type: ignore[no-untyped-def]
        for i in range(ROWS):
            steps = tf.train.FeatureLists(feature_list={"ids": tf.train.FeatureList(
                feature=[ints(k) for k in random.randint(0, 1000, random.randint(1, 30))])})  # fmt: skip
            yield tf.train.SequenceExample(context=tf.train.Features(feature={"label": ints(i)}), feature_lists=steps)

    def coded(encode):  # type: ignore[no-untyped-def]
        with tf.Graph().as_default(), tf.Session() as session:
            pixels = tf.placeholder(tf.uint8)
            code = encode(pixels)
            for i in range(ROWS // 20):
                smooth = np.add.outer(np.arange(160), np.arange(200))[..., None] + random.randint(0, 40, 3)
                yield {"image": texts(session.run(code, {pixels: smooth % 256})), "label": ints(i)}

    files = {"train": pictures(), "table": table(), "jpeg": coded(tf.image.encode_jpeg), "mixed": mixture(),
             "png": coded(tf.image.encode_png), "sequence": sequence()}  # fmt: skip
    for name, rows in files.items():
        tfrecords.write(tf, folder, name, rows)
    with open(os.path.join(folder, "table.csv"), "w") as file:
        file.write(",".join(f"c{k}" for k in range(10)) + "\n")
        for i in range(ROWS):
            file.write(",".join([*(f"{x:.4f}" for x in random.rand(8)), str(i), f"word {i}"]) + "\n")


# -- a process that measures -------------------------------------------------------------------


def work(folder, is_retrograd, clock):  # type: ignore[no-untyped-def]
    """Answer each line "case" with how many examples a second of ``clock`` came in a turn."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    if is_retrograd:
        import retrograd

        retrograd.install()
    import numpy as np
    import tensorflow as tf

    if is_retrograd:
        write_files(tf, np, folder)
        pipelines.write_files(tf, np, folder)
    answers.write("\n")
    answers.flush()
    sessions = {}
    for line in sys.stdin:
        name = line.strip()
        if name not in sessions:
            with tf.Graph().as_default() as graph:
                fetches, initializer, count = programs(tf, np, folder)[name]()
                session = tf.Session(graph=graph)
                if initializer is not None:
                    session.run(initializer() if callable(initializer) else initializer)
                tf.train.start_queue_runners(session)
            sessions[name] = run, count = session.make_callable(fetches), count
            for _ in range(20):
                run()
            until = time.perf_counter() + TURN
            while time.perf_counter() < until:
                run()
        run, count = sessions[name]
        runs, begun = 0, clock()
        until = time.perf_counter() + TURN
        while time.perf_counter() < until:
            run()
            runs += 1
        answers.write(f"{count * runs / (clock() - begun)!r}\n")
        answers.flush()


def main() -> None:
    from bench import peers

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE", help="words of its name (default: every case)")
    parser.add_argument("--rounds", type=int, default=15, help="turns of each (default: 15)")
    parser.add_argument("--clock", choices=CLOCKS, default="wall", help="whose seconds (default: wall)")
    parser.add_argument("--json", metavar="FILE", help="where to write the rounds, too")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        processes = {}
        for name, peer, python in ((RETROGRAD, "retrograd", sys.executable),
                                   (TENSORFLOW, "tf1", peers.python_of("tf1"))):  # fmt: skip
            if python is None:
                continue
            command = [python, "-W", "ignore", "-m", "bench.input", "--work", folder, args.clock]
            variables = peers.environment_variables(peers.PEERS[peer])
            processes[name] = process = subprocess.Popen(
                [*command, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=variables,
                cwd=os.path.dirname(os.path.dirname(os.path.abspath(__file__))), stderr=subprocess.DEVNULL,
            )  # fmt: skip
            assert process.stdout is not None
            process.stdout.readline()
        best = max if args.clock == "processor" else statistics.median
        results = measured(args.cases, args.rounds, processes, best)
        for process in processes.values():
            process.stdin.close()
            process.wait()
    if args.json:
        with open(args.json, "w") as file:
            json.dump(results, file)


def measured(words, rounds, processes, best):  # type: ignore[no-untyped-def]
    """The rounds of the cases whose names have one of the words, printed as they come."""
    names = [name for name in programs_of_names() if not words or any(word in name for word in words)]
    print(f"{'examples a second':28} {'  '.join(p.rjust(17) for p in processes)}   ratio")
    results = {}
    for name in names:
        rows = {p: [] for p in processes}
        for _ in range(rounds):
            for p, process in processes.items():
                process.stdin.write(name + "\n")
                process.stdin.flush()
                rows[p].append(float(process.stdout.readline() or "nan"))
        found = {p: best(row) for p, row in rows.items()}
        ratio = f"{found[RETROGRAD] / found[TENSORFLOW]:7.2f}" if TENSORFLOW in found else ""
        print(f"{name:28} {'  '.join(f'{x:17.0f}' for x in found.values())} {ratio}", flush=True)
        results[name] = rows
    return results


def programs_of_names():  # type: ignore[no-untyped-def]
    """The names of the cases; nothing is built."""

    class Anything:
        def __getattr__(self, name):  # type: ignore[no-untyped-def]
            return Anything()

        def __call__(self, *args, **kwargs):  # type: ignore[no-untyped-def]
            return Anything()

    return list(programs(Anything(), Anything(), ""))


if __name__ == "__main__":
    if "--work" in sys.argv:
        work(sys.argv[2], sys.argv[4] == RETROGRAD, CLOCKS[sys.argv[3]])
    else:
        main()
