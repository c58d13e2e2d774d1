"""Record the pixels that TensorFlow 1.15.5 decodes JPEGs to, in ``jpeg.json.gz``.

usage: CUDA_VISIBLE_DEVICES= python -W ignore tests/golden/record_jpeg.py
"""

from __future__ import print_function

import base64
import gzip
import itertools
import json
import os

import numpy as np
import tensorflow as tf

METHODS = ("", "INTEGER_FAST", "INTEGER_ACCURATE")


def text(data):
    return base64.b64encode(data).decode()


def main():
    y, x = np.mgrid[:21, :35]
    waves = 128 + 90 * np.sin(np.stack([x / 5.0, y / 4.0, (x + y) / 6.0], -1))
    images = {"gray": (waves[..., :1], True), "even": (waves, False), "halved": (waves, True)}
    found = {}
    with tf.Session() as session:
        for name, (pixels, halved) in sorted(images.items()):
            coded = session.run(tf.image.encode_jpeg(pixels.astype(np.uint8), quality=70, chroma_downsampling=halved))
            rows = []
            for method, fancy, channels, ratio in itertools.product(METHODS, (True, False), (0, 1, 3), (1, 2, 8)):
                options = dict(dct_method=method, fancy_upscaling=fancy, channels=channels, ratio=ratio)
                pixels = session.run(tf.image.decode_jpeg(coded, **options))
                rows.append([options, pixels.shape, text(pixels.tobytes())])
            found[name] = {"coded": text(coded), "decoded": rows}
    with gzip.GzipFile(os.path.join(os.path.dirname(os.path.abspath(__file__)), "jpeg.json.gz"), "wb", mtime=0) as file:
        file.write(json.dumps(found, sort_keys=True).encode())


if __name__ == "__main__":
    main()
