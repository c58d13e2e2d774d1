"""Programs that write summaries; run by ``record_summaries.py`` and ``test_summaries.py``."""

PRELUDE = """
x = tf.placeholder_with_default([1., 2., .5], [None], name='x')
def f(*s): return tf.constant(np.random.RandomState(3).uniform(0, 1, s).astype('f'))
"""

CASES = """
ys = [tf.summary.scalar('my loss', tf.reduce_sum(x)), tf.summary.scalar('/q', x[0], collections=['k'], family='fam')]
with tf.name_scope('sc'): ys = [tf.summary.histogram('h/ist', x, family='fam'), tf.summary.scalar('h', x[0], family='a b')]
ys = [tf.summary.histogram('h', v) for v in ([-1., 0, 0, .5, 2, 1e21], tf.zeros([0]), [1., 1, 1], [-3e-13, 5e-13], [7, 8, -9], f(50, 3))]
ys = [tf.summary.image('im', f(4, 2, 3, 1), max_outputs=2), tf.summary.image('im', f(4, 2, 3, 3) - .5), tf.summary.image('i', tf.cast(f(4, 2, 3, 4) * 255, tf.uint8), 1)]
ys = [tf.summary.image('im', [[[[np.nan], [1.]], [[np.inf], [3.]]]]), tf.summary.image('im', tf.zeros([1, 2, 2, 3]))]
ys = [tf.summary.audio('au', tf.linspace(-1., 1.2, 16)[None], 44100.), tf.summary.audio('au', f(2, 8, 2), 8000, max_outputs=1)]
ys = [tf.summary.text('tx', tf.constant(['a', 'b'])), tf.summary.tensor_summary('ten', x, summary_description='hello', display_name='dn', family='g')]
tf.summary.scalar('a', x[0]); tf.summary.scalar('b', x[1], collections=['other']); ys = [tf.summary.merge_all(), tf.summary.merge_all('other', name='m')]
a = tf.summary.scalar('a', x[0]); ys = [tf.summary.merge([a, tf.summary.histogram('c', x)], collections=['k'], name='n')]
tf.summary.merge_all('none').op
tf.summary.text('t', x)
ys = [tf.summary.scalar('v', x)]
ys = [tf.summary.histogram('v', [np.nan])]
ys = [tf.summary.histogram('v', [np.inf])]
ys = [tf.summary.image('v', f(2, 3, 4, 2))]
a = tf.summary.scalar('a', x[0]); ys = [tf.summary.merge([a, a])]
""".strip().splitlines()


def outcome(tf, np, code, nodes_of):
    """The nodes that a case builds, its collections, and what its summaries hold, pictures decoded."""
    result = {}
    with tf.Graph().as_default() as graph:
        space = {"tf": tf, "np": np}
        try:
            exec(PRELUDE + code, space)
            result["nodes"] = [n for n in nodes_of(graph) if n["name"] != "x"]
            result["collections"] = {k: [v.name for v in graph.get_collection(k)] for k in sorted(graph.collections)}
            with tf.Session() as session:
                result["values"] = [written(tf, tf.Summary.FromString(session.run(y))) for y in space["ys"]]
        except Exception as error:
            result["error"] = [type(error).__name__, str(error).split("\n")[0].split(" [[")[0]]
    return result


def decoded(tf, png):
    """The pixels of a picture."""
    with tf.Graph().as_default(), tf.Session() as session:
        return session.run(tf.image.decode_png(png)).tolist()


def written(tf, summary):
    """A summary as plain values."""
    rows = []
    for v in summary.value:
        kind = v.WhichOneof("value")
        row = {"tag": v.tag, "kind": kind, "plugin": v.metadata.plugin_data.plugin_name, "name": v.metadata.display_name}
        if kind == "simple_value":
            row["value"] = v.simple_value
        elif kind == "histo":
            h = v.histo
            row["value"] = [h.min, h.max, h.num, h.sum, h.sum_squares, list(h.bucket_limit), list(h.bucket)]
        elif kind == "image":
            i = v.image
            row["value"] = [i.height, i.width, i.colorspace, decoded(tf, i.encoded_image_string)]
        elif kind == "audio":
            a = v.audio
            row["value"] = [a.sample_rate, a.num_channels, a.length_frames, list(a.encoded_audio_string)]
        else:
            row["value"] = [v.tensor.dtype, [d.size for d in v.tensor.tensor_shape.dim]]
        rows.append(row)
    return rows
