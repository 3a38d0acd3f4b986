"""What Hypothesis draws with the usual seed: the same in every run, whichever tests it has."""

from __future__ import annotations

from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants


def draw_no_constants_of_modules() -> None:
    """Have Hypothesis draw the same whatever is imported.

    It draws constants of those modules of this checkout that are imported at that moment. So one seed would draw
    otherwise in a whole run than in one of a file, after a change elsewhere, and by which tests a process ran before.
    """
    if not hasattr(providers, "_get_local_constants"):
        raise RuntimeError("Hypothesis no longer finds constants of modules where it did: look where it does now")
    vars(providers)["_get_local_constants"] = Constants
