"""Input pipelines as the programs of 2016 to 2019 wrote them; ``bench.input`` measures them."""

from __future__ import annotations

import os
from functools import partial

from bench import tfrecords

ROWS, BATCH = 2000, 32
WORDS = [f"word{i}" for i in range(5000)]


def programs(tf, np, folder):  # type: ignore[no-untyped-def]
    """For each case a function that builds its graph: (what to run, what to run first, examples per run)."""
    dataset = tf.data.Dataset
    one = tf.FixedLenFeature
    pictures = os.path.join(folder, "cifar.bin")
    lines, words, census = (os.path.join(folder, f) for f in ("lines.txt", "words.txt", "census.csv"))
    photos = os.path.join(folder, "photos.tfrecord")
    sparse = os.path.join(folder, "sparse.tfrecord")
    shards = [os.path.join(folder, f"shard{i}.tfrecord") for i in range(8)]
    size = 1 + 32 * 32 * 3

    def taken(pipeline, count=BATCH):  # type: ignore[no-untyped-def]
        iterator = pipeline.make_initializable_iterator()
        return iterator.get_next(), [iterator.initializer, tf.tables_initializer()], count

    def cifar(value):  # type: ignore[no-untyped-def]
        record = tf.decode_raw(value, tf.uint8)
        label = tf.cast(tf.strided_slice(record, [0], [1]), tf.int32)
        image = tf.transpose(tf.reshape(tf.strided_slice(record, [1], [size]), [3, 32, 32]), [1, 2, 0])
        return tf.cast(image, tf.float32), label

    def distorted(image):  # type: ignore[no-untyped-def]
        image = tf.image.random_flip_left_right(tf.random_crop(image, [24, 24, 3]))
        image = tf.image.random_contrast(tf.image.random_brightness(image, 63), 0.2, 1.8)
        image = tf.image.per_image_standardization(image)
        image.set_shape([24, 24, 3])
        return image

    def cifar_queues(threads, change):  # type: ignore[no-untyped-def]
        def build():  # type: ignore[no-untyped-def]
            names = tf.train.string_input_producer([pictures])
            _, value = tf.FixedLengthRecordReader(size).read(names)
            image, label = cifar(value)
            label.set_shape([1])
            image = change(image)
            images, labels = tf.train.shuffle_batch([image, label], 128, 1000 + 3 * 128, 1000, threads)
            return [images, tf.reshape(labels, [128])], None, 128

        return build

    def central(image):  # type: ignore[no-untyped-def]
        image = tf.image.per_image_standardization(tf.image.resize_image_with_crop_or_pad(image, 24, 24))
        image.set_shape([24, 24, 3])
        return image

    def of_cifar(value):  # type: ignore[no-untyped-def]
        image, label = cifar(value)
        return distorted(image), label

    def padded(value):  # type: ignore[no-untyped-def]
        """What the official ResNet does to CIFAR-10."""
        image, label = cifar(value)
        image = tf.image.resize_image_with_crop_or_pad(image, 40, 40)
        image = tf.image.random_flip_left_right(tf.random_crop(image, [32, 32, 3]))
        return tf.image.per_image_standardization(image), tf.one_hot(label[0], 10)

    def photo(serialized):  # type: ignore[no-untyped-def]
        """What Inception and the official ResNet do to ImageNet."""
        features = {"image/encoded": one([], tf.string, ""), "image/class/label": one([], tf.int64, -1)}
        features.update({"image/class/text": one([], tf.string, "")})
        features.update(
            {f"image/object/bbox/{k}": tf.VarLenFeature(tf.float32) for k in ("xmin", "ymin", "xmax", "ymax")}
        )
        found = tf.parse_single_example(serialized, features)
        sides = [tf.expand_dims(found[f"image/object/bbox/{k}"].values, 0) for k in ("ymin", "xmin", "ymax", "xmax")]
        boxes = tf.transpose(tf.expand_dims(tf.concat(sides, 0), 0), [0, 2, 1])
        code = found["image/encoded"]
        begin, extent, _ = tf.image.sample_distorted_bounding_box(
            tf.image.extract_jpeg_shape(code), boxes, min_object_covered=0.1, aspect_ratio_range=[0.75, 1.33],
            area_range=[0.05, 1.0], max_attempts=100, use_image_if_no_bounding_boxes=True)  # fmt: skip
        y, x, _ = tf.unstack(begin)
        height, width, _ = tf.unstack(extent)
        image = tf.image.decode_and_crop_jpeg(code, tf.stack([y, x, height, width]), channels=3)
        image = tf.image.resize_images(tf.image.random_flip_left_right(image), [96, 96])
        return image - tf.constant([123.68, 116.78, 103.94]), tf.cast(found["image/class/label"], tf.int32) - 1

    def numbered(pipeline):  # type: ignore[no-untyped-def]
        table = tf.contrib.lookup.index_table_from_file(words, num_oov_buckets=1)
        pipeline = pipeline.map(lambda line: tf.string_split([line]).values).map(
            lambda tokens: (tf.cast(table.lookup(tokens), tf.int32), tf.size(tokens)))  # fmt: skip
        return taken(pipeline.padded_batch(BATCH, ([None], [])).prefetch(1))

    def cells(line):  # type: ignore[no-untyped-def]
        names = [f"c{i}" for i in range(15)]
        defaults = [[0] if i % 3 == 0 else [""] for i in range(15)]
        features = dict(zip(names, tf.decode_csv(line, record_defaults=defaults)))  # noqa: B905 (Python 3.7)
        label = features.pop("c14")
        return features, tf.equal(label, ">50K")

    def noisy(x, y):  # type: ignore[no-untyped-def]
        return x + tf.random_normal(tf.shape(x), stddev=0.1), y

    def tiles():  # type: ignore[no-untyped-def]
        images = np.random.RandomState(0).rand(ROWS, 28, 28).astype("float32")
        return dataset.from_tensor_slices((images, np.arange(ROWS))).repeat()

    def generated():  # type: ignore[no-untyped-def]
        random = np.random.RandomState(0)
        rows = [list(random.randint(0, 1000, random.randint(3, 20))) for _ in range(100)]
        while True:
            yield from rows

    def weighted(serialized):  # type: ignore[no-untyped-def]
        features = {"label": one([], tf.float32), "terms": tf.SparseFeature("ids", "values", tf.float32, 1 << 16)}
        found = tf.parse_example(serialized, features)
        return found["terms"], found["label"]

    def sentences():  # type: ignore[no-untyped-def]
        return tf.data.TextLineDataset(lines).repeat()

    def once(value, count):  # type: ignore[no-untyped-def]
        return lambda: (value(), tf.global_variables_initializer, count)

    def given(values):  # type: ignore[no-untyped-def]
        """Values that no constant folding sees."""
        return tf.Variable(tf.constant(values), trainable=False)

    def texts():  # type: ignore[no-untyped-def]
        return given([f"word {i} of a line, and {i * 7} more" for i in range(1000)])

    def calls(x, y):  # type: ignore[no-untyped-def]
        def turned(x, y):  # type: ignore[no-untyped-def]
            return np.rot90(x, int(y) % 4).copy(), y

        return tuple(tf.py_func(turned, [x, y], [tf.float32, tf.int64]))

    read = tf.data.TFRecordDataset
    return {
        "cifar, queues": cifar_queues(16, distorted),
        "cifar, queues, central": cifar_queues(16, central),
        "cifar, queues, a thread": cifar_queues(1, distorted),
        "cifar, distorted": lambda: taken(tf.data.FixedLengthRecordDataset(pictures, size).repeat().shuffle(1000).map(
            of_cifar, 4).batch(128).prefetch(1), 128),
        "cifar, padded": lambda: taken(tf.data.FixedLengthRecordDataset(pictures, size).repeat().shuffle(1000).map(
            padded, 2).batch(128).prefetch(1), 128),
        "imagenet": lambda: taken(read(photos).repeat().shuffle(100).apply(
            tf.data.experimental.map_and_batch(photo, BATCH, num_parallel_calls=4)).prefetch(1)),
        "sentences, vocabulary": lambda: numbered(sentences()),
        "sentences, shuffle": lambda: taken(sentences().shuffle(1000).batch(BATCH)),
        "census": lambda: taken(tf.data.TextLineDataset(census).shuffle(1000).map(cells, 5).repeat().batch(BATCH)),
        "random map": lambda: taken(tiles().map(noisy).batch(BATCH)),
        "random map in parallel": lambda: taken(tiles().map(noisy, 4).batch(BATCH)),
        "random map of batches": lambda: taken(tiles().batch(BATCH).map(noisy, 4)),
        "shards": lambda: taken(dataset.from_tensor_slices(shards).repeat().shuffle(8).interleave(
            read, 4, 1).shuffle(1000).batch(BATCH)),
        "shards in parallel": lambda: taken(dataset.from_tensor_slices(shards).repeat().apply(
            tf.data.experimental.parallel_interleave(read, 4)).shuffle(1000).batch(BATCH)),
        "records of shards": lambda: taken(read(shards).repeat().batch(BATCH)),
        "sparse": lambda: taken(read(sparse).repeat().batch(BATCH).map(weighted)),
        "generator of lists": lambda: taken(dataset.from_generator(generated, tf.int32, [None]).padded_batch(
            BATCH, [None])),
        "python": lambda: taken(tiles().map(calls, 4).batch(BATCH)),
        "strings split": once(lambda: tf.string_split(texts()), 1000),
        "strings split, version 2": once(lambda: tf.strings.split(texts(), result_type="RaggedTensor"), 1000),
        "strings joined": once(lambda: tf.string_join([texts(), texts()], "-"), 1000),
        "strings reduced": once(lambda: tf.reduce_join(tf.reshape(texts(), [100, 10]), 1, separator=" "), 1000),
        "strings replaced": once(lambda: tf.regex_replace(texts(), "[0-9]+", "#"), 1000),
        "strings matched": once(lambda: tf.strings.regex_full_match(texts(), "w.*[0-9]+.*"), 1000),
        "strings to numbers": once(lambda: tf.string_to_number(given([f"{i}.25" for i in range(1000)])), 1000),
        "strings hashed": once(lambda: tf.string_to_hash_bucket_fast(texts(), 1000), 1000),
        "strings hashed, strong": once(lambda: tf.string_to_hash_bucket_strong(texts(), 1000, [1, 2]), 1000),
        "strings cut": once(lambda: tf.strings.substr(texts(), 2, 5), 1000),
        "strings of numbers": once(lambda: tf.as_string(tf.random_uniform([1000])), 1000),
        "random gamma": once(lambda: tf.random_gamma([10000], 2.0), 10000),
        "random gammas": once(lambda: tf.random_gamma([10], given(np.linspace(0.5, 5, 1000).astype("float32"))), 10000),
        "random poisson": once(lambda: tf.random_poisson(4.0, [10000]), 10000),
        "random multinomial": once(lambda: tf.multinomial(tf.zeros([100, 50]), 100), 10000),
    }  # fmt: skip


def write_files(tf, np, folder):  # type: ignore[no-untyped-def]
    """The files that the cases read."""
    random = np.random.RandomState(2)
    ints, floats, texts = (partial(f, tf) for f in (tfrecords.of_ints, tfrecords.of_floats, tfrecords.of_texts))

    def photos():  # type: ignore[no-untyped-def]
        with tf.Graph().as_default(), tf.Session() as session:
            pixels = tf.placeholder(tf.uint8)
            code = tf.image.encode_jpeg(pixels)
            for i in range(50):
                smooth = np.add.outer(np.arange(320), np.arange(400))[..., None] // 2 + random.randint(0, 40, 3)
                yield {"image/encoded": texts(session.run(code, {pixels: smooth % 256})),
                       "image/class/label": ints(i), "image/class/text": texts(b"a thing"),
                       **{f"image/object/bbox/{k}": floats(v) for k, v in (
                           ("xmin", 0.1), ("ymin", 0.2), ("xmax", 0.8), ("ymax", 0.9))}}  # fmt: skip

    def weighted():  # type: ignore[no-untyped-def]
        for i in range(ROWS):
            n = random.randint(5, 40)
            ids = random.choice(1 << 16, n, replace=False)
            yield {"label": floats(i % 2), "ids": ints(*ids), "values": floats(*random.rand(n))}

    tfrecords.write(tf, folder, "photos", photos())
    tfrecords.write(tf, folder, "sparse", weighted())
    for i in range(8):
        tfrecords.write(tf, folder, f"shard{i}", [random.bytes(random.randint(50, 500)) for _ in range(500)])
    with open(os.path.join(folder, "cifar.bin"), "wb") as file:
        for i in range(ROWS):
            file.write(bytes([i % 10]) + random.bytes(32 * 32 * 3))
    with open(os.path.join(folder, "words.txt"), "w") as file:
        file.write("\n".join(WORDS) + "\n")
    with open(os.path.join(folder, "lines.txt"), "w") as file:
        for _ in range(ROWS):
            file.write(" ".join(f"word{i}" for i in random.randint(0, 6000, random.randint(3, 30))) + "\n")
    with open(os.path.join(folder, "census.csv"), "w") as file:
        for i in range(ROWS):
            row = [str(random.randint(100)) if k % 3 == 0 else f"value-{random.randint(20)}" for k in range(14)]
            file.write(",".join([*row, (">50K", "<=50K")[i % 2]]) + "\n")
