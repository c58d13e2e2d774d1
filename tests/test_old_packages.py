"""What programs of Python 3.7 ask of pandas and Matplotlib; pandas 0.25 to 1.1, Matplotlib 2.2 gave these answers."""

import io
import warnings

import numpy as np
import pytest

import retrograd
from retrograd import hook


@pytest.fixture(scope="module", autouse=True)
def installed():
    before = hook.installed()
    retrograd.install()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    if not before:
        retrograd.uninstall()


@pytest.fixture
def pd():
    return pytest.importorskip("pandas")


@pytest.fixture
def table(pd):
    return pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [4, 5, 6], "c": ["x", "y", "x"]})


@pytest.fixture
def plt():
    pytest.importorskip("matplotlib").use("Agg", warn=False)
    import matplotlib.pyplot as plt

    yield plt
    plt.close("all")


def test_texts_are_objects(table, pd):
    assert table.c.dtype == object
    assert table.select_dtypes(["object"]).columns.tolist() == ["c"]
    assert pd.get_dummies(table.c).values.dtype == np.uint8


def test_what_is_written_into_a_column_is_in_its_table(table):
    table["a"][table["b"] > 4] = 0
    table.b[0] = 9
    table["c"].replace("x", "z", inplace=True)
    table["a"].iloc[1] = 7
    assert table.a.tolist() == [1, 7, 0]
    assert table.b.tolist() == [9, 5, 6]
    assert table.c.tolist() == ["z", "y", "z"]


def test_a_column_that_the_table_has_no_more_writes_itself_alone(table):
    column, whole = table["a"], table.copy()
    table["a"] = ["p", "q", "r"]
    column[0] = 100.0
    assert table.a.tolist() == ["p", "q", "r"]
    assert column.tolist() == [100, 2, 3]
    assert whole.a.tolist() == [1, 2, 3]


def test_values_may_be_written_to(table, pd):
    numbers = pd.DataFrame(np.array([[1.0, 4], [2, 5], [3, 6]]), columns=["a", "b"])
    other = numbers.rename(columns={"a": "z"})
    numbers.values[0] = 0
    other.values[1, 1] = -1
    assert numbers.values.tolist() == [[0, 0], [2, 5], [3, 6]]
    assert other.values.tolist() == [[1, 4], [2, -1], [3, 6]]
    column = table["b"].values
    column -= 4
    assert column.tolist() == [0, 1, 2]


def test_arguments_stand_in_their_places(table, pd):
    assert table.drop("a", 1).columns.tolist() == ["b", "c"]
    assert table.sort_values("b", 0, False).b.tolist() == [6, 5, 4]
    assert pd.read_csv(io.StringIO("p;q\n1;2\n"), ";").q.tolist() == [2]
    assert pd.concat([table, table], 1).shape == (3, 6)
    assert table.pivot("a", "c", "b").fillna(0).values.tolist() == [[4, 0], [0, 5], [6, 0]]


def test_columns_that_are_no_numbers_are_left_out(table):
    assert table.mean().to_dict() == {"a": 2, "b": 5}
    assert table.groupby("c")["a", "b"].mean().values.tolist() == [[2, 5], [2, 5]]
    with pytest.raises(TypeError):
        table.mean(numeric_only=False)


def test_methods_that_pandas_had(table, pd):
    assert table.as_matrix(["a", "b"]).tolist() == [[1, 4], [2, 5], [3, 6]]
    assert table.append({"a": 0.0, "b": 1, "c": "w"}, ignore_index=True).a.tolist() == [1, 2, 3, 0]
    assert table.a.append(table.b).tolist() == [1, 2, 3, 4, 5, 6]
    assert [name for name, _ in table.iteritems()] == ["a", "b", "c"]
    assert table.ix[0:1, "a"].tolist() == [1, 2]
    named = table.set_index("c")
    assert named.ix[0:1, 0].tolist() == [1]
    assert named.ix["y", "b"] == 5
    assert named.a.mad() == pytest.approx(2 / 3)
    assert table.b[:, None].tolist() == [[4], [5], [6]]
    assert pd.Series([1, 2], ["p", "q"])[-1] == 2
    assert pd.Series([1.0, None]).fillna(method="ffill").tolist() == [1, 1]
    assert pd.value_counts(table.c).to_dict() == {"x": 2, "y": 1}
    assert pd.datetime(2010, 1, 4).year == pd.np.int64(2010)
    with pytest.raises(KeyError):
        pd.Series([1, 2], [5, 6])[0]


def test_tables_are_read_with_old_arguments(pd):
    text = "d,v\n2010-01-31,1\n2010-02-28,2\n"
    one = pd.read_csv(io.StringIO("v\n1\n2\n"), squeeze=True, error_bad_lines=False)
    assert isinstance(one, pd.Series)
    assert one.tolist() == [1, 2]
    parser = lambda text: pd.datetime.strptime(text, "%Y-%m-%d")  # noqa: E731
    read = pd.read_csv(io.StringIO(text), parse_dates=["d"], date_parser=parser, index_col="d")
    assert read.resample("M").sum().v.tolist() == [1, 2]
    parts = "n,year,month,v\n0,2010,1,5\n1,2010,12,6\n"
    read = pd.read_csv(
        io.StringIO(parts), parse_dates=[["year", "month"]], index_col=0,
        date_parser=lambda text: pd.datetime.strptime(text, "%Y %m"),
    )  # fmt: skip
    assert read.index.name == "year_month"
    assert read.index.month.tolist() == [1, 12]
    assert read.columns.tolist() == ["n", "v"]
    text = "day,hour,v\n01/02/2010,17:30:00,1\n"
    read = pd.read_csv(io.StringIO(text), parse_dates={"t": ["day", "hour"]}, infer_datetime_format=True)
    assert read.t[0].hour == 17
    assert read.columns.tolist() == ["t", "v"]
    assert pd.date_range("2010", periods=2, freq="12H")[1].hour == 12
    assert pd.read_csv(io.StringIO("1 2\n"), header=None, prefix="x", delim_whitespace=True).columns[1] == "x1"


def test_plots_take_old_arguments(plt):
    x = np.arange(10.0)
    assert plt.hist(x, 5, normed=True)[0].sum() == pytest.approx(1 / 1.8)
    plt.hold(True)
    plt.grid(b=True)
    plt.bar(left=[0, 1], height=[1, 2])
    plt.stem(x, use_line_collection=True)
    plt.annotate(s="here", xy=(0, 0))
    plt.imshow(np.eye(3), "gray", None, "equal", "nearest")
    assert plt.gca(projection="3d").w_xaxis is plt.gca().xaxis
    with pytest.raises(AttributeError):
        plt.hist(x, normd=True)


def test_lists_of_artists_change(plt):
    axes = plt.figure().add_subplot(111, axisbg="y")
    assert axes.get_axis_bgcolor() == axes.get_facecolor()
    first, second, third = (axes.plot([0, i])[0] for i in range(3))
    axes.lines.remove(second)
    assert list(axes.lines) == [first, third]
    assert axes.lines.pop(0) is first
    axes.lines = []
    assert not len(axes.lines)
    for level in axes.contour(np.outer(range(5), range(5)).astype(object)).collections:
        level.remove()


def test_old_names_of_matplotlib(plt):
    from matplotlib import mlab, patches

    assert mlab.normpdf(1.0, 0, 2) == pytest.approx(0.1760326)
    assert mlab.bivariate_normal(0.5, 1.0, 1, 2, 0, 0, 0.5) == pytest.approx(0.0672892, rel=1e-5)
    assert patches.Ellipse((0, 0), 1, 2, 30).angle == 30
    canvas = plt.figure(figsize=(1, 1), dpi=20).canvas
    canvas.draw()
    assert len(canvas.tostring_rgb()) == 20 * 20 * 3
    canvas.set_window_title("a window")
    plt.rcParams.update({"savefig.frameon": True})
    file = io.BytesIO()
    plt.savefig(file, format="jpg", quality=90, frameon=False)
    assert file.getvalue()


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")  # of np.matrix
def test_graphs_give_matrices(tmp_path):
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph([(0, 1), (1, 2), (3, 4)])
    ones = np.ones(5)
    assert (networkx.adjacency_matrix(graph) * ones).tolist() == [1, 2, 1, 1, 1]
    assert (networkx.to_scipy_sparse_matrix(graph) * ones).tolist() == [1, 2, 1, 1, 1]
    assert (networkx.to_numpy_matrix(graph) * np.ones((5, 1))).shape == (5, 1)
    assert networkx.from_numpy_matrix(np.eye(2)).number_of_edges() == 2
    assert [len(part) for part in networkx.connected_component_subgraphs(graph)] == [3, 2]
    graph.node[0]["colour"] = "red"
    networkx.write_gpickle(graph, tmp_path / "graph")
    assert networkx.read_gpickle(tmp_path / "graph").nodes[0] == {"colour": "red"}


def test_yaml_is_read_without_a_loader():
    yaml = pytest.importorskip("yaml")
    assert yaml.load("a: [1, 2]") == {"a": [1, 2]}
    with pytest.raises(yaml.YAMLError):
        yaml.load("!!python/object/apply:os.getcwd []")


def test_processors_are_described_by_the_old_keys_too():
    from types import ModuleType

    from retrograd.revival import packages

    cpuinfo = ModuleType("cpuinfo")
    cpuinfo.get_cpu_info = lambda: {"brand_raw": "A", "hz_advertised": (2_000_000_000, 0), "count": 2}
    packages.revive_cpuinfo(cpuinfo)
    info = cpuinfo.get_cpu_info()
    assert (info["brand"], info["brand_raw"], info["hz_advertised_raw"][0], info["count"]) == ("A", "A", 2e9, 2)
    assert "vendor_id" not in info
