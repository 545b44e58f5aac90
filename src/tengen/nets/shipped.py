"""The nets that come with Tengen, and how a net is named."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from tengen.errors import TengenError
from tengen.games import Game
from tengen.nets.header import NetHeader, read_header

#: The methods of training, and the kind of player that plays the nets of each.
METHODS = {"alphazero": "alphazero", "dqn": "dqn", "evolution": "evolved"}
_FOLDER = ("data", "nets")
#: In a checkpoint. A run with a network for each side (S2) has two: black's stands for both.
_WEIGHTS = ("net.safetensors", "net-black.safetensors")
#: The nets of `tengen see`, which no player plays.
_SEE_WEIGHTS = "see.safetensors"


@dataclass(frozen=True)
class ShippedNet:
    """A net in the package; ``header`` tells its shape and how it was trained."""

    name: str
    path: Path
    header: NetHeader

    @property
    def games(self) -> list[Game]:
        """What it was trained to play."""
        return [Game.parse(name) for name in self.header.training.get("games", [])]

    @property
    def method(self) -> str:
        """What it was trained by."""
        return str(self.header.training.get("method"))

    @property
    def player(self) -> str:
        """The kind of player that plays it."""
        return METHODS[self.method]

    def fits(self, game: Game) -> bool:
        """Whether it knows a game: its rule and, unless it plays all sizes, its size."""
        any_size = self.header.config.any_size and game.kind == "gomoku"
        return any(
            known.kind == game.kind
            and known.rule == game.rule
            and known.win == game.win
            and (known.size == game.size or (any_size and 9 <= game.size <= 20))
            for known in self.games
        )


@cache
def shipped_nets() -> tuple[ShippedNet, ...]:
    """Every net in the package, by name."""
    folder = Path(str(resources.files("tengen").joinpath(*_FOLDER)))
    return tuple(ShippedNet(path.stem, path, read_header(path)) for path in sorted(folder.glob("*.onnx")))


def shipped_net(game: Game, method: str) -> ShippedNet | None:
    """The net of a method for a game, the one for its very size first; None if there is none."""
    fitting = [net for net in shipped_nets() if net.method == method and net.fits(game)]
    fitting.sort(key=lambda net: game not in net.games)
    return fitting[0] if fitting else None


def missing_net(game: Game, method: str) -> str:
    """Say that none that a method trained is shipped for a game, and which there are."""
    known = ", ".join(net.name for net in shipped_nets() if net.method == method) or "none"
    return f"no net for {game.name} is shipped (there are {known}); name one by net=NET"


def find_weights(name: str) -> Path:
    """The file that training begins with: a .safetensors file, or the newest weights of a run folder.

    Raises ``TengenError`` for a folder without weights, and for another kind of file.
    """
    path = Path(name).expanduser()
    if path.is_dir():
        return _newest_weights(path, (*_WEIGHTS, _SEE_WEIGHTS))
    if path.is_file() and path.suffix not in (".safetensors", ".onnx"):  # what is said of .onnx files helps more
        raise TengenError(f"{name} is no .safetensors file")
    return path


def find_net(name: str) -> Path:
    """The file that a net's name stands for: a shipped one, a file, or a run folder's newest weights.

    Raises ``TengenError`` that lists the shipped ones if there is no such net.
    """
    for net in shipped_nets():
        if net.name == name:
            return net.path
    path = Path(name).expanduser()
    if path.is_dir():
        if _reads_pictures(path):
            raise TengenError(
                f"{name!r} is a run of vision: its nets read pictures, no player plays them, and they are not exported"
            )
        return _newest_weights(path, _WEIGHTS)
    if path.is_file():
        return path
    known = ", ".join(net.name for net in shipped_nets()) or "none"
    raise TengenError(
        f"there is no net {name!r}; give a file (.onnx, .safetensors), a run folder, or a shipped net: {known}"
    )


def _reads_pictures(folder: Path) -> bool:
    """Whether a folder is that of a run of vision."""
    try:
        about = json.loads((folder / "run.json").read_bytes())
    except (OSError, ValueError, RecursionError):  # weights may lie in any folder
        return False
    return isinstance(about, dict) and about.get("method") == "vision"


def _newest_weights(folder: Path, names: Iterable[str]) -> Path:
    """The weights in a run folder's newest checkpoint, by the first name that occurs in any."""
    for name in names:
        found = folder.glob(f"checkpoints/[0-9]*/{name}")
        if weights := sorted(file for file in found if file.parent.name.isdecimal()):  # the others are not whole
            return weights[-1]
    raise TengenError(f"there are no weights in {str(folder)!r}: it is no run folder, or has no checkpoint yet")


def net_of(name: str, method: str) -> tuple[Path, NetHeader]:
    """The file and the header of a net by name, for a player of a method.

    Raises ``TengenError`` if there is none, and for one that another method trained: its numbers mean something else.
    """
    path = find_net(name)
    header = read_header(path)
    require_method(header, method, name)
    return path, header


def require_method(header: NetHeader, method: str, name: str) -> None:
    """Raise ``TengenError`` if another method of ours trained a net."""
    trained_by = header.training.get("method")
    if trained_by in METHODS and trained_by != method:
        raise TengenError(f"{name} was trained by {trained_by}, not by {method}")


def pair_of(path: Path, header: NetHeader) -> dict[str, Path] | None:
    """The files of a pair by colour (S2's: one network for black, one for white), of either; None for a single net.

    A net says in its header whether it is half of a pair; the other half lies beside it, with its own colour in the
    name. Raises ``TengenError`` if it does not, or is no other half.
    """
    colour = _colour(path, header)
    if colour is None:
        return None
    other = "white" if colour == "black" else "black"
    beside = path.with_name(path.name.replace(f"-{colour}.", f"-{other}."))
    if beside == path or not beside.is_file():
        missing = f"*-{other}{path.suffix}" if beside == path else beside.name
        raise TengenError(f"{path} is the {colour} half of a pair; there is no {missing} beside it")
    theirs = read_header(beside)
    if _colour(beside, theirs) != other or theirs.config != header.config:
        raise TengenError(f"{path} is the {colour} half of a pair, but {beside} is not its {other} half")
    require_method(theirs, str(header.training.get("method")), str(beside))
    return {colour: path, other: beside}


def _colour(path: Path, header: NetHeader) -> str | None:
    """Which half of a pair a net is; None: both, as it is a single net."""
    said = header.training.get("pair")
    if said in ("black", "white"):
        return str(said)
    # Checkpoints of earlier versions did not say so.
    return {"net-black.safetensors": "black", "net-white.safetensors": "white"}.get(path.name)


@dataclass(frozen=True)
class NetRating:
    """The rating of ``player``, which played with the net, in the arena (greedy has 1000), and its 95 % bounds."""

    rating: float
    low: float
    high: float
    player: str


@cache
def _ratings() -> dict[str, Any]:
    """By the sha256 of the net, as ``benchmarks/rate_nets.py`` writes them."""
    text = resources.files("tengen").joinpath(*_FOLDER, "ratings.json").read_text("utf-8")
    ratings: dict[str, Any] = json.loads(text)
    return ratings


def rating(net: ShippedNet) -> NetRating | None:
    """How strong it is, or None for a net that was not measured."""
    found = _ratings().get(net.header.sha256)
    return NetRating(**found) if found else None
