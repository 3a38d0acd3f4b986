"""What is compared: one provider, model, edit mode and folder of prompts, as the command line says it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from pydantic import ValidationError

from draftsmith.adapters.model_providers import MODEL_PROVIDERS
from draftsmith.assistant.model_provider import ModelProvider
from draftsmith.assistant.prompts import WORKFLOWS
from draftsmith.components import model_access_of, prices_of, prompts_of
from draftsmith.errors import DraftsmithError
from draftsmith.settings import Settings

_PROVIDERS: Final = {one.name: one for one in MODEL_PROVIDERS}
_OPTIONS: Final = {
    "edit_mode": "edit_mode",
    "prompts": "prompts_dir",
    "effort": "assistant_effort",
    "max_tokens": "assistant_max_tokens",
    "turns": "assistant_turns",
}
_PRICE: Final = re.compile(r"(\d+(?:\.\d+)?)/(\d+(?:\.\d+)?)(?:/(\d+(?:\.\d+)?))?")
_FORM: Final = "provider[:model][,name=value…], such as anthropic:claude-sonnet-5-5,edit_mode=tools"


class WrongSide(ValueError):
    """What is to be compared cannot be read or cannot be asked; the message says what would be right."""


@dataclass(frozen=True)
class Cost:
    """What a million tokens cost: sent, received, and read from the provider's cache."""

    input: float
    output: float
    cached: float
    currency: str = "USD"

    def of(self, tokens: Mapping[str, int]) -> float:
        """What counted tokens cost; `cache_read` is a part of `input`."""
        read = tokens["cache_read"]
        total = (tokens["input"] - read) * self.input + read * self.cached + tokens["output"] * self.output
        return round(total / 1_000_000, 6)


@dataclass(frozen=True)
class Side:
    """One side.

    Attributes:
        letter: A or B.
        words: as it was given.
        info: its provider.
        settings: as an operator would set them to have it.
        cost: None where nobody has said what tokens cost.
    """

    letter: str
    words: str
    info: ModelProvider
    settings: Settings
    cost: Cost | None

    @property
    def key(self) -> str:
        """Its key; never written anywhere."""
        return self.settings.api_key_of(self.info.name)

    def to_json(self) -> dict[str, Any]:
        """All that its answers and their cost depend on, as far as it is known here; no key, of an address its host."""
        access = model_access_of(self.settings, self.info)
        folder = self.settings.prompts_dir
        return {
            "provider": self.info.name,
            "model": access.models["edit"],
            "ask_model": access.models["ask"],
            "host": urlsplit(access.base_url).hostname,
            "price": None if self.cost is None else asdict(self.cost),
            "options": {name: self.settings.option_of(self.info.name, name) for name in self.info.options},
            "edit_mode": self.settings.edit_mode,
            "effort": self.settings.assistant_effort,
            "max_tokens": self.settings.assistant_max_tokens,
            "turns": self.settings.assistant_turns,
            "prompts": {workflow: prompts_of(workflow, folder).hash for workflow in WORKFLOWS},
        }


def read_side(letter: str, words: str, environment: Mapping[str, str], data_dir: Path) -> Side:
    """Read a side; nothing is sent.

    A key comes from the environment alone. The one of a provider does not go to another address than the environment's:
    with `base_url` a side has the key in the variable that `key_from` names, or none.

    Raises:
        WrongSide: it cannot be read, or cannot be asked.
    """
    head, *rest = words.split(",")
    name, _, model = head.strip().partition(":")
    info = _PROVIDERS.get(name)
    if info is None:
        raise WrongSide(
            f"{letter}: '{name}' is no provider of models; there are {', '.join(_PROVIDERS)}. Write {_FORM}."
        )
    given = _options(letter, rest)
    if "base_url" in given and "@" in given["base_url"]:
        raise WrongSide(f"{letter}: a password does not belong here; set {info.variable('base_url')}.")
    price = given.pop("price", "")
    values: dict[str, Any] = (
        {f"{name}_model": model, f"{name}_ask_model": given.pop("ask_model", model)} if model else {}
    )
    key_from = given.pop("key_from", None)
    if key_from is not None or "base_url" in given:
        values[f"{name}_api_key"] = environment.get(key_from or "", "")
    for option, value in given.items():
        own = option == "base_url" or option in info.options
        if not own and option not in _OPTIONS:
            known = [*_OPTIONS, "ask_model", "base_url", "key_from", "price", *info.options]
            raise WrongSide(f"{letter}: there is no '{option}'; there are {', '.join(known)}.")
        values[f"{name}_{option}" if own else _OPTIONS[option]] = value
    return _checked(letter, words, info, _settings(letter, name, values, data_dir), price)


def _options(letter: str, parts: list[str]) -> dict[str, str]:
    options: dict[str, str] = {}
    for part in parts:
        name, equals, value = part.strip().partition("=")
        if not equals or not value or name in options:
            raise WrongSide(f"{letter}: '{part.strip()}' is no name=value, or comes twice. Write {_FORM}.")
        if name in ("key", "api_key"):
            raise WrongSide(f"{letter}: a key is taken from the environment, never from the command line.")
        options[name] = value
    return options


def _settings(letter: str, name: str, values: Mapping[str, Any], data_dir: Path) -> Settings:
    fixed = {"assistant_provider": name, "data_dir": data_dir, "assistant_day_tokens": 0, "assistant_debug_runs": False}
    try:
        return Settings(**fixed, **values)
    except ValidationError as problem:
        said = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in problem.errors())
        raise WrongSide(f"{letter}: {said}") from None


def _checked(letter: str, words: str, info: ModelProvider, settings: Settings, price: str) -> Side:
    access = model_access_of(settings, info)
    try:
        access.require()
        for workflow in WORKFLOWS:
            prompts_of(workflow, settings.prompts_dir)
    except DraftsmithError as problem:
        is_key = problem.code == "needs_key"
        said = f"no key: set {info.key_variable}, or name a variable with key_from=" if is_key else problem.detail
        raise WrongSide(f"{letter}: {said}") from None
    except ValueError as problem:
        raise WrongSide(f"{letter}: {problem}") from None
    return Side(letter, words, info, settings, _cost(letter, info.name, access.models["edit"], settings, price))


def _cost(letter: str, provider: str, model: str, settings: Settings, price: str) -> Cost | None:
    currency = settings.assistant_price_currency
    if price:
        found = _PRICE.fullmatch(price)
        if found is None:
            raise WrongSide(f"{letter}: {price} is no price; write price=input/output or price=input/output/cached.")
        sent, received = float(found[1]), float(found[2])
        return Cost(sent, received, float(found[3]) if found[3] else sent, currency)
    known = prices_of(settings).of(provider, model)
    return None if known is None else Cost(known.input, known.output, known.input, known.currency)
