"""Ops that programs meet in graphs of files alone, as bare functions, in the form of ``layer_cases``."""

_PRELUDE = """
R, rng = tf.raw_ops, np.random.RandomState(3)
def old(producer):
    graph_def = tf.GraphDef(); graph_def.versions.producer = producer; graph_def.node.add(name='z', op='NoOp'); tf.import_graph_def(graph_def)
def f(*s): return np.float32(rng.randn(*s))
def p(x): return tf.placeholder_with_default(x, None)
def spd(*s): a = f(*s); return np.float32(a @ np.swapaxes(a, -1, -2) + 2 * np.eye(s[-1]))
"""

_MATRICES = """
old(9); a, b = spd(2, 3, 3), f(2, 3, 2); ys = [R.BatchCholesky(input=a), R.BatchMatrixInverse(input=a), R.BatchMatrixInverse(input=a, adjoint=True), R.BatchMatrixSolve(matrix=a, rhs=b), R.BatchMatrixSolveLs(matrix=a, rhs=b, l2_regularizer=0.), R.BatchMatrixTriangularSolve(matrix=a, rhs=b), R.BatchMatrixDeterminant(input=a), R.BatchSelfAdjointEigV2(input=a).e, R.BatchSvd(input=a).s]
old(9); d = f(2, 3); ys = [R.BatchMatrixDiag(diagonal=d), R.BatchMatrixDiagPart(input=f(2, 3, 4)), R.BatchMatrixSetDiag(input=f(2, 3, 3), diagonal=d), R.BatchMatrixBandPart(input=f(2, 4, 4), num_lower=1, num_upper=0)]
old(9); ys = [R.SelfAdjointEig(input=spd(3, 3))[0], tf.abs(R.SelfAdjointEig(input=spd(3, 3))), tf.abs(R.BatchSelfAdjointEig(input=spd(2, 3, 3)))]
l, g = np.linalg.cholesky(spd(2, 3, 3)), f(2, 3, 3); ys = [R.CholeskyGrad(l=l, grad=g), R.CholeskyGrad(l=np.float64(l), grad=np.float64(g))]
old(9); l, g = np.linalg.cholesky(spd(2, 3, 3)), f(2, 3, 3); ys = [R.BatchCholeskyGrad(l=l, grad=g)]
R.BatchCholesky(input=[[[4.]]])
old(13); R.BatchMatrixDiag(diagonal=[1.]); R.BatchCholesky(input=[[[4.]]])
R.BatchFFT(input=[[1j]])
R.SelfAdjointEig(input=[[1.]])
"""

_ATTRIBUTES = """
x = f(3, 5); ys = [R.InTopK(predictions=x, targets=[1, 4, 2], k=2), R.InTopK(predictions=x, targets=np.int64([1, 4, 9]), k=3)]
x = f(3, 5); R.InTopK(predictions=x, targets=[1, 2], k=2)
old(6); x = tf.constant(f(3, 5)); y = R.TopK(input=x, k=2); ys = [y.values, y.indices]
old(6); R.TopK(input=f(3, 2), k=3)
old(6); x = f(2, 6, 4); ys = [R.TileGrad(input=x, multiples=[1, 2, 4])]
old(22); ys = None; R.PlaceholderV2(dtype=tf.float32, shape=[2, 3])
ys = [R.OnesLike(x=f(2, 2)), R.OnesLike(x=[True, False]), R.OnesLike(x=p(np.int16([3]))), R.DebugGradientIdentity(input=[1., 2.])]
R.OnesLike(x=['a'])
old(9); x, w = f(1, 3, 4, 5, 2), f(2, 2, 2, 2, 3); y = f(1, 3, 4, 5, 3); ys = [R.Conv3DBackpropInput(input=x, filter=w, out_backprop=y, strides=[1] * 5, padding='SAME'), R.Conv3DBackpropFilter(input=x, filter=w, out_backprop=y, strides=[1] * 5, padding='SAME')]
old(24); ys = [R.RandomPoisson(shape=[4], rate=[3., 20.], seed=3, seed2=4)]
"""

_ARRAYS = """
s = R.Stack(elem_type=tf.float32); a = R.StackPush(handle=s, elem=[1., 2.])
with tf.control_dependencies([a]): b = R.StackPop(handle=s, elem_type=tf.float32)
with tf.control_dependencies([b]): c = R.StackClose(handle=s)
ys = [a, b]
"""

_TENSOR_ARRAYS = """
old(15); h = R.TensorArray(size=3, dtype=tf.float32); w = R.TensorArrayWrite(handle=h, index=0, value=[1., 2.], flow_in=0.); w = R.TensorArrayWrite(handle=h, index=1, value=[3., 4.], flow_in=w); w = R.TensorArrayWrite(handle=h, index=2, value=[5., 6.], flow_in=w); ys = [R.TensorArrayPack(handle=h, flow_in=w, dtype=tf.float32), R.TensorArraySize(handle=h, flow_in=w)]
old(15); h = R.TensorArray(size=3, dtype=tf.float32, clear_after_read=False); w = R.TensorArrayUnpack(handle=h, value=f(3, 2), flow_in=0.); v = R.TensorArrayConcat(handle=h, flow_in=w, dtype=tf.float32); ys = [R.TensorArrayRead(handle=h, index=1, flow_in=w, dtype=tf.float32), R.TensorArrayGather(handle=h, indices=[2, 0], flow_in=w, dtype=tf.float32), v.value, v.lengths]
old(20); h = R.TensorArrayV2(size=2, dtype=tf.int32); w = R.TensorArrayWriteV2(handle=h, index=0, value=[1, 2], flow_in=0.); w = R.TensorArrayWriteV2(handle=h, index=1, value=[3, 4], flow_in=w); ys = [R.TensorArrayGatherV2(handle=h, indices=[1, 0], flow_in=w, dtype=tf.int32), R.TensorArraySizeV2(handle=h, flow_in=w)]
old(20); h = R.TensorArrayV2(size=2, dtype=tf.float32, clear_after_read=False); w = R.TensorArraySplitV2(handle=h, value=f(5), lengths=[2, 3], flow_in=0.); v = R.TensorArrayConcatV2(handle=h, flow_in=w, dtype=tf.float32); ys = [R.TensorArrayReadV2(handle=h, index=1, flow_in=w, dtype=tf.float32), v.value, v.lengths]
old(20); h = R.TensorArrayV2(size=2, dtype=tf.float32); w = R.TensorArrayScatterV2(handle=h, indices=[1, 0], value=f(2, 3), flow_in=0.); ys = [R.TensorArrayReadV2(handle=h, index=1, flow_in=w, dtype=tf.float32)]
old(20); h = R.TensorArrayV2(size=2, dtype=tf.float32); w = R.TensorArrayWriteV2(handle=h, index=2, value=1., flow_in=0.); ys = [w]
R.TensorArrayV2(size=2, dtype=tf.float32)
"""

_DATASETS = """
d = R.ExperimentalSleepDataset(input_dataset=tf.data.Dataset.range(1)._variant_tensor, sleep_microseconds=9, output_types=[tf.int64], output_shapes=[[]]); ys = [R.DatasetToSingleElement(dataset=d, output_types=[tf.int64], output_shapes=[[]])[0]]
d = tf.data.Dataset.range(4); u = R.ExperimentalUniqueDataset(input_dataset=d._variant_tensor, output_types=[tf.int64], output_shapes=[[]]); ys = [R.ExperimentalDatasetCardinality(input_dataset=u), R.ExperimentalDatasetCardinality(input_dataset=d._variant_tensor)]
e = lambda **k: tf.train.Example(features=tf.train.Features(feature={n: tf.train.Feature(float_list=tf.train.FloatList(value=v)) for n, v in k.items()})).SerializeToString(); d = tf.data.Dataset.from_tensors([e(b=[2., 3.], a=[3.]), e(b=[8., 12.])]); v = R.ExperimentalParseExampleDataset(input_dataset=d._variant_tensor, num_parallel_calls=1, dense_defaults=[[0., 0.]], sparse_keys=['a'], dense_keys=['b'], sparse_types=[tf.float32], dense_shapes=[[2]], output_types=[tf.variant, tf.float32], output_shapes=[[None], [None, 2]]); n = R.DatasetToSingleElement(dataset=v, output_types=[tf.variant, tf.float32], output_shapes=[[None], [None, 2]])
ys = [n[1], R.DeserializeSparse(serialized_sparse=n[0], dtype=tf.float32).sparse_values]
"""


def _listed(text):
    """The programs of a text, one a line; what begins with ``with`` or ``ys`` goes on with the line before."""
    programs = []
    for line in text.strip().splitlines():
        if line.startswith(("with ", "ys = [a, b]", "ys = [n[")):
            programs[-1] += "\n" + line
        else:
            programs.append(line)
    return programs


CASES = {
    line: _PRELUDE + line for text in (_MATRICES, _ATTRIBUTES, _ARRAYS, _TENSOR_ARRAYS, _DATASETS) for line in _listed(text)
}
