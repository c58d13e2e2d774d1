"""The outermost names of TensorFlow 1.15.5, in the form of ``layer_cases``; run by ``record_cases.py``."""

_PRELUDE = """
tf.set_random_seed(1)
rng = np.random.RandomState(3)
contrib = tf.contrib
import os, tempfile
def f(*s): return tf.constant(np.float32(rng.randn(*s)))
def among_files(get):
    here, folder = os.getcwd(), tempfile.mkdtemp()
    os.chdir(folder)
    try:
        os.makedirs('x/y')
        for name in ('b.txt', 'x/a.txt', 'x/.h', 'x/y/q'): open(name, 'w').close()
        return tf.constant(sorted(get(), key=str))
    finally: os.chdir(here)
def listed(*patterns): return [among_files(lambda: tf.gfile.Glob(p)) for p in patterns]
"""

_FILES = """
ys = listed('b.txt', './b.txt', '*', '*/*', 'x', 'x/y', 'x/*', './x/*', 'x/**', '*/y/*', 'x/y/../*', 'x/*/q', 'x/./a.txt', 'x/[a-c].*')
ys = listed('x/?.txt', '*/nope/*', 'no*pe/z*', '/nope*', 'x/*.zip') and listed(['b.*', 'x/a*'], ['nope', 'x/*'])
ys = [tf.shape(y) for y in listed('', 'nope', '.', '..', 'x/', 'x/*/', 'x//a.txt', 'x/[!a].txt', 'x/[^a].txt', 'x/{a,b}.txt', [])]
listed('nope/*')
listed('nope/x/*.txt')
listed(['x/*', 'nope/*'])
listed('b.txt/*')
listed('b.txt/x/*')
among_files(lambda: tf.gfile.ListDirectory('nope'))
among_files(lambda: tf.gfile.ListDirectory('b.txt'))
among_files(lambda: tf.io.gfile.listdir(['x']))
ys = [among_files(lambda: tf.gfile.ListDirectory('x')), among_files(lambda: tf.Session().run(tf.io.matching_files(['b.txt', 'x/*'])))]
"""


def _listed(text):
    return [line.replace("\\n", "\n") for line in text.strip().splitlines()]


CASES = {line: _PRELUDE + line for text in (_FILES,) for line in _listed(text)}
