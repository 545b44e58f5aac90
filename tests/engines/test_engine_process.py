"""The child process: lines, limits, and that it goes when we go."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tengen.engines import EngineError, Fault
from tengen.engines.lines import Line, LineSplitter
from tengen.engines.process import ChildProcess, split_command

PYTHON = [sys.executable, "-S", "-E", "-c"]
PATIENCE = 20.0


def texts(lines: list[Line]) -> list[str]:
    return [line.text for line in lines]


def is_running(pid: int) -> bool:
    """Whether a process is there and not just waiting to be forgotten by its parent."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def wait_until_gone(*pids: int) -> bool:
    deadline = time.monotonic() + PATIENCE
    while any(is_running(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not any(is_running(pid) for pid in pids)


def test_lines_end_in_any_way():
    splitter = LineSplitter(100)
    assert texts(splitter.feed(b"a\r\nb\nc\rd")) == ["a", "b", "c"]
    assert texts(splitter.feed(b"e\r")) == ["de"]
    assert texts(splitter.feed(b"\nf\n\n")) == ["f", ""]
    assert texts(splitter.feed(b"\r\r\ng")) == ["", ""]
    assert texts(splitter.end()) == ["g"]
    assert splitter.end() == []


def test_any_split_of_the_bytes_gives_the_same_lines():
    data = b"one\r\ntwo\rthree\n\r\n\xff\xfefour\n"
    whole = LineSplitter(100).feed(data)
    for cut in range(len(data)):
        splitter = LineSplitter(100)
        assert splitter.feed(data[:cut]) + splitter.feed(data[cut:]) == whole


def test_a_long_line_is_cut_and_says_so():
    splitter = LineSplitter(5)
    assert splitter.feed(b"12345\n123456\n") == [Line("12345"), Line("12345", too_long=True)]
    for _ in range(1000):
        assert splitter.feed(b"x" * 1000) == []
    assert len(splitter._part) <= 6
    assert splitter.feed(b"\nok\n") == [Line("xxxxx", too_long=True), Line("ok")]


def test_commands_are_split_without_a_shell():
    assert split_command("""./a b  'c d' "e,f" $HOME;""") == ["./a", "b", "c d", "e,f", "$HOME;"]
    for bad in ("", "  ", "a 'b"):
        with pytest.raises(ValueError, match=r"empty|quotation"):
            split_command(bad)


def test_lines_go_both_ways():
    child = ChildProcess([*PYTHON, "for line in __import__('sys').stdin: print(line.strip()[::-1], flush=True)"])
    lines = child.lines(PATIENCE)
    for word in ("abc", "defg"):
        child.send(word)
        assert next(lines) == word[::-1]
    child.close()
    assert not child.is_alive


@pytest.mark.parametrize(
    ("code", "kind", "says"),
    [
        ("import sys; sys.exit('out of cheese')", Fault.CRASH, "status 1; out of cheese"),
        ("import time; time.sleep(60)", Fault.TIMEOUT, "no answer within 1 s"),
        ("import sys; sys.stdout.write('x' * 200000); sys.stdout.flush(); input()", Fault.PROTOCOL, "a line of more"),
        ("import os; os.write(1, bytes(range(256)) * 100); input()", Fault.PROTOCOL, "binary output"),
        ("while True: print('MESSAGE ' + 'x' * 5000)", Fault.PROTOCOL, "bytes of output and no answer"),
    ],
)
def test_every_way_to_fail_has_a_name(code, kind, says):
    child = ChildProcess([*PYTHON, code])
    with pytest.raises(EngineError, match=says) as caught:
        for _ in child.lines(1 if kind is Fault.TIMEOUT else PATIENCE):
            pass
    assert caught.value.kind == kind == pickle.loads(pickle.dumps(caught.value)).kind
    child.close()
    assert wait_until_gone(child.pid)


def test_a_program_that_is_not_there():
    with pytest.raises(EngineError, match="cannot be started") as caught:
        ChildProcess(["/nonexistent/pbrain-x"])
    assert caught.value.kind == "crash"


def test_one_that_never_reads_does_not_block_us():
    child = ChildProcess([*PYTHON, "import time; time.sleep(60)"])

    def fill_its_pipe():
        for _ in range(100):
            child.send("x" * 50_000)

    with pytest.raises(EngineError, match="does not read"):
        fill_its_pipe()
    child.close()
    assert wait_until_gone(child.pid)


def test_floods_do_not_fill_memory():
    code = "import sys\nfor n in range(10**6): print(n, 'x' * 100); print('y' * 1000, file=sys.stderr)"
    child = ChildProcess([*PYTHON, code])
    time.sleep(0.5)
    assert child._inbox._unread < 1 << 19  # the pipe is full, and the child waits
    assert sum(map(len, child._stderr)) < 1 << 16
    assert [line.split()[0] for line in child.waiting_lines()][:3] == ["0", "1", "2"]
    child.close()
    assert wait_until_gone(child.pid)


def test_a_farewell_is_heard(tmp_path):
    heard = tmp_path / "heard"
    child = ChildProcess([*PYTHON, f"open({str(heard)!r}, 'w').write(input())"])
    child.close("END")
    assert heard.read_text() == "END"


WITH_A_CHILD = (
    "import subprocess, sys, time\n"
    "child = subprocess.Popen([sys.executable, '-S', '-E', '-c', 'import time; time.sleep(600)'])\n"
    "print(child.pid, flush=True)\n"
    "time.sleep(600)\n"
)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
class TestNoOrphans:
    def test_close_takes_the_whole_group(self):
        child = ChildProcess([*PYTHON, WITH_A_CHILD])
        grandchild = int(next(child.lines(PATIENCE)))
        child.close()
        assert wait_until_gone(child.pid, grandchild)

    def test_forgetting_is_closing(self):
        child = ChildProcess([*PYTHON, WITH_A_CHILD])
        pids = child.pid, int(next(child.lines(PATIENCE)))
        del child
        gc.collect()
        assert wait_until_gone(*pids)

    def test_the_end_of_the_thread_that_started_it_is_not_its_end(self):
        made: list[ChildProcess] = []
        thread = threading.Thread(target=lambda: made.append(ChildProcess([*PYTHON, "input(); print(5)"])))
        thread.start()
        thread.join()
        time.sleep(0.2)
        made[0].send("")
        assert next(made[0].lines(PATIENCE)) == "5"

    @pytest.mark.parametrize("end", ["kill -9", "exit", "exception"])
    def test_nothing_outlives_its_parent(self, environment, end):
        last = {"kill -9": "time.sleep(600)", "exit": "", "exception": "raise SystemExit(3)"}[end]
        code = (
            "import time\n"
            "from tengen.engines.process import ChildProcess\n"
            f"child = ChildProcess({[*PYTHON, WITH_A_CHILD]!r})\n"
            "print(child.pid, next(child.lines(20)), flush=True)\n"
            f"{last}\n"
        )
        parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment)
        assert parent.stdout is not None
        pids = [int(word) for word in parent.stdout.readline().split()]
        assert len(pids) == 2
        if end == "kill -9":
            assert all(is_running(pid) for pid in pids)
            os.kill(parent.pid, signal.SIGKILL)
        parent.wait(PATIENCE)
        parent.stdout.close()
        assert wait_until_gone(*pids)
