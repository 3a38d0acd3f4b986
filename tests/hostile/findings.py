"""What may never come of a hostile request, found in answers and in what the server logs."""

from __future__ import annotations

import json
from dataclasses import dataclass


@dataclass(frozen=True)
class Trace:
    """A traceback in the log.

    Attributes:
        request_id: the request it belongs to; empty where the line does not say.
        text: the line, shortened.
    """

    request_id: str
    text: str


def tracebacks(log: str) -> list[Trace]:
    """Every line of a log that tells of a defect: an exception, with or without its frames."""
    found = []
    for line in log.splitlines():
        try:
            fields = json.loads(line)
        except ValueError:
            if "Traceback (most recent call last)" in line:
                found.append(Trace("", line[:2_000]))
            continue
        if isinstance(fields, dict) and (fields.get("exception") or fields.get("level") in ("error", "critical")):
            found.append(Trace(str(fields.get("request_id", "")), _in_words(fields)))
    return found


def _in_words(fields: dict[str, object]) -> str:
    exception = fields.pop("exception", None)
    text = json.dumps(fields)[:600]
    if not isinstance(exception, list):
        return f"{text} {str(exception or '')[-1_500:]}"
    last = exception[-1] if exception else {}
    where = [f"{frame.get('filename')}:{frame.get('lineno')}" for frame in last.get("frames", [])[-4:]]
    return f"{text} {last.get('exc_type')}: {str(last.get('exc_value'))[:300]} at {' < '.join(reversed(where))}"
