"""What is left of a text when a commit is taken back: every outcome that the rules allow, most often one.

The rules, by identity. What a commit inserted goes, and what it deleted comes back in its place, if all of what it
inserted is there and stands together. Where it inserted nothing, what it deleted comes back between its neighbours, if
one of them is there. What is there already does not come a second time. Everything else stays and is told.

More than one outcome is allowed where text was inserted at the very place since (before it or after it), where both
neighbours have gone and something new is there, and where somebody else has deleted the same characters once more.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from tests.simulation.naive.text import UNWRITTEN, Identity, Run, Text

_MOST_CHOICES = 20  # of one run


@dataclass
class Outcome:
    """A text as it may be afterwards.

    Attributes:
        told: how many places have to be told as left out.
        may_tell: how many more may be told, since it is so already.
        gone: of those that have to be told, how many inserted what has gone completely.
        is_open: it comes back in pieces among what came back before; which characters is sure, their places are not.
    """

    text: Text
    told: int = 0
    may_tell: int = 0
    gone: int = 0
    is_open: bool = False


Move = tuple[tuple[Identity, ...], Identity | None]  # characters, and which one they come before


@dataclass(frozen=True)
class _Choice:
    """What may become of one run: `out` goes, `back` comes where it stood, except for pieces that come elsewhere."""

    back: tuple[Identity, ...] = ()
    out: tuple[Identity, ...] = ()
    moved: tuple[Move, ...] = ()
    told: int = 0
    may_tell: int = 0
    gone: int = 0
    is_open: bool = False


_STAYS = _Choice(told=1)
_HAS_GONE = _Choice(told=1, gone=1)
_IS_SO = _Choice(may_tell=1)


@dataclass(frozen=True)
class Taken:
    """A commit that is taken back: the texts before and after it, and `past`: what was there when."""

    runs: Sequence[Run]
    before: Text
    after: Text
    past: Sequence[set[Identity]]

    def left_so(self, text: Text, one: Identity) -> bool:
        """Whether a character that is not there has gone by what it had gone by after the commit."""
        return text.killer.get(one) == self.after.killer.get(one)


def outcomes(text: Text, taken: Taken) -> Iterator[Outcome]:
    """Every text that may be left, likeliest first."""
    choices = [partial(_choices, text, run, taken) for run in taken.runs]
    yield from _played(Outcome(_as_found(text, taken)), choices, taken)


def _as_found(text: Text, taken: Taken) -> Text:
    """A text in which what is not there has gone by what the commit found: a restore changes that, too."""
    text = text.copy()
    for one in taken.before.killer.keys() - taken.before.there - text.there:
        if taken.left_so(text, one):
            text.killer[one] = taken.before.killer[one]
    return text


def _played(so_far: Outcome, choices: Sequence[Callable[[], Iterable[_Choice]]], taken: Taken) -> Iterator[Outcome]:
    if not choices:
        yield so_far
        return
    for choice in itertools.islice(choices[0](), _MOST_CHOICES):
        text = so_far.text
        if choice.back or choice.out:
            text = text.copy()
            for one in choice.out:
                text.remove(one, taken.before.killer.get(one, UNWRITTEN))
            for some, before in choice.moved:
                text.move(some, before)
            text.there |= set(choice.back)
        told, may_tell = so_far.told + choice.told, so_far.may_tell + choice.may_tell
        more = Outcome(text, told, may_tell, so_far.gone + choice.gone, so_far.is_open or choice.is_open)
        yield from _played(more, choices[1:], taken)


def _choices(text: Text, run: Run, taken: Taken) -> Iterable[_Choice]:
    back = [one for one in run.gone if one in text.there]
    if run.come:
        return _where_it_inserted(text, run, back, taken)
    if len(back) == len(run.gone):
        return [_IS_SO]
    if back:  # what nobody has deleted again may come back beside it, or all of it is left out
        rest = tuple(one for one in run.gone if one not in text.there and taken.left_so(text, one))
        return [_STAYS, _Choice(rest, may_tell=1), _Choice(rest, may_tell=1, is_open=True)]
    return _where_it_deleted(text, run, taken)


def _where_it_inserted(text: Text, run: Run, back: Sequence[Identity], taken: Taken) -> Iterable[_Choice]:
    still = [one for one in run.come if one in text.there]
    if not still:
        return [_IS_SO if len(back) == len(run.gone) else _HAS_GONE]
    if len(still) < len(run.come) or not _stand_together(text, run.come):
        return [_STAYS]
    if back:  # what nobody has deleted again comes back where it is, or beside what stood in for it
        rest = tuple(one for one in run.gone if one not in text.there and taken.left_so(text, one))
        return [_Choice(rest, run.come), _Choice(rest, run.come, is_open=True), _STAYS]
    if run.gone and not _is_anything_between(text, run.gone[0], run.gone[-1], *run.come):
        return [_Choice(run.gone, run.come)]
    return [_Choice(run.gone, run.come, ((run.gone, run.come[0]),))]


def _stand_together(text: Text, some: Sequence[Identity]) -> bool:
    seen = text.visible()
    first = seen.index(some[0])
    return seen[first : first + len(some)] == list(some)


def _where_it_deleted(text: Text, run: Run, taken: Taken) -> Iterator[_Choice]:
    left = run.left is None or run.left in text.there
    right = run.right is None or run.right in text.there
    new = _new_there(text, run.gone, taken.past)
    once_more = not all(taken.left_so(text, one) for one in run.gone)  # somebody else has deleted it since
    if not left and not right and not once_more:
        yield _STAYS
        if not _is_anything_between(text, run.left, run.right):  # which may be taken for a neighbour
            return
    yield _Choice(run.gone)
    if once_more:
        yield from (_IS_SO, _STAYS)
    yield from (_Choice(run.gone, moved=((run.gone, before),)) for before in _places(text, new))
    if _is_anything_between(text, run.gone[0], run.gone[-1]):
        yield _Choice(run.gone, is_open=True)


def _is_anything_between(text: Text, *some: Identity | None) -> bool:
    """Whether anything else stands between some characters."""
    places = [text.order.index(each) for each in some if each is not None]
    between = text.order[min(places, default=0) : max(places, default=0)]
    return any(each in text.there and each not in some for each in between)


def _places(text: Text, new: Sequence[Identity]) -> Iterator[Identity | None]:
    """Before which character the text may come back beside where it stood: before, between or after what is new."""
    born = text.letters.born
    for number, one in enumerate(new):
        if number == 0 or born[new[number - 1]] != born[one]:
            yield one
    if new:
        seen = text.visible()
        beyond = seen.index(new[-1]) + 1
        yield seen[beyond] if beyond < len(seen) else None


def _new_there(text: Text, some: Sequence[Identity], past: Sequence[set[Identity]]) -> list[Identity]:
    """What has come to the place of some characters while they were not there.

    Characters that have ever been there together keep their order, so they come back between these.
    """
    have_met = {one for then in past if any(gone in then for gone in some) for one in then}
    at = text.order.index(some[-1])
    left = itertools.takewhile(
        lambda one: one not in have_met, (o for o in reversed(text.order[:at]) if o in text.there)
    )
    right = itertools.takewhile(lambda one: one not in have_met, (o for o in text.order[at:] if o in text.there))
    return [*reversed(list(left)), *right]
