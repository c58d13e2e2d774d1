"""Layers of cuDNN's recurrent networks, whose weights are one variable; here they run on any processor.

Source: TensorFlow 1.15.5, ``contrib/cudnn_rnn/python/layers/cudnn_rnn.py``: order of ops, names.
"""

from __future__ import annotations

from typing import Any, ClassVar

from retrograd.contrib.cudnn_saveables import (
    CudnnGRUSaveable,
    CudnnLSTMSaveable,
    CudnnOpaqueParamsSaveable,
    CudnnRNNReluSaveable,
    CudnnRNNTanhSaveable,
)
from retrograd.graph import dtypes, log
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import add_to_collection, device
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.nn.layers.base import InputSpec, Layer
from retrograd.nn.recurrent import cudnn_networks as networks
from retrograd.ops import arrays, constants
from retrograd.state.initializers import constant_initializer
from retrograd.state.initializers import glorot_uniform_initializer as glorot_uniform
from retrograd.state.scopes import get_variable, get_variable_scope, variable_scope


class _CudnnRNN(Layer):
    """Layers of one kind, above each other: ``outputs, states = layer(inputs)`` for ``[time, batch, depth]``.

    Args:
      input_mode: "skip_input" takes the inputs of the first layer as they are; "auto_select" does so where it can.
      direction: "unidirectional" or "bidirectional".
      dropout: how much of the inputs of the layers behind the first is dropped in training.

    Raises:
      ValueError: there is no such direction or input mode, or the dtype is not floating.
    """

    _rnn_mode: ClassVar[str]
    _saveable_cls: ClassVar[type[CudnnOpaqueParamsSaveable]]

    def __init__(
        self,
        num_layers: int,
        num_units: int,
        input_mode: str = networks.CUDNN_INPUT_LINEAR_MODE,
        direction: str = networks.CUDNN_RNN_UNIDIRECTION,
        dropout: float = 0.0,
        seed: int | None = None,
        dtype: Any = dtypes.float32,
        kernel_initializer: Any = None,
        bias_initializer: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__(dtype=dtype, name=name)
        networks.check_direction(direction)
        networks.check_input_mode(input_mode)
        if dtype not in (dtypes.float16, dtypes.float32, dtypes.float64):
            raise ValueError(f"Only support float16, float32, float64, provided {dtype}")
        self._plain_dtype = dtypes.as_dtype(dtype)
        self._num_layers, self._num_units = num_layers, num_units
        self._input_mode, self._direction = input_mode, direction
        self._dropout, self._seed = dropout, seed
        self._kernel_initializer, self._bias_initializer = kernel_initializer, bias_initializer
        self._input_size: int | None = None
        self._saveable: CudnnOpaqueParamsSaveable | None = None

    @property
    def num_layers(self) -> int:
        """How many layers there are."""
        return self._num_layers

    @property
    def num_units(self) -> int:
        """How many numbers the state of a layer has."""
        return self._num_units

    @property
    def input_mode(self) -> str:
        """How the first layer takes its inputs."""
        return self._input_mode

    @property
    def input_size(self) -> int:
        """How many numbers an input has.

        Raises:
          ValueError: the layer has not been built.
        """
        if not self._input_size:
            raise ValueError("'input_size' is unknown since layer has not been built.")
        return self._input_size

    @property
    def rnn_mode(self) -> str:
        """ "lstm", "gru", "rnn_relu" or "rnn_tanh"."""
        return self._rnn_mode

    @property
    def direction(self) -> str:
        """ "unidirectional" or "bidirectional"."""
        return self._direction

    @property
    def num_dirs(self) -> int:
        """In how many directions it reads."""
        return 1 if self._direction == networks.CUDNN_RNN_UNIDIRECTION else 2

    @property
    def saveable(self) -> CudnnOpaqueParamsSaveable | None:
        """What writes the weights to checkpoints, in the form of cells."""
        return self._saveable

    @property
    def canonical_weight_shapes(self) -> list[tuple[int, int]]:
        """The shapes of all matrices.

        Raises:
          RuntimeError: the layer has not been built.
        """
        if not self._input_size:
            raise RuntimeError(f"{type(self).__name__}.canonical_weight_shapes invoked before input shape is known")
        return [shape for layer in range(self._num_layers) for shape in self._canonical_weight_shape(layer)]

    @property
    def canonical_bias_shapes(self) -> list[list[int]]:
        """The shapes of all biases."""
        return self._canonical_bias_shape(0) * self._num_layers

    def _canonical_weight_shape(self, layer: int) -> list[tuple[int, int]]:
        if layer < 0 or layer >= self._num_layers:
            raise ValueError(f"'layer' is not valid, got {layer}, expecting [0, {self._num_layers - 1}]")
        if not self._input_size:
            raise RuntimeError(f"{type(self).__name__}._canonical_weight_shape invoked before input shape is known")
        gates, units = networks.PARAMS_PER_LAYER[self._rnn_mode] // 2, self._num_units
        width = self.num_dirs * units if layer else self._input_size
        return ([(units, width)] * gates + [(units, units)] * gates) * self.num_dirs

    def _canonical_bias_shape(self, unused_layer: int) -> list[list[int]]:
        return [[self._num_units]] * self.num_dirs * networks.PARAMS_PER_LAYER[self._rnn_mode]

    def _update_trainable_weights(self, getter: Any, *args: Any, **kwargs: Any) -> Any:
        variable = getter(*args, **kwargs)
        weights = self._trainable_weights if kwargs.get("trainable", True) else self._non_trainable_weights
        if not any(v is variable for v in weights):
            weights.append(variable)
        return variable

    def build(self, input_shape: Any) -> None:
        """Make the variable for inputs of a shape.

        Raises:
          ValueError: the inputs have not three dimensions, or the last is not known.
        """
        if self.built:
            return
        shape = TensorShape(input_shape)
        if shape.ndims != 3:
            raise ValueError(f"Expecting input_shape with 3 dims, got {shape.ndims}")
        size = shape[-1].value
        if size is None:
            raise ValueError("The last dimension of the inputs to `CudnnRNN` should be defined. Found `None`.")
        self._input_size = size
        self.input_spec = InputSpec(ndim=3, axes={-1: size})
        self._set_scope(None)
        with variable_scope(self._scope, reuse=self.built, custom_getter=self._update_trainable_weights):
            kind = self._plain_dtype
            if self._kernel_initializer is None:
                self._kernel_initializer = glorot_uniform(seed=self._seed, dtype=kind)
            if self._bias_initializer is None:
                self._bias_initializer = constant_initializer(0.0, dtype=kind)
            weights = [self._kernel_initializer(s, dtype=kind) for s in self.canonical_weight_shapes]
            biases = [self._bias_initializer(s, dtype=kind) for s in self.canonical_bias_shapes]
            params = self._canonical_to_opaque(weights, biases)
            if get_variable_scope().partitioner is not None:
                log.warning("Partitioner is not supported for Cudnn RNN layer variables: a checkpoint may not load.")
            self.kernel = get_variable("opaque_kernel", dtype=kind, initializer=params, validate_shape=False)
        if get_variable_scope().reuse is not True:
            self._create_saveable()
        self.built = True

    def _canonical_to_opaque(self, cu_weights: Any, cu_biases: Any) -> Tensor:
        with device("/gpu:0"):
            return networks.cudnn_rnn_canonical_to_opaque_params(
                rnn_mode=self._rnn_mode, num_layers=self._num_layers, num_units=self._num_units,
                input_size=self.input_size, weights=cu_weights, biases=cu_biases, input_mode=self._input_mode,
                seed=self._seed, dropout=self._dropout, direction=self._direction,
            )  # fmt: skip

    def _create_saveable(self) -> None:
        if self._saveable is not None:
            raise RuntimeError("Cudnn saveable already created.")
        variable = self.trainable_variables[0]
        self._saveable = self._saveable_cls(
            opaque_params=variable, num_layers=self._num_layers, num_units=self._num_units, input_size=self.input_size,
            input_mode=self._input_mode, direction=self._direction, scope=get_variable_scope(),
            name=f"{variable.name.split(':')[0]}_saveable",
        )  # fmt: skip
        variable[0]  # TensorFlow asks an element where it is
        add_to_collection(GraphKeys.SAVEABLE_OBJECTS, self._saveable)

    def _gather_saveables_for_checkpoint(self) -> Any:
        raise NotImplementedError(
            "This cell does not yet support object-based saving. File a feature request if this limitation bothers you."
        )

    def call(
        self,
        inputs: Any,
        initial_state: Any = None,
        sequence_lengths: Any = None,
        time_major: bool = True,
        training: bool = True,
    ) -> Any:
        """The outputs of all steps, and a tuple of the last states.

        Args:
          initial_state: a tuple of ``[layers * directions, batch, units]``; zeros by default.
          sequence_lengths: how many steps each sequence has; zeros are put out behind.
          time_major: whether the time stands before the batch, and the layer before it in states.

        Raises:
          TypeError: the initial state is no tuple.
        """
        if initial_state is not None and not isinstance(initial_state, tuple):
            raise TypeError(f"Invalid initial_state type: {initial_state}, expecting tuple.")
        dtype, is_lstm = self.dtype, self._rnn_mode == networks.CUDNN_LSTM
        inputs = as_tensor(inputs, dtype=dtype)
        batch_size = arrays.shape(inputs)[1]
        if initial_state is None:
            initial_state = self._zero_state(batch_size)
        h, *rest = initial_state
        h = as_tensor(h, dtype=dtype)
        c = as_tensor(rest[0], dtype=dtype) if is_lstm else constants.constant([], dtype=dtype)
        outputs, h, c = networks._cudnn_rnn(
            inputs, h, c, self.kernel, training, self._rnn_mode, sequence_lengths=sequence_lengths,
            time_major=time_major, input_mode=self._input_mode, direction=self._direction, dropout=self._dropout,
            seed=self._seed,
        )  # fmt: skip
        return outputs, (h, c) if is_lstm else (h,)

    def state_shape(self, batch_size: Any) -> tuple[list[Any], ...]:
        """The shapes of the states, of which an LSTM has two."""
        shape = [self.num_layers * self.num_dirs, batch_size, self.num_units]
        return (shape, list(shape)) if self._rnn_mode == networks.CUDNN_LSTM else (shape,)

    def _zero_state(self, batch_size: Any) -> tuple[Tensor, ...]:
        return tuple(constants.zeros(shape, dtype=self.dtype) for shape in self.state_shape(batch_size))


class CudnnLSTM(_CudnnRNN):
    """Layers of LSTMs, without forget bias and peepholes; their states are ``(h, c)``."""

    _rnn_mode = networks.CUDNN_LSTM
    _saveable_cls = CudnnLSTMSaveable


class CudnnGRU(_CudnnRNN):
    """Layers of gated recurrent units whose reset comes behind the product; their states are ``(h,)``."""

    _rnn_mode = networks.CUDNN_GRU
    _saveable_cls = CudnnGRUSaveable


class CudnnRNNTanh(_CudnnRNN):
    """Layers of ``h' = tanh(...)``; their states are ``(h,)``."""

    _rnn_mode = networks.CUDNN_RNN_TANH
    _saveable_cls = CudnnRNNTanhSaveable


class CudnnRNNRelu(_CudnnRNN):
    """Layers of ``h' = relu(...)``; their states are ``(h,)``."""

    _rnn_mode = networks.CUDNN_RNN_RELU
    _saveable_cls = CudnnRNNReluSaveable
