"""What the package promises about itself."""

import subprocess
import sys
from pathlib import Path

import tengen

ROOT = Path(__file__).parents[1]


def test_import_needs_numpy_alone():
    code = (
        "import sys, tengen; "
        "heavy = {'torch', 'gymnasium', 'pettingzoo', 'click', 'starlette', 'cv2', 'onnxruntime'} & set(sys.modules); "
        "print(sorted(heavy))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_stubs_are_those_of_the_extension(tmp_path):
    fresh = tmp_path / "_core.pyi"
    subprocess.run(
        [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "tengen._core", "-o", str(fresh)],
        check=True,
        cwd=tmp_path,
    )
    assert fresh.read_text() == (ROOT / "src/tengen/_core.pyi").read_text(), "run `make stubs`"


def test_every_public_name_is_there():
    for name in tengen.__all__:
        assert getattr(tengen, name) is not None


def test_errors_are_value_errors():
    for name in tengen.__all__:
        if name.endswith("Error"):
            assert issubclass(getattr(tengen, name), ValueError)
