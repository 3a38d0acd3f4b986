"""What changed over a range of commits, as text: for a model to tell it, and told without one.

Sentences of commits and the names in them are what people wrote; for a model they are enclosed like everything else of
theirs (`text_blocks`). Not here: which commits those are, and who tells it (`usecases.runs.summary`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from draftsmith.assistant.prompts import PromptSet
from draftsmith.assistant.text_blocks import mark_of, text_block
from draftsmith.assistant.tools.lines import one_line, quote_line
from draftsmith.history.shapes import CommitOut, DiffOut
from draftsmith.model.custom_types import CustomType
from draftsmith.model.fields import DRAWN_FIELDS

_WHY_CHARS: Final = 300
_VALUE_CHARS: Final = 200
_COMMITS_CHARS: Final = 16_000
_RESULT_CHARS: Final = 12_000
_OF_A_PERSON: Final = 3  # sentences of each that are told without a model
_PEOPLE: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What happened after a revision, up to another.

    Attributes:
        since: the revision before the first of them.
        until: the revision of the last of them.
        rows: as the history shows them, oldest first; commits that belong together are one.
        left_out: how many of the oldest commits were not looked at.
        what: what all of them come to, in one sentence; empty where that is not known any more.
        diff: the same in full; None where it is not known any more.
    """

    since: int
    until: int
    rows: Sequence[CommitOut]
    left_out: int = 0
    what: str = ""
    diff: DiffOut | None = None

    @property
    def commits(self) -> int:
        """How many commits there are."""
        return self.until - self.since


def changes_message(prompts: PromptSet, name: str, changes: Changes) -> tuple[str, int]:
    """Write the one message to a model.

    Args:
        prompts: of the workflow `summary`.
        name: of the workspace.
        changes: what happened.

    Returns:
        The message, and how many commits it does not tell of: the oldest where there are too many.
    """
    lines: list[str] = []
    left, room = changes.left_out, _COMMITS_CHARS
    for row in reversed(changes.rows):
        line = _commit_line(row)
        room -= len(line) + 1
        if room < 0:
            left += len(row["revisions"])
        else:
            lines.append(line)
    commits, result = "\n".join(reversed(lines)), "" if changes.diff is None else _fit_lines(diff_lines(changes.diff))
    shown = quote_line(name)
    mark = mark_of([commits, result, shown])
    about = f"The oldest {left:,} of {changes.commits:,} commits are left out." if left else ""
    message = prompts.render(
        mark=mark,
        name=shown,
        range=f"from revision {changes.since} to {changes.until}",
        left_out=about,
        commits=text_block("commits", mark, commits),
        result=text_block("result", mark, result),
    )
    return message, left


def _commit_line(row: CommitOut) -> str:
    first, last = row["revisions"][-1], row["revision"]
    which = f"r{last}" if first == last else f"r{first}-{last}"
    actor = row["actor"]
    why = f"; because: {_short(row['why'], _WHY_CHARS)}" if row["why"] else ""
    return f"{which} {row['at'][:16]} {_short(actor['name'], 60)} ({actor['kind']}): {one_line(row['what'])}{why}"


def diff_lines(diff: DiffOut) -> list[str]:
    """A diff, a line for each thing that is new (+), gone (-) or different (~), texts line by line."""
    lines: list[str] = []
    for kind, change in (("node", diff["nodes"]), ("edge", diff["edges"])):
        lines += [f"+ {kind} {_addition_text(item)}" for item in change["added"]]
        lines += [f"- {kind} {gone}" for gone in change["removed"]]
        for one in change["changed"]:
            fields = {name: pair for name, pair in one["fields"].items() if name not in DRAWN_FIELDS}
            said = ", ".join(f"{one_line(name)} {_value(old)} → {_value(new)}" for name, (old, new) in fields.items())
            if said:
                lines.append(f"~ {kind} {one['id']}: {said}")
    for span in diff["document"]:
        lines.append(f"~ document, {_short(span['section'], _VALUE_CHARS) or 'its beginning'}:")
        for sign, text in (("-", span["old"]), ("+", span["new"])):
            lines += [f"{sign} {_short(line, 2 * _VALUE_CHARS)}" for line in text.splitlines() if line.strip()]
    for type_id, (old_type, new_type) in diff.get("types", {}).items():
        sign = "+" if old_type is None else "-" if new_type is None else "~"
        lines.append(f"{sign} type {type_id}: {_type_text(old_type)} → {_type_text(new_type)}")
    for field, (old, new) in diff["workspace"].items():
        lines.append(f"~ workspace: {field} {_value(old)} → {_value(new)}")
    return lines


def _addition_text(item: Mapping[str, Any]) -> str:
    if "source" in item:
        said = f"{item['source']} → {item['target']}"
        return f"{said} {quote_line(_short(item['label'], _VALUE_CHARS))}" if item.get("label") else said
    technology = f" [{_short(item['technology'], 60)}]" if item.get("technology") else ""
    return f"{item['id']} {item['type']} {quote_line(_short(item.get('label') or '', _VALUE_CHARS))}{technology}"


def _type_text(definition: CustomType | None) -> str:
    return "nothing" if definition is None else ", ".join(f"{name} {_value(one)}" for name, one in definition.items())


def _value(value: Any) -> str:
    return "nothing" if value is None or value == "" else quote_line(_short(str(value), _VALUE_CHARS))


def _short(text: str, most: int) -> str:
    flat = " ".join(one_line(text).split())
    return flat if len(flat) <= most else f"{flat[: most - 1]}…"


def _fit_lines(lines: Sequence[str]) -> str:
    """As many lines as fit, and how many do not."""
    taken, room = 0, _RESULT_CHARS
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        taken += 1
    more = [f"… and {len(lines) - taken:,} more lines"] if taken < len(lines) else []
    return "\n".join([*lines[:taken], *more])


def told_without_a_model(changes: Changes) -> str:
    """The same in sentences of the commits themselves, by person, those with the most changes first."""
    if not changes.commits:
        return f"Nothing has changed since revision {changes.since}."
    by_person: dict[str, list[CommitOut]] = {}
    for row in changes.rows:
        by_person.setdefault(row["actor"]["id"], []).append(row)
    people = sorted(by_person.values(), key=lambda rows: -sum(len(row["revisions"]) for row in rows))
    seen = changes.commits - changes.left_out
    head = f"{_count_text(seen, 'commit')} after revision {changes.since}, by {_names(people)}."
    lines = [head, f"All in all: {_within(changes.what)}." if changes.what else ""]
    if [row["what"] for row in changes.rows] != [changes.what]:  # else it has been said
        lines += [_of_person(rows) for rows in people[:_PEOPLE]]
    if changes.left_out:
        lines.append(f"The oldest {changes.left_out:,} of {changes.commits:,} commits were not looked at.")
    return "\n".join(line for line in lines if line)


def _names(people: Sequence[Sequence[CommitOut]]) -> str:
    names = [_short(rows[0]["actor"]["name"], 60) for rows in people]
    if not names:
        return "nobody that is shown"
    shown, more = names[:_PEOPLE], len(names) - _PEOPLE
    if more > 0:
        return f"{', '.join(shown)} and {_count_text(more, 'other')}"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _of_person(rows: Sequence[CommitOut]) -> str:
    """What one person did: the newest sentences, each once, in the order of time."""
    said = list(dict.fromkeys(_within(row["what"]) for row in reversed(rows) if row["what"]))
    shown = said[:_OF_A_PERSON][::-1]
    more = f"; before that {_count_text(len(said) - _OF_A_PERSON, 'other change')}" if len(said) > _OF_A_PERSON else ""
    return f"{_short(rows[0]['actor']['name'], 60)}: {'; '.join(shown)}{more}."


def _within(sentence: str) -> str:
    """A sentence of a commit inside another: they begin with a verb of ours."""
    flat = _short(sentence, _VALUE_CHARS)
    return flat[:1].lower() + flat[1:]


def _count_text(count: int, one: str) -> str:
    return f"{count:,} {one}{'' if count == 1 else 's'}"
