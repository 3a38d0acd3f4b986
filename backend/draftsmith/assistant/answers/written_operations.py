"""Operations that a model wrote into its answer as text, where only a call of a tool changes anything.

Found so that the model can be asked to make the call. A text may as well quote what was done or what could be done, so
nothing is carried out from it; what is written again after that is proposed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from draftsmith.assistant.answers.call_forms import operations_in
from draftsmith.assistant.answers.operation_forms import operation_from
from draftsmith.errors import DraftsmithError
from draftsmith.transform.requests.batch import OPERATION_MODELS

_MOST_CHARS: Final = 200_000
_MOST_TRIES: Final = 200
"""Beginnings of JSON that are looked at; each costs at most one pass over the rest of the text."""
_DECODER: Final = json.JSONDecoder()


def operations_in_text(text: str) -> list[Any]:
    """The operations that stand as JSON in a text, in the form that `parse_batch` reads; none in ordinary prose."""
    return [one for value in _json_values(text[:_MOST_CHARS]) for one in _operations(value)]


def _json_values(text: str) -> Iterator[Any]:
    """The objects and lists that a text holds, from outside: what stands inside one is not given again."""
    at, tries = 0, 0
    while tries < _MOST_TRIES:
        begins = [found for found in (text.find("{", at), text.find("[", at)) if found >= 0]
        if not begins:
            return
        at, tries = min(begins), tries + 1
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
            continue
        yield value


def _operations(value: Any) -> list[Any]:
    given = value if isinstance(value, Mapping) else {"operations": value}
    try:
        read = [operation_from(one) for one in operations_in(given)]
    except DraftsmithError:
        return []
    return [one for one in read if isinstance(one, Mapping) and one.get("op") in OPERATION_MODELS]
