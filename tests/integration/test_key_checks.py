"""How often the provider is asked whether a key works: once in thirty seconds, whoever asks how often."""

from __future__ import annotations

import asyncio

import pytest

from draftsmith.adapters.anthropic.provider import ANTHROPIC
from draftsmith.assistant.model_provider import Reach
from draftsmith.errors import DraftsmithError
from draftsmith.usecases.providers.providers import REMEMBERED_S, ModelAccess, Providers
from tests.integration.assistant_workers import NoKeys
from tests.standin import HttpError, Standin, serve

KEY = "sk-standin"


async def test_a_result_stands_for_thirty_seconds_and_for_its_key() -> None:
    """Many who ask at once are one question; another key is another one, and a refusal stands as well."""
    time = 0.0
    standin = Standin(lambda _: HttpError(), key=KEY)
    async with serve(standin) as url:
        keys, connections = NoKeys(), ANTHROPIC.connect(Reach(base_url=url))
        models = {"edit": "claude-sonnet-5-5"}
        access = ModelAccess(
            info=ANTHROPIC, env_key="", keys=keys, models=models, base_url=url, connections=connections
        )
        providers = Providers(choice="auto", available=[access], now=lambda: time)
        keys.save(KEY)
        found = await asyncio.gather(*(providers.check() for _ in range(20)))
        assert (len(standin.checked), {one.ok for one in found}) == (1, {True})
        time = REMEMBERED_S - 0.001
        await providers.check()
        assert len(standin.checked) == 1
        time = REMEMBERED_S
        await providers.check()
        assert len(standin.checked) == 2
        assert providers.last_check == await providers.check()
        keys.save("sk-another")
        assert providers.last_check is None, "it was of the key before"
        assert [(await providers.check()).code for _ in range(2)] == ["auth", "auth"]
        with pytest.raises(DraftsmithError, match="key_refused"):
            await providers.enter_key("sk-a-third")
        await providers.enter_key(KEY)
        asked = len(standin.checked)
        assert (await providers.check()).ok
        assert len(standin.checked) == asked, "entering it was the check"
        await connections.close()
