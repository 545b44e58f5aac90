"""Networks: what they are, their files, and their evaluation.

Reading headers needs nothing, evaluating needs ONNX Runtime (``pip install tengen[nets]``), building, training and
exporting need torch and onnx (``pip install tengen[train]``); each is imported when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tengen._core import Evaluator, FunctionEvaluator
from tengen.nets.config import (
    NetConfig,
    lines_config,
    s0_config,
    s1_config,
    s1_evolved_config,
    s2_config,
    s3_config,
    s4_config,
)
from tengen.nets.header import NetFileError, NetHeader, read_header, verify_onnx

if TYPE_CHECKING:
    from tengen.nets.checkpoint import load, save
    from tengen.nets.evaluator import OnnxEvaluator
    from tengen.nets.export import ExportCheck, check_export, export_onnx
    from tengen.nets.network import Net, Outputs, build, fold, infer, torch_evaluator

__all__ = [
    "Evaluator",
    "ExportCheck",
    "FunctionEvaluator",
    "Net",
    "NetConfig",
    "NetFileError",
    "NetHeader",
    "OnnxEvaluator",
    "Outputs",
    "build",
    "check_export",
    "export_onnx",
    "fold",
    "infer",
    "lines_config",
    "load",
    "read_header",
    "s0_config",
    "s1_config",
    "s1_evolved_config",
    "s2_config",
    "s3_config",
    "s4_config",
    "save",
    "torch_evaluator",
    "verify_onnx",
]

_LAZY = {
    **dict.fromkeys(("Net", "Outputs", "build", "fold", "infer", "torch_evaluator"), "network"),
    **dict.fromkeys(("load", "save"), "checkpoint"),
    **dict.fromkeys(("ExportCheck", "check_export", "export_onnx"), "export"),
    "OnnxEvaluator": "evaluator",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'tengen.nets' has no attribute {name!r}")
    try:
        return getattr(import_module(f"tengen.nets.{_LAZY[name]}"), name)
    except ModuleNotFoundError as trouble:
        if trouble.name not in ("torch", "onnx"):
            raise
        raise ImportError(f"tengen.nets.{name} needs {trouble.name}: pip install tengen[train]") from trouble
