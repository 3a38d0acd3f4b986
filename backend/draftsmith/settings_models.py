"""The settings of the assistant and of the providers of models; `settings` has all others and puts them together.

Names and rules are those of `settings`. A provider of models has the settings `<NAME>_API_KEY`, `<NAME>_BASE_URL`,
`<NAME>_MODEL` and `<NAME>_ASK_MODEL` and those of its own; which providers there are: `adapters/model_providers.py`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


def lower(value: object) -> object:
    """The value in lower case, where it is text."""
    return value.lower() if isinstance(value, str) else value


def comma_list(value: str) -> list[str]:
    """What a setting lists, separated by commas."""
    return [one.strip() for one in value.split(",") if one.strip()]


def _web_url(value: str | None) -> str | None:
    if value is not None and not value.startswith(("http://", "https://")):
        raise ValueError("must start with http:// or https://")
    return value


def _strip(value: object) -> object:
    # Keys come out of files and clipboards with a line end.
    return value.strip() or None if isinstance(value, str) else value


ANYBODY: Final = ("anthropic", "openai", "azure", "google", "bedrock", "vertex")
ProviderChoice = Literal["auto", "anthropic", "openai", "azure", "google", "bedrock", "vertex", "builtin", "off"]
_HOST_PATTERN = re.compile(r"(?:(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::(?P<port>\d{1,5}))?")
_PRICE = re.compile(r"(?P<provider>[a-z]+)/(?P<model>[^=\s]+)=(?P<input>\d+(?:\.\d+)?)/(?P<output>\d+(?:\.\d+)?)")


def _provider_list(value: str) -> str:
    names = comma_list(value.lower())
    for name in names:
        if name not in ANYBODY and name != "*":
            raise ValueError(f"{name} is no provider of models; there are {', '.join(ANYBODY)}, or * for all of them")
    return ",".join(ANYBODY if "*" in names else names)


def _prices(value: str) -> str:
    for one in comma_list(value):
        found = _PRICE.fullmatch(one)
        if found is None or found["provider"] not in ANYBODY:
            raise ValueError(f"{one} is no price; write provider/model=input/output, such as openai/gpt-6-sol=2/10")
    return value


def _host_patterns(value: str) -> str:
    patterns = comma_list(value.lower())
    for one in patterns:
        found = _HOST_PATTERN.fullmatch(one)
        if found is None or int(found["port"] or 0) > 65_535:
            raise ValueError(f"{one[:80]} is no host; write host, host:port, *.domain, or [address] of IPv6")
    return ",".join(patterns)


Secret = Annotated[SecretStr | None, BeforeValidator(_strip)]
WebUrl = Annotated[str | None, AfterValidator(_web_url)]
Count = Annotated[int, Field(ge=1)]
CountOrNone = Annotated[int, Field(ge=0)]
Price = Annotated[float | None, Field(ge=0, allow_inf_nan=False)]
Name = Annotated[str, Field(min_length=1, max_length=200)]
OptionalName = Annotated[str | None, Field(min_length=1, max_length=200)]
Region = Annotated[str | None, Field(pattern=r"^[a-z0-9-]{1,40}$")]


class ModelSettings(BaseSettings):
    """The settings of the assistant and of the providers of models.

    Attributes:
        assistant_provider: who answers the assistant: auto (default; the first provider of models that can be asked,
            else builtin), anthropic, openai, azure, google, bedrock, vertex, builtin (built-in commands, no AI model)
            or off.
        assistant_workspace_providers: providers of models, separated by commas, of which the owner of a workspace may
            choose another for it; `*` for all; default none.
        model_hosts: hosts at which an administrator may enter a server of models in the page, separated by commas:
            host, host:port or *.domain; default none in token mode, and any in local mode.
        assistant_model: the model that edits; default that of the provider, claude-sonnet-5-5 for Anthropic. It is of
            the provider that `assistant_provider` names, of Anthropic where that is auto.
        assistant_ask_model: the model that answers questions; default that of the provider, claude-haiku-5-5 for
            Anthropic. Of the same provider.
        assistant_effort: how much effort models put into an answer: low, medium (default) or high.
        assistant_max_tokens: length of one answer of a model, in tokens, thinking included; default 16,000.
        assistant_turns: answers of a model in one run; default 12.
        assistant_seconds: how long a run may take, in seconds; default 300.
        plugin_approval_seconds: how long a call of a plugin that changes something waits for a yes; default 120. That
            time does not count as the run's.
        assistant_run_tokens: tokens that a run may use, sent and received; default 400,000; 0 for no limit.
        assistant_day_tokens: tokens that all runs of a day (UTC) may use; default 5,000,000; 0 for no limit.
        assistant_price_input: what a million tokens that are sent cost, for showing it; default none.
        assistant_price_output: what a million tokens that come back cost; default none. Shown where both are given.
        assistant_price_currency: the currency of all prices; default USD.
        assistant_prices: prices of single models, separated by commas: provider/model=input/output; default none. They
            win over the two before.
        edit_mode: tools (default; small changes) or regenerate (the model rewrites the whole).
        prompts_dir: folder with prompts that are read in place of those of the same name that come along; default none.
        assistant_debug_runs: keep all that models are sent and answer in files of the data folder; default off.
        assistant_debug_hours: hours from the start of the server after which that ends by itself; default 24.
        anthropic_api_key: the key of Anthropic; default none. Wins over a key entered in the page, as all keys do.
        anthropic_base_url: where the Messages API is, for gateways; default Anthropic's own.
        anthropic_model: the model of Anthropic that edits; default `assistant_model`.
        anthropic_ask_model: the model of Anthropic that answers questions; default `assistant_ask_model`.
        openai_api_key: the key of OpenAI, or of the server at `openai_base_url` if that wants one; default none.
        openai_base_url: where an API that is compatible with OpenAI's is, `/v1` included; default OpenAI's own.
        openai_model: its model that edits; default gpt-6-sol.
        openai_ask_model: its model that answers questions; default gpt-6-luna, and `openai_model` where that is given.
        openai_api: auto (default; the Responses API at OpenAI, Chat Completions elsewhere), chat or responses.
        openai_schemas: full (default), or flat for models that cannot follow choices in the schema of a tool.
        openai_context: how many tokens its models can read; default 0: not known. Below 12,000 they are sent less.
        openai_seconds: how long a run with its models may take, in seconds; default 0, as long as `assistant_seconds`.
        openai_silence_seconds: how long it may be silent, in seconds; default 0: 120 at OpenAI, as long as a run may
            take at another address.
        azure_api_key: the key of a resource of Azure OpenAI; default none.
        azure_base_url: its address, https://<resource>.openai.azure.com; default none.
        azure_api_version: the version of its API; default 2024-10-21.
        azure_model: the deployment that edits; default none.
        azure_ask_model: the deployment that answers questions; default `azure_model`.
        google_api_key: the key of the Gemini API; default none.
        google_base_url: where that is, for gateways; default Google's own.
        google_api_version: the version of its API; default what Google's SDK takes.
        google_model: its model that edits; default gemini-3.8-flash.
        google_ask_model: its model that answers questions; default gemini-3.8-flash, or `google_model`.
        bedrock_api_key: a key of Amazon Bedrock; default none: AWS credentials are found as AWS's SDK finds them.
        bedrock_base_url: where Bedrock is, for gateways; default that of the region.
        bedrock_region: the region of AWS; default none.
        bedrock_model: the model of Anthropic there that edits, by its id or its inference profile; default none.
        bedrock_ask_model: the one that answers questions; default `bedrock_model`.
        vertex_api_key: an access token of Google Cloud; default none: its application default credentials are used.
        vertex_base_url: where Vertex AI is, for gateways; default that of the region.
        vertex_project: the project of Google Cloud; default none.
        vertex_region: the region, or global, us or eu; default none.
        vertex_model: the model of Anthropic there that edits; default none.
        vertex_ask_model: the one that answers questions; default `vertex_model`.
    """

    model_config = SettingsConfigDict(env_ignore_empty=True, extra="ignore", frozen=True, hide_input_in_errors=True)

    assistant_provider: Annotated[ProviderChoice, BeforeValidator(lower)] = "auto"
    assistant_workspace_providers: Annotated[str, AfterValidator(_provider_list)] = ""
    model_hosts: Annotated[str, AfterValidator(_host_patterns)] = ""
    assistant_model: OptionalName = None
    assistant_ask_model: OptionalName = None
    assistant_effort: Annotated[Literal["low", "medium", "high"], BeforeValidator(lower)] = "medium"
    assistant_max_tokens: Count = 16_000
    assistant_turns: Count = 12
    assistant_seconds: Count = 300
    plugin_approval_seconds: int = Field(default=120, ge=5, le=3600)
    assistant_run_tokens: CountOrNone = 400_000
    assistant_day_tokens: CountOrNone = 5_000_000
    assistant_price_input: Price = None
    assistant_price_output: Price = None
    assistant_price_currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] = "USD"
    assistant_prices: Annotated[str, AfterValidator(_prices)] = ""
    edit_mode: Annotated[Literal["tools", "regenerate"], BeforeValidator(lower)] = "tools"
    prompts_dir: Path | None = None
    assistant_debug_runs: bool = False
    assistant_debug_hours: int = Field(default=24, ge=1, le=168)

    # No address is shown by repr: it may hold a password.
    anthropic_api_key: Secret = Field(default=None, repr=False)
    anthropic_base_url: WebUrl = Field(default=None, repr=False)
    anthropic_model: OptionalName = None
    anthropic_ask_model: OptionalName = None
    openai_api_key: Secret = Field(default=None, repr=False)
    openai_base_url: WebUrl = Field(default=None, repr=False)
    openai_model: OptionalName = None
    openai_ask_model: OptionalName = None
    openai_api: Annotated[Literal["auto", "chat", "responses"], BeforeValidator(lower)] = "auto"
    openai_schemas: Annotated[Literal["full", "flat"], BeforeValidator(lower)] = "full"
    openai_context: CountOrNone = 0
    openai_seconds: CountOrNone = 0
    openai_silence_seconds: CountOrNone = 0
    azure_api_key: Secret = Field(default=None, repr=False)
    azure_base_url: WebUrl = Field(default=None, repr=False)
    azure_api_version: Annotated[str, Field(pattern=r"^[a-z0-9-]{1,40}$")] = "2024-10-21"
    azure_model: OptionalName = None
    azure_ask_model: OptionalName = None
    google_api_key: Secret = Field(default=None, repr=False)
    google_base_url: WebUrl = Field(default=None, repr=False)
    google_api_version: Annotated[str | None, Field(pattern=r"^[a-z0-9-]{1,40}$")] = None
    google_model: OptionalName = None
    google_ask_model: OptionalName = None
    bedrock_api_key: Secret = Field(default=None, repr=False)
    bedrock_base_url: WebUrl = Field(default=None, repr=False)
    bedrock_region: Region = None
    bedrock_model: OptionalName = None
    bedrock_ask_model: OptionalName = None
    vertex_api_key: Secret = Field(default=None, repr=False)
    vertex_base_url: WebUrl = Field(default=None, repr=False)
    vertex_project: Annotated[str | None, Field(pattern=r"^[a-z0-9:.-]{1,80}$")] = None
    vertex_region: Region = None
    vertex_model: OptionalName = None
    vertex_ask_model: OptionalName = None

    def api_key_of(self, provider: str) -> str:
        """The key of a provider of models, by its name; empty for none."""
        key: SecretStr | None = getattr(self, f"{provider}_api_key")
        return "" if key is None else key.get_secret_value()

    def option_of(self, provider: str, name: str) -> str:
        """A setting of a provider of models, such as `base_url` or `region`; empty where there is none."""
        value: str | int | None = getattr(self, f"{provider}_{name}")
        return str(value) if value else ""

    def run_seconds_of(self, provider: str) -> int:
        """How long a run with a provider's models may take."""
        seconds: int = getattr(self, f"{provider}_seconds", 0)
        return seconds or self.assistant_seconds

    def models_of(self, provider: str, edit: str, ask: str) -> tuple[str, str]:
        """The models of a provider that edit and that answer questions; its own ones where nothing else is set.

        Who names one model means it for both, unless the other is named, too: the provider's own may not be there.
        """
        chosen = "anthropic" if self.assistant_provider == "auto" else self.assistant_provider
        given = (self.assistant_model, self.assistant_ask_model) if provider == chosen else (None, None)
        named = self.option_of(provider, "model") or given[0] or ""
        asking = self.option_of(provider, "ask_model") or given[1] or ""
        both = named if provider != "anthropic" else ""
        return named or edit, asking or both or ask

    def prices_of_models(self) -> dict[tuple[str, str], tuple[float, float]]:
        """The prices of single models by provider and model: what a million tokens cost, sent and received."""
        found = [match for one in comma_list(self.assistant_prices) if (match := _PRICE.fullmatch(one))]
        return {(one["provider"], one["model"]): (float(one["input"]), float(one["output"])) for one in found}
