"""What cases of refusal share: an edit, a quote under a path of its own, and hints that are sent back."""

from __future__ import annotations

import random

from tests.noise.cases import Apply, Edit, Hint, Refusal, attempt
from tests.noise.quotes import Quote, quote_from
from tests.noise.samples import Sample

NEW = "Something else stands here now."


def edit_of(section: str, find: str, replace: str = NEW) -> Edit:
    return {"section": section, "find": find, "replace": replace}


def quote_of(sample: Sample, rng: random.Random, shapes: tuple[str, ...] | None = None) -> Quote | None:
    quote = quote_from(sample, rng, shapes) if shapes else quote_from(sample, rng)
    return quote if quote is not None and sample.is_chain_unique(quote.part) else None


def leads_to(text: str, find: str, accepted: str) -> Hint:
    """One of the candidates, sent back as the section, brings the edit where it belongs."""

    def hint(apply: Apply, refusal: Refusal) -> bool:
        tries = [attempt(apply, text, [edit_of(candidate, find)]) for candidate in refusal.candidates]
        return any(result == accepted for result in tries)

    return hint
