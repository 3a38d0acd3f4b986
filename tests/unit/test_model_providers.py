"""What is derived from the registry of model providers, and the settings that cannot see it."""

from __future__ import annotations

from typing import get_args

import pytest

from draftsmith.adapters.model_providers import MODEL_PROVIDERS
from draftsmith.settings import Settings


def test_settings_know_every_registered_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    """The names that ASSISTANT_PROVIDER takes are those of the registry, and each has its key and its address."""
    names = [info.name for info in MODEL_PROVIDERS]
    assert set(get_args(Settings.model_fields["assistant_provider"].annotation)) == {"auto", *names, "builtin", "off"}
    for info in MODEL_PROVIDERS:
        monkeypatch.setenv(info.key_variable, f"key-{info.name}")
        monkeypatch.setenv(f"{info.name.upper()}_BASE_URL", f"https://{info.name}.test")
        settings = Settings()
        assert settings.api_key_of(info.name) == f"key-{info.name}"
        assert settings.option_of(info.name, "base_url") == f"https://{info.name}.test"


def test_no_two_providers_share_a_name_or_a_key_file() -> None:
    """An entered key is never sent to another provider."""
    assert len({info.name for info in MODEL_PROVIDERS}) == len(MODEL_PROVIDERS)
    assert len({info.key_file for info in MODEL_PROVIDERS}) == len(MODEL_PROVIDERS)
