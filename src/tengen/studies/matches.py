"""Matches of a study: played in the arena, kept in a file, and put into rows."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import tengen
from tengen.arena import Elo, MatchResult, Tally, estimate_elo, play_match
from tengen.arena.statistics import ELO_LIMIT, expected_score
from tengen.errors import TengenError
from tengen.games import Game
from tengen.naming import join_name
from tengen.nets.header import read_header
from tengen.nets.shipped import find_net, shipped_net, shipped_nets
from tengen.studies.study import Column, Point, Session, Value


@dataclass(frozen=True)
class Pairing:
    """Two players that meet; ``label`` is what the row is called."""

    label: str
    first: str
    second: str


@dataclass(frozen=True)
class NetInUse:
    """The net that `alphazero` plays in a study: its part of the player's name, and what is known of it."""

    option: dict[str, str]
    path: Path
    sha256: str

    def player(self, **options: object) -> str:
        """The name of the player with these options."""
        return join_name("alphazero", {**self.option, **{key: str(value) for key, value in options.items()}})

    def facts(self) -> dict[str, str]:
        """What a reader should know of it."""
        training = read_header(self.path).training
        known = {key: training[key] for key in ("method", "played", "minutes", "device") if key in training}
        trained = ", ".join(f"{key} {value}" for key, value in known.items())
        return {"net": f"{self.path.name}, sha256 {self.sha256[:16]}" + (f" ({trained})" if trained else "")}


def net_in_use(session: Session, game: str) -> NetInUse:
    """The net that was asked for, or the shipped one; raises ``TengenError`` if there is none."""
    if session.net is None:
        shipped = shipped_net(Game.parse(game), "alphazero")
        if shipped is None:
            raise TengenError(f"no net for {game} is shipped; name one by --net")
        return NetInUse({}, shipped.path, file_sha256(shipped.path))
    path = find_net(session.net)
    named = session.net if session.net in {net.name for net in shipped_nets()} else in_a_name(path)
    return NetInUse({"net": named}, path, file_sha256(path))


def in_a_name(path: Path) -> str:
    """A path as a part of a player's name; raises ``TengenError`` if it cannot be one."""
    text = str(path)
    if any(mark in text for mark in ",\"'"):
        raise TengenError(f"{text!r}: a path with commas or quotes cannot be part of a player's name")
    return text


def file_sha256(path: Path) -> str:
    """The hash of a file, by which it is known whatever it is called."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def games_file(session: Session, study: str, *parts: str) -> Path:
    """Where the games are kept. It is another file for another net or version: their games are not the same."""
    key = hashlib.sha256("\n".join((tengen.__version__, *parts)).encode()).hexdigest()[:8]
    return session.out / f"{study}-{key}.db"


def play_pairings(
    session: Session, pairings: Sequence[Pairing], game: str, *, games: int, db: Path, jobs: int | None = None
) -> list[MatchResult]:
    """Play what is missing in ``db`` of these matches, ``games`` games each."""
    results = []
    for number, pairing in enumerate(pairings, start=1):
        where = f"match {number} of {len(pairings)}, {pairing.label}"
        session.tell(where)

        def show(result: MatchResult, where: str = where) -> None:
            score = result.standings.players[0].total
            played = f"{result.standings.games}/{result.planned} games"
            session.tell(f"{where}: {played}  +{score.wins} ={score.draws} -{score.losses}")

        results.append(
            play_match(
                [pairing.first, pairing.second],
                game,
                games=games,
                seed=session.seed,
                jobs=jobs or session.jobs,
                db=db,
                on_progress=show,
            )
        )
    return results


#: The columns of :func:`match_row`, and those of :func:`source_row` that go beside them.
MATCH_COLUMNS = (
    Column("games", "{games}"),
    Column("won", "{wins}"),
    Column("drawn", "{draws}"),
    Column("lost", "{losses}"),
    Column("score", "{score:.1%}"),
    Column("95 %", "{low:.1%} to {high:.1%}"),
)
TIME_COLUMN = Column("s/move", "{seconds_per_move:.3f}")
SOURCE_COLUMNS = (
    Column("source: won, drawn, lost", "{source_wins}, {source_draws}, {source_losses}"),
    Column("source: score", "{source_score:.1%}"),
    Column("source: 95 %", "{source_low:.1%} to {source_high:.1%}"),
)


def match_row(pairing: Pairing, result: MatchResult) -> dict[str, Value]:
    """A match as a row, from the first player's side."""
    total = result.standings.players[0].total
    low, high = score_interval(result.elo())
    return {
        "label": pairing.label,
        "first": pairing.first,
        "second": pairing.second,
        "games": total.games,
        "wins": total.wins,
        "draws": total.draws,
        "losses": total.losses,
        "score": result.score,
        "low": low,
        "high": high,
        "elo": result.elo().elo,
        "faults": sum(result.faults),
        "seconds_per_move": result.seconds_per_move[0],
        "rival_seconds_per_move": result.seconds_per_move[1],
    }


def source_row(wins: int, draws: int, losses: int) -> dict[str, Value]:
    """A source's result, with the interval that our own formula gives for so many games."""
    tally = Tally(singles=(losses, draws, wins))
    low, high = score_interval(estimate_elo(tally))
    return {
        "source_wins": wins,
        "source_draws": draws,
        "source_losses": losses,
        "source_score": tally.score,
        "source_low": low,
        "source_high": high,
    }


def score_interval(elo: Elo) -> tuple[float, float]:
    """The 95 % interval of an Elo difference, as scores per game."""
    low = 0.0 if elo.low <= -ELO_LIMIT else expected_score(elo.low)
    high = 1.0 if elo.high >= ELO_LIMIT else expected_score(elo.high)
    return low, high


def point(row: Mapping[str, Value], prefix: str = "", *, x: float | str | None = None) -> Point:
    """The score of a row as a point of a chart; ``prefix`` is ``source_`` for the source's."""
    score, low, high = (row[prefix + key] for key in ("score", "low", "high"))
    assert isinstance(score, float)
    assert isinstance(low, float)
    assert isinstance(high, float)
    return Point(str(row["label"]) if x is None else x, score, low, high)


def reached(rows: Sequence[Mapping[str, Value]], source: str) -> str:
    """A sentence: in how many rows our score is the source's or more."""
    known = [row for row in rows if row.get("source_score") is not None]
    count = sum(_number(row["score"]) >= _number(row["source_score"]) for row in known)
    return f"The score is {source}'s or more in {count} of {len(known)} rows."


def fault_notes(rows: Sequence[Mapping[str, Value]]) -> list[str]:
    """A note for each match in which somebody crashed, was late or moved against the rules."""
    return [
        f"{row['label']}: {row['faults']} of the games ended by a fault (a crash, a time-out or an illegal move)"
        for row in rows
        if row["faults"]
    ]


def _number(value: Value) -> float:
    assert isinstance(value, (int, float))
    return float(value)
