"""Cost of editing documents by section and quoted text, against one parse of the same text. Ratios taken in one run."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

import pytest
from markdown_it import MarkdownIt

from bench.conftest import Report
from bench.states import workspace_of
from draftsmith.document import apply_edits
from draftsmith.errors import BatchRejected
from draftsmith.history.actor import Actor
from draftsmith.history.replica import Replica
from draftsmith.model.document import Document
from draftsmith.model.limits import UNLIMITED
from draftsmith.transform.requests.batch import Batch, parse_batch
from draftsmith.usecases.requests.batch_request import BatchEvidence, BatchRequest
from tests.noise.cases import Case
from tests.noise.judging import outcomes
from tests.noise.positives import POSITIVES, positive
from tests.noise.samples import OWN, Library, Sample, library

_ANN = Actor("guest:ann", "Ann", "person")
_EDITS = 150


def _document(size: int) -> str:
    """A design document of about that many characters: our own ones, one after the other, with titles of their own."""
    texts = [file.read_text("utf-8") for file in OWN if not file.read_text("utf-8").startswith("---")]
    parts: list[str] = []
    number = 0
    while sum(map(len, parts)) < size:
        number += 1
        text = random.Random(number).choice(texts) if number > len(texts) else texts[number - 1]
        lines = [f"{line} ({number})" if line.startswith("#") else line for line in text.split("\n")]
        parts.append("\n".join(lines))
    whole = "\n".join(parts)
    return whole[: whole.rfind("\n\n", 0, size + 1)] + "\n"


def _took(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    start = clock()
    work()
    return clock() - start


def _told(seconds: list[float]) -> str:
    high = sorted(seconds)[len(seconds) * 95 // 100]
    return f"{statistics.median(seconds) * 1e3:.2f} ms (95 % {high * 1e3:.2f}, worst {max(seconds) * 1e3:.2f})"


def _block_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


class _Shelf(Library):
    """A library of one document."""

    def __init__(self, text: str) -> None:
        self.sample = Sample("bench", text)

    def pick(self, rng: random.Random) -> Sample:
        return self.sample


def _cases(text: str, count: int, kinds: Sequence[str] = tuple(POSITIVES)) -> list[Case]:
    """Edits with imperfect quotes, in the proportions of the noise suite, that the document can be asked for."""
    shelf, rng, found = _Shelf(text), random.Random(5), []
    while len(found) < count:
        [kind] = rng.choices(kinds, [POSITIVES[one] for one in kinds])
        case = positive(kind, shelf, rng)
        if case is not None:
            found.append(case)
    return found


def test_stateless_edits(report: Report) -> None:
    """An edit of a plain text costs about one parse of it: finding headings is most of the work."""
    parser = _block_parser()
    for size in (15_000, 100_000):
        text = _document(size)
        cases = _cases(text, _EDITS)
        edits, parses = [], []
        for case in cases:  # in turns, so that a busy moment of the machine falls on both
            edits.append(_took(lambda case=case: _tried(case)))
            parses.append(_took(lambda text=text: parser.parse(text)))
        edit, parse = statistics.median(edits), statistics.median(parses)
        print(f"\n{len(text) / 1000:.0f} KB: edit {_told(edits)}, block parse {parse * 1e3:.2f} ms")
        report(f"apply_edits on {size // 1000} KB / one block parse of it", edit / parse, "<=", 1.5)


def _tried(case: Case) -> None:
    try:
        apply_edits(case.text, case.edits)
    except Exception as error:  # a refusal costs what it costs
        if not hasattr(error, "code"):
            raise


def _request(batch: Batch) -> BatchRequest:
    return BatchRequest(
        batch_id="b", txid="t", fingerprint="", actor=_ANN, scope=_ANN.id, batch=batch, limits=UNLIMITED
    )


@pytest.mark.parametrize("name, size, bar", [("15 KB", 15_000, 3.33), ("1 MB", 1_000_000, 50)])
def test_edit_section_in_an_open_workspace(name: str, size: int, bar: float, report: Report) -> None:
    """An edit costs what it touches, and not a parse of the whole document; processor time, parses in between."""
    text = _document(size)
    for finds, cases in (("exact", _cases(text, _EDITS, ["exact"])), ("noisy", _cases(text, _EDITS))):
        replica = _open(text)
        prepares, commits, parses, refused = [], [], [], 0
        for number, case in enumerate(cases):
            if number % 10 == 0:
                parses.append(_took(lambda: _block_parser().parse(text), time.process_time))
            batch = parse_batch([{"op": "edit_section", **case.edits[0]}], UNLIMITED)
            start = time.process_time()
            try:
                prepared = _request(batch).prepare(replica, BatchEvidence())
            except Exception as error:  # what an earlier edit took away
                if not hasattr(error, "code"):
                    raise
                refused += 1
                continue
            prepares.append(time.process_time() - start)
            # What the writer does next: take it back, make it durable, apply it again. The next edit finds it applied.
            prepared.applied.roll_back(replica.workspace)
            prepared.applied.apply_again(replica.workspace)
            commits.append(time.process_time() - start)
        assert len(prepares) > 20
        prepare, commit, parse = map(statistics.median, (prepares, commits, parses))
        print(f"\n{name}, {finds} finds: prepare {_told(prepares)}, block parse {parse * 1e3:.2f} ms")
        print(f"{refused} did not fit", end="; ")
        print(f"with taking back and applying again {commit * 1e3:.2f} ms")
        report(f"one block parse / edit_section in open {name}, {finds} finds", parse / prepare, ">=", bar)


def test_each_kind_of_quote_in_a_large_workspace() -> None:
    """Told without a bar: edits of each kind that the document can be asked for, one after the other in 1 MB."""
    text = _document(1_000_000)
    shelf, replica = _Shelf(text), _open(text)
    parse = statistics.median(_took(lambda: _block_parser().parse(text), time.process_time) for _ in range(3))
    for kind in POSITIVES:
        rng, took = random.Random(5), list[float]()
        for case in filter(None, (positive(kind, shelf, rng) for _ in range(12))):
            batch = parse_batch([{"op": "edit_section", **case.edits[0]}], UNLIMITED)
            start = time.process_time()
            with suppress(BatchRejected):
                _request(batch).prepare(replica, BatchEvidence())
                took.append(time.process_time() - start)
        if took:
            share, worst = parse / statistics.median(took), parse / max(took)
            print(f"\n1 MB, {kind}: 1/{share:.0f} of a block parse (worst 1/{worst:.0f}, {len(took)} edits)", end="")


def _open(text: str) -> Replica:
    """A workspace with a document whose outline is there before the first edit."""
    replica = Replica("bench")
    replica.workspace = workspace_of(10)
    replica.workspace.document = Document(text)
    assert replica.workspace.document.outline.sections
    return replica


def test_worst_case_of_the_noise_suite() -> None:
    """The slowest edit of the noise suite, stated without a bar: it depends on the machine."""
    found = sorted(outcomes(apply_edits, library(), 3, range(1000)), key=lambda one: one.seconds)
    for one in found[-3:]:
        case = one.case
        print(
            f"\nworst: {one.seconds * 1e3:.0f} ms, {case.kind} in {case.name} ({len(case.text) / 1000:.0f} KB)", end=""
        )
