"""Names and arguments that later Matplotlibs removed."""

from __future__ import annotations

from retrograd.revival.putting import by_places, put, renamed, replace, undo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_GONE = ("savefig.frameon", "savefig.jpeg_quality", "text.latex.unicode", "text.latex.preview", "pgf.debug",
         "verbose.level", "verbose.fileo", "keymap.all_axes", "animation.avconv_path", "datapath")  # fmt: skip
_BY_PLACES = ("imshow", "scatter", "boxplot", "violinplot", "errorbar", "pie", "stem", "hexbin", "hist2d", "eventplot")


def revive_matplotlib(matplotlib: Any) -> None:
    """Preambles of LaTeX as lists of lines; settings that are no more say nothing; ``use(..., warn=False)``."""

    def joined(validate: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda value: validate("\n".join(value) if isinstance(value, list | tuple) else value)

    checks = matplotlib.RcParams.validate
    for name in ("pgf.preamble", "text.latex.preamble"):
        if name in checks:
            undo.append(lambda name=name, check=checks[name]: checks.update({name: check}))  # type: ignore[misc]
            checks[name] = joined(checks[name])

    def setting(first: Any) -> Any:
        def put_in(self: Any, name: str, value: Any) -> None:
            if name == "axes.color_cycle" and name not in checks:
                from cycler import cycler

                name, value = "axes.prop_cycle", cycler(color=value)
            if name in checks or name not in _GONE:
                first(self, name, value)

        return put_in

    def using(first: Any) -> Any:
        return lambda backend=None, warn=True, force=True, **kwargs: first(kwargs.get("arg", backend), force=force)

    replace(matplotlib.RcParams, "__setitem__", setting)
    replace(matplotlib, "use", using)


def revive_figure(figure: Any) -> None:
    """``figure.gca(projection="3d")``, which makes axes where there are none of that kind."""
    import functools

    first = figure.Figure.gca

    @functools.wraps(first)
    def gca(self: Any, **kwargs: Any) -> Any:
        there = first(self) if self.axes else None
        if kwargs and (there is None or kwargs.get("projection", there.name) != there.name):
            return self.add_subplot(**kwargs)
        return first(self)

    figure.Figure.gca = gca
    undo.append(lambda: setattr(figure.Figure, "gca", first))

    def saving(first: Any) -> Any:
        def save(self: Any, *args: Any, quality: int | None = None, **kwargs: Any) -> Any:
            if quality is not None:
                kwargs["pil_kwargs"] = {"quality": quality, **(kwargs.get("pil_kwargs") or {})}
            return first(self, *args, **kwargs)

        return save

    replace(figure.Figure, "savefig", saving)
    renamed(figure.Figure, "savefig", frameon=None, papertype=None, progressive=None, optimize=None)


def revive_cm(cm: Any) -> None:
    def get_cmap(name: Any = None, lut: int | None = None) -> Any:
        """The colour map of a name, in ``lut`` steps."""
        import matplotlib

        found = matplotlib.colormaps.get_cmap(name)
        return found if lut is None else found.resampled(lut)

    def register_cmap(name: str | None = None, cmap: Any = None, *, override_builtin: bool = False) -> None:
        import matplotlib

        matplotlib.colormaps.register(cmap, name=name, force=override_builtin)

    put(cm, get_cmap=get_cmap, register_cmap=register_cmap)


def revive_style(style: Any) -> None:
    """Seaborn's styles by the names that they had."""
    renamed = {name.replace("-v0_8", ""): kept for name, kept in style.library.items() if "-v0_8" in name}
    style.library.update({name: kept for name, kept in renamed.items() if name not in style.library})


def _functions(owner: Any) -> None:
    """Arguments of `Axes`' methods, and of pyplot's functions for them, by old names and in old places."""
    renamed(owner, "hist", "hist2d", normed="density")
    renamed(owner, "grid", b="visible")
    renamed(owner, "bar", left="x")
    renamed(owner, "barh", bottom="y")
    renamed(owner, "stem", use_line_collection=None)
    renamed(owner, "boxplot", labels="tick_labels")
    renamed(owner, "annotate", s="text")
    for name in _BY_PLACES:
        replace(owner, name, by_places)


def revive_axes(axes: Any) -> None:
    """``ax.hold(True)``, ``ax.set_axis_bgcolor``, ``ax.hist(x, normed=True)``, ``ax.lines.remove(line)``."""
    kind = axes.Axes
    _functions(kind)

    def hold(self: Any, b: bool | None = None) -> None:
        """Plots are added to those before; what to do otherwise is ``cla()``."""
        if b is False:
            import warnings

            warnings.warn("Matplotlib keeps what was drawn: clear the axes with ax.cla()", stacklevel=2)

    put(
        kind, hold=hold, ishold=lambda self: True, set_axis_bgcolor=kind.set_facecolor, set_axisbg=kind.set_facecolor,
        get_axis_bgcolor=kind.get_facecolor, get_axes=lambda self: self.axes,
    )  # fmt: skip
    if not hasattr(kind, "plot_date"):
        put(kind, plot_date=_plot_date)
    for name in ("contour", "contourf"):
        replace(kind, name, _of_numbers)
    for name in ("artists", "collections", "images", "lines", "patches", "tables", "texts"):
        replace(kind, name, _assigned)
    kinds = getattr(kind, "ArtistList", None)
    if kinds is not None:
        put(kinds, remove=lambda self, artist: artist.remove(), pop=_pop, clear=_clear, __delitem__=_delete)


def _plot_date(
    self: Any, x: Any, y: Any, fmt: str = "o", tz: Any = None, xdate: bool = True, ydate: bool = False, **kwargs: Any
) -> Any:
    if xdate:
        self.xaxis_date(tz)
    if ydate:
        self.yaxis_date(tz)
    return self.plot(x, y, fmt, **kwargs)


def _of_numbers(first: Any) -> Any:
    """Arrays of objects are read as numbers."""
    import numpy as np

    def read(value: Any) -> Any:
        return value.astype(float) if isinstance(value, np.ndarray) and value.dtype == object else value

    return lambda self, *args, **kwargs: first(self, *map(read, args), **kwargs)


def _pop(self: Any, index: int = -1) -> Any:
    artist = self[index]
    artist.remove()
    return artist


def _clear(self: Any) -> None:
    for artist in list(self):
        artist.remove()


def _delete(self: Any, index: Any) -> None:
    for artist in self[index] if isinstance(index, slice) else [self[index]]:
        artist.remove()


def _assigned(first: Any) -> Any:
    """``ax.lines = []``: those that are not in the list leave the axes."""
    if not isinstance(first, property) or first.fset is not None:
        return first

    def assign(self: Any, artists: Any) -> None:
        for artist in list(first.fget(self)):  # type: ignore[misc]
            if all(artist is not other for other in artists):
                artist.remove()

    return property(first.fget, assign, doc=first.__doc__)


def revive_pyplot(pyplot: Any) -> None:
    """Functions on the current axes: ``hold``, ``gca(projection=...)``, ``register_cmap``."""
    _functions(pyplot)
    put(
        pyplot, hold=lambda b=None: pyplot.gca().hold(b), ishold=lambda: True,
        plot_date=lambda *args, **kwargs: pyplot.gca().plot_date(*args, **kwargs),
        register_cmap=lambda *args, **kwargs: pyplot.cm.register_cmap(*args, **kwargs),
    )  # fmt: skip
    replace(pyplot, "gca", lambda first: lambda **kwargs: pyplot.gcf().gca(**kwargs) if kwargs else first())


def revive_canvas(bases: Any) -> None:
    """``canvas.set_window_title``, which is the manager's."""

    def set_window_title(self: Any, title: str) -> None:
        if self.manager is not None:
            self.manager.set_window_title(title)

    def get_window_title(self: Any) -> Any:
        return None if self.manager is None else self.manager.get_window_title()

    put(bases.FigureCanvasBase, set_window_title=set_window_title, get_window_title=get_window_title)


def revive_agg(backend: Any) -> None:
    """``canvas.tostring_rgb()``: the picture without its alpha."""

    def tostring_rgb(self: Any) -> bytes:
        import numpy as np

        return np.asarray(self.buffer_rgba())[..., :3].tobytes()

    put(backend.FigureCanvasAgg, tostring_rgb=tostring_rgb)


def revive_colors(colors: Any) -> None:
    put(colors, DivergingNorm=colors.TwoSlopeNorm)


def revive_contour(contour: Any) -> None:
    """``contours.collections``: one for all levels."""
    put(contour.ContourSet, collections=property(lambda self: [self]))


def revive_patches(patches: Any) -> None:
    """Angles and the like in their places: ``Ellipse((0, 0), 1, 2, 30)``."""
    for name in ("Rectangle", "Ellipse", "Arc", "RegularPolygon", "Polygon", "Wedge", "FancyBboxPatch", "Arrow"):
        replace(getattr(patches, name), "__init__", by_places)


def revive_mlab(mlab: Any) -> None:
    """Densities of normal distributions, and running means."""
    import numpy as np

    def normpdf(x: Any, mu: Any, sigma: Any) -> Any:
        """exp(-(x - mu)² / 2 sigma²) / sqrt(2 pi) sigma"""
        z = (np.asarray(x) - mu) / sigma
        return np.exp(-z * z / 2) / (np.sqrt(2 * np.pi) * sigma)

    def bivariate_normal(
        X: Any, Y: Any, sigmax: float = 1.0, sigmay: float = 1.0, mux: float = 0.0, muy: float = 0.0,
        sigmaxy: float = 0.0,
    ) -> Any:  # fmt: skip
        """The density of two normal variables whose covariance is ``sigmaxy``."""
        x, y, rho = (X - mux) / sigmax, (Y - muy) / sigmay, sigmaxy / (sigmax * sigmay)
        rest = 1 - rho**2
        return np.exp(-(x * x + y * y - 2 * rho * x * y) / (2 * rest)) / (2 * np.pi * sigmax * sigmay * np.sqrt(rest))

    def movavg(x: Any, n: int) -> Any:
        """Means of ``n`` neighbours."""
        return np.convolve(x, np.full(n, 1.0 / n), mode="valid")

    put(mlab, normpdf=normpdf, bivariate_normal=bivariate_normal, movavg=movavg)


def revive_grids(grids: Any) -> None:
    for name in ("Grid", "ImageGrid"):
        renamed(getattr(grids, name), "__init__", add_all=None)


def revive_axes3d(axes3d: Any) -> None:
    """``ax.w_xaxis``, which is ``ax.xaxis``."""
    for name in ("xaxis", "yaxis", "zaxis"):
        put(axes3d.Axes3D, **{f"w_{name}": property(lambda self, name=name: getattr(self, name))})  # type: ignore[misc]
