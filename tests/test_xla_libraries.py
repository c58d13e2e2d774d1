"""How wide XLA's vectors are, the order of its kernels, and which library multiplies the matrices of a computation."""

import numpy as np
import pytest

import retrograd.tf as tf
from retrograd.ops.jax_start import jax, jnp
from retrograd.run.libraries import compiler_options, libraries


def options(function, *shapes, dtype=np.float32):
    """What XLA would be told for ``function`` of arrays of these shapes."""
    arrays = [jax.ShapeDtypeStruct(shape, dtype) for shape in shapes]
    return libraries(jax.make_jaxpr(function)(*arrays).jaxpr)


def product(a, b):
    return a @ b


@pytest.mark.parametrize(
    ("left", "right", "is_taken"),
    [
        ((100, 784), (784, 256), True),
        ((8, 100, 784), (8, 784, 256), True),
        ((100, 128), (128, 256), False),  # short sums
        ((2048, 784), (784, 256), False),  # many rows
        ((1, 784), (784, 256), False),  # a vector
    ],
)
def test_long_sums_in_few_rows_are_for_ynn(monkeypatch, left, right, is_taken):
    monkeypatch.setattr("retrograd.run.libraries.HAS_AVX512", False)
    assert bool(options(product, left, right)) is is_taken


def test_every_product_is_for_ynn_where_vectors_are_wide(monkeypatch):
    monkeypatch.setattr("retrograd.run.libraries.HAS_AVX512", True)
    assert options(product, (2048, 128), (128, 256))
    assert not options(lambda a: a + 1, (2048, 128))


def test_only_float32_products_over_the_last_dimension_count():
    assert options(product, (100, 784), (784, 256), dtype=np.float16) == {}
    assert options(lambda a, b: a.T @ b, (784, 100), (784, 256)) == {}
    assert options(lambda a, b: jnp.einsum("ki,kj->ij", a.T, b), (100, 784), (784, 256))


def test_most_of_the_work_decides_and_a_loop_works_as_often_as_it_runs(monkeypatch):
    monkeypatch.setattr("retrograd.run.libraries.HAS_AVX512", False)
    shapes = (100, 784), (784, 256), (100, 128), (128, 128)
    assert options(lambda a, b, c, d: (a @ b, c @ d), *shapes)

    def many(a, b, c, d):
        return a @ b, jax.lax.scan(lambda x, _: (x @ d, None), c, None, length=20)[0]

    assert not options(many, *shapes)


@pytest.mark.parametrize(("batch", "is_taken"), [(1, True), (32, False)])
def test_small_convolutions_are_for_ynn(batch, is_taken):
    def convolved(x, w):
        return jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    chosen = options(convolved, (batch, 14, 14, 32), (5, 5, 32, 64))
    assert ("CONVOLUTION" in str(chosen)) is is_taken


def test_a_choice_of_the_user_stands(monkeypatch):
    monkeypatch.setattr("retrograd.ops.jax_start.LEAVES_PRODUCTS_TO_EIGEN", False)
    assert not options(product, (100, 784), (784, 256))


def test_both_libraries_give_the_same_numbers(monkeypatch):
    monkeypatch.setenv("RETROGRAD_JIT", "always")
    random = np.random.RandomState(0)
    given, weights = random.randn(100, 784).astype(np.float32), random.randn(784, 30).astype(np.float32)
    results, chosen = [], []
    for choose in (compiler_options, lambda jaxpr: None):

        def noted(jaxpr, choose=choose):
            chosen.append(choose(jaxpr))
            return chosen[-1]

        monkeypatch.setattr("retrograd.run.compiled.compiler_options", noted)
        with tf.Graph().as_default(), tf.Session() as session:
            x = tf.placeholder(tf.float32, [100, 784])
            y = tf.nn.tanh(tf.matmul(x, tf.Variable(weights)))
            session.run(tf.global_variables_initializer())
            results.append(session.run(y, {x: given}))
    assert any(chosen)
    np.testing.assert_allclose(results[0], results[1], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(("is_fast", "flags", "width"), [(True, "", "512"), (False, "", None), (True, "{}=256", None)])
def test_vectors_are_as_wide_as_is_fast(monkeypatch, is_fast, flags, width):
    name = "xla_cpu_prefer_vector_width"
    monkeypatch.setattr("retrograd.run.libraries._HAS_FAST_AVX512", is_fast)
    monkeypatch.setenv("XLA_FLAGS", flags.format(f"--{name}"))
    assert compiler_options(jax.make_jaxpr(jnp.tanh)(1.0).jaxpr).get(name) == width


@pytest.mark.parametrize(
    "function",
    [
        jnp.arctan,
        lambda x: jnp.arctan2(x, 1.0),
        lambda x: jnp.angle(1 + 1j * x),
        lambda x: jax.lax.cond(x[0] > 0, jnp.arctan, jnp.sin, x),
        lambda x: jax.lax.fori_loop(0, 2, lambda i, y: jnp.arctan(y), x),
    ],
)
def test_arctangents_are_right_though_vectors_may_be_wide(monkeypatch, function):
    monkeypatch.setattr("retrograd.run.libraries._HAS_FAST_AVX512", True)  # XLA's own for 512 bits is wrong
    monkeypatch.delenv("XLA_FLAGS", raising=False)
    x = np.linspace(0.1, 3.0, 64).astype(np.float32)
    options = compiler_options(jax.make_jaxpr(function)(x).jaxpr)
    found = jax.jit(function, compiler_options=options)(x)
    np.testing.assert_allclose(found, function(x), rtol=1e-5)


@pytest.mark.parametrize(("size", "is_small"), [(64, True), (256, False)])
def test_small_kernels_run_one_after_the_other(monkeypatch, size, is_small):
    monkeypatch.delenv("XLA_FLAGS", raising=False)
    jaxpr = jax.make_jaxpr(product)(*[jax.ShapeDtypeStruct((size, size), np.float32)] * 2).jaxpr
    order = compiler_options(jaxpr).get("xla_cpu_scheduler_type")
    assert order == ("CPU_SCHEDULER_TYPE_MEMORY_OPTIMIZED" if is_small else None)
    monkeypatch.setenv("XLA_FLAGS", "--xla_cpu_scheduler_type=CPU_SCHEDULER_TYPE_DEFAULT")
    assert "xla_cpu_scheduler_type" not in compiler_options(jaxpr)
