"""Ops on text: shapes and dtypes; there is no other tier."""

from __future__ import annotations

from typing import Any

import numpy as np
from case_table import Row

from retrograd import tf
from retrograd.tf import raw_ops

WORDS = (np.array([[b"ab c", b" Bc "], [b"", b"d,e"]], object),)
LINE = (np.array([b"ab c", b" Bc ", b""], object),)
DIGITS = (np.array([b"1.5", b"-2"], object),)


def row(op: str, build: Any, inputs: Any = WORDS, **more: Any) -> Row:
    return Row(op, build, inputs, orders=0, traced=False, **more)


def parts_of(x: Any) -> list[Any]:
    return list(x)


def parts(x: Any) -> list[Any]:
    return [x.indices, x.values, x.dense_shape]


ROWS = [
    row("StringJoin", lambda x: tf.string_join([x, "-"], "+")),
    row("ReduceJoin", lambda x: tf.reduce_join(x, 1, separator=" ")),
    row("StringSplit", lambda x: parts(tf.string_split(x, ",")), LINE),
    row("StringSplitV2", lambda x: parts(tf.strings.split(x, " ")), LINE),
    row("UnicodeDecode", lambda x: parts_of(raw_ops.UnicodeDecode(input=x, input_encoding="UTF-8")), LINE),
    row(
        "UnicodeDecodeWithOffsets",
        lambda x: parts_of(raw_ops.UnicodeDecodeWithOffsets(input=x, input_encoding="UTF-8")),
        LINE,
    ),
    row(
        "UnicodeEncode",
        lambda x: raw_ops.UnicodeEncode(input_values=[71, 246, 8364], input_splits=x, output_encoding="UTF-8"),
        (np.array([0, 1, 3]),),
    ),
    row("UnicodeTranscode", lambda x: tf.strings.unicode_transcode(x, "UTF-8", "UTF-16-BE")),
    row("Substr", lambda x: tf.substr(x, 0, 2), LINE),
    row("StringLength", tf.strings.length),
    row("StringToHashBucket", lambda x: tf.string_to_hash_bucket(x, 7)),
    row("StringToHashBucketFast", lambda x: tf.string_to_hash_bucket_fast(x, 7)),
    row("StringToHashBucketStrong", lambda x: tf.string_to_hash_bucket_strong(x, 7, [1, 2])),
    row("StringStrip", tf.string_strip),
    row("StringLower", tf.strings.lower),
    row("StringUpper", tf.strings.upper),
    row("EncodeBase64", tf.encode_base64),
    row("DecodeBase64", lambda x: tf.decode_base64(tf.encode_base64(x))),
    row("StaticRegexReplace", lambda x: tf.regex_replace(x, "[a-c]", "_")),
    row("RegexReplace", lambda x: raw_ops.RegexReplace(x, "[a-c]", "_")),
    row("StaticRegexFullMatch", lambda x: tf.strings.regex_full_match(x, ".*c")),
    row("RegexFullMatch", lambda x: raw_ops.RegexFullMatch(x, ".*c")),
    row("AsString", tf.as_string, (np.array([[1.5, -2.0]]),)),
    row("StringToNumber", lambda x: tf.string_to_number(x, tf.float64), DIGITS),
    row("StringFormat", lambda x: tf.strings.format("{}!", x)),
    row("Equal", lambda x: tf.equal(x, "d,e"), label="of text"),
    row("NotEqual", lambda x: tf.not_equal(x, "d,e"), label="of text"),
    row("GatherV2", lambda x: tf.gather(x, [1, 1]), label="of text"),
    row("Transpose", tf.transpose, label="of text"),
    row("Reshape", lambda x: tf.reshape(x, [-1]), label="of text"),
    row("Pack", lambda x: tf.stack([x, x], 1), label="of text"),
    row("Tile", lambda x: tf.tile(x, [2, 1]), label="of text"),
]
