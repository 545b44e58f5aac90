"""Picture files from anywhere: decoded within bounds, or refused with a reason.

Nothing of a file is trusted: the format and the measures are checked before a pixel is decoded, and of the metadata
only the orientation is used.
"""

from __future__ import annotations

import io
import os
import re
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
#: Of a WebP picture, of which a decoder needs five copies of four bytes a pixel.
MOST_WEBP_PIXELS = 24_000_000
LEAST_SIDE = 48
#: Pictures are shrunk until no side is longer: a board of 20 points then still has 100 pixels a point.
LONGEST_SIDE = 2048

#: What a picture is read from: a file, the bytes of one, or an array uint8 [height, width, 3] or [height, width].
Source = str | os.PathLike[str] | bytes | bytearray | memoryview | NDArray[np.uint8]

_STRIP = 1 << 20  # pixels that are converted at a time
_MOST_SCANS = 100  # of a JPEG picture, all of whose pixels each may change; there are about ten
_MARKER = re.compile(rb"\xff([^\x00\x01\xd0-\xd7\xff])")  # but for those that have no length
_DEEP = ("I;16", "I;16L", "I;16B", "I;16N", "I")  # Pillow's names for 16 bits of grey
_ORIENTATION = 0x0112  # EXIF's tag
#: How EXIF's orientations 2 to 8 are undone: quarter turns counter-clockwise, then perhaps a mirror image.
_TURNS = {2: (0, True), 3: (2, False), 4: (2, True), 5: (3, True), 6: (3, False), 7: (1, True), 8: (1, False)}


class PictureError(TengenError):
    """A file or array that is no picture, or one that is not read; the message says why."""

    code = "picture"


def load_picture(source: Source) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """A picture as RGB [height, width, 3], and by how much it was shrunk across and down [2] (1, 1 if it was not).

    ``source`` is a file, the bytes of one, or an array, RGB or grey. Raises ``PictureError`` for what is missing,
    empty, damaged, of another format or too large, and for what is none of these; time and memory are bounded
    whatever it is.
    """
    if isinstance(source, np.ndarray):
        array = _checked_array(source)
        return _shrunk(array, array.shape[1], array.shape[0])
    if isinstance(source, (bytes, bytearray, memoryview)):
        name, data = "the picture", bytes(source)
    elif isinstance(source, (str, os.PathLike)):
        name, data = _read_file(source)
    else:
        raise PictureError(f"a picture is a file's name, the bytes of one or an array, not {type(source).__name__}")
    if not data:
        raise PictureError(f"{name} is empty")
    if len(data) > MOST_BYTES:
        raise PictureError(f"{name} has more than {MOST_BYTES >> 20} megabytes, the most that is read")
    return _shrunk(*_decode(data, name))


def _read_file(path: str | os.PathLike[str]) -> tuple[str, bytes]:
    name = repr(os.fspath(path))
    try:
        if not Path(path).is_file():  # a pipe might never end
            raise PictureError(f"{name} is no file" if Path(path).exists() else f"there is no file {name}")
        with open(path, "rb") as file:
            return name, file.read(MOST_BYTES + 1)
    except OSError as trouble:
        raise PictureError(f"cannot read {name}: {trouble.strerror or trouble}") from None


def _decode(data: bytes, name: str) -> tuple[NDArray[np.uint8], int, int]:
    """The pixels, perhaps fewer than there are, and how many there are across and down, the right way up."""
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError:
        raise PictureError("pictures are read by Pillow: pip install tengen[vision]") from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about sizes, which are checked here
            image = Image.open(io.BytesIO(data), formats=FORMATS)
            width, height = image.size  # before a decoder is asked for fewer
            _check_measures(width, height, name, MOST_WEBP_PIXELS if image.format == "WEBP" else MOST_PIXELS)
            if image.format == "PNG":  # whose decoder looks at no checksum
                Image.open(io.BytesIO(data), formats=("PNG",)).verify()
            if image.format == "JPEG":
                _check_scans(data, name)
                image.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))  # decodes at a half or less where that is enough
            image.load()  # first: a decoder that is asked for metadata keeps its errors to itself
            turns = _orientation(image)
            pixels = _flattened(image)
    except PictureError:
        raise
    except Image.DecompressionBombError:
        raise PictureError(_too_large(name, MOST_PIXELS)) from None
    except UnidentifiedImageError:
        raise PictureError(f"{name} is no picture of a format that is read; these are {', '.join(FORMATS)}") from None
    except Exception:  # the decoders' errors have no common class, and are words for programmers
        raise PictureError(f"{name} is damaged, or a part of it is missing") from None
    if turns[0] % 2:
        width, height = height, width
    turned = np.rot90(pixels, turns[0])
    return np.ascontiguousarray(turned[:, ::-1] if turns[1] else turned), width, height


def _check_measures(width: int, height: int, name: str, most: int = MOST_PIXELS) -> None:
    if width * height > most:
        raise PictureError(f"{_too_large(name, most)}: {width} x {height}")
    if min(width, height) < LEAST_SIDE:
        raise PictureError(f"{name} has {width} x {height} pixels, too few for a board")


def _check_scans(data: bytes, name: str) -> None:
    scans, at = 0, 2
    while (marker := _MARKER.search(data, at)) and marker[1] != b"\xd9":
        scans += marker[1] == b"\xda"
        at = marker.end() + int.from_bytes(data[marker.end() : marker.end() + 2])
    if scans > _MOST_SCANS:
        raise PictureError(f"{name} has more than {_MOST_SCANS} scans, the most that is read")


def _too_large(name: str, most: int) -> str:
    kind = " of WebP" if most == MOST_WEBP_PIXELS else ""
    return f"{name} has more than {most // 1_000_000} million pixels, the most that is read{kind}"


def _orientation(image: Any) -> tuple[int, bool]:
    try:
        return _TURNS.get(image.getexif().get(_ORIENTATION, 1), (0, False))
    except Exception:  # a stranger's EXIF may be anything
        return 0, False


def _flattened(image: Any) -> NDArray[np.uint8]:
    """RGB on white where the picture is transparent, by a whole number smaller where it is large.

    In strips: each conversion copies what it converts, and the whole picture may have a quarter of a gigabyte.
    """
    width, height = image.size
    factor = max(1, max(image.size) // LONGEST_SIDE)
    rows = factor * max(1, _STRIP // (factor * width))
    pixels = np.empty((-(-height // factor), -(-width // factor), 3), np.uint8)
    for top in range(0, height, rows):
        strip = _opaque(image.crop((0, top, width, min(top + rows, height))), factor)
        pixels[top // factor : (top + rows) // factor] = np.asarray(strip)
    return pixels


def _opaque(image: Any, factor: int) -> Any:
    """An image in RGB, smaller by a factor, on white."""
    from PIL import Image

    if image.mode in _DEEP:  # first: Pillow would take all of it for white
        image = _from_deep(image)
    clear = "A" in image.getbands() or "transparency" in image.info
    if clear or image.mode not in ("L", "RGB"):  # only of these are means of pixels what they show
        image = image.convert("RGBA" if clear else "L" if image.mode == "1" else "RGB")
    image = image.reduce(factor)
    if clear:
        white = Image.new("RGBA", image.size, (255, 255, 255, 255))
        image = Image.alpha_composite(white, image)
    return image.convert("RGB")


def _from_deep(image: Any) -> Any:
    """A picture of 16 bits of grey with 8 bits, its one transparent shade made white."""
    from PIL import Image

    deep = np.asarray(image)
    grey = (deep >> 8).clip(0, 255).astype(np.uint8)
    clear = image.info.get("transparency")
    if clear is not None:
        grey[deep == clear] = 255
    return Image.fromarray(grey)


def _checked_array(array: NDArray[Any]) -> NDArray[np.uint8]:
    grey, colour = array.ndim == 2, array.ndim == 3 and array.shape[2] == 3
    if array.dtype != np.uint8 or not (grey or colour):
        raise PictureError(f"a picture is uint8 [height, width, 3] or [height, width], not {array.dtype} {array.shape}")
    _check_measures(array.shape[1], array.shape[0], "the picture")
    return np.repeat(array[..., None], 3, axis=2) if grey else array


def _shrunk(pixels: NDArray[np.uint8], width: int, height: int) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Pixels of which no side is too long, and how many of the picture's there are to each: it has width x height."""
    import cv2

    longest = max(pixels.shape[:2])
    if longest > LONGEST_SIDE:
        factor = longest / LONGEST_SIDE
        size = (max(1, round(pixels.shape[1] / factor)), max(1, round(pixels.shape[0] / factor)))
        pixels = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
    return pixels, np.array([width / pixels.shape[1], height / pixels.shape[0]])
