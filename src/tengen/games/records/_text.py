"""Bytes to text, and the bracketed properties that SGF and GGF have in common."""

from __future__ import annotations

import re

from ._builder import Place

# Text in a Chinese legacy encoding is almost always GB 2312, whose characters are two bytes with the high bit set. Any
# odd run of such bytes therefore means Latin-1, which would lose closing brackets if it were taken for GB 18030.
_GB_TEXT = re.compile(rb"(?:[\x00-\x7f]++|(?:[\xa1-\xf7][\xa1-\xfe])++)*+")

# Possessive quantifiers: a hostile value must cost one pass and no backtracking memory.
TOKEN = re.compile(r"\s*+(?:([();])|([A-Za-z]++))")
VALUE = re.compile(r"\s*+\[([^\]\\]*+(?:\\.[^\]\\]*+)*+)\]", re.DOTALL)
GAME_START = re.compile(r"\(\s*+;")
_ESCAPE = re.compile(r"\\(?:\n|(.))", re.DOTALL)

_ENCODINGS = {
    "utf-8": "utf-8",
    "utf8": "utf-8",
    "unicode": "utf-8",
    "us-ascii": "latin-1",
    "ascii": "latin-1",
    "latin-1": "latin-1",
    "latin1": "latin-1",
    "iso-8859-1": "latin-1",
    "iso8859-1": "latin-1",
    "windows-1252": "latin-1",
    "gb18030": "gb18030",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "cp936": "gb18030",
}


_BOM = b"\xef\xbb\xbf"


def must_guess(data: bytes, charset: str) -> bool:
    """Whether the text depends on an encoding, and `charset` names none that is known."""
    return not data.isascii() and not data.startswith(_BOM) and charset.strip().lower() not in _ENCODINGS


def decode(data: bytes, charset: str = "") -> str:
    """The text of a file in its declared encoding, or in the likeliest of UTF-8, GB 18030 and Latin-1; never raises."""
    if data.startswith(_BOM):
        return data[3:].decode("utf-8", "replace")
    named = _ENCODINGS.get(charset.strip().lower())
    if named is not None:
        return data.decode(named, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("gb18030" if _GB_TEXT.fullmatch(data) else "latin-1", "replace")


def unix_lines(text: str) -> str:
    """The text with CRLF and CR turned into LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def line_place(text: str, prefix: str = "") -> Place:
    """Says which line of `text` an offset is in."""
    return lambda at: f"{prefix}line {text.count(chr(10), 0, at) + 1}"


def unescape(raw: str) -> str:
    """The text of a property value: a backslash keeps the next character, and hides a line break."""
    return _ESCAPE.sub(lambda match: match[1] or "", raw) if "\\" in raw else raw


def escape(text: str) -> str:
    """The property value for a text, the inverse of `unescape`; line breaks become LF."""
    return unix_lines(text).replace("\\", "\\\\").replace("]", "\\]")


def one_line(text: str) -> str:
    """A header's text: no line breaks, no spaces around."""
    return " ".join(text.split("\n")).strip() if "\n" in text else text.strip()


def identifier(word: str) -> str:
    """The property a word stands for: old files add lower-case letters that do not count (`SiZe` is `SZ`)."""
    if word.isupper():
        return word
    return "".join(letter for letter in word if letter.isupper()) or word.upper()
