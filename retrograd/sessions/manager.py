"""``SessionManager``: makes sessions whose variables have values, restored or initialized."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import errors, log
from retrograd.graph.graph import Graph
from retrograd.graph.stack import default_graph
from retrograd.io.checkpoint_files import get_checkpoint_state
from retrograd.run.session import Session


class SessionManager:
    """Makes sessions of ``graph``, whose state is ready when ``ready_op`` names nothing.

    Args:
      local_init_op: run once the rest is ready (``ready_for_local_init_op``), in every session.
      recovery_wait_secs: how long to wait, in seconds, before asking again.
    """

    def __init__(
        self,
        local_init_op: Any = None,
        ready_op: Any = None,
        ready_for_local_init_op: Any = None,
        graph: Graph | None = None,
        recovery_wait_secs: float = 30,
        local_init_run_options: Any = None,
        local_init_feed_dict: Any = None,
    ) -> None:
        if ready_for_local_init_op is not None and local_init_op is None:
            raise ValueError(
                "If you pass a ready_for_local_init_op you must also pass a local_init_op , "
                f"ready_for_local_init_op [{ready_for_local_init_op}]"
            )
        self._local_init_op = local_init_op
        self._ready_op = ready_op
        self._ready_for_local_init_op = ready_for_local_init_op
        self._graph = graph or default_graph()
        self._recovery_wait_secs = recovery_wait_secs
        self._local_init_run_options = local_init_run_options
        self._local_init_feed_dict = local_init_feed_dict

    def _restore_checkpoint(
        self,
        master: str,
        saver: Any = None,
        checkpoint_dir: str | None = None,
        checkpoint_filename_with_path: str | None = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        config: Any = None,
    ) -> tuple[Session, bool]:
        sess = Session(master, graph=self._graph, config=config)
        if checkpoint_dir and checkpoint_filename_with_path:
            raise ValueError("Can not provide both checkpoint_dir and checkpoint_filename_with_path.")
        if not saver or not (checkpoint_dir or checkpoint_filename_with_path):
            return sess, False
        if checkpoint_filename_with_path:
            saver.restore(sess, checkpoint_filename_with_path)
            return sess, True
        begun = time.time()
        state = get_checkpoint_state(checkpoint_dir or "")
        while not state or not state.model_checkpoint_path:
            if not wait_for_checkpoint or time.time() - begun >= max_wait_secs:
                return sess, False
            log.info("Waiting for checkpoint to be available.")
            time.sleep(self._recovery_wait_secs)
            state = get_checkpoint_state(checkpoint_dir or "")
        saver.restore(sess, state.model_checkpoint_path)
        saver.recover_last_checkpoints(state.all_model_checkpoint_paths)
        return sess, True

    def prepare_session(
        self,
        master: str,
        init_op: Any = None,
        saver: Any = None,
        checkpoint_dir: str | None = None,
        checkpoint_filename_with_path: str | None = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        config: Any = None,
        init_feed_dict: Any = None,
        init_fn: Callable[[Session], Any] | None = None,
    ) -> Session:
        """A session that is ready: restored from a checkpoint, or else initialized.

        Raises:
          RuntimeError: there is no checkpoint and nothing that initializes, or the model is not ready after it.
        """
        sess, is_restored = self._restore_checkpoint(
            master, saver, checkpoint_dir, checkpoint_filename_with_path, wait_for_checkpoint, max_wait_secs, config
        )
        if not is_restored:
            if init_op is None and not init_fn and self._local_init_op is None:
                raise RuntimeError("Model is not initialized and no init_op or init_fn or local_init_op was given")
            if init_op is not None:
                sess.run(init_op, feed_dict=init_feed_dict)
            if init_fn:
                init_fn(sess)
        done, words = self._try_run_local_init_op(sess)
        if not done:
            raise RuntimeError(
                "Init operations did not make model ready for local_init.  "
                f"Init op: {getattr(init_op, 'name', init_op)}, init fn: {init_fn}, error: {words}"
            )
        is_ready, words = self._model_ready(sess)
        if not is_ready:
            raise RuntimeError(
                f"Init operations did not make model ready.  Init op: {getattr(init_op, 'name', init_op)}, init fn: "
                f"{init_fn}, local_init_op: {self._local_init_op}, error: {words}"
            )
        return sess

    def recover_session(
        self,
        master: str,
        saver: Any = None,
        checkpoint_dir: str | None = None,
        checkpoint_filename_with_path: str | None = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        config: Any = None,
    ) -> tuple[Session, bool]:
        """A session and whether a checkpoint made it ready."""
        sess, is_restored = self._restore_checkpoint(
            master, saver, checkpoint_dir, checkpoint_filename_with_path, wait_for_checkpoint, max_wait_secs, config
        )
        done, words = self._try_run_local_init_op(sess)
        if not is_restored:
            return sess, False
        where = checkpoint_dir or checkpoint_filename_with_path
        if not done:
            log.info("Restoring model from %s did not make model ready for local init: %s", where, words)
            return sess, False
        is_ready, words = self._model_ready(sess)
        if not is_ready:
            log.info("Restoring model from %s did not make model ready: %s", where, words)
            return sess, False
        log.info("Restored model from %s", where)
        return sess, True

    def wait_for_session(self, master: str, config: Any = None, max_wait_secs: float | None = float("Inf")) -> Session:
        """A session whose variables another has made ready.

        Raises:
          DeadlineExceededError: they are not ready in time.
        """
        end = None if max_wait_secs is None else time.time() + max_wait_secs
        while True:
            sess = Session(master, graph=self._graph, config=config)
            done, local_words = self._try_run_local_init_op(sess)
            is_ready, words = self._model_ready(sess) if done else (False, None)
            if is_ready:
                return sess
            sess.close()
            if end is not None and end - time.time() - self._recovery_wait_secs < 0:
                raise errors.DeadlineExceededError(
                    None, None, f"Session was not ready after waiting {max_wait_secs} secs."
                )
            log.info("Waiting for model to be ready.  Ready_for_local_init_op:  %s, ready: %s", local_words, words)
            time.sleep(self._recovery_wait_secs)

    def _model_ready(self, sess: Session) -> tuple[bool, str | None]:
        return _ready(self._ready_op, sess)

    def _try_run_local_init_op(self, sess: Session) -> tuple[bool, str | None]:
        if self._local_init_op is None:
            return True, None
        is_ready, words = _ready(self._ready_for_local_init_op, sess)
        if not is_ready:
            return False, words
        log.info("Running local_init_op.")
        sess.run(self._local_init_op, feed_dict=self._local_init_feed_dict, options=self._local_init_run_options)
        log.info("Done running local_init_op.")
        return True, None


def _ready(op: Any, sess: Session) -> tuple[bool, str | None]:
    """Whether ``op`` names nothing that is missing; and what it names."""
    if op is None:
        return True, None
    try:
        missing = sess.run(op)
    except errors.FailedPreconditionError as error:
        if "uninitialized" not in str(error):
            raise
        return False, f"Variables not initialized: {error}"
    if missing is None or missing.dtype == np.int32 or missing.size == 0:  # numbers are of ops that only check
        return True, None
    names = b", ".join(missing.ravel().tolist()).decode(errors="replace")
    return False, f"Variables not initialized: {names}"
