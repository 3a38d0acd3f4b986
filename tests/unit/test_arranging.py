"""Which questions to the layout engine are put to it again."""

from __future__ import annotations

import pytest

from draftsmith.ports.engines import EngineFailed
from draftsmith.usecases.prepare.arranging import Arranging


class FailingEngine:
    """Answers nothing, and keeps the questions."""

    def __init__(self, failure: EngineFailed) -> None:
        self.failure, self.questions = failure, list[bytes]()

    async def run(self, question: bytes) -> bytes:
        self.questions.append(question)
        raise self.failure

    async def start(self) -> None: ...

    async def close(self) -> None: ...


@pytest.mark.parametrize("is_too_costly, times", [(True, 1), (False, 2)])
async def test_what_takes_too_much_is_not_asked_again(is_too_costly: bool, times: int) -> None:
    """A batch that is prepared again would wait for as long again; another failure may have been chance."""
    engine = FailingEngine(EngineFailed("killed", is_too_costly=is_too_costly))
    arranging = Arranging(engine)
    for _ in range(2):
        assert not (await arranging.answers({"key": b"question"}))["key"]
    assert len(engine.questions) == times
