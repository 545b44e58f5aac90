"""Settings of a training method: dataclasses in, TOML in and out, every field with its meaning and range.

A method's configuration is a frozen dataclass of sections, each a frozen dataclass of numbers, words and lists made
with :func:`setting`. The same fields make the preset files, the ``config.toml`` of a run and the documentation.
"""

from __future__ import annotations

import math
import tomllib
import types
from collections.abc import Iterator, Mapping
from dataclasses import field, fields, is_dataclass
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from tengen.errors import TengenError

T = TypeVar("T")
#: The presets of each method that are too large for a processor.
FOR_A_GPU = {"alphazero": ("gpu-15x15", "othello", "renju"), "dqn": ("dqn-15x15", "dqn-othello")}
_LARGEST = 1 << 1000  # whole numbers from here on are too large for a float


class ConfigError(TengenError):
    """A setting that is unknown or out of range."""


def setting(
    default: Any, meaning: str, *, least: float | None = None, most: float | None = None, among: Any = None
) -> Any:
    """A dataclass field that knows what it means and what it may be."""
    metadata = {"meaning": meaning, "least": least, "most": most, "among": among}
    if isinstance(default, list):
        return field(default_factory=lambda: list(default), metadata={**metadata, "default": default})
    return field(default=default, metadata={**metadata, "default": default})


def from_dict(kind: type[T], values: Mapping[str, Any], where: str = "") -> T:
    """Make a configuration from nested mappings; raises ``ConfigError`` with the name of what is wrong."""
    hints = get_type_hints(kind)
    known = {f.name: f for f in fields(kind)}  # type: ignore[arg-type]
    for name in values:
        if name not in known:
            raise ConfigError(f"there is no setting {where + name!r}; there are {', '.join(where + n for n in known)}")
    made = {}
    for name, value in values.items():
        if is_dataclass(hints[name]):
            if not isinstance(value, Mapping):
                raise ConfigError(f"{where + name} is a section, not {value!r}")
            made[name] = from_dict(hints[name], value, f"{where}{name}.")
        else:
            made[name] = _checked(where + name, hints[name], known[name].metadata, value)
    return kind(**made)


def _checked(name: str, hint: Any, metadata: Mapping[str, Any], value: Any) -> Any:
    if get_origin(hint) is types.UnionType:  # X | None; TOML has no null, so None is never in a file
        hint = next(arg for arg in get_args(hint) if arg is not type(None))
        if value is None:
            return None
    typed = _typed(hint, value)
    if typed is None:
        raise ConfigError(f"{name} is {_in_words(hint)}, not {value!r}")
    value = typed
    least, most, among = metadata["least"], metadata["most"], metadata["among"]
    if among is not None and value not in among:
        raise ConfigError(f"{name} is one of {', '.join(map(str, among))}, not {value!r}")
    if (least is not None and not value >= least) or (most is not None and not value <= most):
        raise ConfigError(f"{name} is {range_words(metadata)}, not {value!r}")
    if not _is_finite(value):
        raise ConfigError(f"{name} has finite numbers only, not {value!r}")
    return value


def _typed(hint: Any, value: Any) -> Any:
    """The value, whole numbers as floats where these are wanted, also within lists; None if it is of another type."""
    kind = get_origin(hint) or hint
    if kind is float and type(value) is int:
        return float(value) if abs(value) < _LARGEST else math.inf
    if type(value) is not kind:
        return None
    if kind is not list:
        return value
    (each,) = get_args(hint)
    items = [_typed(each, item) for item in value]
    return None if any(item is None for item in items) else items


def _in_words(hint: Any) -> str:
    """What a value of a type is."""
    kind = get_origin(hint) or hint
    if kind is not list:
        return _kind_words[kind]
    (each,) = get_args(hint)
    return f"a list of {_many_words[each]}" + (', such as ["one", "two"]' if each is str else "")


def _is_finite(value: Any) -> bool:
    if isinstance(value, list):
        return all(map(_is_finite, value))
    return not isinstance(value, float) or math.isfinite(value)


_kind_words = {int: "a whole number", float: "a number", str: "a word", bool: "true or false"}
_many_words = {int: "whole numbers", float: "numbers", str: "words", list[float]: "lists of numbers"}


def range_words(metadata: Mapping[str, Any]) -> str:
    """Say what a setting may be, or nothing if its kind says all."""
    least, most, among = metadata["least"], metadata["most"], metadata["among"]
    if among is not None:
        return " | ".join(map(str, among))
    if least is not None and most is not None:
        return f"{least:g} to {most:g}"
    if least is not None:
        return f"{least:g} or more"
    return f"{most:g} or less" if most is not None else ""


def to_dict(config: Any) -> dict[str, Any]:
    """The inverse of :func:`from_dict`; settings that are None are left out."""
    pairs = ((f.name, getattr(config, f.name)) for f in fields(config))
    return {name: to_dict(value) if is_dataclass(value) else value for name, value in pairs if value is not None}


def changed(config: Any) -> dict[str, Any]:
    """The settings that are not as by default: a setting that is new in a later version is not among them."""
    found: dict[str, Any] = {}
    usual = type(config)()
    for one in fields(config):
        value = getattr(config, one.name)
        if is_dataclass(value):
            found |= {one.name: inner} if (inner := changed(value)) else {}
        elif value != getattr(usual, one.name):
            found[one.name] = value
    return found


def merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Nested mappings with the second's values where both have one."""
    result = dict(base)
    for name, value in over.items():
        both = isinstance(value, Mapping) and isinstance(result.get(name), Mapping)
        result[name] = merged(result[name], value) if both else value
    return result


def parse_assignment(text: str) -> dict[str, Any]:
    """Turn ``section.name=value`` from a command line into nested mappings; the value is TOML, or else a word."""
    path, equals, value = text.partition("=")
    if not equals or not path.strip():
        raise ConfigError(f"{text!r} is not NAME=VALUE, such as learn.batch=512")
    try:
        parsed = tomllib.loads(f"x = {value}")["x"]
    except ValueError:  # no TOML, or a number of thousands of digits
        parsed = value.strip()
    for name in reversed(path.strip().split(".")):
        parsed = {name: parsed}
    return parsed  # type: ignore[no-any-return]


def read_toml(path: Path) -> dict[str, Any]:
    """Read a file; raises ``ConfigError`` if it is not TOML."""
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: {error}") from None


def preset_names(method: str) -> list[str]:
    """The presets of a training method."""
    folder = resources.files("tengen") / "presets" / method
    return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))


def preset_values(method: str, name: str) -> dict[str, Any]:
    """The values of a preset by its name, or of a TOML file by its path; raises ``ConfigError`` if there is none."""
    known = preset_names(method)
    if name in known:
        with resources.as_file(resources.files("tengen") / "presets" / method / f"{name}.toml") as path:
            return read_toml(path)
    if not name.endswith(".toml"):
        for other in sorted(entry.name for entry in (resources.files("tengen") / "presets").iterdir()):
            if other != method and name in preset_names(other):
                raise ConfigError(f"{name!r} is a preset of `tengen train {other}`")
        raise ConfigError(f"there is no preset {name!r}; there are {', '.join(known)}, or give a .toml file")
    try:
        return read_toml(Path(name))
    except OSError as error:
        raise ConfigError(f"cannot read {name}: {error.strerror}") from None


def to_toml(values: Mapping[str, Any]) -> str:
    """Sections of numbers, words and lists as TOML."""
    lines: list[str] = []
    for name, value in values.items():
        if isinstance(value, Mapping):
            lines += ["", f"[{name}]", *(f"{key} = {_toml_value(v)}" for key, v in value.items())]
        else:
            lines.insert(0, f"{name} = {_toml_value(value)}")
    return "\n".join(lines).lstrip("\n") + "\n"


def _toml_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml_value, value)) + "]"
    return repr(value)


def described(kind: type, where: str = "") -> Iterator[tuple[str, str, str, str]]:
    """Every setting as (name, default, range, meaning), in order; the documentation is made of this."""
    hints = get_type_hints(kind)
    for f in fields(kind):
        if is_dataclass(hints[f.name]):
            yield from described(hints[f.name], f"{where}{f.name}.")
        else:
            default = f.metadata["default"]
            shown = "none" if default is None else _toml_value(default)
            yield where + f.name, shown, range_words(f.metadata), f.metadata["meaning"]


def markdown_table(kind: type) -> str:
    """The settings as the documentation shows them."""
    lines = ["| setting | default | range | meaning |", "| --- | --- | --- | --- |"]
    for name, *others in described(kind):
        cells = [f"`{name}`", *(text.replace("|", "\\|") for text in others)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"
