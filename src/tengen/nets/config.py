"""What a network is made of: enough to build it again from a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Self

from tengen.errors import TengenError

#: The kinds of network, and the plane encodings that each can read.
KINDS: Mapping[str, tuple[str, ...]] = {
    "tengen": ("gomoku", "othello"),
    "s0": ("s0",),
    "s1": ("s0",),
    "s2": ("s2",),
    "s3": ("s3",),
    "s4": ("s4",),
    "s1-evolved": ("s0",),
    "lines": ("s0",),
}

_SOURCE_PLANES = {"s0": 2, "s1": 2, "s2": 3, "s3": 4, "s4": 13, "s1-evolved": 2, "lines": 2}
_RANGES = {"planes": (1, 64), "blocks": (0, 64), "channels": (3, 1024), "size": (3, 22)}
_WITH_VALUE = ("tengen", "s3", "s4")  # kinds that judge the position, unless told not to
_LEARNED_BY_Q = ("tengen", "s0", "s1", "s2")  # kinds that may be dueling or not
_MULTIPLE = {"s0": 2, "s2": 3, "s3": 4}  # of which the channels are one, where there is no residual block


@dataclass(frozen=True, kw_only=True)
class NetConfig:
    """The shape of a network. Raises ``TengenError`` for one that cannot be.

    ``kind``: ``tengen`` (any board size), one of the sources' networks, ``s0`` to ``s4``, or for evolution
    ``s1-evolved`` (S1's) and ``lines`` (any board size). ``encoding`` names the planes it reads and ``planes`` counts
    them. ``blocks`` residual blocks of ``channels`` channels; only ``tengen`` and ``s4`` have any, and ``channels`` is
    otherwise the width of the last convolution, of ``lines`` the hidden units. ``size`` is the board size: the only one
    for the sources' networks, the one mainly trained on for the others. ``passes``: there is one more action, the pass.
    ``dueling``: it says what the position is worth, and its policy only how moves compare; otherwise the policy are the
    values of moves. None stands for what is usual: ``tengen``, ``s3`` and ``s4`` judge the position, the others do not.
    """

    kind: str
    encoding: str
    planes: int
    blocks: int
    channels: int
    size: int
    passes: bool = False
    dueling: bool | None = None

    def __post_init__(self) -> None:
        encodings = KINDS.get(self.kind) if isinstance(self.kind, str) else None
        if encodings is None:
            raise TengenError(f"{self.kind!r} is no kind of network; there are {', '.join(KINDS)}")
        if self.encoding not in encodings:
            raise TengenError(
                f"the encoding of a {self.kind} network is {' or '.join(encodings)}, not {self.encoding!r}"
            )
        for name, (low, high) in _RANGES.items():
            number = getattr(self, name)
            if type(number) is not int or not low <= number <= high:
                raise TengenError(f"{name} is a whole number from {low} to {high}, not {number!r}")
        if type(self.passes) is not bool:
            raise TengenError(f"passes is true or false, not {self.passes!r}")
        if self.dueling is None:
            object.__setattr__(self, "dueling", self._usually_dueling)
        if type(self.dueling) is not bool:
            raise TengenError(f"dueling is true or false, not {self.dueling!r}")
        if self.dueling != self._usually_dueling and self.kind not in _LEARNED_BY_Q:
            raise TengenError(f"networks of the kinds {', '.join(_LEARNED_BY_Q)} are dueling or not, not {self.kind}")
        if self.planes != _SOURCE_PLANES.get(self.kind, self.planes):
            raise TengenError(f"{self.kind} reads {_SOURCE_PLANES[self.kind]} planes, not {self.planes}")
        if self.kind not in ("tengen", "s4") and self.blocks:
            raise TengenError(f"{self.kind} has no residual blocks")
        if self.kind in ("s1-evolved", "lines") and self.passes:
            raise TengenError(f"{self.kind} plays Gomoku, where nobody passes")
        if self.kind == "s1-evolved" and self.size < 4:
            raise TengenError(f"s1-evolved sees 4x4 cells at a time, more than a board of {self.size}x{self.size} has")
        if self.channels % _MULTIPLE.get(self.kind, 1):
            raise TengenError(f"the channels of {self.kind} are a multiple of {_MULTIPLE[self.kind]}")

    @property
    def any_size(self) -> bool:
        """Whether boards of every size can be evaluated."""
        return self.kind in ("tengen", "lines")

    @property
    def rates_moves(self) -> bool:
        """Whether its policy are values of moves (Q), with no value of the position beside them."""
        return not self.dueling

    @property
    def _usually_dueling(self) -> bool:
        return self.kind in _WITH_VALUE

    def in_words(self) -> str:
        """For people, with the names of the settings that make it."""
        board = "" if self.any_size else f" for {self.size}x{self.size}"
        words = f"{self.kind} with {self.blocks} blocks of {self.channels} channels, encoding {self.encoding}{board}"
        if self.dueling == self._usually_dueling:
            return words
        return f"{words}, {'dueling' if self.dueling else 'not dueling'}"

    def actions(self, size: int | None = None) -> int:
        """The length of the policy for a board size, by default ``self.size``."""
        return (size or self.size) ** 2 + self.passes

    def to_dict(self) -> dict[str, Any]:
        """As JSON values; ``dueling`` only where it is not as usual: it has not always been there."""
        values = asdict(self)
        if self.dueling == self._usually_dueling:
            del values["dueling"]
        return values

    @classmethod
    def from_dict(cls, values: object) -> Self:
        """The inverse of :meth:`to_dict`; raises ``TengenError`` for anything else."""
        names = [field.name for field in fields(cls)]
        if not isinstance(values, dict) or {"dueling", *values} != set(names):
            raise TengenError(
                f"a network's shape is an object with the keys {', '.join(names)}; the last may be left out"
            )
        return cls(**values)


def s0_config(size: int = 7, *, channels: int = 128) -> NetConfig:
    """S0's network; the source has 128 channels."""
    return NetConfig(kind="s0", encoding="s0", planes=2, blocks=0, channels=channels, size=size)


def s1_config(size: int = 15) -> NetConfig:
    """S1's network for Q-learning, with 3 channels."""
    return NetConfig(kind="s1", encoding="s0", planes=2, blocks=0, channels=3, size=size)


def s1_evolved_config(size: int = 15, *, channels: int = 3) -> NetConfig:
    """S1's network for evolution; the source does not say how many channels."""
    return NetConfig(kind="s1-evolved", encoding="s0", planes=2, blocks=0, channels=channels, size=size)


def lines_config(size: int = 15, *, hidden: int = 16) -> NetConfig:
    """A network that rates a point by its four lines."""
    return NetConfig(kind="lines", encoding="s0", planes=2, blocks=0, channels=hidden, size=size)


def s2_config(size: int = 8, *, channels: int = 12) -> NetConfig:
    """S2's network for Othello; the source has 12 channels."""
    return NetConfig(kind="s2", encoding="s2", planes=3, blocks=0, channels=channels, size=size, passes=True)


def s3_config(size: int = 15, *, channels: int = 128) -> NetConfig:
    """S3's network; the source has 128 channels."""
    return NetConfig(kind="s3", encoding="s3", planes=4, blocks=0, channels=channels, size=size)


def s4_config(size: int = 15, *, blocks: int = 7, channels: int = 256) -> NetConfig:
    """S4's network; the source has 7 blocks of 256 channels."""
    return NetConfig(kind="s4", encoding="s4", planes=13, blocks=blocks, channels=channels, size=size)
