"""What a run says of inputs whose rank or size no shape of the graph has shown to be wrong."""

import numpy as np
import pytest

from retrograd import tf

R = tf.raw_ops
THREE = np.ones((2, 3, 3), np.float32)

# recorded under TensorFlow 1.15.5
WRONG = [
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
]  # fmt: skip


@pytest.mark.parametrize(("build", "fed", "words"), WRONG)
def test_a_wrong_rank_is_told_in_words_of_the_kernel(build, fed, words):
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32)
        y = build(x)
        for _ in range(3):  # also where a plan is compiled
            with pytest.raises(tf.errors.InvalidArgumentError) as caught:
                sess.run(y, {x: fed})
            assert caught.value.message.split("\n")[0] == words


def test_what_a_kernel_cannot_say_the_shape_rule_does():
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32)
        y = R.LSTMBlockCell(
            x=x, cs_prev=THREE[0], h_prev=THREE[0], w=np.ones((6, 12), "f"), wci=[0.0] * 3, wcf=[0.0] * 3,
            wco=[0.0] * 3, b=[0.0] * 12,
        ).h  # fmt: skip
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"^Shape must be rank 2 but is rank 1 for 'LSTM"):
            sess.run(y, {x: THREE[0, 0]})


def test_images_of_no_batch_are_convolved_by_depth():
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [None, 4, 4, 3])
        y = tf.nn.depthwise_conv2d(x, np.ones((2, 2, 3, 2), "f"), [1] * 4, "SAME")
        assert sess.run(y, {x: np.zeros((0, 4, 4, 3))}).shape == (0, 4, 4, 6)
