"""Random streams against what TensorFlow 1.15.5 drew, number for number."""

from __future__ import annotations

import functools
import hashlib
import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from retrograd.ops import draws, large_draws, libm, philox, rejection
from retrograd.ops.draws import blocks_per_fill
from retrograd.ops.philox import advance, get_seed, philox_at, philox_blocks, seeded_stream

GOLDEN = json.loads((Path(__file__).parent / "golden" / "philox.json").read_text())
SEED = seeded_stream(87654321, 5)
HOST_ONLY = ("RandomShuffle", "RandomGamma", "RandomPoissonV2", "ParameterizedTruncatedNormal")


def array(recorded):
    values = np.array([float(v) if isinstance(v, str) else v for v in recorded["values"]], recorded["dtype"])
    return values.reshape(recorded["shape"])


def dtype_of(name):
    import ml_dtypes

    return np.dtype(ml_dtypes.bfloat16 if name == "bfloat16" else name)


def ids(record):
    inputs = record["inputs"]
    told = [*record["seeds"], *(v if isinstance(v, (int, str)) else v["dtype"] for v in inputs.values())]
    return "-".join(map(str, [record["op"], *told, inputs.get("shape", {}).get("values", "")]))


def drawn_by(op, xp, key, counter, shape, inputs):
    """What ``op`` yields and how many blocks a stateful run of it reserves."""
    n = math.prod(shape)
    match op.removeprefix("Stateless"):
        case "RandomUniform":
            return draws.uniform(xp, key, counter, shape, inputs["dtype"]), blocks_per_fill(n)
        case "RandomStandardNormal" | "RandomNormal":
            return draws.normal(xp, key, counter, shape, inputs["dtype"]), blocks_per_fill(n)
        case "TruncatedNormal":
            return draws.truncated_normal(xp, key, counter, shape, inputs["dtype"]), blocks_per_fill(n)
        case "RandomUniformInt":
            low, high = inputs["minval"], inputs["maxval"]
            return draws.uniform_int(xp, key, counter, shape, low.dtype, low, high), blocks_per_fill(n)
        case "Multinomial":
            logits, n_samples = inputs["logits"], inputs["num_samples"]
            values = draws.multinomial(xp, key, counter, logits, n_samples, inputs["output_dtype"])
            return values, draws.blocks_per_multinomial(len(logits), n_samples)
        case "RandomShuffle":
            value = inputs["value"]
            return value[draws.shuffled_rows(key, counter, len(value))], draws.blocks_per_shuffle(len(value))
        case "RandomGamma":
            values = rejection.gamma(key, counter, shape, inputs["alpha"])
            return values, blocks_per_fill(values.size)
        case "RandomPoissonV2":
            values = rejection.poisson(key, counter, shape, inputs["rate"], inputs["dtype"])
            return values, blocks_per_fill(values.size)
        case "ParameterizedTruncatedNormal":
            limits = [inputs[k] for k in ("means", "stdevs", "minvals", "maxvals")]
            values = rejection.parameterized_truncated_normal(key, counter, shape, *limits)
            return values, rejection.blocks_per_parameterized(shape, *limits)
    raise NotImplementedError(op)


def runs_of(record, xp=np):
    """Draw what the recorded runs drew, in the stream of one session."""
    inputs = {k: array(v) if isinstance(v, dict) else v for k, v in record["inputs"].items()}
    inputs |= {k: dtype_of(inputs[k]) for k in ("dtype", "output_dtype") if k in inputs}
    shape = tuple(inputs.pop("shape", np.zeros(0, int)).tolist())
    seed = inputs.pop("seed", None)
    key, counter = seeded_stream(*record["seeds"]) if seed is None else philox.stateless_stream(xp, seed)

    def run(key, counter):
        values, n_blocks = drawn_by(record["op"], xp, key, counter, shape, inputs)
        return values, advance(xp, counter, n_blocks)

    if xp is not np:
        import jax

        run = jax.jit(run)
    for _ in record["runs"]:
        values, counter = run(key, counter)
        yield np.asarray(values)


def assert_recorded(values, recorded):
    if values.dtype.name == "bfloat16":
        values = values.astype(np.float32)
    assert (values.dtype.name, list(values.shape)) == (recorded["dtype"], recorded["shape"])
    if "sha256" in recorded:
        head = array(recorded | {"shape": [len(recorded["values"])]})
        np.testing.assert_array_equal(values.ravel()[: head.size], head)
        assert hashlib.sha256(values.tobytes()).hexdigest() == recorded["sha256"]
    else:
        np.testing.assert_array_equal(values, array(recorded))


@pytest.mark.parametrize(
    "record",
    [
        pytest.param(r, id=ids(r), marks=[pytest.mark.smoke] if math.prod(r["runs"][0]["shape"]) < 1000 else [])
        for r in GOLDEN["streams"]
    ],
)
def test_a_stream_is_tensorflows(record):
    for values, recorded in zip(runs_of(record), record["runs"], strict=True):
        assert_recorded(values, recorded)


FOR_JAX = [
    r
    for r in GOLDEN["streams"]
    if r["op"] not in HOST_ONLY and r["inputs"].get("shape", {}).get("values") not in ([], [3, 7], [9])
]


@pytest.mark.parametrize("record", FOR_JAX, ids=ids)
def test_jax_draws_the_same(record):
    import jax
    import jax.numpy as jnp

    with jax.enable_x64(record["seeds"] == []):  # either way
        for values, recorded in zip(runs_of(record, jnp), record["runs"], strict=True):
            if "Normal" in record["op"] and recorded["dtype"] == "float64":  # log, sin and cos are XLA's
                recorded = {k: v for k, v in recorded.items() if k != "sha256"}
                expected = array(recorded | {"shape": [len(recorded["values"])]})
                np.testing.assert_allclose(values.ravel()[: expected.size], expected, rtol=1e-14)
            else:
                assert_recorded(values, recorded)


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("counter", "key", "block"),
    [
        ([0] * 4, [0] * 2, [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
        ([0xFFFFFFFF] * 4, [0xFFFFFFFF] * 2, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
        (
            [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344],
            [0xA4093822, 0x299F31D0],
            [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1],
        ),
    ],
)
@pytest.mark.parametrize("n_blocks", [1, 100])
def test_blocks_are_those_of_the_paper(counter, key, block, n_blocks):
    """The vectors published with Salmon et al.'s own code."""
    counter, key = np.array(counter, np.uint32), np.array(key, np.uint32)
    assert philox_blocks(np, key, counter, n_blocks)[0].tolist() == block


@pytest.mark.smoke
@pytest.mark.parametrize("start", [0, 2**32 - 2, 2**64 - 2, 2**96 - 2, 2**128 - 2])
def test_the_counter_carries_through_its_words(start):
    key, _ = SEED
    counter = np.array([start >> 32 * i & 0xFFFFFFFF for i in range(4)], np.uint32)
    many = philox_blocks(np, key, counter, 40000)
    for i in (0, 1, 2, 3, 16383, 16384, 39999):
        there = advance(np, counter, i)
        assert int.from_bytes(there.astype("<u4").tobytes(), "little") == (start + i) % 2**128
        np.testing.assert_array_equal(philox_blocks(np, key, there, 1)[0], many[i])
        np.testing.assert_array_equal(philox_at(np, key, counter, np.array([i], np.uint64))[0], many[i])


def test_advancing_by_more_than_64_bits_hold_is_repeated_advancing():
    _, counter = SEED
    far = functools.reduce(lambda c, _: advance(np, c, 2**62), range(4), counter)
    np.testing.assert_array_equal(far, counter + np.array([0, 0, 1, 0], np.uint32))


@pytest.mark.smoke
@pytest.mark.parametrize(("graph_seed", "op_seed", "last_id", "pair"), GOLDEN["get_seed"])
def test_a_seed_pair_is_tensorflows(graph_seed, op_seed, last_id, pair):
    assert get_seed(graph_seed, op_seed, last_id) == tuple(pair)


def test_float32_functions_are_the_c_librarys_at_every_argument():
    digests = {name: hashlib.sha256() for name in ("logf", "sinf", "cosf")}
    for words in np.arange(2**23, dtype=np.uint32).reshape(128, -1):
        u = draws.uniforms32(np, words)
        angle = (u.astype(np.float64) * (2 * math.pi)).astype(np.float32)
        log = libm.logf(np, np.maximum(u, np.float32(1e-7)))
        for name, values in zip(digests, (log, *libm.sincosf(np, angle)), strict=True):
            digests[name].update(values.tobytes())
    assert {name: d.hexdigest() for name, d in digests.items()} == GOLDEN["c_library"]


@pytest.mark.parametrize("draw", [draws.uniform, draws.normal, draws.truncated_normal])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_a_longer_draw_begins_with_the_shorter_one(draw, dtype):
    dtype = dtype_of(dtype)
    long = draw(np, *SEED, (70000,), dtype)
    for n in (0, 1, 2, 3, 4, 5, 66001):
        short = draw(np, *SEED, (n,), dtype)
        assert short.dtype == dtype
        np.testing.assert_array_equal(short, long[:n])


def test_nothing_is_drawn_for_empty_parameters():
    nothing = np.zeros((0, 2))
    assert rejection.gamma(*SEED, (3,), nothing).shape == (3, 0, 2)
    assert rejection.gamma(*SEED, (0,), np.ones(4)).shape == (0, 4)
    assert rejection.poisson(*SEED, (3,), nothing, np.int32).shape == (3, 0, 2)
    assert draws.multinomial(np, *SEED, np.zeros((0, 3)), 2, np.int64).shape == (0, 2)
    assert draws.multinomial(np, *SEED, np.zeros((2, 3)), 0, np.int64).shape == (2, 0)
    assert draws.shuffled_rows(*SEED, 0).tolist() == []


@pytest.mark.parametrize("n_rows", [1, 2, 3, 4, 7, 40, 1000, 16384, 16385, 16386, 40_000])
def test_rows_trade_places_one_after_the_other(n_rows):
    for seed in range(1 if n_rows > 1000 else 20):
        key, counter = philox.seeded_stream(seed, 7)
        words = philox.philox_blocks(np, key, counter, draws.blocks_per_shuffle(n_rows)).ravel().tolist()
        rows = list(range(n_rows))
        for i in range(n_rows - 1):
            j = i + words[i] % (n_rows - i)
            rows[i], rows[j] = rows[j], rows[i]
        assert draws.shuffled_rows(key, counter, n_rows).tolist() == rows


def test_parameters_without_a_distribution_yield_nan():
    np.testing.assert_array_equal(rejection.gamma(*SEED, (2,), np.array([-1.0, np.nan])), np.full((2, 2), np.nan))
    assert np.isnan(rejection.poisson(*SEED, (), np.array([np.nan, np.inf]), np.float64)).all()
    limits = [np.asarray(v) for v in (np.nan, 1.0, 3.0, 9.0)]
    assert np.isnan(rejection.parameterized_truncated_normal(*SEED, (2,), *limits)).all()


@pytest.mark.smoke
def test_importing_takes_numpy_alone():
    code = "import sys, retrograd.ops.rejection; print(sorted({'jax', 'scipy', 'ml_dtypes'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("count", [3, 3000])  # within what reads them, and in a computation of their own
def test_jax_makes_the_same_blocks_across_a_carry(count):
    import jax
    import jax.numpy as jnp

    key, _ = SEED
    counter = np.array([2**32 - 2, 2**32 - 1, 2**32 - 1, 7], np.uint32)
    made = jax.jit(lambda key, counter: philox_blocks(jnp, key, counter, count))(key, counter)
    np.testing.assert_array_equal(made, philox_blocks(np, key, counter, count))


def test_the_c_library_over_arrays_is_pythons_math(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.random.RandomState(0).rand(5000) * 6.3 + 1e-7
    functions = (math.log, math.sin, math.cos, math.erf, math.erfc, math.lgamma)
    found = [libm.each(f, x) for f in functions]
    monkeypatch.setattr(libm.machine_code, "each", lambda name: None)
    for f, y in zip(functions, found, strict=True):
        if f is math.lgamma:  # which Python computes by itself
            np.testing.assert_allclose(y, libm.each(f, x), rtol=1e-13, atol=1e-13)
        else:
            assert y.tobytes() == libm.each(f, x).tobytes()


@pytest.mark.parametrize("draw", [draws.uniform, draws.normal, draws.truncated_normal])
def test_many_numbers_by_xla_are_those_by_numpy(draw, monkeypatch):
    key, counter = seeded_stream(3, 5)
    given = key, counter, (large_draws.BLOCKS + 7, 5), np.float32
    by_numpy, calls = draw(np, *given), []
    monkeypatch.setattr(large_draws, "_begin", lambda: None)
    monkeypatch.setattr(large_draws, "_spent", 10.0)
    drawn = large_draws.drawn
    monkeypatch.setattr(large_draws, "drawn", lambda *given: calls.append(1) or drawn(*given))
    np.testing.assert_array_equal(draw(np, *given), by_numpy)
    assert calls


def test_xla_draws_once_numpy_has_taken_as_long_as_it_takes_to_begin(monkeypatch):
    monkeypatch.setattr(large_draws, "_begin", None)
    monkeypatch.setattr(large_draws, "_spent", 0.0)
    assert not any(large_draws.is_worth(1 << 24, 1e-7) for _ in range(9))  # where XLA is not to compute
    large_draws.allow(lambda: None)
    assert [large_draws.is_worth(1 << 20, 1e-7) for _ in range(9)] == [False] * 5 + [True] * 4
    assert not large_draws.is_worth(1 << 10, 1e-7)
