"""What a run says of inputs whose rank or size no shape of the graph has shown to be wrong."""

import numpy as np
import pytest

from retrograd import tf
from retrograd.eager.context import eager_mode
from retrograd.ops import shape_rules

R = tf.raw_ops
THREE = np.ones((2, 3, 3), np.float32)
FOUR = np.ones((1, 3, 3, 3), np.float32)

# recorded under TensorFlow 1.15.5
WRONG = [
    (lambda x: R.MatrixSolveLs(matrix=x, rhs=THREE[0], l2_regularizer=0.0), THREE,
     "All input tensors must have the same rank."),
    (lambda x: R.MatrixDiagPartV2(input=THREE, k=x, padding_value=0.0), np.int32([[0, 1]]),
     "diag_index must be a scalar or vector, received shape: [1,2]"),
    (lambda x: R.MatrixDiagV2(diagonal=x, k=[0, 1], num_rows=-1, num_cols=-1, padding_value=0.0), THREE,
     "The number of diagonals provided in the input does not match the lower_diag_index and upper_diag_index range."),
    (lambda x: R.MatrixSetDiag(input=x, diagonal=THREE[0]), THREE[0], "Either first dimensions of diagonal don't match "
     "input.shape[:-2], or diagonal.shape[:-1] is not equal to the longests diagonal in range "
     "[lower_diag_index:upper_diag_index]."),
    (lambda x: R.RandomUniformInt(shape=[2], minval=x, maxval=9), np.int32([1]), "minval must be 0-D, got shape [1]"),
    (lambda x: R.SparseReduceSum(input_indices=[[0, 0]], input_values=[1.0], input_shape=[2, 2], reduction_axes=x),
     np.int32([[1]]), "Expected reduction_axes to be a scalar or a vector; got shape: [1,1]"),
    (lambda x: R.SparseToDense(sparse_indices=x, output_shape=[2, 2], sparse_values=1.0, default_value=0.0),
     np.int32([[0, 0, 0]]), "output_shape has incorrect number of elements: 2 should be: 3"),
    (lambda x: R.ScatterNd(indices=x, updates=[1.0, 2.0], shape=[4]), np.int32([[0], [1], [2]]),
     "Outer dimensions of indices and update must match. Indices shape: [3,1], updates shape:[2]"),
    (lambda x: R.TensorScatterAdd(tensor=THREE[0], indices=x, updates=THREE[0]), np.int32([[0, 0]] * 3),
     "Inner dimensions of output shape must match inner dimensions of updates shape. Output: [3,3] updates: [3,3]"),
    (lambda x: R.ScatterNdNonAliasingAdd(input=THREE[0], indices=x, updates=THREE[0]), np.int32([[0]]),
     "The outermost dimension of updates and indices must match. Got indices.shape [1,1], updates.shape [3,3]"),
    (lambda x: R.Unpack(value=x, num=2, axis=-1)[0], THREE, "Input shape axis 2 must equal 2, got shape [2,3,3]"),
    (lambda x: R.ConcatOffset(concat_dim=0, shape=[x, [1, 2]])[0], np.int32(1),
     "input 1 should be a vector, but got shape []"),
    (lambda x: R.SparseSliceGrad(backprop_val_grad=[1.0], input_indices=x, input_start=[0, 0],
     output_indices=[[0, 0]]), np.int64([[1, 1]]),
     "Elements of backprop_val_grad aren't all propagated. Num elements:1, used: 0"),
    (lambda x: R.BlockLSTMV2(seq_len_max=np.int64(1), x=THREE, cs_prev=THREE[0], h_prev=THREE[0],
     w=np.ones((6, 12), "f"), wci=THREE[0, 0], wcf=THREE[0, 0], wco=THREE[0, 0], b=x)[0], np.float32(1),
     "b must be 1D"),
    (lambda x: R.MatMul(a=x, b=THREE[0]), THREE, "In[0] is not a matrix. Instead it has shape [2,3,3]"),
    (lambda x: R.BatchMatMul(x=x, y=THREE), THREE[:1],
     "In[0].dim(0) and In[1].dim(0) must be the same: [1,3,3] vs [2,3,3]"),
    (lambda x: R.BatchMatMul(x=x, y=THREE), THREE[0], "In[0] and In[1] has different ndims: [3,3] vs. [2,3,3]"),
    (lambda x: R.Cross(a=x, b=THREE), THREE[0], "Both inputs must be of same shape: [3,3] vs. [2,3,3]"),
    (lambda x: R.TopKV2(input=x, k=1).values, THREE[0, 0, 0], "input must be >= 1-D, got shape []"),
    (lambda x: R.FFT2D(input=tf.cast(x, tf.complex64)), THREE[0, 0], "Input must have rank of at least 2 but got: [3]"),
    (lambda x: R.MatrixSolve(matrix=x, rhs=x), THREE[0, 0], "Input tensor 0 must have rank >= 2, got 1"),
    (lambda x: R.RGBToHSV(images=x), THREE[0, 0, 0], "input must be at least 1D[]"),
    (lambda x: R.SpaceToDepth(input=x, block_size=1 + 1), THREE, "Input rank should be 4 instead of 3"),
    (lambda x: R.Unpack(value=x, num=3, axis=1)[0], THREE[0, 0], "axis = 1 not in [-1, 1)"),
    (lambda x: R.ReluGrad(gradients=x, features=THREE), THREE[0], "Inputs to operation ReluGrad of type ReluGrad must "
     "have the same size and shape.  Input 0: [3,3] != input 1: [2,3,3]"),
    (lambda x: R.ResizeBilinear(images=x, size=[2, 2]), THREE, "input must be 4-dimensional[2,3,3]"),
    (lambda x: R.ExtractImagePatches(images=x, ksizes=[1] * 4, strides=[1] * 4, rates=[1] * 4, padding="SAME"), THREE,
     "input must be 4-dimensional[2,3,3]"),
    (lambda x: R.SoftmaxCrossEntropyWithLogits(features=x, labels=x).loss, THREE[0, 0],
     "logits and labels must be either 2-dimensional, or broadcasted to be 2-dimensional"),
    (lambda x: R.BiasAdd(value=THREE, bias=x), THREE[0], "Biases must be 1D: [3,3]"),
    (lambda x: R.LRNGrad(input_grads=x, input_image=THREE[None], output_image=THREE[None]), THREE,
     "inputs must be 4-dimensional"),
    (lambda x: R.Conv2DBackpropInput(input_sizes=[1, 3, 3, 3], filter=x, out_backprop=FOUR, strides=[1] * 4,
     padding="SAME"), np.ones((1, 1, 2, 3), "f"), "Conv2DCustomBackpropInput: input depth must be evenly divisible by "
     "filter depth"),
    (lambda x: R.Conv2DBackpropFilter(input=FOUR, filter_sizes=x, out_backprop=FOUR, strides=[1] * 4, padding="SAME"),
     np.int32([[1, 1, 3, 3]]), "Conv2DCustomBackpropFilter: filter_sizes input must be 1-dim, not 2"),
    (lambda x: R.DepthwiseConv2dNativeBackpropInput(input_sizes=[1, 3, 3, 3], filter=np.ones((1, 1, 3, 1), "f"),
     out_backprop=x, strides=[1] * 4, padding="SAME"), np.ones((1, 1, 3, 3), "f"),
     "DepthwiseConv2DBackpropInput: Number of rows of out_backprop doesn't match computed: actual = 1, computed = 3"),
    (lambda x: R.MaxPoolGrad(orig_input=FOUR, orig_output=x, grad=FOUR, ksize=[1] * 4, strides=[1] * 4,
     padding="SAME"), THREE, "tensor_out must be 4-dimensional"),
    (lambda x: R.AvgPoolGrad(orig_input_shape=[1, 3, 3, 3], grad=x, ksize=[1] * 4, strides=[1] * 4, padding="SAME"),
     THREE, "out_backprop must be 4-dimensional"),
    (lambda x: R.Dilation2DBackpropFilter(input=FOUR, filter=np.ones((1, 1, 3), "f"), out_backprop=x,
     strides=[1] * 4, rates=[1] * 4, padding="SAME"), np.ones((1, 3, 1, 3), "f"),
     "out_backprop has incompatible size."),
    (lambda x: R.FusedBatchNorm(x=FOUR, scale=x, offset=[0.0] * 3, mean=[], variance=[]).y, THREE[0, :1],
     "scale must be 1-dimensional[1,3]"),
    (lambda x: R.FusedBatchNormGrad(y_backprop=FOUR, x=FOUR, scale=[1.0] * 3, reserve_space_1=x,
     reserve_space_2=[1.0] * 3).x_backprop, THREE[0, :1], "saved mean must be 1-dimensional[1,3]"),
    (lambda x: R.ResizeBilinear(images=FOUR, size=x), np.int32([2, 2, 2]), "shape_t must have two elements[3]"),
    (lambda x: R.ResizeBicubicGrad(grads=FOUR, original_image=x), THREE, "original_image must be 4-dimensional[2,3,3]"),
    (lambda x: R.CropAndResizeGradBoxes(grads=FOUR, image=FOUR, boxes=x, box_ind=[0, 0]), np.ones((2, 4), "f"),
     "boxes and grads have incompatible shape"),
    (lambda x: R.BatchToSpace(input=np.ones((4, 1, 1, 1), "f"), crops=x, block_size=2), np.int32([[1, 1], [1, 2]]),
     "cropped_shape[1]=-1 must be non-negative"),
    (lambda x: R.StridedSlice(input=THREE, begin=x, end=[1], strides=[1]), np.int32([[0]]),
     "Expected begin, end, and strides to be 1D equal size tensors, but got shapes [1,1], [1], and [1] instead."),
    (lambda x: R.DynamicStitch(indices=[[0], [1]], data=[np.ones((1, 2, 3), "f"), x]), np.ones((1, 3, 2), "f"),
     "Need data[0].shape[1:] = data[1].shape[1:], got data[0].shape = [1,2,3], data[1].shape = [1,3,2], "
     "indices[0].shape = [1], indices[1].shape = [1]"),
    (lambda x: R.SparseSegmentMean(data=THREE[0], indices=x, segment_ids=[0, 0]), np.int32([0, 1, 2]),
     "segment_ids and indices should have same size."),
    (lambda x: R.RFFT(input=THREE, fft_length=x), np.int32([[3]]), "fft_length must have shape [1]"),
    (lambda x: R.UniqueV2(x=THREE, axis=x).y, np.int64([0, 1]),
     "axis does not support input tensors larger than 1 elements"),
    (lambda x: R.FakeQuantWithMinMaxVarsPerChannel(inputs=THREE, min=x, max=[1.0] * 3), np.float32([-1]),
     "min has incorrect size, expected 3 was 1"),
    (lambda x: R.MirrorPadGrad(input=x, paddings=[[1, 0]], mode="REFLECT"), np.ones(2, "f"),
     "paddings must be less than the output dimension size: 1, 0 not less than 1"),
    (lambda x: R.LSTMBlockCell(x=THREE[0], cs_prev=THREE[0], h_prev=x, w=np.ones((6, 12), "f"), wci=[0.0] * 3,
     wcf=[0.0] * 3, wco=[0.0] * 3, b=[0.0] * 12).h, THREE[0, :1], "h_prev.dims(0) != batch_size: 1 vs. 3"),
    (lambda x: R.GRUBlockCell(x=THREE[0], h_prev=THREE[0], w_ru=np.ones((6, 6), "f"), w_c=np.ones((6, 3), "f"),
     b_ru=x, b_c=[0.0] * 3).h, np.zeros(1, "f"), "b_ru.dim_size(0) != cell_size * 2: 1 vs. 6"),
    (lambda x: R.SparseReorder(input_indices=[[0, 1], [1, 0]], input_values=x, input_shape=[2, 2]).output_values,
     np.ones(3, "f"), "indices and values rows (indexing dimension) must match. (indices = 2, values = 3)"),
    (lambda x: R.SparseReduceSum(input_indices=x, input_values=[1.0], input_shape=[2, 2], reduction_axes=[0]),
     np.int64([[0]]), "Order length must be SparseTensor rank."),
    (lambda x: R.SparseAdd(a_indices=[[0]], a_values=x, a_shape=[2], b_indices=[[0]], b_values=[1.0], b_shape=[2],
     thresh=0.0).sum_values, np.ones(2, "f"), "Expected 1 and 1 non-empty input values, got 2 and 1"),
    (lambda x: R.SparseSparseMaximum(a_indices=[[0]], a_values=x, a_shape=[2], b_indices=[[0]], b_values=[1.0],
     b_shape=[2]).output_values, np.float32(1),
     "Inputs a_values and b_values should be vectors but received shapes: [] and [1]"),
    (lambda x: R.SparseTensorDenseMatMul(a_indices=x, a_values=[1.0], a_shape=[2, 2], b=np.ones((2, 1), "f")),
     np.int64([[0, 1, 1]]), "Number of columns of a_indices does not match number of entries in a_shape"),
    (lambda x: R.StatelessRandomUniform(shape=[2], seed=x), np.int32([[1, 2]]), "seed must have shape [2], not [1,2]"),
]  # fmt: skip


@pytest.mark.parametrize(("build", "fed", "words"), WRONG)
def test_a_wrong_rank_is_told_in_words_of_the_kernel(build, fed, words):
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(fed.dtype)
        y = build(x)
        for _ in range(3):  # also where a plan is compiled
            with pytest.raises(tf.errors.InvalidArgumentError) as caught:
                sess.run(y, {x: fed})
            assert caught.value.message.split("\n")[0] == words


def test_what_a_kernel_cannot_say_the_shape_rule_does():
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32)
        y = R.BatchNormWithGlobalNormalization(
            t=x, m=[0.0] * 3, v=[1.0] * 3, beta=[0.0] * 3, gamma=[1.0] * 3, variance_epsilon=0.1,
            scale_after_normalization=True,
        )  # fmt: skip
        with pytest.raises(
            tf.errors.InvalidArgumentError, match=r"^Dimensions must be equal, but are 4 and 3 for 'Batch"
        ):
            sess.run(y, {x: np.ones((1, 3, 3, 4))})


def test_images_of_no_batch_are_convolved_by_depth():
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [None, 4, 4, 3])
        y = tf.nn.depthwise_conv2d(x, np.ones((2, 2, 3, 2), "f"), [1] * 4, "SAME")
        assert sess.run(y, {x: np.zeros((0, 4, 4, 3))}).shape == (0, 4, 4, 6)


def test_shapes_that_tensorflow_does_not_look_at_are_refused():
    """Where TensorFlow reads other memory there is nothing to imitate."""
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32)
        attrs = {"ksize": [1] * 4, "strides": [1] * 4, "padding": "SAME"}
        for y in (
            R.AvgPoolGrad(orig_input_shape=[2, 3, 3, 3], grad=x, **attrs),
            R.MaxPoolGrad(
                orig_input=np.ones((2, 3, 3, 3), "f"), orig_output=np.ones((2, 3, 3, 3), "f"), grad=x, **attrs
            ),
        ):
            with pytest.raises(
                tf.errors.InvalidArgumentError, match=r"^Expected grad shape to be \[2,3,3,3\], but got"
            ):
                sess.run(y, {x: FOUR})
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"^Incompatible shapes: \[2,3,3\] vs. \[3,3\]"):
            sess.run(R.TanhGrad(y=THREE, dy=x), {x: THREE[0]})


def test_points_that_do_not_belong_to_images():
    resampler, errors = tf.contrib.resampler.resampler, tf.errors
    with tf.Graph().as_default(), tf.Session() as sess:
        for data, warp, kind, words in (
            (
                (2, 3, 3),
                (2, 5, 2),
                errors.UnimplementedError,
                "Only bilinear interpolation is currently supported. The in",
            ),
            ((2, 3, 3, 1), (2,), errors.InvalidArgumentError, "warp should be at least a matrix, got shape \\[2\\]"),
            (
                (2, 3, 3, 1),
                (3, 5, 2),
                errors.InvalidArgumentError,
                "Batch size of data and warp tensor must be the same",
            ),
            (
                (2, 3, 3, 1),
                (2, 5, 3),
                errors.UnimplementedError,
                "Only bilinear interpolation is supported, warping coo",
            ),
        ):
            with pytest.raises(kind, match=f"^{words}"):
                sess.run(resampler(tf.zeros(data), tf.zeros(warp)))


def test_skip_grams_are_of_a_vector():
    with (
        tf.Graph().as_default(),
        pytest.raises(ValueError, match=r"^Shape must be rank 1 but is rank 2 for 'skip"),
    ):
        tf.contrib.text.skip_gram_sample(tf.constant([["a"]]))


def _breaks(*_):
    return {}.shape


def test_what_breaks_in_a_kernel_is_not_called_the_programs_mistake(monkeypatch):
    monkeypatch.setattr(shape_rules, "check_rank", _breaks)
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [2, 3])
        y = tf.nn.in_top_k(x, [0, 1], 1)
        with pytest.raises(tf.errors.InternalError) as told:
            sess.run(y, {x: np.ones((2, 3))})
    first, node, why, where, fix = told.value.message.splitlines()
    assert (
        first == "AttributeError: 'dict' object has no attribute 'shape' (op: InTopKV2, input shapes: [2,3], [2], [])"
    )
    assert "in_top_k/InTopKV2" in node
    assert "test_wrong_ranks.py" in where
    assert why.endswith("a defect of retrograd, not of the program: the op broke at test_wrong_ranks.py:"
                        f"{_breaks.__code__.co_firstlineno + 1}, in _breaks")  # fmt: skip
    assert fix.strip() == "Fix:   report this message, with the dtypes and shapes of the op's inputs"


def test_eager_what_breaks_in_a_kernel_is_not_called_the_programs_mistake(monkeypatch):
    monkeypatch.setattr(shape_rules, "check_rank", _breaks)
    with (
        eager_mode(),
        pytest.raises(tf.errors.InternalError, match=r"(?s)AttributeErr.* broke"),
    ):
        tf.nn.in_top_k(np.ones((2, 3), np.float32), [0, 1], 1)


def test_no_class_is_among_the_first_of_none():
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32)
        assert sess.run(tf.nn.in_top_k(x, [0, 1], 1), {x: np.ones((2, 0))}).tolist() == [False, False]
