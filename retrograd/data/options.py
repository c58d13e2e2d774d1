"""``tf.data.Options``: how a dataset is executed."""

from __future__ import annotations

from typing import Any


class _Settings:
    """Settings by name; those that nobody has set are None."""

    _names: tuple[str, ...] = ()

    def __init__(self) -> None:
        for name in self._names:
            self.__dict__[name] = None

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"{type(self).__name__} has no option {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._names:
            raise AttributeError(f"Cannot set the property {name} on {type(self).__name__}.")
        self.__dict__[name] = value

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]

    def merged(self, other: _Settings) -> Any:
        """These, and where they are not set those of ``other``.

        Raises:
          ValueError: both are set, and differ.
        """
        result = type(self)()
        for name in self._names:
            mine, theirs = self.__dict__[name], other.__dict__[name]
            if isinstance(mine, _Settings) and isinstance(theirs, _Settings):
                result.__dict__[name] = mine.merged(theirs)
            elif mine is not None and theirs is not None and mine != theirs:
                raise ValueError(f"Cannot merge incompatible values ({mine} and {theirs}) of option: {name}")
            else:
                result.__dict__[name] = mine if theirs is None else theirs
        return result


class MapVectorizationOptions(_Settings):
    """How functions of elements become functions of batches."""

    _names = ("enabled", "use_choose_fastest")


class OptimizationOptions(_Settings):
    """Which rewritings of a pipeline are applied; what it gives stays the same."""

    _names = (
        "apply_default_optimizations", "autotune", "autotune_algorithm", "autotune_buffers", "autotune_cpu_budget",
        "filter_fusion", "filter_with_random_uniform_fusion", "hoist_random_uniform", "map_and_batch_fusion",
        "map_and_filter_fusion", "map_fusion", "map_parallelization", "map_vectorization", "noop_elimination",
        "parallel_batch", "shuffle_and_repeat_fusion",
    )  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self.map_vectorization = MapVectorizationOptions()


class ThreadingOptions(_Settings):
    """How many threads there are."""

    _names = ("max_intra_op_parallelism", "private_threadpool_size")


class StatsOptions(_Settings):
    """What is counted and timed."""

    _names = ("aggregator", "counter_prefix", "latency_all_edges", "prefix")


class DistributeOptions(_Settings):
    """How the work is divided among workers."""

    _names = ("auto_shard", "auto_shard_policy", "num_devices", "make_stateless")


class Options(_Settings):
    """Options of a dataset: ``dataset.with_options(options)``."""

    _names = (
        "experimental_deterministic", "experimental_distribute", "experimental_optimization", "experimental_slack",
        "experimental_stateful_whitelist", "experimental_stats", "experimental_threading",
    )  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self.experimental_distribute = DistributeOptions()
        self.experimental_optimization = OptimizationOptions()
        self.experimental_stats = StatsOptions()
        self.experimental_threading = ThreadingOptions()

    def merge(self, options: Options) -> Options:
        """These with those of ``options``.

        Raises:
          ValueError: an option is set in both, and not alike.
        """
        result: Options = self.merged(options)
        return result

    def optimizations(self) -> list[str]:
        """The rewritings, by name."""
        chosen = self.experimental_optimization
        defaults = chosen.apply_default_optimizations is not False
        names = [
            name
            for name in (
                "filter_fusion", "filter_with_random_uniform_fusion", "hoist_random_uniform", "map_and_filter_fusion",
                "map_fusion", "map_parallelization", "parallel_batch",
            )
            if getattr(chosen, name)
        ]  # fmt: skip
        for name in ("map_and_batch_fusion", "noop_elimination", "shuffle_and_repeat_fusion"):
            value = getattr(chosen, name)
            if value or (value is None and defaults):
                names.append(name)
        if chosen.map_vectorization.enabled:
            names.append("map_vectorization")
        if chosen.autotune_buffers and chosen.autotune is not False:
            names.append("inject_prefetch")
        if self.experimental_deterministic is False:
            names.append("make_sloppy")
        if self.experimental_slack:
            names.append("slack")
        if self.experimental_stats.latency_all_edges:
            names.append("latency_all_edges")
        return names

    _static_optimizations = optimizations  # as TensorFlow's own programs call it

    def settings(self) -> list[str]:
        """The settings of rewritings, ``rewriting:setting:value``."""
        chooses = self.experimental_optimization.map_vectorization.use_choose_fastest
        found = [f"map_vectorization:use_choose_fastest:{str(bool(chooses)).lower()}"]
        if self.experimental_slack:
            found.append(f"slack:slack_period:{self.experimental_distribute.num_devices or 1}")
        return found

    _static_optimization_configs = settings
