import json
import subprocess
import sys

import pytest

import tengen
from tengen.nets import NetConfig, s3_config, s4_config

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
    ],
)
def test_a_shape_that_cannot_be_is_refused(key, value):
    with pytest.raises(tengen.TengenError, match=key if key != "kind" else "kind of network"):
        NetConfig.from_dict({**GOOD, key: value})


@pytest.mark.parametrize("values", [None, [], {}, {**GOOD, "more": 1}, {k: v for k, v in GOOD.items() if k != "size"}])
def test_other_keys_are_refused(values):
    with pytest.raises(tengen.TengenError, match="keys kind, encoding"):
        NetConfig.from_dict(values)


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
