"""Ops that programs meet in graphs of files alone, as bare functions, in the form of ``layer_cases``."""

_PRELUDE = """
R, rng = tf.raw_ops, np.random.RandomState(3)
def old(producer):
    graph_def = tf.GraphDef(); graph_def.versions.producer = producer; graph_def.node.add(name='z', op='NoOp'); tf.import_graph_def(graph_def)
def f(*s): return np.float32(rng.randn(*s))
def p(x): return tf.placeholder_with_default(x, None)
def q(x): return tf.bitcast(x if hasattr(x, 'op') else np.uint8(x), tf.quint8)
def u(ys): return [tf.bitcast(y, {tf.quint8: tf.uint8, tf.qint32: tf.int32}[y.dtype]) if y.dtype in (tf.quint8, tf.qint32) else y for y in ys]
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


_QUANTIZED = """
a, b = rng.randint(0, 255, [2, 3]), rng.randint(0, 255, [3, 2]); ys = u(R.QuantizedMatMul(a=q(a), b=q(b), min_a=-1., max_a=2., min_b=-3., max_b=1.)) + u(R.QuantizedMatMul(a=q(a.T), b=q(b), min_a=0., max_a=6., min_b=-1., max_b=1., transpose_a=True))
a, b = rng.randint(0, 255, [2, 3]), rng.randint(0, 255, [3]); ys = u(R.QuantizedBiasAdd(input=q(a), bias=q(b), min_input=-1., max_input=2., min_bias=-3., max_bias=1., out_type=tf.qint32)) + u(R.QuantizedAdd(x=q(a), y=q(a[::-1]), min_x=-1., max_x=2., min_y=-3., max_y=1.)) + u(R.QuantizedAdd(x=q(a), y=q(b), min_x=-1., max_x=2., min_y=-3., max_y=1.)) + u(R.QuantizedMul(x=q(a), y=q(b), min_x=-1., max_x=2., min_y=-3., max_y=1.))
a = rng.randint(0, 255, [2, 30]); ys = u(R.QuantizedRelu(features=q(a), min_features=-1., max_features=2.)) + u(R.QuantizedRelu6(features=q(a), min_features=-4., max_features=9.)) + u(R.QuantizedReshape(tensor=q(a), shape=[3, -1], input_min=-1., input_max=2.))
i = tf.bitcast(np.int32(rng.randint(-2 ** 20, 2 ** 20, [2, 30])), tf.qint32); ys = u(R.QuantizeDownAndShrinkRange(input=i, input_min=-300., input_max=300., out_type=tf.quint8)) + u(R.RequantizationRange(input=i, input_min=-300., input_max=300.)) + u(R.Requantize(input=i, input_min=-300., input_max=300., requested_output_min=-.1, requested_output_max=.12, out_type=tf.quint8))
i = tf.bitcast(np.int32([1, 2]), tf.qint32); ys = u(R.Requantize(input=i, input_min=-300., input_max=300., requested_output_min=.1, requested_output_max=.12, out_type=tf.quint8))
a = rng.randint(0, 255, [2, 3]); ys = u(R.QuantizedMatMul(a=q(p(np.uint8(a))), b=q(a), min_a=-1., max_a=2., min_b=-3., max_b=1.))
"""

_SPEECH = """
ys = [R.AudioSpectrogram(input=f(24, 1), window_size=8, stride=4), R.AudioSpectrogram(input=f(400, 1), window_size=100, stride=50, magnitude_squared=True)]
ys = [R.Mfcc(spectrogram=np.square(f(2, 3, 129)), sample_rate=16000), R.Mfcc(spectrogram=np.square(f(1, 3, 257)), sample_rate=8000, upper_frequency_limit=3000., lower_frequency_limit=100., filterbank_channel_count=20, dct_coefficient_count=7)]
R.AudioSpectrogram(input=[1., 2.], window_size=8, stride=4)
"""


_BANDS = """
x, w = f(2, 3, 4), p(f(2, 3, 4)); part = lambda x, k: R.MatrixDiagPartV2(input=x, k=k, padding_value=9.); ys = [part(x, 0), part(x, 1), part(w, -2), part(w, [-1, 1]), part(x, [-2, -1]), part(x, [0, 3]), part(x, p(np.int32([-1, 0])))]
y = f(2, 2, 3); diag = lambda y, k, rows=-1, columns=-1: R.MatrixDiagV2(diagonal=y, k=k, num_rows=rows, num_cols=columns, padding_value=9.); ys = [diag(y[0], 1), diag(y, [-1, 0]), diag(p(y), [0, 1]), diag(y, [-1, 0], 3, 4), diag(y[0], 0, 3, 5), diag(y[0], -2, -1, 3)]
x, y = f(2, 3, 4), f(2, 2, 3); ys = [R.MatrixSetDiagV2(input=x, diagonal=y, k=[-1, 0]), R.MatrixSetDiagV2(input=p(x), diagonal=y[:, 0], k=1)]
ys = [R.MatrixDiagPartV2(input=p(f(3, 4)), k=p(9), padding_value=0.)]
"""

_BOUNDS = """
x = f(2, 3); ys = [R.ClipByValue(t=x, clip_value_min=-.5, clip_value_max=.5), R.ClipByValue(t=x, clip_value_min=x * .5, clip_value_max=p(1.)), R.ClipByValue(t=[3, 1], clip_value_min=2, clip_value_max=9)]
x = f(2, 3); ys = [R.ClipByValue(t=x, clip_value_min=p([0., 0, 0]), clip_value_max=1.)]
x = f(2, 3); ys = [R.QuantizeAndDequantizeV3(input=x, input_min=-1., input_max=1., num_bits=4), R.QuantizeAndDequantizeV3(input=x, input_min=-1., input_max=1., num_bits=p(5), range_given=False, signed_input=False), R.QuantizeAndDequantizeV3(input=x, input_min=-1., input_max=1., num_bits=4, narrow_range=True)]
old(20); x = f(2, 3); ys = [R.QuantizeAndDequantize(input=x), R.QuantizeAndDequantize(input=x, num_bits=4, range_given=True, input_min=-1., input_max=.7)]
old(1); x = 9 * f(2, 3, 4, 3); ys = [R.AdjustContrast(images=x, contrast_factor=2., min_value=-5., max_value=8.), R.AdjustContrast(images=np.uint8(x), contrast_factor=2., min_value=0., max_value=200.)]
ys = [tf.identity(R.FakeParam(dtype=tf.float32, shape=[2])) * 0.]
"""

_DRAWN = """
old(5); ys = [R.RandomCrop(image=np.float32(np.arange(120)).reshape(10, 12, 1), size=[3, 4], seed=s, seed2=7) for s in (1, 2, 3)]
old(5); R.RandomCrop(image=np.ones([2, 2, 1], 'f'), size=[3, 4], seed=1, seed2=7); ys = [R.RandomCrop(image=p(np.ones([2, 2, 1], 'f')), size=[3, 4], seed=1, seed2=7)]
y = R.SampleDistortedBoundingBox(image_size=[40, 50, 3], bounding_boxes=[[[.1, .2, .5, .9]]], seed=3, seed2=5); ys = list(y)
"""

_LATER = """
k = dict(seq_len_max=np.int64(3), x=f(3, 2, 4), cs_prev=f(2, 5), h_prev=f(2, 5), w=f(9, 20), wci=f(5), wcf=f(5), wco=f(5), b=f(20)); y = R.BlockLSTMV2(use_peephole=True, **k); z = R.BlockLSTMV2(cell_clip=.3, **k); w = R.BlockLSTMGradV2(use_peephole=True, cs_grad=f(3, 2, 5), h_grad=f(3, 2, 5), **y._asdict(), **k); ys = list(y) + list(z) + list(w)
"""

_FILES = """
import tempfile, os; path = os.path.join(tempfile.mkdtemp(), 'x'); w = R.Save(filename=path, tensor_names=['a', 'b'], data=[[1., 2.], 3])
with tf.control_dependencies([w]): ys = [R.Restore(file_pattern=path, tensor_name='a', dt=tf.float32), R.Restore(file_pattern=path, tensor_name='b', dt=tf.int32), R.RestoreSlice(file_pattern=path, tensor_name='a', shape_and_slice='2 0,1', dt=tf.float32)]
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
    line: _PRELUDE + line for text in (_MATRICES, _ATTRIBUTES, _ARRAYS, _TENSOR_ARRAYS, _DATASETS, _QUANTIZED, _SPEECH, _BANDS, _BOUNDS, _DRAWN, _LATER, _FILES) for line in _listed(text)
}
