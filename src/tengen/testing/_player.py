"""Does a player keep its promises?"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable

from tengen.errors import TengenError
from tengen.games import GAMES, Game, Move, Position, Side
from tengen.players import Decision, Limit, Player
from tengen.players import player as make_player
from tengen.testing._requirement import Snapshot, context, require, require_error

_FEW_NODES = Limit(nodes=64)


def check_player(
    player: str | Callable[[int], Player],
    games: str | Game | Iterable[str | Game] | None = None,
    *,
    seed: int = 0,
    limit: Limit | None = _FEW_NODES,
) -> None:
    """Check a player through whole games against random moves, as black and as white.

    Its moves are legal; the position is left as it was; decisions are typed sensibly; after ``new_game``, and in a twin
    with the same seed, the same positions get the same moves; a finished game is refused with a ``TengenError``;
    ``stop`` between moves does no harm; its name makes it again.

    ``player`` is a name, or a function that makes a player from a seed (its name is then not made into a player).
    ``games`` are those it must play (one, or several), by default all listed ones that it supports. ``limit`` goes with
    every ``choose``; a player that thinks by the clock cannot be reproducible, so keep to nodes. Raises
    ``ComplianceError``, and ``TengenError`` for a wrong game name or a ``player`` that is neither name nor function.
    """
    if isinstance(games, str | Game):
        games = [games]
    wanted = [Game.parse(game) for game in (GAMES if games is None else games)]
    if isinstance(player, str):
        with context(f"player {player!r}"):
            _check_name(player, seed)
        player = _maker(player)
    if not callable(player):
        raise TengenError(
            f"check_player wants a player's name or a function from a seed to a player, not a {type(player).__name__}"
        )
    with context("the player"):
        one = player(seed)
        require(isinstance(one, Player), "it lacks some of name, supports, new_game, choose and stop")
        require(isinstance(one.name, str) and one.name, f"its name is {one.name!r}")
    with context(f"player {one.name!r}"):
        supported = [game for game in wanted if _supports(one, game)]
        require(supported, "it supports none of the games")
        require(games is None or supported == wanted, "it does not support all the games that it must play")
        for game in supported:
            for side in Side:
                with context(f"{game} as {side}"):
                    _Bout(player, game, side, seed, limit).run()


def _maker(name: str) -> Callable[[int], Player]:
    return lambda seed: make_player(name, seed=seed)


def _check_name(name: str, seed: int) -> None:
    first = make_player(name, seed=seed)
    again = make_player(first.name, seed=seed)
    require(again.name == first.name, f"its name is {first.name!r}, which makes a player called {again.name!r}")
    require(type(again) is type(first), f"its name {first.name!r} makes a {type(again).__name__}")


def _supports(player: Player, game: Game) -> bool:
    answer = player.supports(game)
    require(isinstance(answer, bool), f"supports({game}) is {answer!r}")
    return answer


class _Bout:
    """One game against random moves, then the same positions once more."""

    def __init__(
        self, factory: Callable[[int], Player], game: Game, side: Side, seed: int, limit: Limit | None
    ) -> None:
        self.factory, self.game, self.side, self.seed, self.limit = factory, game, side, seed, limit
        self.rival = random.Random(f"{seed} {game} {side}")

    def run(self) -> None:
        player = self.factory(self.seed)
        player.new_game()
        player.stop()  # nothing is running, so this must do nothing, now or to the next choice
        final, decided = self._play(player)
        self._check_refusal(player, final)
        player.new_game()
        self._replay(player, decided, "after new_game()")
        self._replay(self.factory(self.seed), decided, "in another player with the same seed")

    def _play(self, player: Player) -> tuple[Position, list[tuple[Position, Move]]]:
        position, decided = Position(self.game), list[tuple[Position, Move]]()
        while not position.is_over:
            if position.to_move is self.side:
                move = self._choose(player, position).move
                decided.append((position.copy(), move))
                player.stop()
            else:
                move = self.rival.choice(position.legal_moves())
            position.play(move)
        return position, decided

    def _choose(self, player: Player, position: Position) -> Decision:
        before = Snapshot.of(position)
        with context(f"ply {position.ply} ({position!r})"):
            decision = player.choose(position, limit=self.limit)
            before.require_of(position, "choose()")
            check_decision(position, decision)
        return decision

    def _check_refusal(self, player: Player, final: Position) -> None:
        before = Snapshot.of(final)
        require_error("choose() on a finished game", lambda: player.choose(final, limit=self.limit), TengenError)
        before.require_of(final, "choose() on a finished game")

    def _replay(self, player: Player, decided: list[tuple[Position, Move]], when: str) -> None:
        for position, move in decided:
            again = player.choose(position, limit=self.limit).move
            require(again == move, f"ply {position.ply}: it chose {move}, and {when} {again}, with the same seed")


def check_decision(position: Position, decision: Decision) -> None:
    """Check that a decision is sensible for a position; raises ``ComplianceError``."""
    require(isinstance(decision, Decision), f"choose() returned a {type(decision).__name__}, not a Decision")
    move, value = decision.move, decision.value
    require(isinstance(move, Move), f"the move is a {type(move).__name__}, not a Move")
    require(position.is_legal(move), f"the move {move} is illegal")
    require(value is None or (_is_number(value) and -1 <= value <= 1), f"the value is {value!r}")
    require(isinstance(decision.pv, tuple), f"the pv is a {type(decision.pv).__name__}, not a tuple")
    if decision.pv:
        require(decision.pv[0] == move, f"the pv starts with {decision.pv[0]}, and the move is {move}")
        line = position.copy()
        for expected in decision.pv:
            require(isinstance(expected, Move) and line.is_legal(expected), f"{expected} in the pv is illegal")
            line.play(expected)
    for scored, score in decision.scores.items():
        require(isinstance(scored, Move) and position.is_legal(scored), f"{scored} has a score and is illegal")
        require(_is_number(score), f"the score of {scored} is {score!r}")
    for key, count in decision.stats.items():
        require(isinstance(key, str) and _is_number(count), f"the statistic {key!r} is {count!r}")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
