"""Says that the simple layout has served, where the layout engine would have been asked."""

from __future__ import annotations

from draftsmith.transform.transaction import Transaction

_MESSAGE = "The layout engine is not there or has not answered, so a simpler layout served."


def warn_of_simple_layout(tx: Transaction, index: int | None = None) -> None:
    """Warn about this operation, or that of an index, unless the engine is still to be asked."""
    if tx.layouts is None or tx.layouts.has_failed:
        tx.warn("simple_layout", "", _MESSAGE, index=index)
