"""What a log entry's body says: the steps, and what people are told about them.

JSON: `{sv, f: [step], w: sentence, x?: explanation, src?: source, r?: [result], wa?: [warning], lo?: [left out],
d?: [[section, from line, to line]], cp?: {id, name, revision} | {drop: id}, hid?: 1, up?: revision}`.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from draftsmith.errors import ProblemOut
from draftsmith.history.commit import decode_body, encode_body
from draftsmith.model.slices import run_slices
from draftsmith.transform.results import LeftOut, ResultOut
from draftsmith.transform.steps.steps import Step, step_from_json, text_step_of
from draftsmith.transform.steps.text import ChangeText

_SLICE = 1_000  # steps that are read without a pause
_OPTIONAL = ("explanation", "source", "results", "warnings", "left_out", "places", "checkpoint", "hidden", "upto")
_SHORT = ("x", "src", "r", "wa", "lo", "d", "cp", "hid", "up")


@dataclass(frozen=True, slots=True)
class Record:
    """A decoded body.

    Attributes:
        steps: in the order they were applied; at most one changes the text.
        what: one sentence made from the steps.
        explanation: why, in the words of whoever asked.
        source: the door it came through: page, api, assistant, import, template.
        results: one for each operation of the batch.
        warnings: lint of what it touched, as problems in JSON.
        left_out: what an undo had to leave out, `{what, why, ids?}` each.
        places: for each change of the text `[section path, from line, to line]`, as it was before.
        checkpoint: `{id, name, revision}` for a new one, `{drop: id}` for one that goes.
        hidden: not shown in history (an undo with nothing left).
        upto: for a revert of a range of typed text, its last revision.
    """

    steps: Sequence[Step]
    what: str = ""
    explanation: str = ""
    source: str = ""
    results: Sequence[ResultOut] = ()
    warnings: Sequence[ProblemOut] = ()
    left_out: Sequence[LeftOut] = ()
    places: Sequence[Sequence[Any]] = ()
    checkpoint: Mapping[str, Any] = field(default_factory=dict)
    hidden: int = 0
    upto: int = 0

    @property
    def text_step(self) -> ChangeText | None:
        """The step that changes the text, if any."""
        return text_step_of(self.steps)

    def encode(self) -> bytes:
        """The bytes for the log."""
        shape: dict[str, Any] = {"f": [step.to_json() for step in self.steps], "w": self.what}
        for name, short in zip(_OPTIONAL, _SHORT, strict=True):
            value = getattr(self, name)
            if value:
                shape[short] = value
        return encode_body(shape)


def decode_record(body: bytes) -> Record:
    """Read a body.

    Raises:
        ValueError: it is damaged or of a newer release.
    """
    return run_slices(reading_record(body))


def reading_record(body: bytes) -> Generator[None, None, Record]:
    """As `decode_record`, in slices of so many steps."""
    shape = decode_body(body)
    optional = {name: shape[short] for name, short in zip(_OPTIONAL, _SHORT, strict=True) if short in shape}
    if "cp" in shape and not _is_checkpoint(shape["cp"]):
        raise ValueError("damaged body: no checkpoint of this form")
    try:
        shapes = shape["f"]
        steps = [step_from_json(step) for step in shapes[:_SLICE]]
        for start in range(_SLICE, len(shapes), _SLICE):
            yield
            steps += [step_from_json(step) for step in shapes[start : start + _SLICE]]
        return Record(steps, shape["w"], **optional)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"damaged body: {error!r}") from error


def changes_text(body: bytes) -> bool:
    """Whether a commit changed the text of the document, without reading its steps."""
    return any(step.get("k") == "text" for step in decode_body(body)["f"])


def _is_checkpoint(change: object) -> bool:
    """Whether it is what `Record.checkpoint` says: `{drop}`, or `{id, name, revision}`."""
    if not isinstance(change, dict):
        return False
    if "drop" in change:
        return isinstance(change["drop"], str)
    kinds = {"id": str, "name": str, "revision": int}
    return all(isinstance(change.get(name), kind) for name, kind in kinds.items())
