"""A network's search as a player, with a net of our own making."""

import builtins
import threading
import time
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("onnxruntime")

import torch

import tengen
from tengen import Limit, PlayerNameError, Position, TengenError, _core, nets
from tengen.engines.session import Session
from tengen.nets import evaluator, shipped
from tengen.testing import check_player


def config(**changes):
    shape = {"kind": "tengen", "encoding": "gomoku", "planes": 16, "blocks": 1, "channels": 8, "size": 7}
    return nets.NetConfig(**{**shape, **changes})


def write(path: Path, shape: nets.NetConfig, seed: int = 1) -> str:
    torch.manual_seed(seed)
    net = nets.build(shape)
    for parameter in (net.heads if shape.kind == "tengen" else net).parameters():
        torch.nn.init.normal_(parameter, std=0.2)  # opinions
    nets.export_onnx(net.eval(), shape, path, training={"method": "alphazero", "games": ["gomoku:size=7"]})
    nets.save(path.with_suffix(".safetensors"), net, shape, training={})
    return str(path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("nets")


@pytest.fixture(scope="module")
def net(folder):
    return write(folder / "gomoku.onnx", config())


@pytest.fixture(scope="module")
def othello(folder):
    planes = _core.net_plane_count("othello")
    return write(folder / "othello.onnx", config(encoding="othello", planes=planes, size=6, passes=True))


@pytest.fixture(scope="module")
def s3(folder):
    return write(folder / "s3.onnx", nets.s3_config(7, channels=8))


def test_it_keeps_a_players_promises(net, othello):
    check_player(f"alphazero:net={net},playouts=30", games=["gomoku:size=7", "gomoku:size=9,rule=standard"])
    check_player(f"alphazero:net={othello},playouts=30", games=["othello:size=6"])


def test_the_same_seed_the_same_game(net):
    def game(seed):
        player = tengen.player(f"alphazero:net={net},playouts=40,temperature=1", seed=seed)
        position = Position("gomoku:size=7")
        for _ in range(8):
            position.play(player.choose(position).move)
        return [str(move) for move in position.moves]

    assert game(1) == game(1)
    assert len({tuple(game(seed)) for seed in range(4)}) > 1


def test_a_new_game_starts_anew(net):
    player = tengen.player(f"alphazero:net={net},playouts=50,temperature=1", seed=3)
    position = Position("gomoku:size=7")
    first = player.choose(position)
    player.choose(Position("gomoku:size=7", "d4"))
    player.new_game()
    again = player.choose(position)
    assert (again.move, again.scores) == (first.move, first.scores)


def test_without_temperature_the_most_visited_is_played(net):
    position = Position("gomoku:size=7", "d4c3")
    decision = tengen.player(f"alphazero:net={net},playouts=200").choose(position)
    assert decision.move == max(decision.scores, key=decision.scores.get)
    assert sum(decision.scores.values()) == pytest.approx(1)
    assert decision.pv[0] == decision.move
    assert -1 <= decision.value <= 1


def test_an_engine_draws_too(net):
    def first_move(seed, temperature):
        session = Session(f"alphazero:net={net},playouts=40,temperature={temperature}", lambda line: None, seed=seed)
        return session.think(Position("gomoku:size=7", "d4"), 10).decision.move

    assert len({first_move(seed, 0) for seed in range(3)}) == 1
    assert len({first_move(seed, 5) for seed in range(8)}) > 1


def test_a_win_in_one_is_taken_at_any_temperature(net):
    position = Position("gomoku:size=7", "a1a7b1b7c1c7d1d7")
    for seed in range(5):
        decision = tengen.player(f"alphazero:net={net},playouts=20,temperature=5", seed=seed).choose(position)
        assert str(decision.move) == "e1"


def test_limits(net):
    position = Position("gomoku:size=7")
    assert tengen.player(f"alphazero:net={net}").choose(position).stats["nodes"] == 400
    assert tengen.player(f"alphazero:net={net},playouts=70").choose(position).stats["nodes"] == 70
    player = tengen.player(f"alphazero:net={net},playouts=70")
    assert player.choose(position, limit=Limit(nodes=20)).stats["nodes"] == 20
    player.new_game()
    assert player.choose(position, limit=Limit(nodes=500)).stats["nodes"] == 70
    begun = time.monotonic()
    tengen.player(f"alphazero:net={net},time=0.1").choose(position)
    assert time.monotonic() - begun < 3


def test_stop(net):
    player = tengen.player(f"alphazero:net={net},time=60")
    position = Position("gomoku:size=15")
    player.prepare(position.game)
    timer = threading.Timer(0.2, player.stop)
    timer.start()
    begun = time.monotonic()
    decision = player.choose(position)
    assert time.monotonic() - begun < 20
    assert decision.move in position.legal_moves()
    tengen.player("alphazero").stop()  # nothing runs: harmless


@pytest.mark.parametrize(
    "options", ["threads=2,batch=4", "counts=vloss", "counts=none,batch=1", "c=3,effort=0,memory=1"]
)
def test_every_option_plays(options, net):
    position = Position("gomoku:size=9", "e5")
    assert tengen.player(f"alphazero:net={net},playouts=100,{options}").choose(position).move in position.legal_moves()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("playouts=0", "whole number from 1"),
        ("time=0", "number from 0.001"),
        ("threads=0", "from 1 to 256"),
        ("batch=0", "from 1 to 1024"),
        ("counts=x", "one of wu, vloss, none"),
        ("temperature=-1", "number from 0 to 100"),
        ("memory=0", "from 1 to 65536"),
        ("depth=3", "its keys are net, playouts"),
    ],
)
def test_bad_options_are_refused(options, says, net):
    with pytest.raises(PlayerNameError, match=says):
        tengen.player(f"alphazero:net={net},{options}")


def test_what_it_supports(net, othello, s3):
    def games(name):
        player = tengen.player(f"alphazero:net={name}")
        kinds = ("gomoku:size=7", "gomoku", "renju", "gomoku:size=5,win=4", "othello:size=6", "othello")
        return [each for each in kinds if player.supports(tengen.Game.parse(each))]

    assert games(net) == ["gomoku:size=7", "gomoku", "renju"]
    assert games(s3) == ["gomoku:size=7"]
    assert games(othello) == ["othello:size=6", "othello"]


def test_without_a_net_it_takes_the_shipped_one(net, monkeypatch):
    ours = shipped.ShippedNet("tiny", Path(net), nets.read_header(net))
    monkeypatch.setattr(shipped, "shipped_nets", lambda: (ours,))
    player = tengen.player("alphazero:playouts=10")
    assert player.supports(tengen.Game.parse("gomoku:size=7"))
    assert player.choose(Position("gomoku:size=7")).stats["nodes"] == 10
    assert tengen.player("alphazero:net=tiny,playouts=5").choose(Position("gomoku:size=7")).stats["nodes"] == 5
    assert not player.supports(tengen.Game.parse("othello"))
    with pytest.raises(TengenError, match=r"no net for othello is shipped \(there are tiny\); name one by net="):
        player.choose(Position("othello"))


def test_weights_of_training_play_too(net):
    weights = Path(net).with_suffix(".safetensors")
    position = Position("gomoku:size=7")
    by_weights = tengen.player(f"alphazero:net={weights},playouts=30").choose(position)
    assert by_weights.scores == tengen.player(f"alphazero:net={net},playouts=30").choose(position).scores


def test_a_run_folder_plays_its_newest_weights(net, tmp_path):
    for number in ("0000000001", "0000000020"):
        target = tmp_path / "run" / "checkpoints" / number / "net.safetensors"
        target.parent.mkdir(parents=True)
        target.write_bytes(Path(net).with_suffix(".safetensors").read_bytes())
    for unfinished in ("0000000030.part", "0000000029.damaged"):
        (tmp_path / "run" / "checkpoints" / unfinished).mkdir()
        (tmp_path / "run" / "checkpoints" / unfinished / "net.safetensors").write_bytes(b"half")
    assert shipped.find_net(str(tmp_path / "run")) == target
    assert tengen.player(f"alphazero:net={tmp_path / 'run'},playouts=5").choose(Position("gomoku:size=7"))


def test_nets_that_will_not_do(net, s3, tmp_path):
    with pytest.raises(PlayerNameError, match=r"there is no net 'nowhere.onnx'; give a file .* or a shipped net"):
        tengen.player("alphazero:net=nowhere.onnx")
    with pytest.raises(PlayerNameError, match="no run folder, or has no checkpoint yet"):
        tengen.player(f"alphazero:net={tmp_path}")
    foreign = tmp_path / "foreign.onnx"
    foreign.write_bytes(b"\x08\x07\x12\x03abc")
    with pytest.raises(PlayerNameError, match=r"foreign.onnx': not a net of Tengen's"):
        tengen.player(f"alphazero:net={foreign}")
    data = bytearray(Path(net).read_bytes())
    data[200] ^= 1
    altered = tmp_path / "altered.onnx"
    altered.write_bytes(data)
    with pytest.raises(TengenError, match="damaged or changed"):
        tengen.player(f"alphazero:net={altered}").choose(Position("gomoku:size=7"))
    cut = tmp_path / "cut.onnx"
    cut.write_bytes(Path(net).read_bytes()[:-50])
    with pytest.raises(TengenError, match="cut"):
        tengen.player(f"alphazero:net={cut}").choose(Position("gomoku:size=7"))
    with pytest.raises(TengenError, match="does not play"):
        tengen.player(f"alphazero:net={s3}").choose(Position("gomoku"))
    with pytest.raises(TengenError, match="does not play"):
        tengen.player(f"alphazero:net={net}").choose(Position("othello"))


@pytest.mark.parametrize("ending", [".onnx", ".safetensors"])
def test_a_net_that_is_written_anew_is_read_again(tmp_path, ending):
    path = tmp_path / f"net{ending}"

    def heard():
        player = tengen.player(f"alphazero:net={path},playouts=5", seed=1)
        player.choose(Position("gomoku:size=7", "d4"))
        return player.seen(Position("gomoku:size=7", "d4"))[0].prior

    write(tmp_path / "net.onnx", config(), seed=1)
    before = heard()
    assert heard() == before
    write(tmp_path / "net.onnx", config(), seed=2)
    assert heard() != before


def test_few_nets_stay_in_memory(tmp_path):
    shape, evaluators = config(), []
    for number in range(evaluator.NETS_KEPT + 1):
        path = Path(write(tmp_path / f"{number}.onnx", shape))
        evaluators.append(evaluator.core_evaluator(path)[0])
        assert evaluator.core_evaluator(path)[0] is evaluators[-1]
    assert evaluator.core_evaluator(tmp_path / "0.onnx")[0] is not evaluators[0]


def test_a_game_that_is_over(net):
    with pytest.raises(tengen.IllegalMoveError, match="the game is over"):
        tengen.player(f"alphazero:net={net}").choose(Position("gomoku:size=7", "a1a7b1b7c1c7d1d7e1"))


def test_without_onnx_runtime(net, monkeypatch):
    evaluator._core_evaluator.cache_clear()
    evaluator._runtime_library.cache_clear()
    monkeypatch.setattr(evaluator, "find_spec", lambda name: None)
    with pytest.raises(TengenError, match=r"networks need ONNX Runtime: pip install tengen\[nets\]"):
        tengen.player(f"alphazero:net={net}").choose(Position("gomoku:size=7"))
    monkeypatch.undo()
    evaluator._runtime_library.cache_clear()


def test_weights_without_torch(net, monkeypatch):
    real = builtins.__import__

    def fake(name, *rest):
        if name in ("tengen.nets.checkpoint", "torch"):
            raise ModuleNotFoundError("No module named 'torch'", name="torch")
        return real(name, *rest)

    evaluator._core_evaluator.cache_clear()
    monkeypatch.setattr(builtins, "__import__", fake)
    with pytest.raises(TengenError, match=r"takes torch: pip install tengen\[train\], or export them"):
        tengen.player(f"alphazero:net={Path(net).with_suffix('.safetensors')}").choose(Position("gomoku:size=7"))
