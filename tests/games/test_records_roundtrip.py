"""Properties: what is written is read back equal, for random games of every game and rule."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from tengen.errors import RecordError
from tengen.games import Game, Position, Reason, Side
from tengen.games import records as rec
from tengen.games.records import Mark, Node, Record, Result

GAMES = [
    "gomoku",
    "renju",
    "gomoku:rule=standard,size=19",
    "gomoku:size=20",
    "gomoku:rule=caro,size=22",
    "gomoku:size=3,win=3",
    "gomoku:size=7",
    "othello",
    "othello:size=4",
    "othello:size=6",
    "othello:size=10",
]
GOMOKU = [name for name in GAMES if not name.startswith("othello")]
OTHELLO = [name for name in GAMES if name.startswith("othello")]

seeds = st.integers(0, 2**32)
words = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=20).map(str.strip)
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=30)
names = st.fixed_dictionaries({}, optional={key: words.filter(bool) for key in ("black", "white", "date", "place")})
slow_ok = settings(max_examples=60, deadline=None)


def random_position(game: str, rng: random.Random, *, finished: bool = False, stones: int = 0) -> Position:
    position = Position(game)
    plies = 10_000 if finished else rng.randrange(0, 80)
    while not position.is_over and position.ply < plies:
        position.play(rng.choice(position.legal_moves()))
    return position


def set_up(game: str, rng: random.Random) -> Position:
    """A position set up from the stones of a random one, with a few moves played on."""
    source = random_position(game, rng)
    board = source.board().ravel()
    position = Position.from_stones(
        game,
        black=[i for i, stone in enumerate(board) if stone == 1],
        white=[i for i, stone in enumerate(board) if stone == 2],
        to_move=rng.choice(["black", "white"]),
    )
    for _ in range(rng.randrange(6)):
        if not position.is_over:
            position.play(rng.choice(position.legal_moves()))
    return position


def grow(record: Record, position: Position, rng: random.Random, data: st.DataObject) -> None:
    """Adds random variations and annotations to a record."""
    root = position.copy()
    while root.ply:
        root.undo()
    for _ in range(rng.randrange(8)):
        here = root.copy()
        node = record.root
        while node.children and rng.random() < 0.8:
            node = rng.choice(node.children)
            here.play(node.move)
        for _ in range(rng.randrange(5)):
            if here.is_over:
                break
            node = node.add(here.play(rng.choice(here.legal_moves())))
    nodes = [node for _, node in record.root.walk()]
    for node in rng.sample(nodes, min(4, len(nodes))):
        annotate(node, record.game, rng, data)


def annotate(node: Node, game: Game, rng: random.Random, data: st.DataObject) -> None:
    node.comment = data.draw(texts)
    node.label = data.draw(words)
    points = rng.sample(range(game.size * game.size), 3)
    kinds = ["label", "triangle", "square", "circle", "cross"]
    marks = [(rng.choice(kinds), game.move(point)) for point in points]
    node.marks = tuple(Mark(kind, point, data.draw(words) if kind == "label" else "") for kind, point in marks)
    if node.move is not None:
        node.time_ms = rng.choice([None, 0, 17, 123_456])
        node.eval = rng.choice([None, 0.0, -1.5, 0.1, 1e-7, 12345.678])


@slow_ok
@given(st.sampled_from(GAMES), seeds, names, st.booleans(), st.data())
def test_sgf_holds_everything(
    game: str, seed: int, headers: dict[str, str], with_setup: bool, data: st.DataObject
) -> None:
    rng = random.Random(seed)
    position = set_up(game, rng) if with_setup else random_position(game, rng)
    record = Record.from_position(position, **headers)
    grow(record, position, rng, data)
    # The main line may have grown, so the result on its end's board is what a reader sees.
    record.result = Result.of(record.position())
    if not record.result.is_known:
        record.result = rng.choice(
            [rec.UNKNOWN, Result.won(Side.WHITE, Reason.TIME), Result.won(Side.BLACK, Reason.RESIGNATION)]
        )
    written = rec.dumps(record, "sgf")
    assert rec.detect(written) == "sgf"
    assert rec.loads(written) == [record]
    assert rec.loads(written.decode()) == [record]


@slow_ok
@given(st.lists(st.tuples(st.sampled_from(GAMES), seeds), min_size=1, max_size=4))
def test_sgf_collections(games: list[tuple[str, int]]) -> None:
    records = [Record.from_position(random_position(game, random.Random(seed))) for game, seed in games]
    assert rec.loads(rec.dumps(records, "sgf")) == records


@slow_ok
@given(st.sampled_from(GAMES), st.lists(seeds, min_size=1, max_size=3), st.booleans())
def test_moves(game: str, several: list[int], finished: bool) -> None:
    positions = [random_position(game, random.Random(seed), finished=finished) for seed in several]
    records = [Record.from_position(position) for position in positions if position.ply or len(positions) == 1]
    if not records:
        return
    written = rec.dumps(records, "moves")
    assert rec.loads(written, "moves", game=game) == records
    assert rec.loads(written.upper().decode(), "moves", game=game) == records


@slow_ok
@given(st.sampled_from(GOMOKU), seeds, names)
def test_psq(game: str, seed: int, headers: dict[str, str]) -> None:
    rng = random.Random(seed)
    held = {key: f"p {name}" for key, name in headers.items() if key in ("black", "white")}
    record = Record.from_position(random_position(game, rng), **held)
    for node in record.root.line():
        node.time_ms = rng.randrange(100_000)
    assert rec.loads(rec.dumps(record, "psq"), game=game) == [record]


@slow_ok
@given(st.sampled_from(OTHELLO), seeds, names, st.booleans())
def test_ggf(game: str, seed: int, headers: dict[str, str], with_setup: bool) -> None:
    rng = random.Random(seed)
    position = set_up(game, rng) if with_setup else random_position(game, rng, finished=rng.random() < 0.5)
    record = Record.from_position(position, **headers)
    for node in record.root.line():
        node.time_ms = rng.choice([None, 0, 10, 12_345])
        node.eval = rng.choice([None, 0.0, -1.25, 64.0])
    assert rec.loads(rec.dumps([record, record], "ggf")) == [record, record]


@slow_ok
@given(st.sampled_from(["othello", "othello:size=10"]), st.lists(seeds, min_size=1, max_size=4))
def test_wthor(game: str, several: list[int]) -> None:
    positions = [random_position(game, random.Random(seed), finished=True) for seed in several]
    records = [Record.from_position(position, perfect="12", black_id="5", date="2020") for position in positions]
    assert rec.loads(rec.dumps(records, "wthor")) == records


@slow_ok
@given(st.binary(max_size=200), st.sampled_from([None, *rec.FORMATS]))
def test_any_bytes_give_records_or_a_record_error(data: bytes, name: str | None) -> None:
    try:
        records = rec.loads(data, name)
    except RecordError:
        return
    assert all(isinstance(record, Record) for record in records)


@slow_ok
@given(st.text(max_size=200), st.sampled_from([None, *rec.FORMATS]))
def test_any_text_gives_records_or_a_record_error(data: str, name: str | None) -> None:
    try:
        records = rec.loads(data, name)
    except RecordError:
        return
    assert all(isinstance(record, Record) for record in records)
