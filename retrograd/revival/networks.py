"""Names that later networkxs removed, and sparse matrices, whose ``*`` is a product, in the place of sparse arrays."""

from __future__ import annotations

from retrograd.revival.putting import put, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_MATRICES = (
    "adjacency_matrix", "laplacian_matrix", "normalized_laplacian_matrix", "incidence_matrix", "modularity_matrix",
    "attr_sparse_matrix", "bethe_hessian_matrix",
)  # fmt: skip


def revive_networkx(networkx: Any) -> None:
    import pickle

    import numpy as np
    import scipy.sparse

    def matrix(first: Any) -> Any:
        def made(*args: Any, **kwargs: Any) -> Any:
            found = first(*args, **kwargs)
            return scipy.sparse.csr_matrix(found) if isinstance(found, scipy.sparse.sparray) else found

        return made

    def to_numpy_matrix(*args: Any, **kwargs: Any) -> Any:
        return np.asmatrix(networkx.to_numpy_array(*args, **kwargs))

    def to_scipy_sparse_matrix(*args: Any, **kwargs: Any) -> Any:
        found = networkx.to_scipy_sparse_array(*args, **kwargs)
        return getattr(scipy.sparse, f"{found.format}_matrix")(found)

    def subgraphs(components: Any) -> Any:
        def each(graph: Any, copy: bool = True) -> Iterator[Any]:
            for nodes in components(graph):
                yield graph.subgraph(nodes).copy() if copy else graph.subgraph(nodes)

        return each

    def read_gpickle(path: Any) -> Any:
        with open(path, "rb") as file:
            return pickle.load(file)

    def write_gpickle(graph: Any, path: Any, protocol: int = pickle.HIGHEST_PROTOCOL) -> None:
        with open(path, "wb") as file:
            pickle.dump(graph, file, protocol)

    put(
        networkx, to_numpy_matrix=to_numpy_matrix, from_numpy_matrix=networkx.from_numpy_array,
        to_scipy_sparse_matrix=to_scipy_sparse_matrix, from_scipy_sparse_matrix=networkx.from_scipy_sparse_array,
        connected_component_subgraphs=subgraphs(networkx.connected_components),
        weakly_connected_component_subgraphs=subgraphs(networkx.weakly_connected_components),
        strongly_connected_component_subgraphs=subgraphs(networkx.strongly_connected_components),
        read_gpickle=read_gpickle, write_gpickle=write_gpickle, info=str,
    )  # fmt: skip
    put(networkx.Graph, node=property(lambda self: self.nodes))
    for name in _MATRICES:
        if hasattr(networkx, name):
            replace(networkx, name, matrix)
