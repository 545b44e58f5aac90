"""Numbers within a range, as options take them: what is no number at all is refused in click's words for a number.

Click's own ranges call their values an "integer range" and a "float range", in messages and in the help.
"""

from __future__ import annotations

import click


class IntRange(click.IntRange):
    """Whole numbers of a range."""

    name = click.INT.name


class FloatRange(click.FloatRange):
    """Numbers of a range."""

    name = click.FLOAT.name
