"""The nets of ``tengen see`` learn, are written as ONNX files that compute the same, and go on after a stop."""

import json
from importlib import resources

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("cv2")
pytest.importorskip("onnxruntime")

import torch

from tengen.nets.header import NetFileError
from tengen.train.run import RunError
from tengen.train.settings import ConfigError
from tengen.train.vision import see, see_samples
from tengen.train.vision.config import load_preset
from tengen.train.vision.see_nets import make_nets, onnx_bytes
from tengen.vision import geometry
from tengen.vision.geometry import STEP
from tengen.vision.grid import BOARDS, Kind
from tengen.vision.models import NETS, Model, Models, shipped_models
from tengen.vision.points import NO_POINT, RING


class Drawn:
    """Samples without the processes that draw them."""

    def __init__(self, count, **_):
        rng = np.random.default_rng(5)
        self.samples = [see_samples.draw_sample(rng, others=0.4, photos=0.3) for _ in range(6)]

    def take(self, least):
        return self.samples[:least]

    def close(self):
        pass


@pytest.fixture(scope="module")
def samples():
    return Drawn(1).samples


@pytest.fixture
def lesson(monkeypatch, samples):
    monkeypatch.setattr(see, "Drawers", Drawn)
    monkeypatch.setattr(see, "_STEPS_AT_ONCE", 2)
    small = ["see.steps=4", "see.batch=6", "see.boards=2", "see.device=cpu"]
    return lambda *more: see.SeeLesson(load_preset("see", [*small, *more]))


def test_samples_say_what_is_in_them(samples):
    assert {sample.corners is None for sample in samples} == {False, True}
    for sample in samples:
        kinds = [board.kind for board in sample.boards]
        if sample.corners is None:
            assert kinds == [Kind.NO_BOARD]
            assert sample.heat.max() == 0
            assert (sample.boards[0].labels == NO_POINT).all()
        else:
            assert kinds[0] in BOARDS
            assert kinds[1] == see_samples.ANYTHING
            assert sample.heat.max() > 200
            assert geometry.is_convex(sample.corners)
        for board in sample.boards:
            assert board.image.shape == (STEP * len(board.labels), STEP * len(board.labels), 3)


def test_places_of_any_lattice_are_labelled_by_where_they_lie():
    rng = np.random.default_rng(4)
    size, corners = 9, geometry.square(40, 360) + rng.normal(0, 12, (4, 2))
    cells = rng.integers(0, 3, (size, size)).astype(np.int8)
    ringed = np.pad(cells, RING, constant_values=NO_POINT)
    assert np.array_equal(see_samples._labels(corners, size, corners, cells), ringed)
    on_board = geometry.homography(geometry.square(0, size - 1), corners)

    def shifted(across, down, places=size):
        lattice = geometry.mapped(geometry.square(0, places - 1) + np.array([across, down]), on_board)
        return see_samples._labels(lattice, places, corners, cells)

    assert np.array_equal(shifted(1, 0)[:, :-1], ringed[:, 1:])
    assert (shifted(1, 0)[:, -1] == NO_POINT).all()
    assert np.array_equal(shifted(1, 1, size - 2), cells)  # a row too few on each side: the ring is of places
    assert (shifted(0.5, 0.5) == NO_POINT).all()
    assert (shifted(0, 0.4) == NO_POINT).all()
    assert (shifted(0.2, 0)[RING:-RING, RING:-RING] == see_samples.ANYTHING).all()


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("quarters", range(4))
def test_turned_views_keep_their_corners(quarters, mirrored):
    rng, side = np.random.default_rng(2), see_samples.CORNER_CELLS
    cells = np.array([[5, 7], [30, 6], [33, 35], [8, 37]]) + rng.integers(0, 3, (6, 4, 2))
    views = np.zeros((len(cells), side, side), np.uint8)
    for view, four in zip(views, cells, strict=True):
        view[four[:, 1], four[:, 0]] = range(1, 5)
    turn = see.Turn(quarters, mirrored)
    turned, corners = turn.turned(torch.from_numpy(views)).numpy(), turn.corners(cells.astype(np.float32))
    for number, (view, four) in enumerate(zip(turned, corners, strict=True)):
        assert geometry.is_convex(four.astype(float))
        assert (four[0] < 24).all()  # the top left is the top left
        seen = [view[int(y), int(x)] for x, y in four]
        assert sorted(seen) == [1, 2, 3, 4], number
    assert (seen == [1, 2, 3, 4]) == (turn == see.Turn(0, False))


def test_the_file_computes_what_the_net_does(tmp_path):
    rng = np.random.default_rng(3)
    for name, net in make_nets(1).items():
        with torch.no_grad():  # as if it had learned: norms are folded into the file
            for module in net.modules():
                if isinstance(module, torch.nn.BatchNorm2d):
                    module.running_mean.normal_(0, 0.1)
                    module.running_var.uniform_(0.5, 2)
        path = tmp_path / f"net-{name}.onnx"
        path.write_bytes(onnx_bytes(net, name=name, training={}))
        x = rng.uniform(0, 255, (2, 3, 64, 96)).astype(np.float32)
        more = {"background": rng.uniform(0, 255, (2, 3)).astype(np.float32)} if name == "points" else {}
        with torch.no_grad():
            expected = net.eval()(torch.from_numpy(x), *map(torch.from_numpy, more.values()))
        expected = expected if isinstance(expected, tuple) else (expected,)
        for ours, theirs in zip(Model(path).run(x, **more), expected, strict=True):
            assert np.abs(ours - theirs.numpy()).max() < 0.03 * max(1.0, np.abs(ours).max())
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(NetFileError):
        Model(path)


def test_a_lesson_goes_on_where_it_was_stopped(lesson, tmp_path):
    first = lesson()
    assert first.learn()[0] == 2
    first.write(tmp_path)
    Models(tmp_path)  # a checkpoint can be read with
    second = lesson()
    second.resume(tmp_path, first.state())
    assert second.share() == 0.5
    kept, again = first._tensors(), second._tensors()
    assert kept.keys() == again.keys()
    assert all(torch.equal(kept[key], again[key]) for key in kept)  # the optimisers' too
    corners = second.nets["corners"].maps.weight.clone()
    points = second.nets["points"].places.weight.clone()
    second.learn()
    assert second.share() == 1
    assert not torch.equal(points, second.nets["points"].places.weight)
    assert not torch.equal(corners, second.nets["corners"].maps.weight)
    with pytest.raises(RunError, match="does not fit this run"):
        second.resume(tmp_path / "elsewhere", first.state())


def test_a_lesson_begins_with_given_weights_of_which_some_nets_learn(lesson, tmp_path):
    first = lesson()
    first.learn()
    first.write(tmp_path)
    weights = {
        name: {key: value.clone() for key, value in net.state_dict().items()} for name, net in first.nets.items()
    }
    second = lesson("see.nets=['points']", "run.seed=5")
    second.start_from(str(tmp_path / "see.safetensors"))
    for name, net in second.nets.items():
        assert all(torch.equal(value, weights[name][key]) for key, value in net.state_dict().items())
    assert set(second.learn()[1]) == {"points", "right", "drawn"}
    changed = {
        name: not all(torch.equal(value, weights[name][key]) for key, value in net.state_dict().items())
        for name, net in second.nets.items()
    }
    assert changed == {"corners": False, "lattice": False, "points": True}
    (tmp_path / "second").mkdir()
    second.write(tmp_path / "second")
    assert json.loads(Models(tmp_path / "second").points.about["training"])["steps"] == 4  # what it began with counts
    third = lesson("see.nets=['points']")
    third.resume(tmp_path / "second", second.state())
    assert all(torch.equal(value, third._tensors()[key]) for key, value in second._tensors().items())
    assert third._training()["steps"] == 4
    with pytest.raises(RunError, match="no weights of these nets"):
        second.start_from(__file__)
    with pytest.raises(ConfigError, match="corners, lattice, points"):
        lesson("see.nets=['stones']")


def test_learning_may_round(lesson, monkeypatch):
    monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: True)
    seen = set()

    def looked_at(module, _, output):
        seen.add(output.dtype)

    for setting in ("see.bfloat16=true", "see.bfloat16=false"):
        rounded = lesson(setting)
        rounded.nets["points"].places.register_forward_hook(looked_at)
        rounded.learn()
        assert seen == {torch.bfloat16 if setting.endswith("true") else torch.float32}
        assert all(tensor.dtype == torch.float32 for tensor in rounded.nets["points"].parameters())
        seen.clear()


def test_a_damaged_file_of_tensors_is_no_checkpoint(lesson, tmp_path):
    (tmp_path / "see.safetensors").write_bytes(b"no tensors")
    fresh = lesson()
    with pytest.raises(RunError, match="does not fit this run"):
        fresh.resume(tmp_path, fresh.state())


def test_the_loss_falls(samples):
    nets = make_nets(1)
    rng = np.random.default_rng(1)
    optimiser = torch.optim.AdamW(nets["points"].parameters(), lr=3e-3)
    boards = [board for sample in samples for board in sample.boards]
    alike = [board for board in boards if len(board.labels) == len(boards[0].labels)]
    losses = []
    for _ in range(12):
        loss, _ = see.point_loss(nets["points"], alike, see.Turn.drawn(rng))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    assert losses[-1] < 0.6 * losses[0]


def test_the_shipped_nets_are_small_and_say_how_they_were_trained():
    models = shipped_models()
    for name in NETS:
        about = getattr(models, name).about
        assert about["net"] == name
        assert '"steps"' in about["training"]
        assert len(resources.files("tengen").joinpath("data", "vision", f"net-{name}.onnx").read_bytes()) < 1_100_000


def test_a_part_of_a_board_is_taught_as_none():
    rng = np.random.default_rng(8)
    size = 12
    cells = rng.choice([0, 1, 2], (size, size)).astype(np.int8)
    image = np.repeat(rng.integers(0, 256, (400, 400, 1), np.uint8), 3, axis=2)
    corners = geometry.square(30, 30 + 30 * (size - 1))
    for _ in range(30):
        board = see_samples._part_board(rng, image, corners, cells)
        assert board.kind == Kind.NO_BOARD
        part = len(board.labels) - 2 * RING
        inner = board.labels[RING:-RING, RING:-RING]
        tops = [start for start in (0, size - part) if np.array_equal(cells[start : start + part, :part], inner)]
        tops += [start for start in (0, size - part) if np.array_equal(cells[start : start + part, -part:], inner)]
        assert tops
        # On two sides the board ends; on the others the picture does, and repeats its last pixels.
        sides = [board.labels[0, RING:-RING], board.labels[-1, RING:-RING]]
        assert sorted(int(side[0]) for side in sides) == [see_samples.ANYTHING, NO_POINT]
        last = board.image if (sides[1] == see_samples.ANYTHING).all() else board.image[::-1]
        assert np.array_equal(last[-1], last[-2])
