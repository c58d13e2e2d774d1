# demo: train on MNIST    test: everything    check: format, lint, types, smoke    bench: measure
# Each works on a fresh clone: what it needs is installed into .venv first, once.

VENV := .venv
BIN  := $(VENV)/bin

.PHONY: demo test check bench clean

demo: $(VENV)/.installed
	$(BIN)/retrograd run examples/mnist_softmax.py
	@echo 'More to run, see examples/README.md: dqn_cartpole ddpg_pendulum a3c_cartpole trpo_step straight_through'
	@echo '  clip_rnn manual_gradients custom_optimizer linear_regression mnist_softmax_gradients gradient_mistakes'

test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -q -n auto

check: $(VENV)/.installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q -m smoke

# make bench ARGS="--quick lenet": bench/README.md tells what there is
bench: $(VENV)/.installed-dev
	$(BIN)/python -m bench $(ARGS)

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks

# The first Python on the path that is new enough and can make environments.
$(VENV)/bin/python:
	@for p in python3 python3.13 python3.12 python3.11 python; do \
	  if $$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    echo "$$p -m venv $(VENV)"; exec $$p -m venv $(VENV); fi; done; \
	echo "retrograd needs Python 3.11 or later on the path, with venv and pip:" >&2; \
	echo "  Debian, Ubuntu:  apt install python3 python3-venv" >&2; \
	echo "  macOS:           brew install python" >&2; exit 1

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@$(BIN)/python -m compileall -q retrograd
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@$(BIN)/python -m compileall -q retrograd
	@touch $@ $(VENV)/.installed
