"""``tengen games`` and ``tengen players``: the names that the other commands take."""

from __future__ import annotations

from collections.abc import Mapping

import click

from tengen.cli.output import STDOUT, json_option, show_table, write_json
from tengen.games import GAMES
from tengen.games._game import ALIASES, KINDS, Option, options_of
from tengen.naming import join_name
from tengen.players import player_kinds


@click.command("games")
@json_option("the list")
def games_command(json_to: str | None) -> None:
    """List the games and the options of their names.

    A name is KIND or KIND:KEY=VALUE,...; keys left out have their default.

    \b
    JSON: {"games": [{"name", "summary", "options": {KEY: {"values", "default", "meaning"}}}],
           "aliases": {NAME: the game it stands for}, "examples": [NAME, ...]}
    """
    aliases = {alias: join_name(kind, settled) for alias, (kind, settled) in ALIASES.items()}
    if json_to:
        described = [
            {
                "name": kind.name,
                "summary": kind.summary,
                "options": {
                    key: {"values": list(option.choices), "default": option.default, "meaning": option.meaning}
                    for key, option in kind.options.items()
                },
            }
            for kind in KINDS.values()
        ]
        write_json({"games": described, "aliases": aliases, "examples": list(GAMES)}, json_to)
        if json_to == STDOUT:
            return
    rows: list[tuple[str, ...]] = []
    for kind in KINDS.values():
        rows.append((kind.name, "", "", "", kind.summary))
        rows.extend(_option_rows(kind.options))
    for alias, name in aliases.items():
        rows.append((alias, "", "", "", f"short for {name}"))
        rows.extend(_option_rows(options_of(alias)))
    show_table(("game", "key", "values", "default", "meaning"), rows)
    click.echo("\n" + click.wrap_text(f"Examples: {', '.join(GAMES)}", subsequent_indent="  "))


def _option_rows(options: Mapping[str, Option]) -> list[tuple[str, ...]]:
    return [("", key, option.describe(), str(option.default), option.meaning) for key, option in options.items()]


@click.command("players")
@json_option("the list")
def players_command(json_to: str | None) -> None:
    """List the players and the options of their names.

    A name is KIND or KIND:KEY=VALUE,...; every kind also takes the key seed.

    \b
    JSON: {"players": [{"name", "summary", "options": {KEY: {"default", "meaning"}}}]}
    """
    kinds = player_kinds().values()
    if json_to:
        described = [
            {
                "name": kind.name,
                "summary": kind.summary,
                "options": {
                    key: {"default": option.default, "meaning": option.meaning} for key, option in kind.options.items()
                },
            }
            for kind in kinds
        ]
        write_json({"players": described}, json_to)
        if json_to == STDOUT:
            return
    rows: list[tuple[str, ...]] = []
    for kind in kinds:
        rows.append((kind.name, "", "", kind.summary))
        rows.extend(("", key, option.default, option.meaning) for key, option in kind.options.items())
    show_table(("player", "key", "default", "meaning"), rows)
    click.echo("\nEvery player also takes seed=K, which fixes its random choices: random:seed=7")
