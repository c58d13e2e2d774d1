"""The ``retrograd`` command itself."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import retrograd
from retrograd import cli

pytestmark = pytest.mark.smoke


def test_help_fits_one_screen(capsys):
    for word in ("--help", "-h", "help"):
        assert cli.main([word]) == 0
    out, err = capsys.readouterr()
    assert (out, err) == (cli.HELP * 3, "")
    lines = cli.HELP.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 100
    assert all(f"retrograd {command} " in cli.HELP for command in cli.COMMANDS)


def test_no_command_shows_the_help(capsys):
    assert cli.main([]) == 2
    assert capsys.readouterr() == ("", cli.HELP)


def test_version(capsys):
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"retrograd {retrograd.__version__}\n"


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (["rnu", "a.py"], "no command 'rnu'. Did you mean this?  retrograd run"),
        (["--versoin"], "no command '--versoin'. Did you mean this?  retrograd --version"),
        (["a.py", "-x"], "no command 'a.py'. Did you mean this?  retrograd run a.py -x"),
        (["bake"], "no command 'bake'. To see what there is:  retrograd --help"),
        (["run"], "run needs a program: retrograd run SCRIPT.py [ARGS...]"),
        (["run", "-m"], "run -m needs the name of a module: retrograd run -m MODULE [ARGS...]"),
        (["run", "-x", "a.py"], "run has no option '-x'. Did you mean this?  retrograd run SCRIPT.py -x"),
    ],
)
def test_a_wrong_command_is_answered_with_the_right_one(capsys, args, error):
    assert cli.main(args) == 2
    assert capsys.readouterr() == ("", f"retrograd: {error}\n")


def test_the_package_and_its_command_load_nothing_heavy():
    program = "import retrograd, retrograd.cli, retrograd.runner, sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not {"numpy", "jax", "argparse", "inspect", "runpy", "retrograd.tf", "re"} & set(done.stdout.split())


def test_the_module_is_the_command():
    done = subprocess.run([sys.executable, "-m", "retrograd", "-V"], capture_output=True, text=True, check=True)
    assert done.stdout == f"retrograd {retrograd.__version__}\n"


def test_the_package_shows_what_it_has():
    assert {"install", "uninstall", "__version__"} <= set(dir(retrograd))
    with pytest.raises(AttributeError, match="module 'retrograd' has no attribute 'instal'"):
        retrograd.instal  # noqa: B018


def test_a_profile_tells_where_the_time_went(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(
        "import threading, time, tensorflow as tf\n"
        "x = tf.placeholder(tf.float32, [2], name='x')\n"
        "y = tf.tanh(x * 2.0, name='y')\n"
        "with tf.Session() as sess:\n"
        "    for _ in range(5): sess.run(y, {x: [1, 2]})\n"
        "    queue = tf.FIFOQueue(1, tf.float32)\n"
        "    threads = [threading.Thread(target=sess.run, args=(queue.dequeue(),)) for _ in range(4)]\n"
        "    for thread in threads: thread.start()\n"
        "    time.sleep(0.5)\n"
        "    for _ in threads: sess.run(queue.enqueue(1.0))\n"
        "    for thread in threads: thread.join()\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "retrograd", "run", "--profile", str(script)], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0
    first, columns, *rows = done.stderr.splitlines()
    assert re.match(r"retrograd: [\d.]+ s in all: [\d.]+ s outside of Session.run", first)
    assert float(re.search(r"([\d.]+) s in that of other threads", first).group(1)) > 1.5
    assert columns.split()[:6] == ["runs", "plan", "compile", "feed", "step", "fetch"]
    place = next(i for i, row in enumerate(rows) if row.strip() == f"y:0 (3 ops, {script}:3)")
    assert rows[place - 1].split()[0] == "5"
    assert rows[place - 1].endswith("interpreter")


def test_an_interrupted_doctor_says_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(args: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("retrograd.doctor.main", interrupted)
    assert cli.main(["doctor", "."]) == 130
    assert capsys.readouterr().err == ""
