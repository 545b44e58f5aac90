"""Pictures of boards, drawn and read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tengen.vision.loading import PictureError
    from tengen.vision.reading import NotABoardError, Sighting, see

__all__ = ["NotABoardError", "PictureError", "Sighting", "see"]


def __getattr__(name: str) -> Any:
    # Drawing and training need no ONNX Runtime, and `import tengen.vision` neither.
    if name in __all__:
        from tengen.vision import reading

        return getattr(reading, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
