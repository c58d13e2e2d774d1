"""``retrograd run``: the program is ``__main__``, and its exit status and tracebacks are its own."""

import os
import pickle
import subprocess
import sys
import textwrap
import venv

import pytest


@pytest.fixture
def run(tmp_path):
    """Write a program and run it with ``retrograd run``: (exit status, output, errors)."""

    def run(program, *args, name="program.py", options=(), **environment):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(textwrap.dedent(program))
        command = [sys.executable, *options, "-m", "retrograd", "run", name, *args]
        return finished(command, tmp_path, environment)

    return run


def finished(command, folder, environment):
    keep = {k: v for k, v in os.environ.items() if not k.startswith(("RETROGRAD_", "PYTHONWARN"))}
    done = subprocess.run(
        command, cwd=folder, env=keep | environment, capture_output=True, text=True, timeout=60, check=False
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.smoke
def test_the_program_sees_what_python_shows_it(run, tmp_path):
    program = """
        import sys, os, inspect
        class Net: "a class"
        print(__name__, __file__, __spec__, __package__, __builtins__.__name__)
        print(sys.argv, sys.path[0], sys.modules["__main__"].Net is Net)
        print(inspect.getsource(Net).strip())
        """
    rc, out, err = run(program, "one", "--two", name="sub/program.py")
    by_python = finished([sys.executable, "sub/program.py", "one", "--two"], tmp_path, {})
    assert (rc, out, err) == by_python
    assert out.startswith(f"__main__ {tmp_path}/sub/program.py None None builtins\n['sub/program.py', 'one', '--two']")


def test_threads_of_products_do_not_spin(run, monkeypatch):
    program = "import os, sys; print(os.environ['OPENBLAS_THREAD_TIMEOUT'], 'numpy' in sys.modules)"
    monkeypatch.delenv("OPENBLAS_THREAD_TIMEOUT", raising=False)
    assert run(program) == (0, "14 False\n", "")  # known before NumPy loads its library
    assert run(program, OPENBLAS_THREAD_TIMEOUT="20") == (0, "20 False\n", "")


def test_modules_beside_the_program_are_found(run, tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "beside.py").write_text("x = 3")
    assert run("import beside; print(beside.x)", name="sub/program.py") == (0, "3\n", "")


def test_classes_of_the_program_pickle(run, tmp_path):
    program = """
        import pickle
        class Net:
            size = 3
        with open("net.pickle", "wb") as file:
            pickle.dump(Net(), file)
        with open("net.pickle", "rb") as file:
            print(pickle.load(file).size)
        """
    assert run(program) == (0, "3\n", "")
    assert b"__main__" in (tmp_path / "net.pickle").read_bytes()
    with pytest.raises(AttributeError):
        pickle.loads((tmp_path / "net.pickle").read_bytes())


@pytest.mark.parametrize(
    ("program", "status", "error"),
    [
        ("import sys; sys.exit(3)", 3, ""),
        ("import sys; sys.exit()", 0, ""),
        ("import sys; sys.exit('no good')", 1, "no good\n"),
        ("raise SystemExit(True)", 1, ""),
        ("raise KeyboardInterrupt", 130, "KeyboardInterrupt"),
        ("1 / 0", 1, "ZeroDivisionError: division by zero"),
        ("import os; os._exit(7)", 7, ""),
    ],
)
def test_the_exit_status_is_the_programs(run, program, status, error):
    rc, _, err = run(program)
    assert rc == status
    assert (err.splitlines() or [""])[-1] == error.rstrip("\n")


def test_what_an_interrupted_program_wrote_is_in_its_files(run, tmp_path):
    """Its threads may be anywhere: Python does not take itself apart, so buffers are written before it ends."""
    written = [tmp_path / "text", tmp_path / "bytes"]
    program = (
        "import atexit, tensorflow as tf\n"
        f"text, data = open({str(written[0])!r}, 'w'), open({str(written[1])!r}, 'wb')\n"
        "text.write('kept'); data.write(b'kept'); atexit.register(print, 'at the end')\n"
        "tf.Session().run(tf.constant(1)); raise KeyboardInterrupt\n"
    )
    rc, out, err = run(program)
    assert (rc, out.strip()) == (130, "at the end")
    assert err.rstrip().endswith("KeyboardInterrupt")
    assert [path.read_bytes() for path in written] == [b"kept", b"kept"]


def test_an_interrupt_waits_until_jax_is_imported(run):
    """Its C++ does not bear an exception while it is set up."""
    rc, out, err = run(
        "import _thread, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a shell may have had it ignored
        "class Interrupting:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.startswith('jaxlib.') and name != 'jaxlib.version': _thread.interrupt_main()\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "import tensorflow as tf\n"
        "try: import retrograd.ops.jax_start\n"
        "except KeyboardInterrupt: print('jax.numpy' in sys.modules)\n"
    )
    assert (rc, out.strip(), err) == (0, "True", "")


def test_a_traceback_begins_at_the_programs_own_line(run, tmp_path):
    program = """
        def inner():
            raise ValueError("no good")
        inner()
        """
    assert run(program) == finished([sys.executable, "program.py"], tmp_path, {})


CALLS_BACK = """
    from retrograd import hook
    def callback(module):
        raise ValueError("no good")
    hook.after_import("colorsys", callback)
    def outer():
        try:
            {}
        finally:
            hook.after_import("os", callback)
    outer()
    """


def frames(err):
    return [line.split(",")[0].split("/")[-1].strip('"') for line in err.splitlines() if line.startswith('  File "')]


@pytest.mark.smoke
def test_the_packages_frames_are_left_out_of_tracebacks(run):
    rc, _, err = run(CALLS_BACK.format("import colorsys"))
    assert rc == 1
    assert err.count("Traceback (most recent call last)") == 2, "the error, and the one that it came after"
    assert set(frames(err)) == {"program.py"}
    assert "in callback" in err


def test_all_frames_can_be_had(run):
    rc, _, err = run(CALLS_BACK.format("import colorsys"), RETROGRAD_TRACEBACK="full")
    assert rc == 1
    assert {"program.py", "hook.py", "runner.py"} <= set(frames(err))


def test_what_the_package_calls_in_libraries_is_left_out(run):
    program = """
        from retrograd.io import mnist
        mnist.dense_to_one_hot(None, 3)
        """
    rc, _, err = run(program)
    assert rc == 1
    assert frames(err) == ["program.py"]


def test_errors_of_threads_are_cut_too(run):
    program = """
        import threading
        def work():
            from retrograd.io import mnist
            mnist.dense_to_one_hot(None, 3)
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        """
    rc, _, err = run(program)
    assert rc == 0
    assert "mnist.dense_to_one_hot(None, 3)" in err
    assert "mnist.py" not in frames(err)


def test_the_programs_own_excepthook_is_called(run):
    program = """
        import sys
        sys.excepthook = lambda kind, error, trace: print(kind.__name__, trace.tb_lineno, trace.tb_next)
        1 / 0
        """
    assert run(program) == (1, "ZeroDivisionError 4 None\n", "")


def test_a_syntax_error_is_shown_as_python_shows_it(run, tmp_path):
    assert run("x = (") == finished([sys.executable, "program.py"], tmp_path, {})


def test_a_program_that_is_not_there(tmp_path):
    rc, _, err = finished([sys.executable, "-m", "retrograd", "run", "none.py"], tmp_path, {})
    assert rc == 2
    assert err == f"retrograd: can't open file '{tmp_path}/none.py': [Errno 2] No such file or directory\n"


def test_a_program_that_runs_another(run, tmp_path):
    (tmp_path / "inner.py").write_text(
        "import sys, pickle\nclass A: pass\npickle.dumps(A())\nprint(__name__, sys.argv)\nimport tensorflow\n"
        "print(tensorflow.__name__)"
    )
    program = """
        import contextlib, io, runpy, sys, traceback
        import tensorflow as tf
        buffer = io.StringIO()
        with contextlib.redirect_stdout(buffer):
            runpy.run_path(sys.argv[1], run_name="__main__")
        print(buffer.getvalue(), end="")
        print(sys.modules["__main__"].tf is tf)
        """
    rc, out, err = run(program, "inner.py")
    assert (rc, err) == (0, "")
    assert out.splitlines()[1:] == ["retrograd.tf", "True"]


def test_a_module_runs_as_with_python_m(run, tmp_path):
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").touch()
    (tmp_path / "package" / "__main__.py").write_text("print(__package__)")
    program = """
        import sys
        print(__name__, __file__, __spec__.name, __package__, sys.argv, sys.path[0])
        """
    run(program, name="package/tool.py")
    for module in ("package.tool", "package"):
        by_python = finished([sys.executable, "-m", module, "a"], tmp_path, {})
        assert finished([sys.executable, "-m", "retrograd", "run", "-m", module, "a"], tmp_path, {}) == by_python
    for module, reason in (
        ("no_such", "No module named no_such"),
        ("json", "'json' is a package with no json.__main__ to run"),
        ("no_such.at_all", "No module named 'no_such'"),
        ("time", "'time' has no code to run"),
    ):
        done = finished([sys.executable, "-m", "retrograd", "run", "-m", module], tmp_path, {})
        assert done == (1, "", f"retrograd: {reason}\n")


@pytest.mark.parametrize(("line", "status"), [("import no_such", 1), ("1 / 0", 1), ("raise SystemExit(3)", 3)])
def test_what_fails_in_a_package_over_a_module_is_the_users(run, tmp_path, line, status):
    run("", name="package/tool.py")
    (tmp_path / "package" / "__init__.py").write_text(line)
    rc, out, err = finished([sys.executable, "-m", "retrograd", "run", "-m", "package.tool"], tmp_path, {})
    assert (rc, out) == (status, "")
    assert [line.partition(",")[0] for line in err.splitlines() if "File" in line] == (
        [f'  File "{tmp_path / "package" / "__init__.py"}"'] if status == 1 else []
    )


def test_safe_path_puts_nothing_on_the_path(run, tmp_path):
    rc, out, _ = run("import sys; print(sys.path[0])", options=["-P"])
    assert rc == 0
    assert out.strip() != str(tmp_path)


def test_old_programs_are_not_warned_at(run):
    program = r"""
        import warnings
        print("\d", 1 is 1)
        warnings.warn("old", DeprecationWarning)
        warnings.warn("yours")
        """
    rc, out, err = run(program)
    assert (rc, out) == (0, "\\d True\n")
    assert err.splitlines()[0].endswith("UserWarning: yours")
    assert len(err.splitlines()) == 2
    assert "DeprecationWarning: old" in run(program, options=["-Walways"])[2]


CHILD = """
    import warnings
    import tensorflow as tf
    def main():
        warnings.warn("old", DeprecationWarning)
        print(tf.__name__, tf.Session().run(tf.constant(2)), flush=True)
        tf.Session().run(tf.constant(1) // 0)
    main()
    """


@pytest.mark.parametrize("start", ["[sys.executable, 'child.py']", "[sys.executable, '-m', 'child']"])
def test_pythons_that_the_program_starts_have_the_hook(run, tmp_path, start):
    (tmp_path / "child.py").write_text(textwrap.dedent(CHILD))
    rc, out, err = run(f"import subprocess, sys; sys.exit(subprocess.run({start}).returncode)")
    assert (rc, out) == (1, "retrograd.tf 2\n")
    assert "Integer division by zero" in err
    assert "site-packages" not in err
    assert "retrograd/run" not in err
    assert "DeprecationWarning" not in err


def test_pythons_that_the_program_starts_read_their_own_sitecustomize(run, tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "sitecustomize.py").write_text("import builtins; builtins.own = 'own'")
    other = "import os, sys; print(own, sys.modules['sitecustomize'].__file__, os.environ['PYTHONPATH'], *sys.path[:2])"
    path = os.pathsep.join(filter(None, [str(tmp_path / "own"), os.environ.get("PYTHONPATH")]))
    rc, out, err = run(f"import subprocess, sys; subprocess.run([sys.executable, '-c', {other!r}])", PYTHONPATH=path)
    assert (rc, err) == (0, "")
    own, file, environment, first, second = out.removesuffix("\n").split(" ")
    assert (own, file, first, second) == ("own", f"{tmp_path}/own/sitecustomize.py", "", f"{tmp_path}/own"), out
    assert environment.partition(os.pathsep)[2] == path


def test_pythons_of_other_environments_are_left_alone(run, tmp_path):
    venv.create(tmp_path / "other")
    child = "import sys, os; print('retrograd' in sys.modules, os.path.basename(sys.prefix))"
    rc, out, err = run(f"import subprocess; subprocess.run(['other/bin/python', '-c', {child!r}])")
    assert (rc, out, err) == (0, "False other\n", "")


@pytest.mark.parametrize("way", ["spawn", "fork", "forkserver"])
def test_processes_that_the_program_starts_have_the_hook(run, way):
    program = f"""
        import multiprocessing
        def work(queue):
            import tensorflow
            queue.put(tensorflow.__name__)
        if __name__ == "__main__":
            context = multiprocessing.get_context("{way}")
            queue = context.Queue()
            process = context.Process(target=work, args=(queue,))
            process.start()
            print(queue.get(timeout=30))
            process.join()
        """
    assert run(program) == (0, "retrograd.tf\n", "")
