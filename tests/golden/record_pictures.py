"""Record what TensorFlow 1.15.5 makes of GIFs, PNGs, BMPs and JPEGs of every kind, whole and damaged, in
``pictures.json.gz``.

usage: CUDA_VISIBLE_DEVICES= python -W ignore tests/golden/record_pictures.py
"""

from __future__ import print_function

import base64
import gzip
import json
import os
import random
import struct
import zlib

import numpy as np
import tensorflow as tf

FOUR = bytes(bytearray(range(12)))
TWO = FOUR[:6]
DRAW = np.random.RandomState(0)


def text(data):
    return base64.b64encode(data).decode()


# -- GIF


def packed(pixels):
    """Pixels of two bits in codes of three: every second code clears what the others mean."""
    codes = [code for i, pixel in enumerate(pixels) for code in ([4] if i % 2 == 0 else []) + [pixel]] + [5]
    number = sum(code << 3 * i for i, code in enumerate(codes))
    data = bytearray((number >> 8 * i) & 255 for i in range((3 * len(codes) + 7) // 8))
    blocks = [data[i : i + 255] for i in range(0, len(data), 255)]
    return b"\x02" + b"".join(bytes(bytearray([len(block)])) + bytes(block) for block in blocks) + b"\0"


def frame(width, height, left=0, top=0, bits=0, colors=b"", data=None):
    pixels = [int(x) for x in DRAW.randint(0, 4, width * height)]
    place = struct.pack("<HHHHB", left, top, width, height, bits)
    return b"," + place + colors + (packed(pixels) if data is None else data)


def gif(*parts, **options):
    colors, end = options.get("colors", FOUR), options.get("end", b";")
    bits = 0x80 | (len(colors) // 6 - 1) if colors else 0
    return b"GIF89a" + struct.pack("<HHBBB", 4, 4, bits, 0, 0) + colors + b"".join(parts) + end


def control(disposal, transparent):
    return b"\x21\xf9\x04" + bytes(bytearray([disposal << 2 | 1, 0, 0, transparent])) + b"\0"


def gifs():
    whole = frame(4, 4)
    two = gif(whole, frame(4, 4, bits=0x81, colors=FOUR[::-1]))
    files = {
        "one": gif(whole), "two": two, "interlaced": gif(frame(3, 9, bits=0x40)), "behind": gif(whole) + b"junk",
        "part": gif(whole, frame(2, 3, 1, 1)), "beyond": gif(whole, frame(4, 4, 2, 2)),
        "outside": gif(whole, frame(2, 2, 40, 90)), "small": gif(frame(2, 2)), "first_moved": gif(frame(4, 4, 1, 0)),
        "larger": gif(whole, frame(5, 4)), "first_small": gif(frame(2, 2), whole),
        "transparent": gif(whole, control(1, 2), frame(4, 4)), "to_background": gif(control(2, 0), whole, frame(2, 2)),
        "to_previous": gif(control(3, 0), whole, control(3, 1), frame(2, 2), frame(1, 1)),
        "comment": gif(b"\x21\xfe\x03abc\0", whole), "no_colors": gif(whole, colors=b""),
        "few_colors": gif(whole, colors=TWO), "none": gif(), "no_width": gif(frame(0, 4)), "no_kind": gif(whole, b"X"),
        "nine_bits": gif(frame(4, 4, data=b"\x09\x01\x00\x00")),
        "huge": gif(b",", struct.pack("<HHHHB", 0, 0, 60000, 60000, 0), packed([1])),
        "large": gif(b",", struct.pack("<HHHHB", 0, 0, 16000, 16000, 0), packed([1])),
    }  # fmt: skip
    for count in range(len(two)):
        files["cut_%d" % count] = two[:count]
    return files


# -- PNG


PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body) & 0xFFFFFFFF)


def png(width, height, depth=8, kind=2, interlaced=0, lines=b"x" * 10):
    head = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, interlaced)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


def pngs():
    files = {}
    for kind, channels in ((0, 1), (2, 3), (4, 2), (6, 4)):
        for width, height in ((1, 1), (3, 2), (7, 9)):
            for depth in (8, 16):
                pixels = DRAW.randint(0, 1 << depth, (height, width, channels)).astype(">u2" if depth == 16 else "u1")
                lines = [
                    b"\0" + line.tobytes() for x, y, dx, dy in PASSES for line in pixels[y::dy, x::dx] if line.size
                ]
                name = "interlaced_%d_%d_%d" % (kind, width, depth)
                files[name] = png(width, height, depth, kind, 1, b"".join(lines))
    sizes = (
        (16000, 16000),
        (60000, 60000),
        (2**31 - 1, 2**31 - 1),
        (2**31, 5),
        (10**6, 1),
        (10**6 + 1, 1),
        (23171, 23171),
    )
    for width, height in sizes:
        for depth, kind, interlaced in ((8, 2, 0), (16, 2, 0), (1, 0, 0), (8, 6, 1), (16, 2, 1)):
            name = "claims_%d_%d_%d_%d_%d" % (width, height, depth, kind, interlaced)
            files[name] = png(width, height, depth, kind, interlaced)
    return files


# -- BMP and JPEG


def bitmaps():
    files = {}
    for width, height, bits, start in (
        (4, 4, 24, 54), (4, -4, 24, 54), (3, 4, 32, 54), (16000, 16000, 24, 54), (60000, 60000, 24, 54),
        (2**31 - 1, 2**31 - 1, 32, 54), (-(2**31), 4, 8, 54), (4, -(2**31), 8, 54), (4, 0, 8, 54), (0, 4, 8, 54),
        (4, 4, 8, -5), (4, 4, 8, 5000),
    ):  # fmt: skip
        head = b"BM" + struct.pack("<IHHi", 70, 0, 0, start)
        head += struct.pack("<IiiHHIIiiII", 40, width, height, 1, bits, 0, 0, 0, 0, 0, 0)
        files["%d_%d_%d_%d" % (width, height, bits, start)] = head + bytes(bytearray(range(100)))
    return files


def jpegs(session):
    files = {}
    for channels in (1, 3):
        whole = bytearray(session.run(tf.image.encode_jpeg(np.zeros([16, 16, channels], np.uint8))))
        for width, height in ((60, 60), (16000, 16000), (60000, 60000), (23171, 23171)):
            if channels == 1 and width == 16000:
                continue  # TensorFlow takes it
            place = whole.find(b"\xff\xc0")
            whole[place + 5 : place + 9] = struct.pack(">HH", height, width)
            files["claims_%d_%d_%d" % (width, height, channels)] = bytes(whole)
    return files


def damaged(files, count):
    """Each of the files, with some bytes changed."""
    draw, found = random.Random(0), {}
    for name in sorted(files):
        for i in range(count):
            changed = bytearray(files[name])
            for _ in range(draw.choice((1, 1, 3))):
                changed[draw.randrange(len(changed))] = draw.randrange(256)
            found["%s_damaged_%d" % (name, i)] = bytes(changed)
    return found


def main():
    found = {}
    with tf.Session() as session:
        contents = tf.placeholder(tf.string, [])
        kinds = {
            "gif": (gifs(), [tf.image.decode_gif(contents), tf.image.decode_png(contents)]),
            "png": (
                pngs(),
                [tf.image.decode_png(contents), tf.image.decode_png(contents, channels=3, dtype=tf.uint16)],
            ),
            "bmp": (bitmaps(), [tf.image.decode_bmp(contents, channels=0)]),
            "jpeg": (jpegs(session), [tf.image.decode_jpeg(contents)]),
        }
        kinds["gif"][0].update(
            damaged({k: v for k, v in kinds["gif"][0].items() if "cut" not in k and len(v) < 200}, 4)
        )
        for kind, (files, ops) in sorted(kinds.items()):
            for name, data in sorted(files.items()):
                rows = []
                for op in ops:
                    if kind == "bmp":  # the op remembers the channels of its first file
                        op = tf.image.decode_bmp(contents)
                    try:
                        pixels = session.run(op, {contents: data})
                        rows.append([list(pixels.shape), text(pixels.tobytes())])
                    except tf.errors.InvalidArgumentError as error:
                        rows.append(error.message.split("\n")[0])
                found[kind + "/" + name] = {"file": text(data), "found": rows}
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pictures.json.gz")
    with gzip.GzipFile(path, "wb", mtime=0) as file:
        file.write(json.dumps(found, sort_keys=True).encode())
    print(len(found))


if __name__ == "__main__":
    main()
