"""``Tensor``: a symbolic handle to one output of an ``Operation``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from retrograd.graph import shapes, stack
from retrograd.graph.composite import CompositeTensor
from retrograd.graph.dtypes import DType
from retrograd.graph.errors import OperatorNotAllowedInGraphError, taught
from retrograd.graph.modes import statements_become_ops
from retrograd.graph.shapes import RawShape, TensorShape

if TYPE_CHECKING:
    from retrograd.graph.graph import Graph
    from retrograd.graph.operation import Operation


class TensorLike:
    """Anything that a program uses as a tensor: ``Tensor``, ``IndexedSlices``, ``SparseTensor``, variables."""

    graph: Any
    dtype: Any

    def experimental_ref(self) -> Reference:
        """A key for sets and dicts that stands for this very object."""
        return Reference(self)


class Reference:
    """A hashable stand-in for an object, equal only to stand-ins for the same object."""

    def __init__(self, wrapped: Any) -> None:
        self._wrapped = wrapped

    def deref(self) -> Any:
        """The object."""
        return self._wrapped

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and self._wrapped is other._wrapped

    def __hash__(self) -> int:
        return id(self._wrapped)

    def __repr__(self) -> str:
        return f"<Reference wrapping {self._wrapped!r}>"


class Tensor(TensorLike):
    """A value that a session will compute: dtype, partially known shape, and the op that produces it.

    Operators (``+``, ``[]``, ...) are installed by the ops that they stand for.
    """

    dtype: DType
    __array_priority__ = 100  # NumPy arrays leave ``array + tensor`` to the tensor

    def __init__(self, op: Operation, value_index: int, dtype: DType) -> None:
        self.op = op
        self.value_index = value_index
        self.dtype = dtype
        self.dims: RawShape = None  # the shape as a plain tuple; None if the rank is unknown
        self.readers: list[Operation] = []
        self._known_shape: TensorShape | None = None

    @property
    def _op(self) -> Operation:
        return self.op

    @property
    def _value_index(self) -> int:
        return self.value_index

    @property
    def _id(self) -> int:
        return self.op.output_ids[self.value_index]

    @property
    def _dtype(self) -> DType:
        return self.dtype

    @property
    def graph(self) -> Graph:
        """The graph that holds this tensor."""
        return self.op.graph

    @property
    def name(self) -> str:
        """``op_name:output_index``."""
        return f"{self.op.name}:{self.value_index}"

    @property
    def device(self) -> str:
        return self.op.device

    @property
    def rank(self) -> int | None:
        return None if self.dims is None else len(self.dims)

    @property
    def shape(self) -> TensorShape:
        """What is known of the shape while building; the same object until more is known."""
        known = self._known_shape
        if known is None or known._raw is not self.dims:
            known = self._known_shape = TensorShape.of_raw(self.dims)
        return known

    @property
    def _shape(self) -> TensorShape:
        return self.shape

    def get_shape(self) -> TensorShape:
        """The same as ``shape``."""
        return self.shape

    def _shape_tuple(self) -> tuple[int | None, ...] | None:
        return self.dims

    def _shape_as_list(self) -> list[int | None] | None:
        return None if self.dims is None else list(self.dims)

    @property
    def _rank(self) -> Any:
        return lambda: self.rank

    def set_shape(self, shape: Any) -> None:
        """Merge what is known of the shape with ``shape``.

        Raises:
          ValueError: the two contradict each other.
        """
        self.dims = shapes.merge(self.dims, shapes.raw(shape))

    def consumers(self) -> list[Operation]:
        """The operations that read this tensor."""
        return list(self.readers)

    def eval(self, feed_dict: Any = None, session: Any = None) -> Any:
        """The value, computed by ``session`` or the default one.

        Raises:
          ValueError: there is no session, or it runs another graph.
        """
        return session_for(self.graph, session, "evaluate tensor", "eval()").run(self, feed_dict)

    def _as_node_def_input(self) -> str:
        return self.name if self.value_index else self.op.name

    def _as_tf_output(self) -> Tensor:
        return self

    def __repr__(self) -> str:
        return f"<tf.Tensor '{self.name}' shape={self.shape} dtype={self.dtype.name}>"

    def __str__(self) -> str:
        shape = "" if self.dims is None else f", shape={self.shape}"
        device = f", device={self.device}" if self.device else ""
        return f'Tensor("{self.name}"{shape}, dtype={self.dtype.name}{device})'

    __hash__ = object.__hash__  # a tensor is a handle: it equals itself alone
    __eq__ = object.__eq__

    if TYPE_CHECKING:  # what retrograd.ops.operators and retrograd.ops.slicing install

        def __add__(self, other: Any) -> Tensor: ...
        def __radd__(self, other: Any) -> Tensor: ...
        def __sub__(self, other: Any) -> Tensor: ...
        def __rsub__(self, other: Any) -> Tensor: ...
        def __mul__(self, other: Any) -> Tensor: ...
        def __rmul__(self, other: Any) -> Tensor: ...
        def __div__(self, other: Any) -> Tensor: ...
        def __rdiv__(self, other: Any) -> Tensor: ...
        def __truediv__(self, other: Any) -> Tensor: ...
        def __rtruediv__(self, other: Any) -> Tensor: ...
        def __floordiv__(self, other: Any) -> Tensor: ...
        def __rfloordiv__(self, other: Any) -> Tensor: ...
        def __mod__(self, other: Any) -> Tensor: ...
        def __rmod__(self, other: Any) -> Tensor: ...
        def __pow__(self, other: Any) -> Tensor: ...
        def __rpow__(self, other: Any) -> Tensor: ...
        def __matmul__(self, other: Any) -> Tensor: ...
        def __rmatmul__(self, other: Any) -> Tensor: ...
        def __and__(self, other: Any) -> Tensor: ...
        def __rand__(self, other: Any) -> Tensor: ...
        def __or__(self, other: Any) -> Tensor: ...
        def __ror__(self, other: Any) -> Tensor: ...
        def __xor__(self, other: Any) -> Tensor: ...
        def __rxor__(self, other: Any) -> Tensor: ...
        def __lt__(self, other: Any) -> Tensor: ...
        def __le__(self, other: Any) -> Tensor: ...
        def __gt__(self, other: Any) -> Tensor: ...
        def __ge__(self, other: Any) -> Tensor: ...
        def __neg__(self) -> Tensor: ...
        def __abs__(self) -> Tensor: ...
        def __invert__(self) -> Tensor: ...
        def __getitem__(self, index: Any) -> Tensor: ...

    def __copy__(self) -> Tensor:
        return self

    def __iter__(self) -> NoReturn:
        error = _not_allowed("iterating over `tf.Tensor`")
        error.add_note(f"  Fix:   tf.unstack({self.op.name}) gives a list where the first dimension is known")
        raise error

    def __bool__(self) -> NoReturn:
        error = _not_allowed("using a `tf.Tensor` as a Python `bool`")
        error.add_note(
            "  Why:   the graph is still being built; the tensor has no value yet\n"
            "  Fix:   if t is not None:  to test whether there is a tensor\n"
            "         tf.where(t, x, y)  to choose by its value"
        )
        raise error

    __nonzero__ = __bool__

    def __array__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise taught(
            NotImplementedError(f"Cannot convert a symbolic Tensor ({self.name}) to a numpy array."),
            why="the graph is still being built; the tensor has no value yet",
            fix="TensorFlow's function of that name, such as tf.sin(x) for np.sin(x); or sess.run(x) first",
        )

    def __len__(self) -> NoReturn:
        error = TypeError(
            f"len is not well defined for symbolic Tensors. ({self.name}) Please call `x.shape` rather than `len(x)` "
            "for shape information."
        )
        error.add_note(f"  Fix:   x.shape[0], or tf.shape(x)[0] where that is unknown; the shape is {self.shape}")
        raise error


def _not_allowed(deed: str) -> OperatorNotAllowedInGraphError:
    wanted = statements_become_ops.get()
    if wanted is None:
        return OperatorNotAllowedInGraphError(
            f"{deed} is not allowed in Graph execution. "
            "Use Eager execution or decorate this function with @tf.function."
        )
    why = "did not convert" if wanted else "is disabled in"
    return OperatorNotAllowedInGraphError(
        f"{deed} is not allowed: AutoGraph {why} this function. Try decorating it directly with @tf.function."
    )


def session_for(graph: Graph, session: Any, deed: str, call: str) -> Any:
    """The session that ``tensor.eval()`` or ``op.run()`` uses.

    Raises:
      ValueError: no session is given or default, or it runs another graph.
    """
    given = session is not None
    session = session if given else stack.default_session()
    if session is None:
        error = ValueError(
            f"Cannot {deed} using `{call}`: No default session is registered. Use "
            f"`with sess.as_default()` or pass an explicit session to `{call[:-1]}session=sess)`"
        )
        error.add_note("  Fix:   with tf.Session() as sess:  # around the call")
        raise error
    if session.graph is not graph:
        noun = "tensor's" if call == "eval()" else "operation's"
        if given:
            raise ValueError(
                f"Cannot use the given session to {deed}: the {noun} graph is different from the session's graph."
            )
        raise ValueError(
            f"Cannot use the default session to {deed}: the {noun} graph is different from the session's graph. "
            f"Pass an explicit session to `{call[:-1]}session=sess)`."
        )
    return session


def is_tensor(x: Any) -> bool:
    """Whether ``x`` is a tensor, a sparse tensor, slices or a variable."""
    return isinstance(x, TensorLike)


_DENSE: list[type] = []


def register_dense_tensor_like_type(tensor_type: type) -> None:
    """Let ``is_dense_tensor_like`` be true for values of this type, which has properties ``name`` and ``dtype``."""
    for name in ("name", "dtype"):
        if not isinstance(getattr(tensor_type, name, None), property):
            raise TypeError(f"Type {tensor_type.__name__} does not define a `{name}` property")
    _DENSE.append(tensor_type)


def is_dense_tensor_like(t: Any) -> bool:
    """Whether ``t`` is a tensor, a variable, or of a type that was registered as such."""
    return (isinstance(t, TensorLike) and not isinstance(t, CompositeTensor)) or isinstance(t, tuple(_DENSE))
