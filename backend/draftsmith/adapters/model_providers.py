"""The providers of models that this server knows. A new one is a room beside `anthropic` and an entry here.

The choice of a provider, `draftsmith doctor` and what the API tells of it are derived from the entry. Settings cannot
see it: a provider has the fields `<name>_api_key` and `<name>_base_url` and its name in `assistant_provider` there.
"""

from __future__ import annotations

from typing import Final

from draftsmith.adapters.anthropic.provider import ANTHROPIC
from draftsmith.assistant.provider import ModelProvider

MODEL_PROVIDERS: Final[tuple[ModelProvider, ...]] = (ANTHROPIC,)
"""In the order in which `auto` takes the first that has a key."""
