"""Files of weights: what goes in comes out, and nothing else is taken for one."""

import hashlib
import json
import os
import pickle
import random
import subprocess
import sys

import numpy as np
import pytest
import torch

import tengen
from tengen.nets import NetFileError, build, load, read_header, save
from tengen.nets.header import hash_safetensors

TRAINING = {"games": 12, "minutes": 1.5, "licence": "MIT", "note": "五目並べ"}


@pytest.fixture
def path(gomoku, make_net, tmp_path):
    """A file of weights."""
    path = tmp_path / "net.safetensors"
    save(path, make_net(gomoku), gomoku, training=TRAINING)
    return path


def refused(path, data, match=None):
    path.write_bytes(data)
    with pytest.raises(NetFileError, match=match) as caught:
        load(path)
    assert path.name in str(caught.value)


def rewritten(data, change):
    """A file whose header was changed by someone who knows how to hash."""
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    header = change(header) or header
    text = json.dumps(header, separators=(",", ":")).encode()
    data = len(text).to_bytes(8, "little") + text + data[8 + length :]
    return data[:35] + hash_safetensors(data).encode() + data[99:]


def test_round_trip(config, make_net, make_positions, tmp_path):
    net = make_net(config)
    sha256 = save(tmp_path / "net", net, config, training=TRAINING)
    again, header = load(tmp_path / "net")
    assert (header.config, header.training, header.sha256) == (config, TRAINING, sha256)
    assert header == read_header(tmp_path / "net")
    assert not again.training
    assert list(net.state_dict()) == list(again.state_dict())
    for here, there in zip(net.state_dict().values(), again.state_dict().values(), strict=True):
        torch.testing.assert_close(there, here, rtol=0, atol=0)
    planes = torch.from_numpy(make_positions(config, 2))
    torch.testing.assert_close(again(planes).policy, net(planes).policy, rtol=0, atol=0)
    again.train()(planes).policy.sum().backward()  # it can be trained on
    assert os.listdir(tmp_path) == ["net"]


def test_a_state_dict_does_as_well(gomoku, make_net, tmp_path):
    net = make_net(gomoku)
    state = {
        name: tensor.bfloat16() if tensor.is_floating_point() else tensor for name, tensor in net.state_dict().items()
    }
    save(tmp_path / "net", state, gomoku, training={})
    assert all(tensor.dtype == torch.float32 for tensor in load(tmp_path / "net")[0].parameters())


def test_the_same_weights_are_the_same_file(path, tmp_path):
    net, header = load(path)
    save(tmp_path / "again", net, header.config, training=header.training)
    assert (tmp_path / "again").read_bytes() == path.read_bytes()


def test_the_safetensors_library_reads_it(path):
    library = pytest.importorskip("safetensors.torch")
    tensors = library.load(path.read_bytes())
    state = load(path)[0].state_dict()
    assert tensors.keys() == state.keys()
    for name, tensor in tensors.items():
        torch.testing.assert_close(tensor, state[name], rtol=0, atol=0)


def test_a_header_needs_no_torch(path):
    code = (
        "import sys\n"
        "for name in ('torch', 'safetensors', 'onnx', 'onnxruntime'): sys.modules[name] = None\n"
        "from tengen.nets import read_header\n"
        "print(read_header(sys.argv[1]).training['games'])"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "12"


# Writing.


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_write_that_fails_leaves_the_old_file(gomoku, make_net, path, monkeypatch, step):
    before = path.read_bytes()

    def fail(*_):
        raise OSError("the disk is full")

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(OSError, match="disk is full"):
        save(path, make_net(gomoku, seed=1), gomoku, training={})
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]


def test_what_could_not_be_loaded_is_not_written(gomoku, othello, make_net, tmp_path):
    net = make_net(gomoku)
    state = net.state_dict()
    broken = [
        (state, othello, "shape|no part|missing"),
        ({name: tensor for name, tensor in state.items() if name != "stem.conv.weight"}, gomoku, "missing"),
        ({**state, "more": torch.zeros(1)}, gomoku, "no part"),
        ({**state, "heads.wdl.bias": torch.zeros(4)}, gomoku, "shape"),
        ({**state, "heads.wdl.bias": torch.tensor([0.0, float("nan"), 0.0])}, gomoku, "finite"),
    ]
    for weights, config, match in broken:
        with pytest.raises(tengen.TengenError, match=match):
            save(tmp_path / "net", weights, config, training={})
    for training, match in (
        ({"net": net}, "JSON"),
        ({"loss": float("nan")}, "JSON"),
        ({"a": "b" * 400_000}, "too many"),
    ):
        with pytest.raises(tengen.TengenError, match=match):
            save(tmp_path / "net", net, gomoku, training=training)
    assert os.listdir(tmp_path) == []


# Reading what is no longer what was written.


def test_any_changed_byte_is_noticed(path):
    data, rng = path.read_bytes(), random.Random(1)
    header = 8 + int.from_bytes(data[:8], "little")
    places = [
        *range(120),
        *rng.sample(range(120, header), 150),
        *rng.sample(range(header, len(data)), 150),
        len(data) - 1,
    ]
    for place in places:
        changed = bytearray(data)
        changed[place] ^= rng.randrange(1, 256)
        refused(path, changed)


@pytest.mark.parametrize("harm", [b"\xff" * 10, b'"' * 7, b"[" * 2000])
def test_a_header_that_is_no_text_is_called_damaged(path, harm):
    data = path.read_bytes()
    refused(path, data[:300] + harm + data[300 + len(harm) :], "damaged or changed: its header cannot be read$")
    with pytest.raises(NetFileError, match="damaged or changed"):
        read_header(path)


def test_a_file_that_was_cut_off_or_grew_is_refused(path):
    data, rng = path.read_bytes(), random.Random(2)
    for length in [*range(20), *rng.sample(range(len(data)), 100), len(data) - 1]:
        refused(path, data[:length])
    refused(path, data + b"\0")
    refused(path, data + data)


def test_a_header_that_was_cut_off_is_refused(path):
    data = path.read_bytes()
    for length in range(0, 8 + int.from_bytes(data[:8], "little"), 50):
        path.write_bytes(data[:length])
        with pytest.raises(NetFileError):
            read_header(path)


@pytest.mark.parametrize("length", [1 << 20, (1 << 20) + 1, 1 << 40, (1 << 64) - 1])
def test_a_huge_header_is_not_read(path, length):
    refused(path, length.to_bytes(8, "little") + b"{" + b" " * 1000, "header")


def test_a_hash_is_no_licence(path):
    """Files that contradict themselves are refused even if the hash is right."""
    data = path.read_bytes()
    assert rewritten(data, lambda header: None) != b""

    def set_metadata(key, value):
        return lambda header: header["__metadata__"].__setitem__(key, value)

    def set_entry(key, value):
        return lambda header: header["heads.wdl.bias"].__setitem__(key, value)

    config = json.loads(json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])["__metadata__"]["config"])
    for change, match in [
        (set_metadata("format", "tengen-net/2"), "'tengen-net/2'; this version of Tengen reads 'tengen-net/1'"),
        (set_metadata("config", "{}"), "keys kind"),
        (set_metadata("config", json.dumps({**config, "channels": 1024})), "shape"),
        (set_metadata("config", json.dumps({**config, "blocks": 3})), "no part|missing"),
        (set_metadata("config", "nonsense"), None),
        (set_metadata("training", "[]"), "no JSON object"),
        (set_metadata("training", "[" * 100_000), None),
        (set_metadata("training", 5), "lacks 'training'"),
        (set_entry("dtype", "F16"), "makes no sense"),
        (set_entry("dtype", ["F32"]), "makes no sense"),
        (set_entry("shape", [4]), "makes no sense"),
        (set_entry("shape", [-3]), "makes no sense"),
        (set_entry("shape", [10**30]), "makes no sense"),
        (set_entry("shape", "3"), "makes no sense"),
        (set_entry("data_offsets", [0, 12]), "makes no sense"),
        (set_entry("data_offsets", [1e99, 2]), "makes no sense"),
        (lambda header: header.__setitem__("heads.wdl.bias", 7), "makes no sense"),
        (lambda header: header.pop("stem.norm.weight") and None, "makes no sense|do not fill"),
    ]:
        refused(path, rewritten(data, change), match)
    refused(path, rewritten(data, lambda header: {"__metadata__": header["__metadata__"]}), "do not fill")
    weights = bytearray(data)
    weights[-4:] = np.float32("nan").tobytes()
    refused(path, rewritten(bytes(weights), lambda header: None), "finite")


def test_other_files_are_refused(path, tmp_path, gomoku):
    library = pytest.importorskip("safetensors.torch")
    refused(path, library.save(build(gomoku).state_dict()), "no metadata of ours")
    refused(path, library.save({"a": torch.zeros(2)}, {"format": "pt"}), "its format is 'pt'")
    refused(path, pickle.dumps({"a": 1}))
    refused(path, b"")
    refused(path, b"PK\x03\x04" + bytes(100))
    refused(path, hashlib.sha256(b"").digest() * 100)
    refused(path, (10).to_bytes(8, "little") + b'{"a": [1]}', "no metadata of ours")
    refused(path, (8).to_bytes(8, "little") + b"{1,2,3,}")
    with pytest.raises(NetFileError, match="cannot read"):
        load(tmp_path / "none")
    with pytest.raises(NetFileError, match="cannot read"):
        load(tmp_path)


def test_nothing_in_a_file_is_run(path, tmp_path):
    class Trap:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "trapped"),)

    refused(path, pickle.dumps(Trap()))
    assert not (tmp_path / "trapped").exists()
