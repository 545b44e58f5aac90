"""Lines out of a stream of bytes, in bounded memory."""

from __future__ import annotations

from typing import NamedTuple


class Line(NamedTuple):
    """One line without its end; ``text`` is cut where the line is ``too_long``."""

    text: str
    too_long: bool = False


class LineSplitter:
    """Splits bytes at LF, CR or CRLF as they come; a line is there as soon as its first end character is.

    Holds ``longest`` bytes at most: what a longer line has beyond them is thrown away. Bytes that are not UTF-8 become
    replacement characters.
    """

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._part = bytearray()
        self._after_cr = False

    def feed(self, data: bytes) -> list[Line]:
        """Take more bytes and return the lines that they complete."""
        if self._after_cr and data.startswith(b"\n"):
            data = data[1:]
            self._after_cr = False
        if not data:
            return []
        self._after_cr = data.endswith(b"\r")
        *complete, rest = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        lines = []
        for piece in complete:
            self._add(piece)
            lines.append(self._take())
        self._add(rest)
        return lines

    @property
    def overflows(self) -> bool:
        """Whether the line that is coming is too long already."""
        return len(self._part) > self._longest

    def end(self) -> list[Line]:
        """The last line, where the stream ended without a line end."""
        return [self._take()] if self._part else []

    def _add(self, piece: bytes) -> None:
        self._part += piece[: max(0, self._longest + 1 - len(self._part))]

    def _take(self) -> Line:
        too_long = self.overflows
        text = self._part[: self._longest].decode("utf-8", errors="replace")
        self._part.clear()
        return Line(text, too_long)
