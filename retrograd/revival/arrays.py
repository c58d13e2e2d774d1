"""Names, leniency and printed text of NumPy 1."""

from __future__ import annotations

import sys

from retrograd.revival.promotion import revive_promotion
from retrograd.revival.putting import by_attribute, otherwise, put, put_on_type, undo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


def revive_numpy(np: Any) -> None:
    """NumPy 1's names, and its printed text: ``60.0`` for ``np.float32(60.0)``."""
    import math
    import warnings

    _print_as_numpy_1(np)
    # np.bool and np.long, which NumPy 2 has taken for its own types, stay with it
    put(np, bool=bool, complex=complex, float=float, int=int, long=int, object=object, str=str, unicode=str)
    put(np, NINF=-np.inf, NZERO=-0.0, PINF=np.inf, PZERO=0.0, math=math, sys=sys, warnings=warnings)
    put(np, **_functions_of_numpy_1(np))
    _revive_renamed_arguments(np)
    _revive_leniency(np)
    _revive_methods_of_arrays(np)
    if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
        revive_promotion(np)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some of these are on their way out too
        put(np, **_found(np, NUMPY_NOW))
        put(np.lib, **_found(np, {name: name for name in _IN_NUMPY_LIB}))


def _revive_methods_of_arrays(np: Any) -> None:
    """``array.tostring``, ``itemset``, ``newbyteorder`` and ``ptp``; ``float(array)`` of one element."""

    def itemset(self: Any, *args: Any) -> None:
        """Put the last argument where the indices before it say, or into an array of one element."""
        *index, value = args
        if len(index) == 1 and not isinstance(index[0], tuple):
            self.flat[index[0]] = value
        elif index:
            self[index[0] if len(index) == 1 else tuple(index)] = value
        elif self.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        else:
            self[(0,) * self.ndim] = value

    def newbyteorder(self: Any, new_order: str = "S", /) -> Any:
        """The same bytes, read in another order."""
        return self.view(self.dtype.newbyteorder(new_order))

    def ptp(self: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """The greatest element less the least, along ``axis``."""
        return np.ptp(self, axis, out, keepdims)

    def of_one_element(convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def converted(self: Any) -> Any:
            if self.ndim and self.size != 1:
                raise TypeError("only size-1 arrays can be converted to Python scalars")
            return convert(self.reshape(()) if self.ndim else self)

        return converted

    def truth(self: Any) -> bool:
        """Of one element; of nothing, False."""
        return bool(self.size) and true(self)

    array, true = np.ndarray, np.ndarray.__bool__
    put_on_type(array, tostring=array.tobytes, itemset=itemset, newbyteorder=newbyteorder, ptp=ptp)
    put_on_type(np.generic, tostring=np.generic.tobytes, newbyteorder=newbyteorder, ptp=ptp)
    if np.lib.NumpyVersion(np.__version__) >= "2.2.0":
        put_on_type(array, instead=True, __bool__=truth)
    if np.lib.NumpyVersion(np.__version__) >= "2.4.0":
        conversions = {name: of_one_element(vars(array)[name]) for name in ("__float__", "__int__", "__complex__")}
        put_on_type(array, instead=True, **conversions)


def _revive_renamed_arguments(np: Any) -> None:
    """``np.reshape(a, newshape=...)`` and ``np.percentile(a, q, interpolation=...)``, which have other names now."""
    import functools
    import inspect

    def taking(function: Callable[..., Any], before: str, now: str) -> Callable[..., Any]:
        @functools.wraps(function)
        def taken(*args: Any, **kwargs: Any) -> Any:
            if before in kwargs:
                kwargs[now] = kwargs.pop(before)
            return function(*args, **kwargs)

        return taken

    renamed = [("reshape", "newshape", "shape")]
    renamed += [(n, "interpolation", "method") for n in ("percentile", "quantile", "nanpercentile", "nanquantile")]
    for name, before, now in renamed:
        function = getattr(np, name)
        if before not in inspect.signature(function).parameters:
            setattr(np, name, taking(function, before, now))
            undo.append(lambda name=name, function=function: setattr(np, name, function))  # type: ignore[misc]


def _revive_leniency(np: Any) -> None:
    """What NumPy 1 took: rows of several lengths, generators for sequences, bytes for text, integers out of range."""

    def of_objects(values: Any) -> Any:
        """Lists of tensors of a graph as an array of tensors."""
        shape, inner = [], values
        while isinstance(inner, list | tuple):
            shape.append(len(inner))
            inner = inner[0] if inner else None
        made = np.empty(shape, np.object_)
        for index in np.ndindex(*shape):
            value = values
            for i in index:
                value = value[i]
            made[index] = value
        return made

    def of_one(value: Any) -> bool:
        """Is it a number, or an array that holds one?"""
        return not isinstance(value, list | tuple) and np.size(value) == 1

    def array(first: Any, error: str, object: Any, dtype: Any = None, **kwargs: Any) -> Callable[[], Any] | None:
        if "inhomogeneous" in error and not kwargs:
            made = first(object, dtype=np.object_)
            if dtype is None:
                return lambda: made
            return (lambda: made.astype(dtype)) if all(map(of_one, made.flat)) else None
        if "avoid copy" in error:
            return lambda: first(object, dtype, **{**kwargs, "copy": None})
        if "out of bounds" in error and not kwargs:
            return lambda: first(object).astype(dtype)
        if "a symbolic Tensor" in error and isinstance(object, list | tuple) and dtype is None:
            return lambda: of_objects(object)
        return None

    def fromstring(
        first: Any, error: str, string: Any, dtype: Any = float, count: int = -1, *, sep: str = "", **kwargs: Any
    ) -> Callable[[], Any] | None:
        if sep != "" or kwargs or "binary mode" not in error:
            return None
        data = string.encode("latin-1") if isinstance(string, str) else bytes(string)
        if count < 0 and len(data) % np.dtype(dtype).itemsize:
            raise ValueError("string size must be a multiple of element size")
        return lambda: np.frombuffer(data, dtype, count).copy() if data else np.empty(0, dtype)

    def of_list(first: Any, error: str, arrays: Any, *args: Any, **kwargs: Any) -> Callable[[], Any] | None:
        if "generator" in error or ("sequence" in error and not hasattr(arrays, "__getitem__")):
            return lambda: first(list(arrays), *args, **kwargs)
        if "a symbolic Tensor" in error and isinstance(arrays, list | tuple):
            return lambda: first(of_objects(arrays), *args, **kwargs)
        if "inhomogeneous" in error and isinstance(arrays, list | tuple):
            return lambda: first([np.array(rows, dtype=np.object_) for rows in arrays], *args, **kwargs)
        return None

    def of_rows(first: Any, error: str, rows: Any, *args: Any, **kwargs: Any) -> Callable[[], Any] | None:
        if "inhomogeneous" not in error or "dtype" in kwargs:
            return None
        return lambda: first(np.array(rows, dtype=np.object_), *args, **kwargs)

    def of_no_shape(first: Any, error: str, shape: Any, *args: Any, **kwargs: Any) -> Callable[[], Any] | None:
        return (lambda: first((), *args, **kwargs)) if shape is None and "not None as shape" in error else None

    def saved(first: Any, error: str, file: Any, arr: Any, *args: Any, **kwargs: Any) -> Callable[[], Any] | None:
        if "inhomogeneous" not in error:
            return None
        return lambda: first(file, np.array(arr, dtype=np.object_), *args, **kwargs)

    def asarray(
        first: Any, error: str, a: Any, dtype: Any = None, *args: Any, **kwargs: Any
    ) -> Callable[[], Any] | None:
        if "inhomogeneous" in error:
            return None if args else array(np.array, error, a, dtype, **kwargs)
        return of_list(first, error, a, dtype, *args, **kwargs)

    def total(first: Any, error: str, a: Any, *args: Any, **kwargs: Any) -> Callable[[], Any] | None:
        return (of_rows if "inhomogeneous" in error else of_list)(first, error, a, *args, **kwargs)

    otherwise(np, "array", array)
    otherwise(np, "asarray", asarray)
    otherwise(np, "save", saved)
    for name in ("ones", "zeros", "empty", "full"):
        otherwise(np, name, of_no_shape)
    for name in (
        "amax", "amin", "argmax", "argmin", "argsort", "array_split", "asanyarray", "copy", "expand_dims", "flip",
        "max", "mean", "min", "nan_to_num", "ndim", "ravel", "repeat", "reshape", "shape", "size", "split", "squeeze",
        "std", "swapaxes", "take", "tile", "transpose", "var",
    ):  # fmt: skip
        otherwise(np, name, of_rows)
    for name in ("ndim", "shape", "size"):
        by_attribute(np, name)
    otherwise(np.random, "permutation", of_rows)
    otherwise(np, "fromstring", fromstring)
    for name in ("sum", "prod"):
        otherwise(np, name, total)
    for name in ("concatenate", "vstack", "hstack", "dstack", "stack", "column_stack"):
        otherwise(np, name, of_list)


NUMPY_NOW = {
    "Inf": "inf", "Infinity": "inf", "NAN": "nan", "NaN": "nan", "infty": "inf",
    "bool8": "bool_", "bytes0": "bytes_", "int0": "intp", "object0": "object_", "str0": "str_",
    "string_": "bytes_", "uint0": "uintp", "unicode_": "str_", "void0": "void",
    "cfloat": "complex128", "clongfloat": "clongdouble", "complex_": "complex128", "float_": "float64",
    "longcomplex": "clongdouble", "longfloat": "longdouble", "singlecomplex": "complex64",
    "alltrue": "all", "cumproduct": "cumprod", "mat": "asmatrix", "product": "prod", "rank": "ndim",
    "round_": "round", "row_stack": "vstack", "sometrue": "any", "trapz": "trapezoid",
    "chararray": "char.chararray", "compare_chararrays": "char.compare_chararrays",
    "format_parser": "rec.format_parser", "typeDict": "sctypeDict",
    "AxisError": "exceptions.AxisError", "ComplexWarning": "exceptions.ComplexWarning",
    "ModuleDeprecationWarning": "exceptions.ModuleDeprecationWarning",
    "RankWarning": "exceptions.RankWarning", "TooHardError": "exceptions.TooHardError",
    "VisibleDeprecationWarning": "exceptions.VisibleDeprecationWarning",
}  # fmt: skip

_IN_NUMPY_LIB = (
    "append", "average", "broadcast_to", "copy", "diff", "flip", "fliplr", "flipud", "histogram", "insert",
    "interp", "kron", "load", "median", "meshgrid", "pad", "percentile", "rot90", "save", "savez", "split",
    "tile", "tril", "triu", "unique", "unravel_index", "vectorize",
)  # fmt: skip


def _found(np: Any, now: dict[str, str]) -> dict[str, Any]:
    """What the names stand for today, as far as this NumPy has it."""
    from operator import attrgetter

    found = {}
    for name, path in now.items():
        try:
            found[name] = attrgetter(path)(np)
        except AttributeError:
            continue
    return found


def _functions_of_numpy_1(np: Any) -> dict[str, Any]:
    """What NumPy 2 has no counterpart for."""

    def alen(a: Any) -> int:
        """The length of the first axis; 1 for a number."""
        return len(np.atleast_1d(a))

    def asfarray(a: Any, dtype: Any = np.float64) -> Any:
        """``a`` as an array of floats, of ``dtype`` unless that is of whole numbers."""
        return np.asarray(a, dtype if np.issubdtype(dtype, np.inexact) else np.float64)

    def asscalar(a: Any) -> Any:
        """The number in an array of size 1."""
        return a.item()

    class Cast(dict):  # type: ignore[type-arg]
        """``cast[dtype](x)`` is ``x`` as an array of ``dtype``."""

        def __missing__(self, dtype: Any) -> Callable[[Any], Any]:
            return lambda x: np.asarray(x).astype(dtype)

    def disp(mesg: Any, device: Any = None, linefeed: bool = True) -> None:
        """Print ``mesg`` to ``device``."""
        print(mesg, file=device, end="\n" if linefeed else "", flush=True)

    def find_common_type(array_types: Sequence[Any], scalar_types: Sequence[Any]) -> Any:
        """The dtype of arrays with scalars: scalars count where their kind is the higher one."""
        array = np.result_type(*array_types) if array_types else None
        scalar = np.result_type(*scalar_types) if scalar_types else None
        if array is None or scalar is None:
            return scalar if array is None else array
        kinds = "buifc"
        return np.promote_types(scalar, array) if kinds.find(scalar.kind) > kinds.find(array.kind) else array

    def in1d(ar1: Any, ar2: Any, assume_unique: bool = False, invert: bool = False) -> Any:
        """Which elements of the flattened ``ar1`` are in ``ar2``."""
        return np.isin(np.ravel(ar1), ar2, assume_unique=assume_unique, invert=invert)

    def issctype(rep: Any) -> bool:
        """Does ``rep`` stand for a type of scalars?"""
        return isinstance(rep, (type, np.dtype)) and obj2sctype(rep) not in (None, np.object_)

    def issubclass_(arg1: Any, arg2: Any) -> bool:
        """``issubclass``, and False for what is no class."""
        return isinstance(arg1, type) and issubclass(arg1, arg2)

    def issubsctype(arg1: Any, arg2: Any) -> bool:
        """Is the scalar type of ``arg1`` one of ``arg2``'s?"""
        return issubclass(obj2sctype(arg1), obj2sctype(arg2))

    def maximum_sctype(t: Any) -> Any:
        """The widest type of the same kind."""
        kind = np.dtype(t).kind
        names = {"i": "int", "u": "uint", "f": "float", "c": "complex"}
        return sctypes[names[kind]][-1] if kind in names else obj2sctype(t)

    def msort(a: Any) -> Any:
        """A copy sorted along the first axis."""
        return np.sort(a, axis=0)

    def obj2sctype(rep: Any, default: Any = None) -> Any:
        """The scalar type of an array, a dtype or what names one."""
        if isinstance(rep, type) and issubclass(rep, np.generic):
            return rep
        try:
            return rep.dtype.type if isinstance(rep, np.ndarray) else np.dtype(rep).type
        except TypeError:
            return default

    def sctype2char(sctype: Any) -> str:
        """The character that stands for a type."""
        return str(np.dtype(sctype).char)

    def source(object: Any, output: Any = None) -> None:
        """Print the source of a function, class or module."""
        import inspect

        text = f"In file: {inspect.getsourcefile(object)}\n\n{inspect.getsource(object)}"
        print(text, file=output)

    sctypes = {
        "int": [np.int8, np.int16, np.int32, np.int64],
        "uint": [np.uint8, np.uint16, np.uint32, np.uint64],
        "float": [np.float16, np.float32, np.float64, np.longdouble],
        "complex": [np.complex64, np.complex128, np.clongdouble],
        "others": [bool, object, bytes, str, np.void],
    }
    nbytes = {t: np.dtype(t).itemsize for group in sctypes.values() for t in group}
    values = {"cast": Cast(), "nbytes": nbytes, "sctypes": sctypes}
    functions = (
        alen, asfarray, asscalar, disp, find_common_type, in1d, issctype, issubclass_, issubsctype,
        maximum_sctype, msort, obj2sctype, sctype2char, source,
    )  # fmt: skip
    return values | {f.__name__: f for f in functions}


def _print_as_numpy_1(np: Any) -> None:
    """Set NumPy's legacy print mode, which prints what 1.18 printed, in this thread and in those to come."""
    before = np.get_printoptions()["legacy"]
    np.set_printoptions(legacy="1.21")
    undo.append(lambda: np.set_printoptions(legacy=before))
    try:
        from numpy._core.printoptions import format_options
    except ImportError:  # a NumPy whose options hold for all threads
        return
    from contextvars import Context

    of_new_threads: Any = Context().run(format_options.get)
    default = of_new_threads["legacy"]
    of_new_threads["legacy"] = format_options.get()["legacy"]
    undo.append(lambda: of_new_threads.update(legacy=default))
