"""The registry of names, and the players that need no search."""

import pytest

import tengen
from tengen import Player, PlayerNameError, Position, TengenError
from tengen.players import PlayerKind, player_kinds, register
from tengen.players.human import HumanPlayer, Resigned


def play_game(game: str, black: Player, white: Player) -> Position:
    position = Position(game)
    while not position.is_over:
        mover = black if position.to_move == "black" else white
        position.play(mover.choose(position).move)
    return position


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("grandmaster", "the kinds are .*greedy, .*human, .*random"),
        ("random:strength=9", "its keys are seed"),
        ("random:seed=x", "seed cannot be 'x'"),
        ("random:", "key=value is missing"),
        ("", "the kinds are"),
    ],
)
def test_a_bad_name_lists_what_is_valid(name, says):
    with pytest.raises(PlayerNameError, match=says):
        tengen.player(name)


def test_a_name_may_carry_its_seed():
    for one, two in ((tengen.player("random:seed=5"), tengen.player("random", seed=5)),):
        assert one.name == two.name == "random"
        position = Position("gomoku")
        assert [one.choose(position).move for _ in range(5)] == [two.choose(position).move for _ in range(5)]


def test_a_kind_can_be_added_once():
    kind = PlayerKind("test-first-move", "plays the first legal move", tengen.player("random").__class__, {})
    register(kind)
    assert "test-first-move" in player_kinds()
    with pytest.raises(PlayerNameError, match="already"):
        register(kind)
    with pytest.raises(PlayerNameError, match="already"):
        register(PlayerKind("greedy", "", lambda **_: tengen.player("random"), {}))


@pytest.mark.parametrize("game", ["gomoku", "renju", "gomoku:size=7", "othello"])
def test_greedy_beats_random(game):
    wins = 0
    for seed in range(20):
        greedy, rival = tengen.player("greedy", seed=seed), tengen.player("random", seed=seed)
        side = "black" if seed % 2 == 0 else "white"
        position = play_game(game, *((greedy, rival) if side == "black" else (rival, greedy)))
        wins += position.outcome().winner == side
    assert wins >= (12 if game == "othello" else 18)


def test_greedy_blocks_and_wins():
    greedy = tengen.player("greedy", seed=1)
    threatened = Position.from_stones("gomoku", black=["a1"], white=["d8", "e8", "f8", "g8"], to_move="black")
    assert {str(greedy.choose(threatened).move) for _ in range(30)} == {"c8", "h8"}
    winning = Position.from_stones("gomoku", black=["c3", "d3", "e3", "f3"], white=["d8", "e8", "f8", "g8"])
    assert {str(greedy.choose(winning).move) for _ in range(30)} == {"b3", "g3"}


def test_greedy_with_a_margin_stays_near_the_stones_but_for_what_must_be():
    def drawn(position):
        return {str(tengen.player("greedy:margin=1", seed=seed).choose(position).move) for seed in range(200)}

    around = {f"{column}{row}" for column in "ghi" for row in (7, 8, 9)}
    assert drawn(Position("gomoku", "h8")) == around - {"h8"}
    assert drawn(Position("gomoku")) == {f"{column}{row}" for column in "fghij" for row in range(6, 11)}
    # All points that would win are outside of the box: then the box does not count.
    winning = Position.from_stones("gomoku", black=["c3", "d3", "e3", "f3"], white=["c4", "d4", "f4"])
    assert {str(tengen.player("greedy:margin=0", seed=seed).choose(winning).move) for seed in range(30)} == {"b3", "g3"}


def test_greedy_turns_the_most_discs():
    position = Position.from_stones("othello", black=["a1", "a8"], white=["b1", "b2", "c3", "b8", "c8"])
    greedy = tengen.player("greedy", seed=1)
    for _ in range(10):
        move = greedy.choose(position).move
        assert len(position.flips(move)) == max(len(position.flips(other)) for other in position.legal_moves())


def test_greedy_under_renju_knows_that_a_foul_is_no_threat():
    # Black's only way to a four at h8 is a double four, so white need not stop it.
    position = Position.from_stones(
        "renju", black=["e8", "f8", "g8", "h9", "h10", "h11"], white=["d8", "h12", "a1"], to_move="white"
    )
    assert position.forbidden_reason("h8") is tengen.Foul.DOUBLE_FOUR
    assert "h8" not in {str(tengen.player("greedy", seed=s).choose(position).move) for s in range(60)}


def test_a_person_is_asked_until_the_move_is_legal(capsys):
    answers = iter(["z9", "h8", "i9"])
    human = HumanPlayer(ask=lambda _: next(answers))
    assert str(human.choose(Position("gomoku", "h8")).move) == "i9"
    errors = capsys.readouterr().err
    assert "points are a1..o15" in errors
    assert "black stone" in errors


def test_a_person_may_leave():
    with pytest.raises(Resigned):
        HumanPlayer(ask=lambda _prompt: "resign").choose(Position("gomoku"))


def test_no_choice_after_the_end():
    over = Position("gomoku:size=3,win=3", "a1b1a2b2a3")
    for kind in ("random", "greedy"):
        with pytest.raises(TengenError):
            tengen.player(kind).choose(over)
