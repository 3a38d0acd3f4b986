"""Settings: names, defaults, and what is refused."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

import click
import pytest
from pydantic import ValidationError

from draftsmith.cli.server_options import load_settings
from draftsmith.settings import Settings, default_data_dir
from draftsmith.settings_models import ANYBODY, ModelSettings

pytestmark = pytest.mark.usefixtures("clean_environment")


def test_defaults_suit_one_person_on_one_computer() -> None:
    settings = Settings()
    assert (settings.host, settings.port, settings.workers) == ("127.0.0.1", 8000, 1)
    assert settings.redis_url is None
    assert settings.access_mode == "local"
    assert settings.data_dir == default_data_dir()


def test_the_limits_are_those_of_the_design() -> None:
    settings = Settings()
    assert (settings.max_nodes, settings.max_edges, settings.max_operations) == (5_000, 10_000, 500)
    assert (settings.max_batch_bytes, settings.max_body_bytes) == (1_000_000, 33_554_432)
    assert (settings.retain_days, settings.trash_days) == (30, 30)
    assert (settings.retain_max_entries, settings.retain_min_entries) == (50_000, 10_000)


def test_every_setting_is_described() -> None:
    """The docstring is where defaults are stated, so none may be missing there."""
    described = f"{inspect.getdoc(Settings)}\n{inspect.getdoc(ModelSettings)}"
    assert [name for name in Settings.model_fields if f"\n    {name}: " not in described] == []


@pytest.mark.parametrize("name", sorted(Settings.model_fields))
def test_every_setting_is_read_from_its_upper_case_name(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    other = {
        "host": "::1",
        "draftsmith_mode": "TOKEN",
        "data_dir": "/somewhere",
        "redis_url": "redis://localhost",
        "draftsmith_store_url": "unix:///s",
        "draftsmith_worker": "w7",
        "log_level": "WARNING",
        "log_format": "json",
        "preparers_start": "Needed",
        "assistant_provider": "Builtin",
        "assistant_effort": "HIGH",
        "assistant_price_input": "3",
        "assistant_price_output": "15",
        "assistant_price_currency": "EUR",
        "assistant_prices": "openai/gpt-6-sol=2/10.5, google/gemini-3.8-flash=0.3/2.5",
        "assistant_workspace_providers": "OpenAI, google",
        "openai_api": "chat",
        "openai_schemas": "Flat",
        **{f"{name}_base_url": "http://localhost:9" for name in ANYBODY},
        "edit_mode": "regenerate",
        "assistant_debug_runs": "1",
        "oidc_issuer": "https://issuer.test",
        "allowed_origins": "https://app.test",
        "frame_ancestors": "https://app.test:8443",
        "trusted_proxies": "10.0.0.0/8, ::1",
        "store_risks_accepted": "appendfsync, eviction",
        "root_path": "/drafts",
        "public_url": "https://drafts.test",
        "images_bucket": "s3://other/drafts",
        "images_bucket_endpoint": "http://localhost:9000",
        "jwt_issuer": "https://issuer.test",
        "jwt_keys_url": "https://issuer.test/keys",
    }
    whole = {"OIDC_ISSUER": "https://one.test", "OIDC_CLIENT_ID": "one", "JWT_AUDIENCE": "one"}  # go together
    for other_name, value in whole.items() if name.startswith(("oidc", "jwt")) else ():
        monkeypatch.setenv(other_name, value)
    if name == "images_bucket_endpoint":
        monkeypatch.setenv("IMAGES_BUCKET", "s3://one")
    before = getattr(Settings(), name)
    monkeypatch.setenv(name.upper(), other.get(name, "7"))
    assert getattr(Settings(), name) != before


@pytest.mark.parametrize(
    "environment, named",
    [
        ({"OIDC_ISSUER": "https://issuer.test"}, "OIDC_CLIENT_ID"),
        ({"OIDC_CLIENT_ID": "one"}, "OIDC_ISSUER"),
        ({"JWT_ISSUER": "https://issuer.test"}, "JWT_AUDIENCE"),
        ({"JWT_AUDIENCE": "one"}, "JWT_ISSUER"),
        ({"JWT_AUDIENCE": "one", "JWT_ISSUER": "issuer"}, "https://"),
        ({"OIDC_ISSUER": "http://issuer.test", "OIDC_CLIENT_ID": "one"}, "https://"),
        ({"OIDC_ISSUER": "https://ann:secret@issuer.test", "OIDC_CLIENT_ID": "one"}, "user name"),
        ({"JWT_AUDIENCE": "one", "JWT_ISSUER": "issuer", "JWT_KEYS_URL": "http://10.0.0.1/keys"}, "https://"),
    ],
)
def test_half_an_issuer_is_refused(environment: dict[str, str], named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(click.UsageError, match=named) as refusal:
        load_settings()
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize(
    "ours, common, mode, foreign",
    [
        ("", "", "local", None),
        ("", "token", "token", None),
        ("", " Local ", "local", None),
        ("", "test", "local", "test"),
        ("", "production", "local", "production"),
        ("token", "test", "token", None),
        ("local", "token", "local", None),
        ("TOKEN", "local", "token", None),
    ],
)
def test_another_tools_mode_is_none_of_ours(
    ours: str, common: str, mode: str, foreign: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`MODE` counts where it says a mode of ours and `DRAFTSMITH_MODE` says none."""
    monkeypatch.setenv("DRAFTSMITH_MODE", ours)
    monkeypatch.setenv("MODE", common)
    settings = load_settings()
    assert (settings.access_mode, settings.foreign_mode) == (mode, foreign)


def test_a_mode_that_is_none_is_refused_where_it_is_meant_for_us(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRAFTSMITH_MODE", "tokens")
    with pytest.raises(click.UsageError, match="DRAFTSMITH_MODE"):
        load_settings()


def test_an_empty_variable_counts_as_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compose files pass on variables that nobody has set as empty ones."""
    monkeypatch.setenv("REDIS_URL", "")
    monkeypatch.setenv("PORT", "")
    assert (Settings().redis_url, Settings().port) == (None, 8000)


@pytest.mark.parametrize(
    "name, value",
    [
        ("PORT", "65536"),
        ("PORT", "eighty"),
        ("WORKERS", "0"),
        ("REDIS_URL", "http://localhost"),
        ("LOG_LEVEL", "loud"),
        ("MAX_NODES", "-1"),
        ("DRAFTSMITH_WORKER", "a b"),
        ("ASSISTANT_PROVIDER", "somebody"),
        ("ANTHROPIC_BASE_URL", "localhost:9"),
        ("ASSISTANT_TURNS", "0"),
        ("ASSISTANT_DAY_TOKENS", "-1"),
        ("EDIT_MODE", "rewrite"),
        ("ALLOWED_ORIGINS", "*"),
        ("ALLOWED_ORIGINS", "https://app.test/"),
        ("FRAME_ANCESTORS", "https://*.app.test"),
        ("TRUSTED_PROXIES", "proxy.test"),
        ("ROOT_PATH", "drafts"),
        ("ROOT_PATH", "/drafts/"),
        ("ROOT_PATH", '/"><script>'),
        ("PUBLIC_URL", "drafts.test"),
        ("PUBLIC_URL", "ftp://drafts.test"),
        ("PUBLIC_URL", "https://"),
        ("PUBLIC_URL", "https:///drafts"),
        ("PUBLIC_URL", "https://ann:secret@drafts.test"),
        ("PUBLIC_URL", "https://drafts.test/?a=b"),
        ("PUBLIC_URL", "https://drafts.test/#"),
        ("PUBLIC_URL", "https://drafts.test:70000"),
        ("PUBLIC_URL", "https://drafts.test:port"),
        ("PUBLIC_URL", "https://drafts.test:0"),
        ("PUBLIC_URL", "https://drafts.test, https://other.test"),
        ("PUBLIC_URL", "https://*.drafts.test"),
        ("PUBLIC_URL", "https://zürich.test"),
        ("PUBLIC_URL", "https://[::1"),
        ("PUBLIC_URL", "https://drafts.test/a b"),
    ],
)
def test_nonsense_is_refused(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ValidationError):
        Settings()


@pytest.mark.parametrize(
    "value, address, root, host",
    [
        ("https://Drafts.Test", "https://drafts.test", "", "drafts.test"),
        ("https://drafts.test/", "https://drafts.test", "", "drafts.test"),
        ("https://drafts.test:443/team/", "https://drafts.test/team", "/team", "drafts.test"),
        ("http://drafts.test:8080", "http://drafts.test:8080", "", "drafts.test"),
        ("http://10.0.0.7:8000", "http://10.0.0.7:8000", "", "10.0.0.7"),
        ("http://[FD00::7]", "http://[fd00::7]", "", "fd00::7"),
        ("https://xn--zrich-kva.test", "https://xn--zrich-kva.test", "", "xn--zrich-kva.test"),
    ],
)
def test_the_public_address_is_kept_as_browsers_write_it(
    value: str, address: str, root: str, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its path is the root path, and its host is answered."""
    monkeypatch.setenv("PUBLIC_URL", value)
    monkeypatch.setenv("ALLOWED_HOSTS", "Other.test")
    settings = load_settings()
    assert (settings.public_url, settings.root_path) == (address, root)
    assert settings.answered_hosts == ["other.test", host]


@pytest.mark.parametrize(
    "public, root, found",
    [
        ("https://drafts.test/team", "/team", "/team"),
        ("", "/team", "/team"),
        ("https://drafts.test/team", "/other", None),
        ("https://drafts.test", "/team", None),
    ],
)
def test_the_path_is_one(public: str, root: str, found: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUBLIC_URL", public)
    monkeypatch.setenv("ROOT_PATH", root)
    if found is not None:
        assert load_settings().root_path == found
        return
    with pytest.raises(click.UsageError, match=r"ROOT_PATH: .*PUBLIC_URL"):
        load_settings()


def test_a_refusal_on_the_command_line_names_the_variable_and_hides_the_value(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("REDIS_URL", "http://:secret@localhost")
    with pytest.raises(click.UsageError, match=r"REDIS_URL: .*must start with redis://") as refusal:
        load_settings()
    assert "secret" not in str(refusal.value)


def test_a_password_in_a_url_is_not_shown() -> None:
    assert "secret" not in repr(
        Settings(redis_url="redis://:secret@localhost", draftsmith_store_url="redis://:secret@h")
    )


def test_a_key_is_not_shown_and_comes_without_the_line_end_of_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", " sk-ant-secret\n")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "https://ada:secret@gateway")
    settings = Settings()
    assert settings.anthropic_api_key is not None
    assert settings.anthropic_api_key.get_secret_value() == "sk-ant-secret"
    assert "secret" not in repr(settings) + str(settings) + settings.model_dump_json(
        exclude={"anthropic_base_url", "oidc_client_secret"}
    )


def test_a_blank_key_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "  ")
    assert Settings().anthropic_api_key is None


def test_the_limits_of_the_assistant() -> None:
    settings = Settings()
    assert (settings.assistant_provider, settings.edit_mode, settings.assistant_effort) == ("auto", "tools", "medium")
    assert (settings.assistant_model, settings.assistant_ask_model) == (None, None)
    assert (settings.assistant_turns, settings.assistant_seconds, settings.assistant_max_tokens) == (12, 300, 16_000)
    assert (settings.assistant_run_tokens, settings.assistant_day_tokens) == (400_000, 5_000_000)


def test_options_win_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "9000")
    assert load_settings(port=9001, host=None).port == 9001
    assert load_settings(port=None).port == 9000


def test_the_data_folder_is_absolute_and_knows_the_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    assert Settings(data_dir=Path("~/boards")).data_dir == Path("/home/ada/boards")
    assert Settings(data_dir=Path("boards")).data_dir == Path.cwd() / "boards"


def test_linux_keeps_data_where_xdg_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("HOME", "/home/ada")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert default_data_dir() == Path("/data/draftsmith")
    monkeypatch.setenv("XDG_DATA_HOME", "relative/is/ignored")
    assert default_data_dir() == Path("/home/ada/.local/share/draftsmith")


def test_macos_keeps_data_in_its_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setenv("HOME", "/Users/ada")
    assert default_data_dir() == Path("/Users/ada/Library/Application Support/draftsmith")


class TestThePasswordOfTheStore:
    """It may come from a file, as containers keep it; no refusal shows any part of it."""

    @pytest.mark.parametrize(
        "given, expected",
        [
            ("redis://redis:6379/0", "redis://:a%2Fb%23c%40d@redis:6379/0"),
            ("rediss://ada@[::1]:6379", "rediss://ada:a%2Fb%23c%40d@[::1]:6379"),
            ("unix:///s?db=0", "unix://:a%2Fb%23c%40d@/s?db=0"),
        ],
    )
    def test_from_a_file(self, given: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "p").write_text("a/b#c@d\n")
        monkeypatch.setenv("REDIS_PASSWORD_FILE", str(tmp_path / "p"))
        monkeypatch.setenv("REDIS_URL", given)
        assert Settings().redis_url == expected
        monkeypatch.setenv("DRAFTSMITH_STORE_URL", given)
        assert Settings().draftsmith_store_url == given, "the launcher has put it in already"

    def test_without_an_address_it_is_not_needed(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("REDIS_PASSWORD_FILE", str(tmp_path / "none"))
        assert Settings().redis_url is None

    @pytest.mark.parametrize(
        "content, url, words",
        [
            (None, "redis://h", "cannot be read"),
            (" \n", "redis://h", "is empty"),
            ("x", "redis://:secret@h", "a password of its own"),
            ("x", "redis://:sec/ret@h:6379", "write / as %2F"),
        ],
    )
    def test_what_does_not_work_is_said_at_the_start(
        self, content: str | None, url: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        if content is not None:
            (tmp_path / "p").write_text(content)
        monkeypatch.setenv("REDIS_PASSWORD_FILE", str(tmp_path / "p"))
        monkeypatch.setenv("REDIS_URL", url)
        with pytest.raises(click.UsageError, match="REDIS_URL") as refusal:
            load_settings()
        assert words in str(refusal.value)
        assert "sec" not in str(refusal.value)
