"""Networks for play: the exported files compute what torch computes, and are refused when changed."""

import json
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import onnx
import pytest
import torch
from test_networks import make_symmetric, turn

import tengen
from tengen.nets import (
    NetFileError,
    OnnxEvaluator,
    check_export,
    export_onnx,
    infer,
    load,
    read_header,
    save,
    verify_onnx,
)
from tengen.nets.header import close_onnx

TRAINING = {"games": 12, "note": "五目並べ"}


@pytest.fixture
def export(tmp_path):
    """Exports a network; with positions, in 8-bit integers."""

    def export(net, samples=None):
        path = tmp_path / "net.onnx"
        export_onnx(net, net.config, path, training=TRAINING, int8_samples=samples)
        return path

    return export


def test_onnx_is_torch(config, make_net, make_positions, export):
    net = make_net(config)
    path = export(net)
    onnx.checker.check_model(str(path))
    check = check_export(net, path, make_positions(config, 70, seed=1))
    assert check.logits < 1e-4
    assert check.policy < 1e-5
    assert check.wdl < 1e-5
    assert check.top1 == 1


def test_int8_is_near(config, make_net, make_positions, export):
    net = make_net(config)
    path = export(net, make_positions(config, 100))
    positions = make_positions(config, 100, seed=1)
    with torch.no_grad():
        spread = float(infer(net, torch.from_numpy(positions))[0].std())
    check = check_export(net, path, positions)
    assert check.logits < 0.6 * spread
    assert check.wdl < 0.05
    assert check.top1 >= 0.85
    assert verify_onnx(path).precision == "int8"


@pytest.mark.parametrize("int8", [False, True])
def test_one_file_plays_every_size(gomoku, make_net, make_positions, export, int8):
    net = make_net(gomoku)
    path = export(net, make_positions(gomoku, 64) if int8 else None)
    evaluator = OnnxEvaluator(path)
    for size in (5, 9, 15):
        policy, wdl = evaluator.evaluate(make_positions(gomoku, 3, size))
        assert policy.shape == (3, size * size)
        assert wdl.shape == (3, 3)
        check = check_export(net, path, make_positions(gomoku, 32, size, seed=1))
        assert check.wdl < (0.1 if int8 else 1e-5), size


@pytest.mark.parametrize("int8", [False, True])
def test_an_exported_network_turns_with_the_board(gomoku, make_net, make_positions, export, int8):
    net = make_net(gomoku)
    make_symmetric(net)
    positions = make_positions(gomoku, 4)
    evaluator = OnnxEvaluator(export(net, positions if int8 else None))
    policy, _ = evaluator.evaluate(positions)
    for turns, flip in ((1, False), (2, True), (3, True)):
        turned = turn(torch.from_numpy(positions), turns, flip).contiguous().numpy()
        expected = turn(torch.from_numpy(policy).view(4, 9, 9), turns, flip).flatten(1).numpy()
        # In 8 bits a float sum in another order may tip a bias over to the next step.
        np.testing.assert_allclose(evaluator.evaluate(turned)[0], expected, atol=0.1 if int8 else 1e-4)


def test_a_dead_channel_does_no_harm(gomoku, make_net, make_positions, export):
    net = make_net(gomoku)
    with torch.no_grad():
        for layer in (net.stem, net.blocks[0].first, net.blocks[1].second):
            layer.conv.weight[:3] = 0
            layer.conv.weight[3] *= 1e-12
            layer.norm.bias[0] = 2.0
    positions = make_positions(gomoku, 64)
    assert check_export(net, export(net, positions), positions).wdl < 0.05


def test_only_legal_moves_count_if_they_are_known(gomoku, make_net, make_positions, export):
    net = make_net(gomoku)
    positions = make_positions(gomoku, 32)
    legal = (positions[:, 1:3].sum(1) == 0).reshape(32, -1)
    check = check_export(net, export(net, positions), positions, legal=legal)
    assert 0 < check.logits < 1
    assert check.top1 > 0.8


def test_the_file_tells_all(config, make_net, export):
    path = export(make_net(config))
    header = verify_onnx(path)
    assert header == read_header(path) == OnnxEvaluator(path).header
    assert (header.config, header.training, header.precision) == (config, TRAINING, "float32")
    assert {entry.key for entry in onnx.load(path).metadata_props} == {
        "format",
        "config",
        "training",
        "precision",
        "sha256",
    }


def test_the_same_network_is_the_same_file(gomoku, make_net, make_positions, export):
    net, positions = make_net(gomoku), make_positions(gomoku, 20)
    assert export(net, positions).read_bytes() == export(net, positions).read_bytes()


def test_any_changed_byte_is_noticed(gomoku, make_net, export):
    path = export(make_net(gomoku))
    data, rng = path.read_bytes(), random.Random(1)
    end = len(data) - 100
    places = [*range(60), *rng.sample(range(60, end - 600), 100), *rng.sample(range(end - 600, end), 100)]
    places += range(end, len(data))
    for place in places:
        changed = bytearray(data)
        changed[place] ^= rng.randrange(1, 256)
        path.write_bytes(changed)
        with pytest.raises(NetFileError, match=r"net\.onnx"):
            verify_onnx(path)


def test_metadata_that_is_no_text_is_called_damaged(gomoku, make_net, export):
    path = export(make_net(gomoku))
    path.write_bytes(path.read_bytes().replace(b'{"kind"', b"\xff\xff\xff\xff\xff\xff\xff"))
    with pytest.raises(NetFileError, match=r"damaged or changed: its header cannot be read$"):
        verify_onnx(path)


def test_a_file_that_was_cut_off_or_grew_is_refused(gomoku, make_net, export):
    path = export(make_net(gomoku))
    data, rng = path.read_bytes(), random.Random(2)
    for changed in [*(data[:n] for n in (*range(20), *rng.sample(range(len(data)), 100), len(data) - 1)), data + b"\0"]:
        path.write_bytes(changed)
        with pytest.raises(NetFileError):
            verify_onnx(path)


def test_other_files_are_refused(gomoku, make_net, export, tmp_path):
    net = make_net(gomoku)
    path = export(net)
    weights = tmp_path / "net.safetensors"
    save(weights, net, gomoku, training={})
    with pytest.raises(NetFileError, match="weights for training"):
        OnnxEvaluator(weights)
    with pytest.raises(NetFileError, match="for play"):
        load(path)
    model = onnx.load(path)
    model.metadata_props.add(key="by", value="another program")
    path.write_bytes(model.SerializeToString())
    with pytest.raises(NetFileError, match="rewritten by another program"):
        OnnxEvaluator(path)
    del model.metadata_props[:]
    path.write_bytes(close_onnx(model.SerializeToString()))
    with pytest.raises(NetFileError, match="no metadata of ours"):
        OnnxEvaluator(path)
    for key, value in (("format", "tengen-net/1"), ("config", json.dumps(gomoku.to_dict())), ("training", "{}")):
        model.metadata_props.add(key=key, value=value)
    model.metadata_props.add(key="precision", value="float32")
    model.graph.node[0].op_type = "Nonsense"
    path.write_bytes(close_onnx(model.SerializeToString()))
    with pytest.raises(NetFileError, match="cannot read it"):
        OnnxEvaluator(path)


def test_wrong_planes_are_refused(gomoku, make_net, make_positions, export, tmp_path):
    net = make_net(gomoku)
    evaluator = OnnxEvaluator(export(net))
    positions = make_positions(gomoku, 2)
    for planes in (positions[:, 1:], positions[0], positions.astype(np.float32), positions[:0]):
        with pytest.raises(tengen.TengenError, match=r"uint8 \[n, 8, h, w\]"):
            evaluator.evaluate(planes)
        with pytest.raises(tengen.TengenError, match="uint8"):
            export_onnx(net, gomoku, tmp_path / "new.onnx", training={}, int8_samples=planes)
    assert not (tmp_path / "new.onnx").exists()


def test_a_network_of_another_shape_is_refused(gomoku, othello, make_net, tmp_path):
    with pytest.raises(tengen.TengenError, match="the network is"):
        export_onnx(make_net(gomoku), othello, tmp_path / "net.onnx", training={})


def test_threads_may_evaluate_at_once(gomoku, make_net, make_positions, export):
    evaluator = OnnxEvaluator(export(make_net(gomoku)), threads=2)
    positions = make_positions(gomoku, 8)
    alone = evaluator.evaluate(positions)[0]
    with ThreadPoolExecutor(4) as pool:
        for policy, _ in pool.map(lambda _: evaluator.evaluate(positions), range(40)):
            np.testing.assert_allclose(policy, alone, atol=1e-5)


def test_play_needs_no_torch(gomoku, make_net, export):
    code = (
        "import sys\n"
        "for name in ('torch', 'safetensors', 'onnx'): sys.modules[name] = None\n"
        "import numpy as np\n"
        "from tengen.nets import OnnxEvaluator\n"
        "print(OnnxEvaluator(sys.argv[1]).evaluate(np.ones((1, 8, 9, 9), np.uint8))[1].sum().round(3))"
    )
    path = export(make_net(gomoku))
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1.0"


def test_a_missing_runtime_is_named(gomoku, make_net, export, monkeypatch):
    path = export(make_net(gomoku))
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(ImportError, match=r"pip install tengen\[nets\]"):
        OnnxEvaluator(path)
