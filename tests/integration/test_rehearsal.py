"""The stand-in plays the parts that a test in another process gives it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import anthropic
import pytest
from anthropic import AsyncAnthropic

from tests import patient
from tests.standin import Standin, serve
from tests.standin.rehearsal import rehearse

TOOL: Any = {"name": "edit_diagram", "description": "Edit.", "input_schema": {"type": "object", "properties": {}}}
CALL = ["edit_diagram", {"operations": [{"op": "delete_node", "id": "db"}]}]


@pytest.fixture
async def standin() -> Standin:
    return rehearse()


@pytest.fixture
async def url(standin: Standin) -> AsyncIterator[str]:
    async with serve(standin) as url:
        yield url


@pytest.fixture
async def claude(standin: Standin, url: str) -> AsyncIterator[AsyncAnthropic]:
    async with AsyncAnthropic(api_key=standin.key, base_url=url, max_retries=0) as made:
        yield made


async def give(url: str, request: str, *takes: list[dict[str, Any]]) -> None:
    async with patient.async_client() as client:
        answer = await client.post(f"{url}/rehearsal/parts", json={"request": request, "takes": takes})
        assert answer.status_code == 200


async def answer_to(model: AsyncAnthropic, request: str) -> Any:
    said: Any = [{"role": "user", "content": request}]
    async with model.messages.stream(model="claude-sonnet-5-5", max_tokens=100, messages=said, tools=[TOOL]) as stream:
        return await stream.get_final_message()


async def test_a_part_is_played_take_by_take(claude: AsyncAnthropic, url: str) -> None:
    """The last take is played from then on."""
    await give(url, "Drop it", [{"error": "rate_limit_error", "retry_after": "1"}], [{"calls": [CALL]}])
    with pytest.raises(anthropic.RateLimitError):
        await answer_to(claude, "Drop it")
    for _ in range(2):
        message = await answer_to(claude, "Drop it")
        assert message.stop_reason == "tool_use"
        assert message.content[0].input == CALL[1]


async def test_a_stream_breaks_after_its_first_words(claude: AsyncAnthropic, url: str) -> None:
    """So that nothing is tried again unseen."""
    await give(url, "Fail", [{"text": "Let me see what there is.", "breaks": "error"}])
    with pytest.raises(anthropic.APIError):
        await answer_to(claude, "Fail")


async def test_a_stream_waits_until_it_is_let_go(claude: AsyncAnthropic, url: str, standin: Standin) -> None:
    """Nothing is said to be over before that."""
    await give(url, "Wait", [{"text": "Yes.", "holds": "end"}])
    asked = asyncio.create_task(answer_to(claude, "Wait"))
    await standin.until(lambda: standin.holding == 1)
    async with patient.async_client() as client:
        assert (await client.get(f"{url}/rehearsal")).json()["holding"] == 1
        assert not asked.done()
        await client.post(f"{url}/rehearsal/let-go")
    assert (await asked).content[0].text == "Yes."


async def test_what_has_no_part_is_answered_as_the_demonstration_does(claude: AsyncAnthropic) -> None:
    """So that screens can be shown without writing every answer down."""
    message = await answer_to(claude, "Add a cache called Sessions")
    assert [block.type for block in message.content][-1] == "tool_use"
