"""Commits as the tools that read the history answer them. Not here: reading the log (`usecases.runs.investigation`).

Names, labels and reasons were written by people: each stands in quotes on a line of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from draftsmith.assistant.tools.differences import difference_lines, difference_of
from draftsmith.assistant.tools.lines import quote_line
from draftsmith.assistant.tools.readers import ReadAnswer, cut
from draftsmith.history.shapes import CommitOut, DiffOut

_LONGEST: Final = 400  # characters of a reason in a list
_ROOM: Final = 7_000  # characters of what one commit changed


class ReadableCommit(CommitOut):
    """A commit with what it changed."""

    diff: DiffOut


def found_commits(found: Sequence[CommitOut], looked_back_to: int | None, asked: str, note: str) -> ReadAnswer:
    """A list of commits, newest first.

    Args:
        found: the commits.
        looked_back_to: the oldest revision that was looked at, where there may be more before it; None at the end.
        asked: what was looked for, in words.
        note: what else the model has to know; may be empty.
    """
    data = {"commits": [_brief(one) for one in found], "looked_back_to": looked_back_to}
    said = [note] if note else []
    if found:
        said.append(f"{len(found)} commit{'s' if len(found) != 1 else ''}{asked}, newest first:")
        said += [_line(one) for one in found]
    else:
        said.append(f"No commit{asked}. Try other words, or fewer." if looked_back_to is None else f"No commit{asked}.")
    if looked_back_to is not None:
        said.append(f"Looked back to revision {looked_back_to}; for what is older ask with before: {looked_back_to}.")
    return ReadAnswer(cut(said), data)


def read_commit(commit: ReadableCommit) -> ReadAnswer:
    """One commit with what it changed, as much of it as there is room for."""
    difference = difference_of(commit["diff"], _ROOM)
    lines = [_line(commit), *difference_lines(difference)]
    return ReadAnswer(cut(lines), {**_brief(commit), "difference": difference})


def texts_of(commit: ReadableCommit) -> list[str]:
    """All that may be quoted of a commit: who, what and why, and everything that it changed."""
    diff = commit["diff"]
    texts = [commit["what"], commit["why"], commit["actor"]["name"], _line(commit)]
    for part in (diff["nodes"], diff["edges"]):
        texts += [str(value) for one in part["changed"] for pair in one["fields"].values() for value in pair]
        texts += [str(value) for one in part["added"] for value in one.values()]
    texts += [text for one in diff["document"] for text in (one["old"], one["new"])]
    return [*texts, *difference_lines(difference_of(diff))]


def _line(one: CommitOut) -> str:
    why = one["why"] if len(one["why"]) <= _LONGEST else f"{one['why'][:_LONGEST]}…"
    because = f" because {quote_line(why)}" if why else ""
    return f"r{one['revision']} {one['at']} {quote_line(one['actor']['name'])}: {quote_line(one['what'])}{because}"


def _brief(one: CommitOut) -> dict[str, Any]:
    said = {"revision": one["revision"], "at": one["at"], "by": one["actor"]["name"], "kind": one["kind"]}
    return {**said, "what": one["what"], "why": one["why"]}
