"""``tengen nets``: the networks at hand."""

from __future__ import annotations

from typing import Any

import click

from tengen.cli.output import STDOUT, json_option, show_table, write_json
from tengen.nets.shipped import ShippedNet, rating, shipped_nets


@click.command("nets")
@json_option("the list")
def nets_command(json_to: str | None) -> None:
    """List the nets that come with Tengen.

    What they play, how they were trained, how strong they are. A name is what alphazero:net=NAME, dqn:net=NAME or
    evolved:net=NAME takes; so are the .onnx and .safetensors files and the folders of your own runs.

    \b
    JSON: {"nets": [{"name", "path", "games": [NAME, ...], "kind", "blocks", "channels", "board_size", "any_size",
           "precision", "bytes", "method", "played", "minutes", "device", "rating", "rating_low", "rating_high",
           "rated_as", "licence", "sha256"}]}
    "played" counts the games it was trained on; "rating" is that of the player "rated_as" in our arena, where greedy
    has 1000, with 95 % bounds. What is not known is null.
    """
    described = [_described(net) for net in shipped_nets()]
    if json_to:
        write_json({"nets": described}, json_to)
        if json_to == STDOUT:
            return
    if not described:
        click.echo("no nets are shipped with this version; train one: tengen train alphazero --help")
        return
    header = ("net", "games", "shape", "precision", "size", "trained", "rating", "licence")
    show_table(header, [_row(net) for net in described], right=(4, 6))


def _described(net: ShippedNet) -> dict[str, Any]:
    config, training = net.header.config, net.header.training
    said = {key: training.get(key) for key in ("method", "played", "minutes", "device")}
    rated = rating(net)
    return {
        "name": net.name,
        "path": str(net.path),
        "games": [game.name for game in net.games],
        "kind": config.kind,
        "blocks": config.blocks,
        "channels": config.channels,
        "board_size": config.size,
        "any_size": config.any_size,
        "precision": net.header.precision,
        "bytes": net.path.stat().st_size,
        **said,
        "rating": rated and rated.rating,
        "rating_low": rated and rated.low,
        "rating_high": rated and rated.high,
        "rated_as": rated and rated.player,
        "licence": training.get("licence"),
        "sha256": net.header.sha256,
    }


def _row(net: dict[str, Any]) -> tuple[str, ...]:
    trained = [str(net["method"] or "?")]
    trained += [f"{net['played']:,} games"] if net["played"] else []
    trained += [f"{net['minutes']:g} min"] if net["minutes"] else []
    trained += [f"on {net['device']}"] if net["device"] else []
    return (
        net["name"],
        " ".join(net["games"]),
        f"{net['kind']} {net['blocks']}x{net['channels']}",
        net["precision"],
        f"{net['bytes'] / 1e6:.1f} MB",
        ", ".join(trained),
        _rating_in_words(net),
        net["licence"] or "?",
    )


def _rating_in_words(net: dict[str, Any]) -> str:
    if net["rating"] is None:
        return "?"
    options = net["rated_as"].partition(":")[2]
    return f"{net['rating']:.0f}" + (f" at {options}" if options else "")
