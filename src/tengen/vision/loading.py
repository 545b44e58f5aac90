"""Picture files from anywhere: decoded within bounds, or refused with a reason.

Nothing of a file is trusted: the format and the measures are checked before a pixel is decoded, and of the metadata
only the orientation is used.
"""

from __future__ import annotations

import io
import os
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.errors import TengenError

#: What is read, by the names that Pillow has for it.
FORMATS = ("PNG", "JPEG", "WEBP", "BMP", "GIF")
MOST_BYTES = 64 << 20
MOST_PIXELS = 64_000_000
LEAST_SIDE = 48
#: Pictures are shrunk until no side is longer: a board of 20 points then still has 100 pixels a point.
LONGEST_SIDE = 2048

_ORIENTATION = 0x0112  # EXIF's tag
#: How EXIF's orientations 2 to 8 are undone: quarter turns counter-clockwise, then perhaps a mirror image.
_TURNS = {2: (0, True), 3: (2, False), 4: (2, True), 5: (3, True), 6: (3, False), 7: (1, True), 8: (1, False)}


class PictureError(TengenError):
    """A file or array that is no picture, or one that is not read; the message says why."""

    code = "picture"


def load_picture(source: str | os.PathLike[str] | bytes | NDArray[np.uint8]) -> tuple[NDArray[np.uint8], float]:
    """A picture as RGB [height, width, 3], and by how much it was shrunk (1 if it was not).

    ``source`` is a file, the bytes of one, or an array, RGB or grey. Raises ``PictureError`` for what is missing,
    empty, damaged, of another format or too large; time and memory are bounded whatever it is.
    """
    if isinstance(source, np.ndarray):
        return _shrunk(_checked_array(source))
    name, data = ("the picture", source) if isinstance(source, bytes) else _read_file(source)
    if not data:
        raise PictureError(f"{name} is empty")
    if len(data) > MOST_BYTES:
        raise PictureError(f"{name} has more than {MOST_BYTES >> 20} megabytes, the most that is read")
    return _shrunk(_decode(data, name))


def _read_file(path: str | os.PathLike[str]) -> tuple[str, bytes]:
    name = repr(os.fspath(path))
    try:
        if not Path(path).is_file():  # a pipe might never end
            raise PictureError(f"{name} is no file" if Path(path).exists() else f"there is no file {name}")
        with open(path, "rb") as file:
            return name, file.read(MOST_BYTES + 1)
    except OSError as trouble:
        raise PictureError(f"cannot read {name}: {trouble.strerror or trouble}") from None


def _decode(data: bytes, name: str) -> NDArray[np.uint8]:
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError:
        raise PictureError("pictures are read by Pillow: pip install tengen[vision]") from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about sizes, which are checked here
            image = Image.open(io.BytesIO(data), formats=FORMATS)
            _check_measures(image.width, image.height, name)
            if image.format == "JPEG":
                image.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))  # decodes at a half or less where that is enough
            turns = _orientation(image)
            pixels = _flattened(image)
    except PictureError:
        raise
    except Image.DecompressionBombError:
        raise PictureError(_too_large(name)) from None
    except UnidentifiedImageError:
        raise PictureError(f"{name} is no picture that is read here: {', '.join(FORMATS)}") from None
    except Exception as trouble:  # the decoders' errors have no common class
        raise PictureError(f"{name} is damaged: {trouble}") from None
    turned = np.rot90(pixels, turns[0])
    return np.ascontiguousarray(turned[:, ::-1] if turns[1] else turned)


def _check_measures(width: int, height: int, name: str) -> None:
    if width * height > MOST_PIXELS:
        raise PictureError(f"{_too_large(name)}: {width} x {height}")
    if min(width, height) < LEAST_SIDE:
        raise PictureError(f"{name} has {width} x {height} pixels, too few for a board")


def _too_large(name: str) -> str:
    return f"{name} has more than {MOST_PIXELS // 1_000_000} million pixels, the most that is read"


def _orientation(image: Any) -> tuple[int, bool]:
    try:
        return _TURNS.get(image.getexif().get(_ORIENTATION, 1), (0, False))
    except Exception:  # a stranger's EXIF may be anything
        return 0, False


def _flattened(image: Any) -> NDArray[np.uint8]:
    """RGB on white where the picture is transparent."""
    from PIL import Image

    # Whole-number shrinking first: the conversions below need several times a picture's memory.
    factor = max(1, max(image.size) // LONGEST_SIDE)
    if "A" in image.getbands() or "transparency" in image.info:
        image = image.convert("RGBA")
        image = image.reduce(factor) if factor > 1 else image
        white = Image.new("RGBA", image.size, (255, 255, 255, 255))
        image = Image.alpha_composite(white, image)
    if image.mode in ("I;16", "I;16B", "I"):
        return np.repeat((np.asarray(image, np.uint32) >> 8).clip(0, 255).astype(np.uint8)[..., None], 3, axis=2)
    return np.asarray(image.convert("RGB"), np.uint8)


def _checked_array(array: NDArray[Any]) -> NDArray[np.uint8]:
    grey, colour = array.ndim == 2, array.ndim == 3 and array.shape[2] == 3
    if array.dtype != np.uint8 or not (grey or colour):
        raise PictureError(f"a picture is uint8 [height, width, 3] or [height, width], not {array.dtype} {array.shape}")
    _check_measures(array.shape[1], array.shape[0], "the picture")
    return np.repeat(array[..., None], 3, axis=2) if grey else array


def _shrunk(pixels: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], float]:
    import cv2

    longest = max(pixels.shape[:2])
    if longest <= LONGEST_SIDE:
        return pixels, 1.0
    factor = longest / LONGEST_SIDE
    size = (max(1, round(pixels.shape[1] / factor)), max(1, round(pixels.shape[0] / factor)))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8), factor
