"""Names and manners that later pandas removed: its first versions', as Python 3.7 has them."""

from __future__ import annotations

import sys

from retrograd.revival.putting import by_places, put, renamed, replace, undo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_REDUCTIONS = ("mean", "median", "std", "var", "sem", "skew", "kurt", "corr", "cov", "quantile", "min", "max", "prod")
_OFFSETS = {"M": "ME", "Q": "QE", "A": "YE", "Y": "YE", "BM": "BME", "H": "h", "BH": "bh", "T": "min", "S": "s",
            "L": "ms", "U": "us", "N": "ns"}  # fmt: skip


def revive_pandas(pandas: Any) -> None:
    """Texts are objects; arguments may stand in their places; what is written into a column is in its table."""
    if int(pandas.__version__.split(".")[0]) >= 3:
        _infer_texts(pandas, False)
        undo.append(lambda: _infer_texts(pandas, True))
    frame, series = pandas.DataFrame, pandas.Series
    for owner in (frame, series):
        replace(owner, "values", _writable)
        for name in [name for name in dir(owner) if not name.startswith("_")]:
            method = vars(owner).get(name, getattr(owner, name, None))
            if callable(method) and not isinstance(method, type):
                replace(owner, name, by_places)
    for name in ("concat", "to_datetime", "cut", "date_range", "pivot_table", "merge"):
        replace(pandas, name, by_places)
    _read(pandas)
    _old_names(pandas)
    _old_methods(pandas)
    _reductions(frame, pandas.core.groupby.DataFrameGroupBy)
    _columns_that_write(pandas)
    replace(series, "__getitem__", _by_position)


def _infer_texts(pandas: Any, infer: bool) -> None:
    """Whether columns of texts get a dtype of their own: an option that pandas 3 calls deprecated."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pandas.options.future.infer_string = infer


def _own(depth: int) -> bool:
    """Whether the program's own line calls, ``depth`` frames above."""
    name = sys._getframe(depth + 1).f_code.co_filename
    return "site-packages" not in name and not name.startswith("<")


def _read(pandas: Any) -> None:
    def taking(first: Any) -> Any:
        first = by_places(first)

        def read(*args: Any, **kwargs: Any) -> Any:
            squeeze, prefix = kwargs.pop("squeeze", False), kwargs.pop("prefix", None)
            bad, warned = kwargs.pop("error_bad_lines", True), kwargs.pop("warn_bad_lines", True)
            parser = kwargs.pop("date_parser", None)
            for name in ("infer_datetime_format", "mangle_dupe_cols", "tupleize_cols", "verbose", "keep_date_col"):
                kwargs.pop(name, None)
            if not bad:
                kwargs.setdefault("on_bad_lines", "warn" if warned else "skip")
            if kwargs.pop("delim_whitespace", False):
                kwargs["sep"] = r"\s+"
            dates, index = kwargs.get("parse_dates"), kwargs.get("index_col")
            joined = isinstance(dates, dict) or (isinstance(dates, list) and any(isinstance(d, list) for d in dates))
            if parser is None and not joined:
                read = first(*args, **kwargs)
            else:
                read = first(*args, **{**kwargs, "parse_dates": False, "index_col": None})
                read = _dated(pandas, read, index if dates is True else dates, parser)
                if index is not None and index is not False:
                    columns = index if isinstance(index, list) else [index]
                    read = read.set_index([c if isinstance(c, str) else read.columns[c] for c in columns])
            if prefix is not None:
                read.columns = [f"{prefix}{i}" for i in range(read.shape[1])]
            return read.iloc[:, 0] if squeeze and read.shape[1] == 1 else read

        return read

    for name in ("read_csv", "read_table"):
        replace(pandas, name, taking)
    renamed(pandas, "to_datetime", infer_datetime_format=None)
    for owner in (pandas.DataFrame, pandas.Series):
        renamed(owner, "to_csv", line_terminator="lineterminator")


def _dated(pandas: Any, table: Any, dates: Any, parser: Any) -> Any:
    """``table`` with the columns ``dates`` read as such: one by one, or several that make one, which comes first."""

    def named(column: Any) -> Any:
        return column if isinstance(column, str) else table.columns[column]

    whole = [dates] if isinstance(dates, int | str) else dates
    parts = list(whole.items()) if isinstance(whole, dict) else [(None, part) for part in whole or []]
    made, gone = {}, []
    for name, part in parts:
        columns = [named(column) for column in (part if isinstance(part, list | tuple) else [part])]
        texts = table[columns[0]].astype(str)
        for column in columns[1:]:
            texts = texts + " " + table[column].astype(str)
        moments = pandas.to_datetime([parser(text) for text in texts] if parser is not None else texts)
        if name is None and not isinstance(part, list | tuple):
            table[columns[0]] = moments
        else:
            made[name or "_".join(columns)] = moments
            gone += columns
    table = table.drop(columns=gone)
    for name, moments in reversed(made.items()):
        table.insert(0, name, moments)
    return table


def _old_names(pandas: Any) -> None:
    import datetime

    import numpy as np

    def get_dummies(first: Any) -> Any:
        def made(*args: Any, **kwargs: Any) -> Any:
            if len(args) < 8 and kwargs.get("dtype") is None:
                kwargs["dtype"] = np.uint8
            return first(*args, **kwargs)

        return made

    def concat(first: Any) -> Any:
        def joined(*args: Any, join_axes: Any = None, **kwargs: Any) -> Any:
            whole = first(*args, **kwargs)
            if join_axes is None:
                return whole
            return whole.reindex(join_axes[0], axis=0 if kwargs.get("axis", 0) in (1, "columns") else 1)

        return joined

    def dated(first: Any) -> Any:
        def ranged(*args: Any, **kwargs: Any) -> Any:
            if "freq" in kwargs:
                kwargs["freq"] = _offset(kwargs["freq"])
            return first(*args, **kwargs)

        return ranged

    def resampled(first: Any) -> Any:
        return lambda self, rule, *args, **kwargs: first(self, _offset(rule), *args, **kwargs)

    put(
        pandas, np=np, datetime=datetime.datetime, Int64Index=pandas.Index, Float64Index=pandas.Index,
        value_counts=lambda values, *args, **kwargs: pandas.Series(values).value_counts(*args, **kwargs),
        scatter_matrix=lambda *args, **kwargs: pandas.plotting.scatter_matrix(*args, **kwargs),
    )  # fmt: skip
    replace(pandas, "get_dummies", get_dummies)
    replace(pandas, "concat", concat)
    replace(pandas, "date_range", dated)
    for owner in (pandas.DataFrame, pandas.Series):
        replace(owner, "resample", resampled)
        replace(owner, "asfreq", resampled)


def _offset(text: Any) -> Any:
    """A step in time by the name that it has now: ``"2H"`` is ``"2h"``."""
    import re

    found = re.fullmatch(r"(-?\d*)([A-Z]+)(-[A-Z]+)?", text) if isinstance(text, str) else None
    if found is None or found[2] not in _OFFSETS:
        return text
    return found[1] + _OFFSETS[found[2]] + (found[3] or "")


def _old_methods(pandas: Any) -> None:
    import numpy as np

    frame, series = pandas.DataFrame, pandas.Series

    def append(
        self: Any, other: Any, ignore_index: bool = False, verify_integrity: bool = False, sort: bool = False
    ) -> Any:
        if isinstance(other, dict):
            other = series(other)
        if self.ndim == 2 and isinstance(other, series):
            other = other.to_frame().T.infer_objects()
        others = list(other) if isinstance(other, list | tuple) else [other]
        kwargs = {"ignore_index": ignore_index, "verify_integrity": verify_integrity}
        return pandas.concat([self, *others], **kwargs, **({"sort": sort} if self.ndim == 2 else {}))

    def as_matrix(self: Any, columns: Any = None) -> Any:
        return (self if columns is None else self[columns]).values

    def lookup(self: Any, row_labels: Any, col_labels: Any) -> Any:
        return np.array([self.at[row, column] for row, column in zip(row_labels, col_labels, strict=True)])

    def set_value(self: Any, index: Any, column: Any, value: Any, takeable: bool = False) -> Any:
        (self.iat if takeable else self.at)[index, column] = value
        return self

    def get_value(self: Any, index: Any, column: Any, takeable: bool = False) -> Any:
        return (self.iat if takeable else self.at)[index, column]

    def mad(self: Any, axis: Any = 0, skipna: bool = True, level: Any = None) -> Any:
        """Mean distance from the mean."""
        if self.ndim == 1:
            return (self - self.mean()).abs().mean(skipna=skipna)
        return self.sub(self.mean(axis=axis), axis=1 - axis).abs().mean(axis=axis, skipna=skipna)

    def fillna(first: Any) -> Any:
        def filled(self: Any, value: Any = None, method: Any = None, **kwargs: Any) -> Any:
            if method is None:
                return first(self, value, **kwargs)
            return (self.ffill if method in ("ffill", "pad") else self.bfill)(**kwargs)

        return filled

    def pivot(first: Any) -> Any:
        def turned(self: Any, *args: Any, **kwargs: Any) -> Any:
            return first(self, **dict(zip(("index", "columns", "values"), args, strict=False)), **kwargs)

        return turned

    put(
        frame, as_matrix=as_matrix, iteritems=frame.items, append=append, lookup=lookup, set_value=set_value,
        get_value=get_value, mad=mad, ix=property(_Ix), applymap=frame.map, get_values=lambda self: self.values,
        reindex_axis=lambda self, labels, axis=0, **kwargs: self.reindex(labels, axis=axis, **kwargs),
    )  # fmt: skip
    put(
        series, as_matrix=lambda self: self.values, iteritems=series.items, append=append, mad=mad, ix=property(_Ix),
        nonzero=lambda self: self.to_numpy().nonzero(), ravel=lambda self, order="C": self.to_numpy().ravel(order),
        get_values=lambda self: self.values,
    )  # fmt: skip
    week = property(lambda self: self.isocalendar().week.astype("int64"))
    put(pandas.core.indexes.accessors.DatetimeProperties, weekofyear=week, week=week)
    for owner in (frame, series):
        replace(owner, "fillna", fillna)
    replace(frame, "pivot", pivot)


class _Ix:
    """``table.ix[rows, columns]``: by labels, and by places where numbers are no labels."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def _way(self, key: Any) -> tuple[Any, Any]:
        table, parts = self._table, key if isinstance(key, tuple) else (key,)
        if not any(_places(axis, part) for axis, part in zip(table.axes, parts, strict=False)):
            return table.loc, key
        places = [
            part if _places(table.axes[i], part) else _placed(table.axes[i], part) for i, part in enumerate(parts)
        ]
        return table.iloc, tuple(places)

    def __getitem__(self, key: Any) -> Any:
        way, key = self._way(key)
        return way[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        way, key = self._way(key)
        way[key] = value


def _places(labels: Any, part: Any) -> bool:
    """Whether ``part`` names places of an axis, whose ``labels`` are no numbers then."""
    import numpy as np

    ends = [part.start, part.stop] if isinstance(part, slice) else np.ravel(part).tolist()
    whole = [end for end in ends if end is not None]
    return labels.dtype.kind not in "iu" and bool(whole) and all(type(end) is int for end in whole)


def _placed(labels: Any, part: Any) -> Any:
    """The places of the labels ``part``."""
    import numpy as np

    if isinstance(part, slice):
        return labels.slice_indexer(part.start, part.stop, part.step)
    if np.ndim(part) == 0:
        return labels.get_loc(part)
    return np.asarray(part) if np.asarray(part).dtype == bool else labels.get_indexer_for(part)


def _reductions(frame: Any, groups: Any) -> None:
    """``table.mean()`` leaves out what is no number; ``groups["a", "b"]`` are two columns."""

    def of_numbers(first: Any) -> Any:
        def reduced(self: Any, *args: Any, **kwargs: Any) -> Any:
            try:
                return first(self, *args, **kwargs)
            except (TypeError, ValueError):
                if "numeric_only" in kwargs:
                    raise
                return first(self, *args, numeric_only=True, **kwargs)

        return reduced

    for owner in (frame, groups):
        for name in _REDUCTIONS:
            if hasattr(owner, name):
                replace(owner, name, of_numbers)

    def columns(first: Any) -> Any:
        return lambda self, key: first(self, list(key) if isinstance(key, tuple) and len(key) > 1 else key)

    replace(groups, "__getitem__", columns)


def _writable(first: Any) -> Any:
    """``table.values`` may be written to, which changes the table where one array holds all of it."""
    import numpy as np

    def values(self: Any) -> Any:
        array = first.fget(self)
        if not isinstance(array, np.ndarray) or array.flags.writeable or not _own(1):
            return array
        blocks = self._mgr.blocks
        if len(blocks) == 1 and blocks[0].refs.has_reference():
            self._mgr = self._mgr.copy(deep=True)
            array = first.fget(self)
        try:
            array.flags.writeable = True
        except ValueError:
            return array.copy()
        return array

    return property(values, doc=first.__doc__)


def _columns_that_write(pandas: Any) -> None:
    """``table["a"][rows] = 0`` changes the table: a column writes itself back while it is still the table's."""
    import weakref

    import numpy as np

    def taken(first: Any) -> Any:
        def get(self: Any, key: Any) -> Any:
            column = first(self, key)
            if type(column) is pandas.Series and self.columns.is_unique:
                object.__setattr__(column, "_taken_from", (weakref.ref(self), key))
            return column

        return get

    def written(first: Any, column_of: Any) -> Any:
        def write(self: Any, *args: Any) -> Any:
            column = column_of(self)
            table, name = getattr(column, "_taken_from", (None, None))
            table = table and table()
            ours = table is not None and name in table.columns and _shares(first_get(table, name), column)
            done = first(self, *args)
            if ours and table is not None:
                table[name] = column
            return done

        return write

    def _shares(one: Any, other: Any) -> bool:
        one, other = one._values, other._values
        return isinstance(one, np.ndarray) and isinstance(other, np.ndarray) and np.shares_memory(one, other)

    first_get = pandas.DataFrame.__getitem__
    replace(pandas.DataFrame, "__getitem__", taken)
    replace(pandas.Series, "__setitem__", lambda first: written(first, lambda self: self))
    replace(pandas.Series, "_update_inplace", lambda first: written(first, lambda self: self))
    locations = pandas.core.indexing._LocationIndexer
    replace(locations, "__setitem__", lambda first: written(first, lambda self: self.obj))


def _by_position(first: Any) -> Any:
    """``column[0]`` and ``column[-1]`` by place where numbers are no labels, and ``column[:, None]``."""
    import numpy as np

    def get(self: Any, key: Any) -> Any:
        if isinstance(key, tuple) and any(part is None for part in key):
            return np.asarray(self)[key]
        try:
            return first(self, key)
        except KeyError:
            if not isinstance(key, int | np.integer) or self.index.dtype.kind not in "OUSTM" or not _own(1):
                raise
            return self.iloc[key]

    return get
