"""SGF: real-world variants in, FF[4] out."""

from __future__ import annotations

import pytest

from tengen.errors import RecordError
from tengen.games import Position, Reason, Side
from tengen.games import records as rec
from tengen.games.records import Mark, Record, Result, Verdict


def one(text: str | bytes, game: str | None = None) -> Record:
    (record,) = rec.loads(text, "sgf", game=game)
    return record


def nodes(*points: str) -> str:
    """Moves of black and white in turn, as SGF."""
    return "".join(f";{'BW'[index % 2]}[{point}]" for index, point in enumerate(points))


def line(record: Record) -> str:
    return " ".join(str(move) for move in record.moves)


FULL = """(;FF[4]GM[4]CA[UTF-8]AP[some:1.0]SZ[15]RU[renju]
PB[Black \\] name]PW[黑白]BR[3 dan]DT[2024-05-06]EV[Cup]RO[2]PC[Tallinn]RE[B+R]GC[about the game]
C[root \\\\ comment
second line];B[hh]C[centre];W[hg]LB[ii:A][jj:b\\:c]TR[aa][bb]
(;B[ii]N[main]V[0.5];W[ij])
(;B[jj]V[1];W[kk]V[-2](;B[ka])(;B[kb]C[soft\\
break]))
)"""


def test_everything_of_a_full_file() -> None:
    record = one(FULL)
    assert record.game.name == "renju"
    assert record.headers == {
        "black": "Black ] name",
        "white": "黑白",
        "black_rank": "3 dan",
        "date": "2024-05-06",
        "event": "Cup",
        "round": "2",
        "place": "Tallinn",
        "comment": "about the game",
    }
    assert record.result == Result(Verdict.BLACK, Reason.RESIGNATION)
    assert record.root.comment == "root \\ comment\nsecond line"
    assert line(record) == "h8 h9 i7 i6"
    second = record.root.children[0].children[0]
    point = record.game.move
    assert second.marks == (
        Mark("label", point("i7"), "A"),
        Mark("label", point("j6"), "b:c"),
        Mark("triangle", point("a15")),
        Mark("triangle", point("b14")),
    )
    main, other = second.children
    assert (main.label, main.eval) == ("main", 0.5)
    assert other.eval == 1.0
    white = other.children[0]
    assert white.eval == 2.0  # V is from black's side, eval from the mover's
    assert [str(child.move) for child in white.children] == ["k15", "k14"]
    assert white.children[1].comment == "softbreak"


def test_a_full_file_comes_back_equal() -> None:
    record = one(FULL)
    assert one(rec.dumps(record, "sgf")) == record
    assert rec.dumps(one(rec.dumps(record, "sgf")), "sgf") == rec.dumps(record, "sgf")


def test_written_text_is_plain_ff4() -> None:
    record = Record.from_position(Position("gomoku", "a15b15h8"), black="A]B", comment="x\\y")
    assert rec.dumps(record, "sgf").decode() == (
        "(;FF[4]GM[4]CA[UTF-8]AP[tengen]SZ[15]RU[freestyle]PB[A\\]B]GC[x\\\\y];B[aa];W[ba];B[hh])\n"
    )


def test_crlf_bom_garbage_and_collections() -> None:
    data = b"\xef\xbb\xbfFrom: someone\r\n\r\n(;GM[4]SZ[15]C[a\r\nb]\r\n;B[hh]\r\n)\r\n"
    data += b" junk \r\n(;GM[2];B[fe])\r\n\x1a\n\n"
    first, second = rec.loads(data)
    assert first.root.comment == "a\nb"
    assert (first.game.name, second.game.name) == ("gomoku", "othello")
    assert line(second) == "f5"


@pytest.mark.parametrize("charset", ["UTF-8", "gb2312", "GB18030", "gbk"])
def test_declared_encodings(charset: str) -> None:
    text = f"(;GM[4]CA[{charset}]PB[古力]C[禁手]SZ[15])"
    assert one(text.encode(charset)).headers["black"] == "古力"


def test_undeclared_encodings() -> None:
    assert one("(;GM[4]PB[李明]C[五子棋])".encode("gb2312")).headers["black"] == "李明"
    assert one("(;GM[4]PB[José]C[é])".encode("latin-1")).headers["black"] == "José"
    assert one("(;GM[4]CA[ISO-8859-1]PB[Jos\u00e9])".encode("latin-1")).headers["black"] == "José"
    assert one("(;GM[4]PB[José])".encode()).headers["black"] == "José"


def test_an_encoding_that_is_not_known_is_guessed_and_noted() -> None:
    text = "(;GM[4]CA[ nonsense ]PB[José])"
    assert one(text.encode()).headers == {"black": "José", "charset": "nonsense"}
    assert one(text.encode("latin-1")).headers == {"black": "José", "charset": "nonsense"}
    assert one(text).headers == {"black": "José"}, "text is no longer in an encoding"
    assert one(b"\xef\xbb\xbf" + text.encode()).headers == {"black": "José"}
    assert one(b"(;GM[4]CA[nonsense]PB[Joe])").headers == {"black": "Joe"}, "every encoding gives the same"


def test_a_second_byte_that_looks_like_a_bracket() -> None:
    # 0x5D is a legal second byte in GBK; only a decoder that goes first reads this comment whole.
    tricky = b"(;GM[4]CA[GBK]C[" + b"\x81\x5d\x81\x5c" + b"];B[hh])"
    record = one(tricky)
    assert len(record.root.comment) == 2
    assert line(record) == "h8"


def test_old_identifiers_with_lower_case_letters() -> None:
    record = one("(;GaMe[4]SiZe[15]PlayerBlack[A]PlayerWhite[B]DaTe[1990];Black[hh]Comment[c];White[ii])")
    assert record.headers == {"black": "A", "white": "B", "date": "1990"}
    assert line(record) == "h8 i7"
    assert record.root.children[0].comment == "c"
    assert line(one("(;gm[4]sz[15];b[hh];w[ii])")) == "h8 i7"


@pytest.mark.parametrize(
    ("root", "game"),
    [
        ("GM[4]", "gomoku"),
        ("GM[4]SZ[19]", "gomoku:size=19"),
        ("GM[4]SZ[20]", "gomoku:size=20"),
        ("GM[4]SZ[15:15]", "gomoku"),
        ("GM[4]RU[Renju]", "renju"),
        ("GM[4]rule[renju]", "renju"),
        ("GM[4]RU[Standard Gomoku]", "gomoku:rule=standard"),
        ("GM[4]RU[caro]SZ[17]", "gomoku:rule=caro,size=17"),
        ("GM[4]SZ[3]RU[freestyle, win=3]", "gomoku:size=3,win=3"),
        ("GM[2]", "othello"),
        ("GM[2]SZ[6]", "othello:size=6"),
        ("", "gomoku"),
        ("SZ[15]", "gomoku"),
        ("SZ[8]", "othello"),
        ("SZ[19]", "gomoku:size=19"),
    ],
)
def test_which_game(root: str, game: str) -> None:
    assert one(f"(;{root})").game.name == game


def test_the_caller_names_the_rule_but_not_the_size_or_kind() -> None:
    assert one("(;GM[4]SZ[19])", "renju").game.name == "renju:size=19"
    assert one("(;GM[4])", "gomoku:size=20").game.name == "gomoku:size=20"
    assert one("(;GM[1]SZ[15];B[hh])", "renju").game.name == "renju"
    with pytest.raises(RecordError, match="of othello, not of renju"):
        one("(;GM[2])", "renju")


def test_points_in_board_notation() -> None:
    assert line(one("(;GM[4]SZ[15];B[h8];W[A15];B[o1])")) == "h8 a15 o1"
    assert line(one("(;GM[2];B[f5];W[D6])")) == "f5 d6"
    assert line(one("(;GM[4]SZ[15];B[HH];W[ aa ])")) == "h8 a15"


def test_othello_passes() -> None:
    before = "(;GM[2];B[d3];W[c3];B[e6];W[d2];B[d1];W[e1];B[b2];W[c1]"
    for passed in (";B[]", ";B[tt]", ";B[pass]", ";B[PA]", ""):
        record = one(before + passed + ";W[a3])")
        assert line(record).endswith("c1 pass a3"), passed
    assert b";B[];W[ac]" in rec.dumps(record, "sgf")
    assert one(rec.dumps(record, "sgf")) == record


def test_an_inferred_pass_is_shared_by_variations() -> None:
    record = one("(;GM[2];B[d3];W[c3];B[e6];W[d2];B[d1];W[e1];B[b2];W[c1](;W[a3])(;W[b4])(;W[d6]))")
    (passed,) = list(record.root.line())[7].children
    assert str(passed.move) == "pass"
    assert [str(child.move) for child in passed.children] == ["a3", "b4", "d6"]


def test_passes_behind_the_end_are_dropped() -> None:
    over = nodes("e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5")
    record = one(f"(;GM[2]{over};W[];B[])")
    assert len(record.moves) == 9
    assert record.result == Result(Verdict.BLACK, score=(64, 0))


def test_set_up() -> None:
    record = one("(;GM[4]SZ[15]AB[hh][ii]AW[hg]PL[W]C[problem];W[jj];B[kk])")
    assert record.setup is not None
    assert {str(move) for move in record.setup.black} == {"h8", "i7"}
    assert {str(move) for move in record.setup.white} == {"h9"}
    assert record.setup.to_move is Side.WHITE
    assert line(record) == "j6 k5"
    assert one(rec.dumps(record, "sgf")) == record


def test_set_up_side_comes_from_the_first_move_or_the_count() -> None:
    assert one("(;GM[4]AB[hh]AW[ii];W[jj])").start().to_move is Side.WHITE
    assert one("(;GM[4]AB[hh]AW[ii];B[jj])").start().to_move is Side.BLACK
    assert one("(;GM[4]AB[hh][jj]AW[ii])").start().to_move is Side.WHITE
    assert one("(;GM[4]AB[hh]AW[ii])").start().to_move is Side.BLACK
    white_first = one("(;GM[4];W[hh];B[ii])")
    assert white_first.setup is not None
    assert one(rec.dumps(white_first, "sgf")) == white_first


def test_set_up_in_rectangles_erasing_and_in_a_later_node() -> None:
    record = one("(;GM[4];AB[aa:cb]AE[bb];AW[dd]PL[B];B[hh])")
    assert record.setup is not None
    assert {str(move) for move in record.setup.black} == {"a15", "b15", "c15", "a14", "c14"}
    assert {str(move) for move in record.setup.white} == {"d12"}


def test_othello_set_up() -> None:
    usual = one("(;GM[2]AB[ed][de]AW[dd][ee]PL[B];B[fe])")
    assert usual.setup is None
    assert usual == one("(;GM[2];B[fe])")
    other = one("(;GM[2]AB[ed][de]AW[dd][ee]PL[W])")
    assert other.setup is not None
    assert other.start().to_move is Side.WHITE


def test_several_moves_in_one_node() -> None:
    assert line(one("(;GM[4]FF[4]SZ[15]RE[0]B[hh]W[ig]B[gj])")) == "h8 i9 g6"


def test_nodes_without_moves_add_to_the_node_before() -> None:
    record = one("(;GM[4];C[one];C[two];B[hh]C[a];C[b];TR[aa];W[ii])")
    assert record.root.comment == "one\ntwo"
    first = record.root.children[0]
    assert first.comment == "a\nb"
    assert first.marks == (Mark("triangle", record.game.move("a15")),)
    assert line(record) == "h8 i7"


@pytest.mark.parametrize(
    ("said", "verdict", "reason", "kept"),
    [
        ("B+R", "black", "resignation", False),
        ("W+Resign", "white", "resignation", True),
        ("W+T", "white", "time", False),
        ("B+Time", "black", "time", True),
        ("B+F", "black", None, True),
        ("W+Foul", "white", "foul", False),
        ("B+", "black", None, False),
        ("B", "black", None, True),
        ("White wins", "white", None, True),
        ("黑胜", "black", None, True),
        ("W+3.5", "white", None, True),
        ("0", "draw", None, True),
        ("Draw", "draw", None, False),
        ("?", "unknown", None, True),
        ("Void", "unknown", None, True),
        ("banana", "unknown", None, True),
    ],
)
def test_results(said: str, verdict: str, reason: str | None, kept: bool) -> None:
    record = one(f"(;GM[4]RE[{said}])")
    assert record.result.verdict == verdict
    assert record.result.reason == reason
    assert record.headers == ({"result": said} if kept else {})
    assert one(rec.dumps(record, "sgf")) == record


def test_othello_results_have_scores() -> None:
    assert one("(;GM[2]RE[B+12])").result == Result(Verdict.BLACK, score=(38, 26))
    assert one("(;GM[2]RE[W+64])").result == Result(Verdict.WHITE, score=(0, 64))
    assert one("(;GM[2]RE[Draw])").result == Result(Verdict.DRAW, score=(32, 32))
    assert one("(;GM[2]RE[B+7])").result == Result(Verdict.BLACK)
    assert b"RE[B+12]" in rec.dumps(one("(;GM[2]RE[B+12])"), "sgf")


def test_a_changed_result_replaces_the_words_of_the_file() -> None:
    record = one("(;GM[4]RE[White wins])")
    record.result = Result.won(Side.BLACK)
    assert b"RE[B+]" in rec.dumps(record, "sgf")


def test_a_stated_result_beats_the_board_and_the_board_beats_silence() -> None:
    five = nodes("aa", "ab", "ba", "bb", "ca", "cb", "da", "db", "ea")
    assert one(f"(;GM[4]{five})").result.winner is Side.BLACK
    assert one(f"(;GM[4]RE[?]{five})").result.winner is Side.BLACK
    assert one(f"(;GM[4]RE[W+T]{five})").result.winner is Side.WHITE
    with_variation = one(f"(;GM[4]{five[:48]}(;B[ea])(;B[oo];W[on]))")
    assert with_variation.result.winner is Side.BLACK


@pytest.mark.parametrize(
    ("text", "place", "why"),
    [
        ("nothing here", "line 1", "no game"),
        ("(;GM[4]", "game 1, line 1", "ends inside"),
        ("(;GM[4];B[hh]", "game 1, line 1", "ends inside"),
        ("(;GM[4]\n;B[hh]\n;B[ii])", "game 1, line 3", r"move 2 \(i7\): it is black's"),
        ("(;GM[4];B[hh];W[hh])", "game 1, line 1", r"move 2 \(h8\)"),
        ("(;GM[4];B[hh](;W[ii];B[ii])(;W[jj]))", "game 1, line 1", r"move 3 \(i7\)"),
        ("(;GM[4]SZ[15];B[hh];W[pp])", "game 1, line 1", "move 2: 'pp' is no point"),
        ("(;GM[4]SZ[15];B[h16])", "game 1, line 1", "no point"),
        ("(;GM[4]SZ[15];B[\ud800\ud800])", "game 1, line 1", "no point"),
        ("(;GM[4]SZ[99])", "game 1, line 1", "3..22"),
        ("(;GM[4]SZ[0])", "game 1, line 1", "3..22"),
        ("(;GM[2]SZ[7])", "game 1, line 1", "4, 6, 8, 10"),
        ("(;GM[4]SZ[15:13])", "game 1, line 1", "no square board"),
        ("(;GM[4]SZ[x])", "game 1, line 1", "no square board"),
        ("(;GM[1];B[hh])", "game 1, line 1", "neither Gomoku"),
        ("(;GM[4];B[hh];W[])", "game 1, line 1", "move 2: a pass"),
        ("(;GM[4];B[hh];AB[ii])", "game 1, line 1", "set up after move 1"),
        ("(;GM[4]AB[hh]AW[zz])", "game 1, line 1", "no point"),
        ("(;GM[4]PL[x])", "game 1, line 1", "names no side"),
        ("(;GM[4]C)", "game 1, line 1", "property C has no value"),
        ("(;GM[4]C[open", "game 1, line 1", "property C has no value"),
        ("(;GM[4] 12)", "game 1, line 1", "unexpected '12"),
        ("(;GM[2];B[aa])", "game 1, line 1", r"move 1 \(a1\).*turns no disc"),
        ("(;GM[4])\n(;GM[4]\n;B[hh];W[hh])", "game 2, line 3", r"move 2 \(h8\)"),
    ],
)
def test_errors_have_a_place(text: str, place: str, why: str) -> None:
    with pytest.raises(RecordError, match=why) as caught:
        rec.loads(text, "sgf")
    assert caught.value.place == place


def test_times_and_values_of_white_come_back() -> None:
    record = Record.from_position(Position("gomoku", "h8h9i8"))
    for index, node in enumerate(record.root.line()):
        node.time_ms = 1500 * index
        node.eval = 0.25 * index
    assert one(rec.dumps(record, "sgf")) == record


def test_a_broad_and_deep_tree_is_read_in_linear_time() -> None:
    moves = "".join(f"(;B[{a}{b}];W[oo])" for _ in range(100) for a in "abcdefghijklmn" for b in "abcdefghijklmn")
    record = one(f"(;GM[4]{moves})")
    assert len(record.root.children) == 19_600
    assert one(rec.dumps(record, "sgf")) == record
