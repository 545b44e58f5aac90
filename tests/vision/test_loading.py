"""Picture files from anywhere are decoded, or refused with a reason, within bounds."""

import io
import struct
import subprocess
import sys
import zlib

import numpy as np
import pytest

pytest.importorskip("PIL")
pytest.importorskip("cv2")

import cv2
from PIL import Image, ImageOps

from tengen.vision.loading import FORMATS, LONGEST_SIDE, MOST_PIXELS, MOST_WEBP_PIXELS, PictureError, load_picture


def encoded(pixels, kind="PNG", **options):
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, kind, **options)
    return file.getvalue()


def noise(seed, height=60, width=80):
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3)).astype(np.uint8)


def png_claiming(width, height, pixels=None):
    """A few bytes that say they are a picture of these measures; ``pixels`` are compressed."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IDAT", zlib.compress(b"\0" * 1000) if pixels is None else pixels)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + body + chunk(b"IEND", b"")


@pytest.mark.parametrize("kind", FORMATS)
def test_every_format_is_read(kind):
    pixels = np.kron(noise(1, 8, 10)[:, :, :1], np.ones((8, 8, 3), np.uint8))
    read, shrunk = load_picture(encoded(pixels, kind))
    assert shrunk.tolist() == [1, 1]
    assert read.shape == pixels.shape
    assert np.abs(read.astype(int) - pixels).mean() < 12


@pytest.mark.parametrize("orientation", range(1, 9))
def test_only_the_orientation_of_exif_counts(orientation):
    pixels = noise(orientation)
    exif = Image.Exif()
    exif[0x0112] = orientation
    exif[0x0100] = 99999  # a width that is a lie
    data = encoded(pixels, "PNG", exif=exif)
    expected = np.asarray(ImageOps.exif_transpose(Image.open(io.BytesIO(data))))
    assert np.array_equal(load_picture(data)[0], expected)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"not a picture at all", "of a format that is read; these are PNG, JPEG, WEBP, BMP, GIF$"),
        (png_claiming(20_000, 20_000), "million pixels"),
        (png_claiming(200_000, 200_000), "million pixels"),
        (png_claiming(3000, 3000), "damaged"),
        (encoded(noise(1))[:-3000], "is damaged, or a part of it is missing$"),
        (encoded(noise(2), "JPEG")[:-1500], "damaged"),
        (encoded(noise(3, 20, 20)), "too few"),
    ],
)
def test_what_is_no_picture_is_refused_with_a_reason(data, words, tmp_path):
    with pytest.raises(PictureError, match=words):
        load_picture(data)
    path = tmp_path / "picture.png"
    path.write_bytes(data)
    with pytest.raises(PictureError, match=words):
        load_picture(path)


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P"])
def test_one_wrong_byte_in_the_pixels_of_a_png_is_noticed(mode):
    pixels = np.kron(noise(7, 8, 10), np.ones((8, 8, 1), np.uint8))  # compresses, so that a byte stands for many
    file = io.BytesIO()
    Image.fromarray(pixels).convert(mode).save(file, "PNG")
    data = file.getvalue()
    load_picture(data)
    begin = data.index(b"IDAT") + 4
    (length,) = struct.unpack(">I", data[begin - 8 : begin - 4])
    for at in range(begin, begin + length, 3):
        wrong = bytearray(data)
        wrong[at] ^= 1 + at % 255
        with pytest.raises(PictureError, match="damaged"):
            load_picture(bytes(wrong))


def test_pixels_that_break_off_are_noticed_though_all_checksums_are_right():
    rows = b"".join(b"\0" + row.tobytes() for row in noise(8))
    load_picture(png_claiming(80, 60, zlib.compress(rows)))
    half = zlib.compress(rows)[: len(rows) // 2]
    for pixels in (half, half + b"\xff" * 3000):
        with pytest.raises(PictureError, match="damaged"):
            load_picture(png_claiming(80, 60, pixels))


def progressive(repeated):
    """A JPEG file whose last scan comes again and again."""
    data = encoded(noise(9, 200, 200)[..., 0], "JPEG", progressive=True)
    tables = data.rindex(b"\xff\xc4", 0, data.rindex(b"\xff\xda"))
    return data[:tables] + data[tables:-2] * repeated + data[-2:]


def test_a_picture_is_not_gone_over_without_end():
    after = b"\xff\xda" * 200  # which is no part of it
    assert load_picture(progressive(80) + after)[0].shape == (200, 200, 3)
    first, *scans = progressive(120).split(b"\xff\xda")
    for between in (b"\xff\xda", b"\xff\xff\xda", b"\xff\x01\xff\xda"):  # which decoders skip
        with pytest.raises(PictureError, match="100 scans"):
            load_picture(first + b"\xff\xda" + between.join(scans))


def test_damaged_bytes_never_raise_anything_else():
    rng = np.random.default_rng(5)
    for kind in FORMATS:
        whole = encoded(noise(4), kind)
        for _ in range(40):
            data = bytearray(whole[: int(rng.integers(1, len(whole) + 1))])
            for at in rng.integers(0, len(data), 6):
                data[at] = int(rng.integers(256))
            try:
                read, _ = load_picture(bytes(data))
            except PictureError:
                continue
            assert read.dtype == np.uint8
            assert read.shape[2] == 3


def test_files_that_are_none(tmp_path):
    with pytest.raises(PictureError, match="no file"):
        load_picture(tmp_path / "missing.png")
    with pytest.raises(PictureError, match="no file"):
        load_picture(tmp_path)


def test_large_pictures_are_shrunk_and_transparent_ones_laid_on_white():
    read, shrunk = load_picture(np.full((300, 3 * LONGEST_SIDE), 7, np.uint8))
    assert read.shape == (100, LONGEST_SIDE, 3)
    assert shrunk.tolist() == [3, 3]
    clear = np.zeros((60, 60, 4), np.uint8)
    assert (load_picture(encoded(clear))[0] == 255).all()
    with pytest.raises(PictureError, match="pixels"):
        load_picture(np.broadcast_to(np.uint8(0), (MOST_PIXELS // 1000 + 1, 1000)))


LARGE = {  # what a decoder shrinks itself, what is shrunk before it is laid on white, and what is shrunk at the end
    "JPEG": {"mode": "RGB", "kind": "JPEG"},
    "JPEG, turned": {"mode": "RGB", "kind": "JPEG", "orientation": 6},
    "transparent": {"mode": "RGBA", "kind": "PNG"},
    "transparent, in a palette": {"mode": "P", "kind": "PNG", "transparency": 0},
    "PNG": {"mode": "RGB", "kind": "PNG"},
}


@pytest.mark.parametrize("name", LARGE)
def test_by_how_much_a_picture_was_shrunk(name):
    width, height = 4801, 4215
    options = dict(LARGE[name])
    exif = Image.Exif()
    exif[0x0112] = options.pop("orientation", 1)
    file = io.BytesIO()
    Image.new(options.pop("mode"), (width, height)).save(file, options.pop("kind"), exif=exif, **options)
    read, shrunk = load_picture(file.getvalue())
    assert max(read.shape) == LONGEST_SIDE
    measures = [height, width] if name == "JPEG, turned" else [width, height]
    assert (shrunk * read.shape[1::-1]).tolist() == pytest.approx(measures)


@pytest.mark.parametrize("mode", ["RGB", "L", "P", "1", "RGBA", "LA"])
def test_what_is_shrunk_in_two_steps_is_as_if_in_one(mode):
    rng = np.random.default_rng(10)
    coarse = cv2.resize(rng.integers(0, 256, (20, 30, 3)).astype(np.uint8), (4650, 3100))
    image = Image.fromarray(coarse).convert(mode, dither=Image.Dither.NONE)
    file = io.BytesIO()
    image.save(file, "PNG", compress_level=1)
    read, shrunk = load_picture(file.getvalue())
    at_once, same = load_picture(np.asarray(image.convert("RGB")))
    assert np.array_equal(shrunk, same)
    assert np.abs(read.astype(int) - at_once).mean() < 1.5


WITHIN_MEMORY = """
import resource
import sys
import cv2
from PIL import Image
from tengen.vision.loading import PictureError, load_picture

with open("/proc/self/statm") as file:
    used = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (450 << 20),) * 2)
for path in sys.argv[1:]:
    try:
        print(load_picture(path)[0].shape[:2])
    except PictureError as trouble:
        print(trouble)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="a process's memory is limited as Linux does it")
def test_the_largest_pictures_are_read_in_bounded_memory(tmp_path):
    side, webp_side = int(MOST_PIXELS**0.5), int(MOST_WEBP_PIXELS**0.5)
    read = {
        "grey": "L",
        "clear": "P",
        "colour": "RGB",
        "colour-and-clear": "RGBA",
        "grey-and-clear": "LA",
        "deep": "I;16",
    }
    pictures = {f"{name}.png": (mode, side) for name, mode in read.items()}
    pictures |= {"a.webp": ("RGBA", webp_side), "larger.webp": ("RGBA", webp_side + 1)}
    pictures |= {"larger.png": ("1", side + 1), "huge.png": ("1", 20_000)}
    for name, (mode, length) in pictures.items():
        options = {"lossless": True} if name.endswith("webp") else {"compress_level": 1}
        if name == "clear.png":
            options["transparency"] = 0
        Image.new(mode, (length, length)).save(tmp_path / name, **options)
    paths = [str(tmp_path / name) for name in pictures]
    done = subprocess.run([sys.executable, "-c", WITHIN_MEMORY, *paths], capture_output=True, text=True, timeout=60)
    said = done.stdout.splitlines()
    assert said[:7] == [f"({LONGEST_SIDE}, {LONGEST_SIDE})"] * 7, done
    assert "24 million pixels, the most that is read of WebP" in said[7], done
    assert len(said) == 10
    assert all("million pixels, the most that is read" in words for words in said[8:]), done


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_a_picture_of_the_largest_screens_is_read(kind):
    file = io.BytesIO()
    Image.new("RGBA", (6016, 3384), (90, 80, 70, 255)).save(file, kind, lossless=True, compress_level=1)
    read, shrunk = load_picture(file.getvalue())
    assert read.shape == (1152, LONGEST_SIDE, 3)
    assert np.abs(read.astype(int) - [90, 80, 70]).max() <= 1
    assert shrunk == pytest.approx([6016 / LONGEST_SIDE, 3384 / 1152])


@pytest.mark.parametrize("pixel", [0, 90 << 8, 200 << 8, 65535])
def test_sixteen_bits_of_grey_become_eight(pixel):
    deep = np.full((60, 70), pixel, np.uint16)
    deep[:10] = 51 << 8
    file = io.BytesIO()
    Image.fromarray(deep).save(file, "PNG")
    assert Image.open(file).mode.startswith("I")
    for data in (file.getvalue(), with_transparent_grey(file.getvalue(), 51 << 8)):
        read, _ = load_picture(data)
        assert read.shape == (60, 70, 3)
        assert (read[10:] == pixel >> 8).all()
        assert (read[:10] == (51 if data == file.getvalue() else 255)).all()


def with_transparent_grey(png, shade):
    """A grey PNG file in which one shade is transparent."""
    body = b"tRNS" + struct.pack(">H", shade)
    chunk = struct.pack(">I", 2) + body + struct.pack(">I", zlib.crc32(body))
    at = png.index(b"IDAT") - 4
    return png[:at] + chunk + png[at:]


def test_bytes_of_any_kind_are_read():
    data = encoded(noise(6))
    expected = load_picture(data)[0]
    for same in (bytearray(data), memoryview(data), memoryview(b"x" + data)[1:]):
        assert np.array_equal(load_picture(same)[0], expected)


@pytest.mark.parametrize("wrong", [None, 7, 2.5, ["a.png"], io.BytesIO(b"x"), Image.new("RGB", (80, 80))])
def test_what_is_neither_a_file_nor_bytes_nor_an_array_is_refused(wrong):
    with pytest.raises(PictureError, match=f"not {type(wrong).__name__}$"):
        load_picture(wrong)


@pytest.mark.parametrize("array", [np.zeros((80, 80), float), np.zeros((80, 80, 4), np.uint8), np.zeros(80, np.uint8)])
def test_arrays_that_are_no_pictures(array):
    with pytest.raises(PictureError, match="uint8"):
        load_picture(array)
