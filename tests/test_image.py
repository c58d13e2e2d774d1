"""``tf.image`` against TensorFlow 1.15.5: ``golden/image.json.gz``, ``jpeg.json.gz`` and ``pictures.json.gz``."""

import base64
import sys
from collections.abc import Callable

import numpy as np
import pytest
from golden import image_cases
from recorded_cases import check, golden

from retrograd import tf
from retrograd.files import images
from retrograd.graph.errors import InvalidArgumentError
from retrograd.ops.resizing import RESIZE_BICUBIC, _bicubic_weights, _inputs_of_each, _summed

GOLDEN = golden("image")
JPEGS = golden("jpeg")
PICTURES = golden("pictures")
READERS: dict[str, list[Callable[[bytes], np.ndarray]]] = {
    "gif": [images.frames, images.decoded],
    "png": [images.decoded, lambda data: images.decoded(data, 3, deep=True)],
    "bmp": [images.bitmap],
    "jpeg": [images.decoded],
}


@pytest.mark.parametrize("name", image_cases.CASES)
def test_as_recorded(name):
    check(image_cases, name, GOLDEN[name])


@pytest.mark.parametrize("name", sorted(PICTURES))
def test_a_picture_is_read_or_refused_as_recorded(name):
    """Whole and damaged ones, and headers that claim more than the file can hold, which take no memory."""
    recorded = PICTURES[name]
    for read, want in zip(READERS[name.split("/")[0]], recorded["found"], strict=True):
        if isinstance(want, str):
            with pytest.raises(InvalidArgumentError) as caught:
                read(base64.b64decode(recorded["file"]))
            assert caught.value.message.split("\n")[0] == want
        else:
            got = read(base64.b64decode(recorded["file"]))
            shape, pixels = want
            assert list(got.shape) == shape
            np.testing.assert_array_equal(got, np.frombuffer(base64.b64decode(pixels), got.dtype).reshape(shape))


@pytest.mark.parametrize("name", sorted(JPEGS))
def test_a_jpeg_has_the_recorded_pixels(name):
    coded = base64.b64decode(JPEGS[name]["coded"])
    for options, shape, pixels in JPEGS[name]["decoded"]:
        accurate, fancy = options["dct_method"] == "INTEGER_ACCURATE", options["fancy_upscaling"]
        got = images.decoded(coded, options["channels"], ratio=options["ratio"], accurate=accurate, fancy=fancy)
        want = np.frombuffer(base64.b64decode(pixels), np.uint8).reshape(shape)
        assert got.shape == want.shape
        np.testing.assert_array_equal(got, want, str(options))


@pytest.mark.parametrize("name", sorted(JPEGS))
def test_a_jpeg_is_decoded_by_pillow_where_its_decoder_is_missing(name, monkeypatch):
    monkeypatch.setitem(sys.modules, "simplejpeg", None)
    coded = base64.b64decode(JPEGS[name]["coded"])
    for options, shape, pixels in JPEGS[name]["decoded"]:
        if options["fancy_upscaling"]:
            got = images.decoded(coded, options["channels"], ratio=options["ratio"])
            want = np.frombuffer(base64.b64decode(pixels), np.uint8).reshape(shape)
            assert np.abs(got.astype(int) - want).max() <= 4, options


def test_a_jpeg_that_ends_early_is_refused():
    coded = base64.b64decode(JPEGS["even"]["coded"])
    for end in (3, 20, 200, len(coded) - 40):
        with pytest.raises(InvalidArgumentError, match="JPEG"):
            images.decoded(coded[:end], 3)


@pytest.mark.parametrize(
    ("scores", "order"),
    [
        ([0, 0, 0, 0, 0], [0, 2, 4, 1, 3]),
        ([1, 1, 1, 1, 1, 1, 1], [0, 2, 5, 6, 4, 1, 3]),
        ([1, 0, 1, 1], [0, 2, 3, 1]),
        ([0, 1, 0, 1], [1, 3, 0, 2]),
    ],
)
def test_boxes_of_equal_scores_come_as_from_a_heap(scores, order):
    """The orders are those of TensorFlow 1.15.5."""
    boxes = np.float32([[2 * i, 0, 2 * i + 1, 1] for i in range(len(scores))])
    with tf.Graph().as_default(), tf.Session() as session:
        assert session.run(tf.image.non_max_suppression(boxes, np.float32(scores), 20)).tolist() == order


def test_older_suppressions_choose_as_the_newest_does():
    boxes = np.float32([[0, 0, 1, 1], [0, 0.1, 1, 1.1], [0, 10, 1, 11]])
    scores = np.float32([0.9, 0.75, 0.6])
    with tf.Session() as session:
        for chosen in (
            tf.raw_ops.NonMaxSuppressionV2(boxes=boxes, scores=scores, max_output_size=3, iou_threshold=0.5),
            tf.raw_ops.NonMaxSuppression(boxes=boxes, scores=scores, max_output_size=3),
        ):
            assert session.run(chosen).tolist() == [0, 2]


@pytest.mark.parametrize("mode", ["never", "always"])
def test_a_pixel_counts_only_where_it_lies_in_an_area(mode, monkeypatch):
    """As in TensorFlow 1.15.5: an infinite pixel spoils one mean of the resized image, not all."""
    monkeypatch.setenv("RETROGRAD_JIT", mode)
    x = np.arange(64, dtype=np.float32).reshape(1, 8, 8, 1)
    x[0, 0, 0, 0] = np.inf
    with tf.Graph().as_default(), tf.Session() as session:
        y = session.run(tf.image.resize_area(tf.constant(x), [4, 4]))[0, :, :, 0]
    assert y[0].tolist() == [np.inf, 6.5, 8.5, 10.5]
    assert y[1:].tolist() == [[20.5, 22.5, 24.5, 26.5], [36.5, 38.5, 40.5, 42.5], [52.5, 54.5, 56.5, 58.5]]


@pytest.mark.parametrize(
    "quality", [{}, {"chroma_downsampling": False}, {"progressive": True}, {"format": "grayscale"}]
)
def test_a_window_of_a_jpeg_is_that_of_the_whole(quality):
    pixels = np.random.RandomState(0).randint(0, 256, (50, 67, 1 if "format" in quality else 3)).astype(np.uint8)
    with tf.Session() as session:
        code = session.run(tf.image.encode_jpeg(pixels, **quality))
        whole = session.run(tf.image.decode_jpeg(code))
        window = tf.placeholder(tf.int32, [4])
        part = tf.image.decode_and_crop_jpeg(code, window)
        for y, x, height, width in [(0, 0, 1, 1), (0, 5, 14, 20), (3, 1, 13, 66), (15, 0, 17, 8), (30, 9, 20, 58)]:
            cut = whole[y : y + height, x : x + width]
            np.testing.assert_array_equal(session.run(part, {window: [y, x, height, width]}), cut)


def test_what_is_missing_below_the_window_of_a_jpeg_is_not_seen():
    pixels = np.random.RandomState(0).randint(0, 256, (160, 64, 3)).astype(np.uint8)
    with tf.Session() as session:
        code = session.run(tf.image.encode_jpeg(pixels))
        part = tf.image.decode_and_crop_jpeg(code[: len(code) // 2], [0, 0, 16, 16])
        np.testing.assert_array_equal(session.run(part), session.run(tf.image.decode_jpeg(code))[:16, :16])
        with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid JPEG data or crop window"):
            session.run(tf.image.decode_and_crop_jpeg(code[: len(code) // 2], [96, 0, 16, 16]))


@pytest.mark.parametrize("size", [(5, 9), (20, 31)])
def test_images_are_resized_one_after_the_other(size: tuple[int, int]) -> None:
    """In pieces that stay in a core's cache, with the bits of the whole."""
    x = np.random.RandomState(0).rand(7, 12, 12, 2).astype(np.float32)
    whole = RESIZE_BICUBIC.kernel(np, x, size, align_corners=False, half_pixel_centers=False)  # type: ignore[misc]
    by_way = x
    matrices = [_bicubic_weights(12, n, False, False) for n in size]
    ways = [(1, matrices[0]), (2, matrices[1])]
    for axis, matrix in ways if size[0] <= 12 else ways[::-1]:
        by_way = _summed(np, by_way, *_inputs_of_each(matrix), axis)
    np.testing.assert_array_equal(whole, by_way)


def test_boxes_are_cut_out_pixel_by_pixel() -> None:
    """As of one pixel between four, for boxes that reach beyond the image, too."""
    random = np.random.RandomState(1)
    x, n = random.rand(3, 6, 7, 2).astype(np.float32), np.array([2, 0, 1, 1], np.int32)
    boxes = np.array([[0.1, 0.2, 0.8, 0.9], [0, 0, 1, 1], [-0.5, 0.2, 0.5, 1.4], [0.9, 0.1, 0.2, 0.4]], np.float32)
    with tf.Graph().as_default(), tf.Session() as sess:
        found = sess.run(tf.image.crop_and_resize(tf.constant(x), boxes, n, [4, 3], extrapolation_value=5.0))
    for k, (y1, x1, y2, x2) in enumerate(boxes.astype(np.float64)):
        for i in range(4):
            for j in range(3):
                v, u = (y1 + (y2 - y1) * i / 3) * 5, (x1 + (x2 - x1) * j / 2) * 6
                wanted = np.full(2, 5.0)
                if 0 <= v <= 5 and 0 <= u <= 6:
                    top, left, dv, du = int(v), int(u), v % 1, u % 1
                    (a, b), (c, d) = (
                        [x[n[k], row, min(left, 6)], x[n[k], row, min(left + 1, 6)]] for row in (top, min(top + 1, 5))
                    )
                    wanted = (a * (1 - du) + b * du) * (1 - dv) + (c * (1 - du) + d * du) * dv
                np.testing.assert_allclose(found[k, i, j], wanted, atol=1e-5)


@pytest.mark.parametrize("method", range(4))
def test_sizes_for_which_there_is_no_place_are_refused_at_once(method):
    """TensorFlow 1.15.5 ends the program where the number of elements is no int64."""
    with tf.Session() as session:
        pixel, size = tf.ones([5, 1, 1, 2]), tf.placeholder(tf.int32, [2])
        resized = tf.image.resize_images(pixel, size, method)
        with pytest.raises(
            tf.errors.InvalidArgumentError, match=r"^Shape \[5,\d+,\d+,2\] would have more than 2\*\*63"
        ):
            session.run(resized, {size: [1610637938, 1610637938]})
        with pytest.raises(tf.errors.ResourceExhaustedError, match=r"^OOM when allocating tensor"):
            session.run(resized, {size: [900000000, 900000000]})
