"""Who has a run open: ``run.lock`` is held by that process, and goes with it, however it ends.

Two that train at once would delete each other's files.
"""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path
from typing import Final, TextIO

_LOCK: Final = "run.lock"
_TRIES: Final = 5  # of a claim, since whoever asks :func:`is_held` holds the lock for a moment


class HeldError(Exception):
    """Another process has the run open; its text is the number of that."""


def claim(folder: Path) -> TextIO:
    """Hold the run in a folder until what is returned is closed; raises ``HeldError`` where another process does."""
    lock = (folder / _LOCK).open("a+", encoding="utf-8")
    for left in reversed(range(_TRIES)):
        try:
            fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except (BlockingIOError, PermissionError):
            if left:
                time.sleep(0.02)
                continue
            lock.seek(0)
            holder = lock.read(20).strip()
            lock.close()
            raise HeldError(holder) from None
        except OSError:  # a file system that has no locks
            return lock
    lock.truncate(0)
    lock.write(str(os.getpid()))
    lock.flush()
    return lock


def is_held(folder: Path) -> bool:
    """Whether a process has the run open; also true where that cannot be told."""
    try:
        with (folder / _LOCK).open("rb") as lock:
            if not lock.read(1):  # nobody has ever held it
                return True
            fcntl.lockf(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return False
    except OSError:
        return True
