"""The one grammar of names, ``kind[:key=value,...]``, for games and players alike."""

from __future__ import annotations

from tengen.errors import TengenError

_LONGEST_NAME = 4096


def split_name(text: str, *, what: str, error: type[TengenError]) -> tuple[str, dict[str, str]]:
    """Split ``kind:key=value,key=value`` into the kind and its options.

    Commas between quotes (``"`` or ``'``) belong to the value, and so do the quotes: whoever reads the value takes them
    off if they are not meant. :func:`join_name` gives the same name again.

    ``what`` ("game", "player") is used in messages. Raises ``error`` when the text does not have that form or gives a
    key twice.
    """
    if not isinstance(text, str):
        raise error(f"a {what} name is text such as 'kind:key=value', not {type(text).__name__}")
    if len(text) > _LONGEST_NAME:
        raise error(f"this {what} name is {len(text)} characters long; {_LONGEST_NAME} is the limit")
    kind, colon, rest = text.strip().partition(":")
    options: dict[str, str] = {}
    if colon and not rest.strip():
        raise error(f"{text!r}: key=value is missing after the colon")
    for item in _split_at_commas(rest, text, error) if colon else ():
        key, equals, value = (part.strip() for part in item.partition("="))
        if not equals or not key or not value:
            raise error(f"{text!r}: {item.strip()!r} is not of the form key=value")
        if key in options:
            raise error(f"{text!r}: {key!r} is given twice")
        options[key] = value
    return kind.strip(), options


def _split_at_commas(rest: str, text: str, error: type[TengenError]) -> list[str]:
    items, start, quote = [], 0, ""
    for at, character in enumerate(rest):
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character == ",":
            items.append(rest[start:at])
            start = at + 1
    if quote:
        raise error(f"{text!r}: a quote is not closed")
    return [*items, rest[start:]]


def join_name(kind: str, options: dict[str, str]) -> str:
    """Put a name together again; the inverse of :func:`split_name`."""
    return kind + (":" + ",".join(f"{key}={value}" for key, value in options.items()) if options else "")
