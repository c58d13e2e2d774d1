"""Mixtures of distributions: of several, or of the members of one batch."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.shapes import TensorShape, dimension_value
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.nn.distributions.arguments import gen_new_seed
from retrograd.nn.distributions.discrete import Categorical
from retrograd.nn.distributions.distribution import NOT_REPARAMETERIZED, Distribution
from retrograd.nn.distributions.vectors import pick_vector
from retrograd.ops import (
    arithmetic,
    arrays,
    checks,
    comparison,
    constants,
    indexing,
    joining,
    matrices,
    powers,
    reductions,
    repeating,
    shape_checks,
    softmax,
    stitching,
    sums,
)


def mixture_stddev(mixture_weight_vector: Any, mean_vector: Any, stddev_vector: Any) -> Tensor:
    """``sqrt(sum(w * (sigma^2 + mu^2)) - sum(w * mu)^2)`` over the last of two axes."""
    mixture_weight_vector.shape.assert_has_rank(2)
    for name, vector in (("means", mean_vector), ("stddevs", stddev_vector)):
        if not vector.shape.is_compatible_with(mixture_weight_vector.shape):
            raise ValueError(f"Expecting {name} to have same shape as mixture weights.")
    weights = arrays.expand_dims(mixture_weight_vector, axis=1)
    means, deviations = arrays.expand_dims(mean_vector, axis=2), arrays.expand_dims(stddev_vector, axis=2)

    def weighted(x: Tensor) -> Tensor:
        return arrays.reshape(matrices.matmul(weights, x), (-1,))

    mean = weighted(means)
    variance = weighted(powers.square(deviations))
    square = weighted(powers.square(means))
    return powers.sqrt(variance + square - powers.square(mean))


def pad_mixture_dimensions(x: Any, mixture_distribution: Any, categorical_distribution: Any, event_ndims: int) -> Any:
    """``x`` [..., k] with axes of size 1 for a batch that the choice lacks, and behind k for each axis of an event."""
    with name_scope("pad_mix_dims", values=[x]):

        def rank(distribution: Any) -> Any:
            if distribution.batch_shape.ndims is not None:
                return distribution.batch_shape.ndims
            return arrays.shape(distribution.batch_shape_tensor())[0]

        whole, choice = rank(mixture_distribution), rank(categorical_distribution)
        missing = comparison.where_v2(categorical_distribution.is_scalar_batch(), whole, whole - choice)
        shape = arrays.shape(x)
        sizes = [
            shape[:-1],
            constants.ones([missing], dtype=dtypes.int32),
            shape[-1:],
            constants.ones([event_ndims], dtype=dtypes.int32),
        ]
        return arrays.reshape(x, shape=joining.concat(sizes, axis=0))


def _mask(indices: Any, depth: Any, dtype: Any) -> Tensor:
    kind = dtype.as_numpy_dtype
    return indexing.one_hot(
        indices=indices, depth=depth, on_value=np.ones([], dtype=kind), off_value=np.zeros([], dtype=kind)
    )


class Mixture(Distribution):
    """``p(x) = sum(cat.probs[i] * components[i].prob(x))``.

    Raises:
      TypeError: ``cat`` is not ``Categorical``, or the components are no distributions of one dtype.
      ValueError: their number is unknown or another than ``cat`` has classes, or their events' rank is unknown.
    """

    def __init__(
        self,
        cat: Any,
        components: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        use_static_graph: bool = False,
        name: str = "Mixture",
    ) -> None:
        parameters = dict(locals())
        event_shape, batch_shape = _shared_shapes(cat, components)
        with name_scope(name, values=[cat.logits]) as name:
            classes = constant_value(cat.event_size)
            if classes is None:
                raise ValueError(
                    "Could not infer number of classes from cat and unable to compare this value to the number of "
                    "components passed in."
                )
            if int(classes) != len(components):
                raise ValueError(f"cat.num_classes != len(components): {int(classes)} vs. {len(components)}")
            cat_shape = cat.batch_shape_tensor()
            cat_rank = arrays.size(cat_shape)
            self._assertions = _same_batches(cat_shape, cat_rank, components) if validate_args else []
            self._cat, self._components, self._num_components = cat, list(components), int(classes)
            self._static_event_shape, self._static_batch_shape = event_shape, batch_shape
            self._event_rank: int = event_shape.rank
            self._use_static_graph = use_static_graph
        parents = cat._graph_parents
        for component in self._components:
            parents += component._graph_parents
        super().__init__(
            components[0].dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, parents, name
        )

    @property
    def cat(self) -> Any:
        """The distribution of the choice."""
        return self._cat

    @property
    def components(self) -> list[Any]:
        return self._components

    @property
    def num_components(self) -> int:
        return self._num_components

    def _batch_shape_tensor(self) -> Tensor:
        return self._cat.batch_shape_tensor()

    def _batch_shape(self) -> TensorShape:
        return self._static_batch_shape

    def _event_shape_tensor(self) -> Tensor:
        return self._components[0].event_shape_tensor()

    def _event_shape(self) -> TensorShape:
        return self._static_event_shape

    def _shares(self, of_log: bool) -> list[Tensor]:
        """The probability of each component, or its logarithm."""
        probs = (softmax.log_softmax if of_log else softmax.softmax)(self.cat.logits)
        return joining.unstack(probs, num=self.num_components, axis=-1)

    def _event_shares(self) -> list[Tensor]:
        shares = []
        for share in self._shares(False):
            for _ in range(self._event_rank):
                share = arrays.expand_dims(share, -1)
            shares.append(share)
        return shares

    def _mean(self) -> Tensor:
        with control_dependencies(self._assertions):
            means = [d.mean() for d in self.components]
            return sums.add_n([share * m for share, m in zip(self._event_shares(), means, strict=True)])

    def _stddev(self) -> Tensor:
        with control_dependencies(self._assertions):
            mean_list = [d.mean() for d in self.components]
            deviation_list = [d.stddev() for d in self.components]
            shares = self._shares(False)
            means, deviations = joining.stack(mean_list, axis=-1), joining.stack(deviation_list, axis=-1)
            for _ in range(self._event_rank):
                shares = [arrays.expand_dims(share, -1) for share in shares]
            weights = joining.stack(shares, axis=-1) * constants.ones_like(means)
            rows = [arrays.reshape(x, [-1, len(self.components)]) for x in (weights, means, deviations)]
            return arrays.reshape(mixture_stddev(*rows), arrays.shape(weights)[:-1])

    def _log_prob(self, x: Any) -> Tensor:
        with control_dependencies(self._assertions):
            x = as_tensor(x, name="x")
            return self._log_mean([d.log_prob(x) for d in self.components])

    def _log_cdf(self, x: Any) -> Tensor:
        with control_dependencies(self._assertions):
            x = as_tensor(x, name="x")
            return self._log_mean([d.log_cdf(x) for d in self.components])

    def _log_mean(self, logs: list[Tensor]) -> Tensor:
        """``log(sum(share * exp(log)))`` over the components."""
        terms = [share + log for share, log in zip(self._shares(True), logs, strict=True)]
        return reductions.reduce_logsumexp(joining.stack(terms, axis=0), [0])

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        if self._use_static_graph:
            return self._masked_samples(n, seed)
        with control_dependencies(self._assertions):
            return self._chosen_samples(n, seed)

    def _masked_samples(self, n: Any, seed: int | None) -> Tensor:
        """Draws of every component, all but the chosen one times 0."""
        chosen, samples = self.cat.sample(n, seed=seed), []
        for component in self.components:
            seed = gen_new_seed(seed, "mixture")
            samples.append(component.sample(n, seed=seed))
        rank = self._event_rank
        x = joining.stack(samples, -rank - 1)
        mask = pad_mixture_dimensions(_mask(chosen, self._num_components, x.dtype), self, self._cat, rank)
        return reductions.reduce_sum(x * mask, axis=-1 - rank)

    def _chosen_samples(self, n: Any, seed: int | None) -> Tensor:
        """As many draws of each component as were chosen of it."""
        n = as_tensor(n, name="n")
        known = constant_value(n)
        n = n if known is None else int(known)
        chosen = self.cat.sample(n, seed=seed)
        shape: Any
        if chosen.shape.is_fully_defined():
            shape, size = chosen.shape.as_list(), chosen.shape.num_elements()
        else:
            shape, size = arrays.shape(chosen), arrays.size(chosen)
        batch: Any
        if self.batch_shape.is_fully_defined():
            batch = self.batch_shape.num_elements()
        else:
            batch = reductions.reduce_prod(self.batch_shape_tensor())
        event: Any
        if self.event_shape.is_fully_defined():
            event = np.array(self.event_shape.as_list(), dtype=np.int32)
        else:
            event = self.event_shape_tensor()
        numbers = arrays.reshape(constants.range_(0, size), shape)
        places = stitching.dynamic_partition(numbers, chosen, self.num_components)
        numbers = arrays.reshape(repeating.tile(constants.range_(0, batch), [n]), shape)
        rows = stitching.dynamic_partition(numbers, chosen, self.num_components)
        samples = []
        for i, component in enumerate(self.components):
            count = arrays.size(places[i])
            seed = gen_new_seed(seed, "mixture")
            x = component.sample(count, seed=seed)
            wanted = batch * constants.range_(count) + rows[i]
            x = arrays.reshape(x, joining.concat([[count * batch], event], 0))
            samples.append(indexing.gather(x, wanted, name="samples_class_c_gather"))
        flat = stitching.dynamic_stitch(places, samples)
        result = arrays.reshape(flat, joining.concat([shape, self.event_shape_tensor()], 0))
        result.set_shape(TensorShape(chosen.shape).concatenate(self.event_shape))
        return result

    def entropy_lower_bound(self, name: str = "entropy_lower_bound") -> Tensor:
        """``sum(cat.probs[i] * components[i].entropy())``, which the entropy is not below."""
        with self._name_scope(name, values=[self.cat.logits]), control_dependencies(self._assertions):
            entropies = [d.entropy() for d in self.components]
            return sums.add_n([share * h for share, h in zip(self._shares(False), entropies, strict=True)])


def _shared_shapes(cat: Any, components: Any) -> tuple[Any, Any]:
    """What is known of the events' shape and the batches', of parts that fit together."""
    if not isinstance(cat, Categorical):
        raise TypeError(f"cat must be a Categorical distribution, but saw: {cat}")
    if not components:
        raise ValueError("components must be a non-empty list or tuple")
    if not isinstance(components, list | tuple):
        raise TypeError(f"components must be a list or tuple, but saw: {components}")
    if not all(isinstance(c, Distribution) for c in components):
        raise TypeError(f"all entries in components must be Distribution instances but saw: {components}")
    if any(d.dtype != components[0].dtype for d in components):
        found = [(d.name, d.dtype) for d in components]
        raise TypeError(f"All components must have the same dtype, but saw dtypes: {found}")
    event_shape, batch_shape = components[0].event_shape, cat.batch_shape
    for d in components:
        event_shape, batch_shape = event_shape.merge_with(d.event_shape), batch_shape.merge_with(d.batch_shape)
    if event_shape.ndims is None:
        raise ValueError(
            "Expected to know rank(event_shape) from components, but none of the components provide a static number "
            "of ndims"
        )
    return event_shape, batch_shape


def _same_batches(cat_shape: Any, cat_rank: Any, components: Any) -> list[Any]:
    shapes = [d.batch_shape_tensor() for d in components]
    ranks = [arrays.size(shape) for shape in shapes]
    message = "components[%d] batch shape must match cat batch shape"
    found = [checks.assert_equal(cat_rank, rank, message=message % i) for i, rank in enumerate(ranks)]
    return found + [checks.assert_equal(cat_shape, shape, message=message % i) for i, shape in enumerate(shapes)]


class MixtureSameFamily(Distribution):
    """``p(x) = sum(mixture.probs[i] * p_i(x))`` over the last axis of the components' batch."""

    def __init__(
        self,
        mixture_distribution: Any,
        components_distribution: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MixtureSameFamily",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name) as name:
            self._mixture_distribution, self._components_distribution = mixture_distribution, components_distribution
            shape = components_distribution.event_shape_tensor()
            rank = dimension_value(shape.shape[0])
            self._event_ndims = arrays.shape(shape)[0] if rank is None else rank
            if not mixture_distribution.dtype.is_integer:
                raise ValueError(
                    f"`mixture_distribution.dtype` ({mixture_distribution.dtype.name}) is not over integers"
                )
            self._runtime_assertions = self._scalar_choice(validate_args) + self._same_batches(validate_args)
            self._num_components = self._count(validate_args)
            super().__init__(
                components_distribution.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
                mixture_distribution._graph_parents + components_distribution._graph_parents, name,
            )  # fmt: skip

    def _scalar_choice(self, validate_args: bool) -> list[Any]:
        choice, message = self._mixture_distribution, "`mixture_distribution` must have scalar `event_dim`s"
        if choice.event_shape.ndims is None:
            return [shape_checks.assert_rank(choice.event_shape_tensor(), 0, message=message)] if validate_args else []
        if choice.event_shape.ndims != 0:
            raise ValueError(message)
        return []

    def _same_batches(self, validate_args: bool) -> list[Any]:
        choice, components = self._mixture_distribution, self._components_distribution
        mine, theirs = choice.batch_shape, components.batch_shape.with_rank_at_least(1)[:-1]
        if mine.is_fully_defined() and theirs.is_fully_defined():
            if mine.ndims != 0 and mine != theirs:
                raise ValueError(
                    f"`mixture_distribution.batch_shape` (`{mine.as_list()}`) is not compatible with "
                    f"`components_distribution.batch_shape` (`{theirs.as_list()}`)"
                )
        elif validate_args:
            mine, theirs = choice.batch_shape_tensor(), components.batch_shape_tensor()[:-1]
            message = "`mixture_distribution.batch_shape` is not compatible with `components_distribution.batch_shape`"
            picked = pick_vector(choice.is_scalar_batch(), theirs, mine)
            return [checks.assert_equal(picked, theirs, message=message)]
        return []

    def _count(self, validate_args: bool) -> Any:
        choice, components = self._mixture_distribution, self._components_distribution
        mine = dimension_value(choice.logits.shape.with_rank_at_least(1)[-1])
        theirs = dimension_value(components.batch_shape.with_rank_at_least(1)[-1])
        if mine is not None and theirs is not None and mine != theirs:
            raise ValueError(
                f"`mixture_distribution components` ({mine}) does not equal "
                f"`components_distribution.batch_shape[-1]` ({theirs})"
            )
        if mine is not None and not validate_args:
            return mine
        count = arrays.shape(choice.logits)[-1]
        if validate_args:
            message = "`mixture_distribution components` does not equal `components_distribution.batch_shape[-1:]`"
            of_batch = components.batch_shape_tensor()[-1]
            self._runtime_assertions += [checks.assert_equal(count, of_batch, message=message)]
        return count

    @property
    def mixture_distribution(self) -> Any:
        return self._mixture_distribution

    @property
    def components_distribution(self) -> Any:
        return self._components_distribution

    def _batch_shape_tensor(self) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            return self.components_distribution.batch_shape_tensor()[:-1]

    def _batch_shape(self) -> TensorShape:
        return self.components_distribution.batch_shape.with_rank_at_least(1)[:-1]

    def _event_shape_tensor(self) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            return self.components_distribution.event_shape_tensor()

    def _event_shape(self) -> TensorShape:
        return self.components_distribution.event_shape

    def _padded(self, x: Any) -> Any:
        return pad_mixture_dimensions(x, self, self.mixture_distribution, self._event_shape().ndims or 0)

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        """Draws of every component, all but the chosen one times 0; as in TensorFlow the seed is not used."""
        with control_dependencies(self._runtime_assertions):
            x = self.components_distribution.sample(n)
            mask = self._padded(_mask(self.mixture_distribution.sample(n), self._num_components, x.dtype))
            return reductions.reduce_sum(x * mask, axis=-1 - self._event_ndims)

    def _log_prob(self, x: Any) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            log_prob = self.components_distribution.log_prob(self._with_component_axis(x))
            log_share = softmax.log_softmax(self.mixture_distribution.logits, axis=-1)
            return reductions.reduce_logsumexp(log_prob + log_share, axis=-1)

    def _log_cdf(self, x: Any) -> Tensor:
        log_cdf = self.components_distribution.log_cdf(self._with_component_axis(x))
        log_share = softmax.log_softmax(self.mixture_distribution.logits, axis=-1)
        return reductions.reduce_logsumexp(log_cdf + log_share, axis=-1)

    def _mean(self) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            probs = self._padded(self.mixture_distribution.probs)
            return reductions.reduce_sum(probs * self.components_distribution.mean(), axis=-1 - self._event_ndims)

    def _variance(self) -> Tensor:
        """The mean of the variances and the variance of the means."""
        with control_dependencies(self._runtime_assertions):
            probs, axis = self._padded(self.mixture_distribution.probs), -1 - self._event_ndims
            within = reductions.reduce_sum(probs * self.components_distribution.variance(), axis=axis)
            means = self.components_distribution.mean()
            between = arithmetic.squared_difference(means, self._with_component_axis(self._mean()))
            return within + reductions.reduce_sum(probs * between, axis=axis)

    def _covariance(self) -> Tensor:
        if self.event_shape.ndims != 1:
            raise NotImplementedError("covariance is not implemented")
        with control_dependencies(self._runtime_assertions):
            probs = self._padded(self._padded(self.mixture_distribution.probs))
            within = reductions.reduce_sum(probs * self.components_distribution.covariance(), axis=-3)
            z = self.components_distribution.mean() - self._with_component_axis(self._mean())
            return within + reductions.reduce_sum(probs * (z[..., None, :] * z[..., None]), axis=-3)

    def _with_component_axis(self, x: Any) -> Tensor:
        with name_scope("pad_sample_dims", values=[x]):
            rank = x.shape.ndims if x.shape.ndims is not None else arrays.rank(x)
            shape = arrays.shape(x)
            before = rank - self._event_ndims
            return arrays.reshape(x, joining.concat([shape[:before], [1], shape[before:]], axis=0))
