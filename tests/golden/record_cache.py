"""Record ``cache/``: what TensorFlow 1.15.5's Python writes of a dataset's elements."""

from pathlib import Path

import tensorflow as tf

ROWS = [1, 2, 3], [[b"a", b"bb"], [b"", b"c"], [b"d", b"eee"]], [1.5, 2.5, 3.5]


def main():
    folder = Path(__file__).resolve().parent / "cache"
    folder.mkdir(exist_ok=True)
    rows = tf.data.Dataset.from_tensor_slices(ROWS)
    many = rows.map(lambda a, b, c: (a, b, c, a, a, a, a, a, a, a, a))
    for name, dataset in (("few", rows), ("many", many)):
        element = dataset.cache(str(folder / name)).make_one_shot_iterator().get_next()
        with tf.Session() as sess:
            for _ in range(3):
                sess.run(element)
            try:
                sess.run(element)
            except tf.errors.OutOfRangeError:
                pass


if __name__ == "__main__":
    main()
