import json
import subprocess
import sys
from dataclasses import replace

import pytest

import tengen
from tengen.nets import NetConfig, lines_config, s0_config, s1_evolved_config, s3_config, s4_config

GOOD = {
    "kind": "tengen",
    "encoding": "gomoku",
    "planes": 8,
    "blocks": 6,
    "channels": 64,
    "size": 15,
    "passes": False,
}


def test_a_shape_goes_through_json(config):
    assert NetConfig.from_dict(json.loads(json.dumps(config.to_dict()))) == config


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("kind", "s5"),
        ("kind", ["s3"]),
        ("encoding", "s3"),
        ("encoding", None),
        ("planes", 0),
        ("planes", 65),
        ("planes", "8"),
        ("blocks", -1),
        ("blocks", True),
        ("blocks", 2.0),
        ("channels", 2000),
        ("size", 2),
        ("size", 23),
        ("passes", 1),
        ("dueling", 1),
        ("dueling", "no"),
    ],
)
def test_a_shape_that_cannot_be_is_refused(key, value):
    with pytest.raises(tengen.TengenError, match=key if key != "kind" else "kind of network"):
        NetConfig.from_dict({**GOOD, key: value})


@pytest.mark.parametrize("values", [None, [], {}, {**GOOD, "more": 1}, {k: v for k, v in GOOD.items() if k != "size"}])
def test_other_keys_are_refused(values):
    with pytest.raises(tengen.TengenError, match="keys kind, encoding"):
        NetConfig.from_dict(values)


def test_dueling_is_said_where_it_is_not_usual():
    """Files from before it have no such key, and stay what they are."""
    usual = NetConfig.from_dict(GOOD)
    assert (usual.dueling, usual.rates_moves, "dueling" in usual.to_dict()) == (True, False, False)
    assert usual == NetConfig.from_dict({**GOOD, "dueling": True})
    plain = NetConfig.from_dict({**GOOD, "dueling": False})
    assert (plain.rates_moves, plain.to_dict()["dueling"]) == (True, False)
    assert plain != usual
    assert plain.in_words() == f"{usual.in_words()}, not dueling"
    rating = s0_config()
    assert (rating.dueling, rating.rates_moves, "dueling" in rating.to_dict()) == (False, True, False)
    dueling = replace(rating, dueling=True)
    assert (dueling.rates_moves, dueling.to_dict()["dueling"]) == (False, True)
    for config, other in ((s4_config(), False), (lines_config(), True), (s1_evolved_config(), True)):
        with pytest.raises(tengen.TengenError, match=f"dueling or not, not {config.kind}"):
            replace(config, dueling=other)


def test_the_sources_networks_have_the_sources_planes():
    assert (s3_config().planes, s4_config().planes) == (4, 13)
    with pytest.raises(tengen.TengenError, match="13 planes"):
        NetConfig(kind="s4", encoding="s4", planes=12, blocks=7, channels=256, size=15)
    with pytest.raises(tengen.TengenError, match="no residual blocks"):
        NetConfig(kind="s3", encoding="s3", planes=4, blocks=1, channels=128, size=15)


def test_headers_need_no_torch_onnx_or_onnxruntime():
    code = (
        "import sys, tengen.nets; tengen.nets.read_header; tengen.nets.NetConfig; "
        "print(sorted({'torch', 'onnx', 'onnxruntime', 'safetensors'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_what_is_missing_is_named(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("tengen.nets.")]:
        monkeypatch.delitem(sys.modules, name)
    for missing, wanted in (("torch", "build"), ("onnx", "export_onnx")):
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, missing, None)
            with pytest.raises(ImportError, match=rf"needs {missing}: pip install tengen\[train\]"):
                getattr(tengen.nets, wanted)
