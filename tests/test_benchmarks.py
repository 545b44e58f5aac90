"""The benchmarks that no other test shares code with: do they still run?"""

import runpy
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


def test_dqn_speed(monkeypatch, capsys):
    words = ["dqn_speed.py", "--seconds", "0.2", "--samples", "1", "--set", "play.games=256", "--set", "play.threads=1"]
    monkeypatch.setattr(sys, "argv", words)
    runpy.run_path(str(BENCHMARKS / "dqn_speed.py"), run_name="__main__")
    rows = capsys.readouterr().out.splitlines()[1:]
    assert [row.split("  ")[0] for row in rows] == ["S0, one game at a time", "samples_per_row=1"]
    speeds = [float(row[24:].split()[0].replace(",", "")) for row in rows]
    assert speeds[1] > speeds[0] > 0
    assert "learning" in rows[1]
