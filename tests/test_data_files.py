"""``tf.resource_loader``: files beside the module that asks."""

import importlib.util

import pytest

from retrograd import tf


def test_paths_are_those_beside_the_file_that_asks(tmp_path):
    (tmp_path / "beside.py").write_text(
        "from retrograd import tf\n"
        "folder = tf.resource_loader.get_data_files_path()\n"
        "table = tf.resource_loader.get_path_to_datafile('data/table.csv')\n"
    )
    spec = importlib.util.spec_from_file_location("beside", tmp_path / "beside.py")
    beside = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(beside)
    assert beside.folder == str(tmp_path)
    assert beside.table == str(tmp_path / "data/table.csv")
    assert tf.resource_loader.readahead_file_path("x/y") == "x/y"


def test_tensorflows_own_files_are_not_there():
    with pytest.raises(AttributeError, match="load_resource"):
        tf.resource_loader.load_resource  # noqa: B018
