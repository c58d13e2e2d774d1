"""Which transformations follow a source once its pipeline is rewritten; for TensorFlow 1.15.5 and for retrograd."""

import re


def plus_one(x):
    return x + 1


def squared(x):
    return x * x


def is_large(x):
    return x > 3


def is_odd(x):
    return x % 2 > 0


def options(tf, names, choose=None, **others):
    found = tf.data.Options()
    found.experimental_optimization.apply_default_optimizations = False
    found.experimental_optimization.autotune = "autotune_buffers" in names
    for name in names:
        setattr(found.experimental_optimization, name, True)
    if choose is not None:
        found.experimental_optimization.map_vectorization.enabled = True
        found.experimental_optimization.map_vectorization.use_choose_fastest = choose
    for name, value in others.items():
        setattr(found, name, value)
    return found


def rewritten(tf):
    """For each label a pipeline and the options that it is executed with."""
    data, more = tf.data.Dataset, tf.data.experimental
    three = lambda: tf.constant(3, tf.int64) * tf.constant(1, tf.int64)  # noqa: E731

    def noise(x):
        return tf.cast(tf.random_uniform([]), tf.int64) + x

    def shifted(d):
        number = three()
        return d.map(lambda x: x + number)

    def below(d):
        number = three()
        return d.filter(lambda x: x < number)

    one = {
        "map": lambda d: d.map(plus_one),
        "parallel map": lambda d: d.map(plus_one, 2),
        "batch": lambda d: d.batch(2),
        "padded batch": lambda d: d.padded_batch(2, []),
        "filter": lambda d: d.filter(is_odd),
        "flat map": lambda d: d.flat_map(lambda x: data.from_tensors(x)),
        "interleave": lambda d: d.interleave(lambda x: data.from_tensors(x), 2),
        "parallel interleave": lambda d: d.interleave(lambda x: data.from_tensors(x), 2, num_parallel_calls=2),
        "threads": lambda d: d.apply(more.parallel_interleave(lambda x: data.from_tensors(x), 2)),
        "take": lambda d: d.take(3),
        "take none": lambda d: d.take(0),
        "take all": lambda d: d.take(-1),
        "skip": lambda d: d.skip(3),
        "skip none": lambda d: d.skip(0),
        "skip all": lambda d: d.skip(-1),
        "repeat": lambda d: d.repeat(),
        "repeat twice": lambda d: d.repeat(2),
        "repeat never": lambda d: d.repeat(0),
        "shuffle": lambda d: d.shuffle(3),
        "shuffle and repeat": lambda d: d.apply(more.shuffle_and_repeat(3, 2)),
        "cache": lambda d: d.cache(),
        "prefetch": lambda d: d.prefetch(1),
        "zip": lambda d: data.zip((data.range(3), d)),
        "concatenate": lambda d: d.concatenate(data.range(3)),
        "window": lambda d: d.window(2).flat_map(lambda w: w),
        "unbatch": lambda d: d.batch(2).apply(more.unbatch()),
        "shard": lambda d: d.shard(2, 0),
        "enumerate": lambda d: d.enumerate(),
        "map and batch": lambda d: d.apply(more.map_and_batch(plus_one, 2)),
        "scan": lambda d: d.apply(more.scan(tf.constant(0, tf.int64), lambda s, x: (s, x))),
        "take while": lambda d: d.apply(more.take_while(is_odd)),
        "unique": lambda d: d.apply(more.unique()),
        "ignore errors": lambda d: d.apply(more.ignore_errors()),
        "windows of keys": lambda d: d.apply(more.group_by_window(plus_one, lambda k, w: w, 2)),
        "reduced by key": lambda d: d.apply(
            more.group_by_reducer(plus_one, more.Reducer(lambda k: 0, lambda s, x: s, lambda s: s))
        ),
        "chosen": lambda d: more.choose_from_datasets([data.range(3), d], data.from_tensors(tf.constant(1, tf.int64))),
        "chooses": lambda d: more.choose_from_datasets([data.range(3), data.range(3)], d),
        "latency": lambda d: d.apply(more.latency_stats("a")),
        "bytes": lambda d: d.apply(more.bytes_produced_stats("a")),
    }
    found = {label: (build, options(tf, [])) for label, build in one.items()}

    def add(label, names, build, **others):
        found[label] = build, options(tf, [names] if names else [], **others)

    add("nothing", "noop_elimination", lambda d: d.skip(0).take(-1).repeat(1).prefetch(0).batch(1).shuffle(1))
    add("nothing, computed", "noop_elimination", lambda d: d.skip(three() - 3).take(three() - 4).cache())
    add("maps", "map_fusion", lambda d: d.map(plus_one).map(squared).map(lambda x: (x, x)).map(lambda x, y: x))
    add("maps apart", "map_fusion", lambda d: d.map(plus_one).map(plus_one).batch(2).map(squared).map(plus_one))
    add("maps, captured", "map_fusion", lambda d: shifted(d.map(plus_one)))
    add("maps, random", "map_fusion", lambda d: d.map(noise).map(plus_one))
    add("maps, parallel", "map_fusion", lambda d: d.map(plus_one, 2).map(plus_one, 2))
    add("filters", "filter_fusion", lambda d: d.filter(is_odd).filter(is_large).filter(is_odd))
    add("filters, captured", "filter_fusion", lambda d: below(d.filter(is_odd)))
    add("filters apart", "filter_fusion", lambda d: d.filter(is_odd).map(plus_one).filter(is_large))
    add("map, filter", "map_and_filter_fusion", lambda d: d.map(squared).filter(is_large))
    add("parallel map, filter", "map_and_filter_fusion", lambda d: d.map(squared, 2).filter(is_large))
    add("captured map, filter", "map_and_filter_fusion", lambda d: shifted(d).filter(is_large))
    add("map, captured filter", "map_and_filter_fusion", lambda d: below(d.map(plus_one)))
    add("map, batch", "map_and_batch_fusion", lambda d: d.map(plus_one).batch(2))
    add("parallel map, batch", "map_and_batch_fusion", lambda d: d.map(plus_one, 3).batch(2))
    add("captured map, batch", "map_and_batch_fusion", lambda d: shifted(d).batch(2))
    add("map, padded batch", "map_and_batch_fusion", lambda d: d.map(plus_one).padded_batch(2, []))
    add("map, batch, twice", "map_and_batch_fusion", lambda d: d.map(plus_one).batch(2).map(plus_one).batch(1))
    add("shuffle, repeat", "shuffle_and_repeat_fusion", lambda d: d.shuffle(3).repeat(2).repeat(2))
    add("same shuffle, repeat", "shuffle_and_repeat_fusion",
        lambda d: d.shuffle(3, reshuffle_each_iteration=False).repeat(2))  # fmt: skip
    add("parallel", "map_parallelization", lambda d: d.map(plus_one))
    add("parallel, captured", "map_parallelization", shifted)
    add("parallel, random", "map_parallelization", lambda d: d.map(noise))
    add("buffers", "autotune_buffers", lambda d: d.map(plus_one, -1).batch(2).map(plus_one, 2).take(3))
    for choose in (True, False):
        word = "or" if choose else "and"
        add("map %s batch" % word, "", lambda d: d.map(plus_one).batch(2), choose=choose)
        add("parallel map %s batch" % word, "", lambda d: d.map(plus_one, 3).batch(2, True), choose=choose)
        add("fused map %s batch" % word, "", lambda d: d.apply(more.map_and_batch(plus_one, 2)), choose=choose)
        add("random map %s batch" % word, "", lambda d: d.map(noise).batch(2), choose=choose)
        add("map, prefetch %s batch" % word, "", lambda d: d.map(plus_one).prefetch(1).batch(2), choose=choose)
        add("map to any shape %s batch" % word, "", lambda d: d.map(lambda x: tf.tile([x], [x * 0])).batch(2),
            choose=choose)  # fmt: skip
    return found


def chain(tf, assert_next, case):
    """The transformations, one by one: each is found by an assertion that does not hold."""
    found = []
    while len(found) < 12:
        message = _first_line(tf, assert_next, case, found + ["?"])
        place = re.search(r"encountered (.*) transformation instead", message or "")
        if place is None:
            return found + [message]
        found.append(place.group(1))
    return found


def _first_line(tf, assert_next, case, expected):
    build, chosen = case
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.set_random_seed(1)
        dataset = build(tf.data.Dataset.range(10).apply(assert_next(expected))).with_options(chosen)
        iterator = dataset.make_initializable_iterator()
        element = iterator.get_next()
        try:
            sess.run(iterator.initializer)
            sess.run(element)
        except tf.errors.OutOfRangeError:
            return None
        except tf.errors.InvalidArgumentError as error:
            return error.message.split("\n")[0]
    return None
