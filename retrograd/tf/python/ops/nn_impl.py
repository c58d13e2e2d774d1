"""The names of ``tensorflow.python.ops.nn_impl``."""

from retrograd.faces import missing
from retrograd.graph.deprecation import deprecated_args, deprecated_argument_lookup
from retrograd.keras.average_losses import compute_average_loss, scale_regularization_loss
from retrograd.nn.activations import swish, zero_fraction
from retrograd.nn.convolution import depthwise_conv2d, separable_conv2d
from retrograd.nn.cross_entropy import (
    log_poisson_loss,
    sigmoid_cross_entropy_with_logits,
    weighted_cross_entropy_with_logits,
)
from retrograd.nn.moments import (
    batch_norm_with_global_normalization,
    batch_normalization,
    moments,
    moments_v2,
    normalize_moments,
    sufficient_statistics,
    weighted_moments,
)
from retrograd.nn.sampling import (
    compute_sampled_logits as _compute_sampled_logits,
)
from retrograd.nn.sampling import (
    nce_loss,
    nce_loss_v2,
    sampled_softmax_loss,
    sampled_softmax_loss_v2,
)
from retrograd.nn.sampling import (
    sum_rows as _sum_rows,
)
from retrograd.nn.second import sigmoid_cross_entropy_with_logits as sigmoid_cross_entropy_with_logits_v2
from retrograd.ops.biases import relu_layer
from retrograd.ops.normalization import fused_batch_norm
from retrograd.ops.norms import l2_normalize, normalize
from retrograd.ops.norms import l2_normalize as l2_normalize_v2

__getattr__ = missing(__name__)
