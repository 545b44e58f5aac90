"""Processes that draw samples for the nets that read pictures. They need no torch, and import none."""

from __future__ import annotations

import multiprocessing
import queue
import signal
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from tengen.train.run import RunError
from tengen.train.vision.see_samples import Sample, draw_sample

#: The samples that wait for the learner at most.
_WAITING = 64
_PATIENCE = 300.0  # seconds
_GLANCE = 0.25  # seconds from one look to the next at whether the processes live


def draw_forever(seed: int, settings: Mapping[str, float], samples: Any) -> None:
    """The process that draws: puts samples into a queue until it is ended."""
    import cv2

    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    samples.cancel_join_thread()  # else the end would wait for someone to take what is in the pipe
    parent = multiprocessing.parent_process()
    while True:
        sample = draw_sample(rng, **settings)
        while True:
            try:
                samples.put(sample, timeout=5)
                break
            except queue.Full:
                if parent is not None and not parent.is_alive():  # killed: nobody will take it
                    return


class Drawers:
    """Processes that draw samples, from the beginning until ``close``, or until this process ends.

    Ctrl-C in a terminal reaches every process there: these do not hear it, since it is the learner's to handle.
    """

    def __init__(self, count: int, *, seed: int, others: float, photos: float) -> None:
        context = multiprocessing.get_context("spawn")
        self._samples = context.Queue(_WAITING)
        settings = {"others": others, "photos": photos}
        self._processes = [
            context.Process(target=draw_forever, args=(seed + 1000 * number, settings, self._samples), daemon=True)
            for number in range(1, count + 1)
        ]
        with _ctrl_c_held_back():
            for process in self._processes:
                process.start()
        self._stopped = False
        # A sample is large, and arrives piecemeal: a thread waits for it, so that learning need not.
        self._arrived: queue.Queue[Sample] = queue.Queue(_WAITING)
        threading.Thread(target=self._receive, daemon=True).start()

    def _receive(self) -> None:
        while True:
            self._arrived.put(self._samples.get())

    def take(self, least: int) -> list[Sample]:
        """At least so many new samples, and those that are there already; fewer after ``stop``.

        Raises ``RunError`` if a process has ended, or no sample comes for minutes.
        """
        taken: list[Sample] = []
        while len(taken) < least and not self._stopped:
            taken.extend(self._wait_for_one())
        while len(taken) < _WAITING:
            try:
                taken.append(self._arrived.get_nowait())
            except queue.Empty:
                break
        return taken

    def _wait_for_one(self) -> list[Sample]:
        """The next sample; none after ``stop``."""
        latest = time.monotonic() + _PATIENCE
        while not self._stopped:
            try:
                return [self._arrived.get(timeout=_GLANCE)]
            except queue.Empty:
                dead = [process for process in self._processes if not process.is_alive()]
                if dead or time.monotonic() > latest:
                    raise RunError("the processes that draw have stopped") from None
        return []

    def stop(self) -> None:
        """Let ``take`` wait no more; may be called from a signal handler."""
        self._stopped = True

    def close(self) -> None:
        """End the processes."""
        for process in self._processes:
            process.terminate()
            process.join()


@contextmanager
def _ctrl_c_held_back() -> Iterator[None]:
    """Processes that are started meanwhile never hear Ctrl-C; this one hears it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
