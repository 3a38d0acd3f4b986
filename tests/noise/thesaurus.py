"""Quotes with one ordinary word for another of the same meaning, and quotes with one term for its sister.

Written by hand from everyday technical prose, without a look at the lists of the product.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from tests.noise.cases import Case
from tests.noise.decoys import Decoy
from tests.noise.ends import NEW, Maker, case
from tests.noise.quotes import Quote, quote_from
from tests.noise.samples import Sample, bare

_VERBS_TEXT = (
    "build/construct gather/collect examine/inspect demonstrate/show assist/help attempt/try combine/merge "
    "happen/occur inform/notify maintain/preserve notice/observe perform/execute produce/generate propose/suggest "
    "reduce/decrease rely/depend remain/stay respond/reply retain/keep select/choose solve/resolve specify/define "
    "transform/convert transmit/send comprehend/understand utilize/use verify/check calculate/compute "
    "exchange/swap manage/handle involve/entail locate/find outline/sketch refine/polish substitute/replace "
    "represent/denote resemble/mimic restrict/limit simplify/streamline tolerate/withstand trigger/cause "
    "refresh/update alter/modify alter/change adjust/adapt acquire/obtain begin/start discuss/mention "
    "permit/allow supply/provide require/need guarantee/ensure enhance/improve evaluate/assess aid/help "
    "investigate/explore introduce/present illustrate/show accomplish/achieve accumulate/gather anticipate/expect "
    "assemble/build conclude/end contain/hold decide/determine emit/produce encounter/meet establish/create "
    "expose/reveal fetch/retrieve finalize/complete monitor/watch obey/follow occupy/fill recommend/advise "
    "separate/divide speed/hasten tackle/address terminate/end view/see describe/depict mitigate/lessen "
    "determine/establish support/back reuse/recycle explain/clarify implement/realize consider/contemplate "
    "indicate/signal motivate/drive prefer/favor enumerate/list extend/expand examine/study"
)
_OTHERS_TEXT = (
    "quickly/rapidly important/significant numerous/several crucial/vital suitable/appropriate entire/whole "
    "specific/particular straightforward/simple difficult/hard possible/feasible essential/necessary typical/usual "
    "obvious/clear helpful/useful expensive/costly huge/large tiny/small additional/further adequate/sufficient "
    "accurate/precise complicated/complex primarily/mainly usually/typically frequently/often "
    "immediately/instantly currently/presently previously/formerly generally/usually significantly/considerably "
    "likely/probable robust/sturdy purpose/aim goal/objective problem/issue approach/method benefit/advantage "
    "drawback/disadvantage idea/notion modification/change option/choice reason/rationale amount/quantity "
    "mistake/error portion/part manner/way outcome/result instance/example capability/feature "
    "overview/summary requirement/need assumption/premise limitation/restriction situation/circumstance "
    "concern/worry suggestion/proposal details/particulars discussion/debate distinction/difference "
    "strategy/plan purposes/aims goals/objectives problems/issues approaches/methods benefits/advantages "
    "ideas/notions modifications/changes options/choices reasons/rationales portions/parts outcomes/results "
    "instances/examples capabilities/features requirements/needs assumptions/premises concerns/worries "
    "easily/readily simply/merely completely/entirely correctly/properly explicitly/expressly entirely/wholly "
    "potentially/possibly existing/present relevant/pertinent various/diverse similar/comparable basic/fundamental "
    "efficient/effective major/main common/widespread certain/sure enough/sufficient final/ultimate "
    "alternative/substitute ability/capacity cost/expense effort/work impact/effect need/necessity "
    "aspect/facet area/domain beginning/start case/situation challenge/difficulty consequence/result "
    "description/explanation guideline/recommendation improvement/enhancement intention/purpose lack/shortage "
    "location/place majority/most moment/instant opportunity/chance pattern/scheme question/query scenario/situation "
    "step/stage technique/method topic/subject usage/use willing/ready rather/instead perhaps/maybe"
)
_SISTERS_TEXT = (
    "node/cluster pod/container request/response leader/follower client/server thread/process row/table key/value "
    "service/gateway cache/database queue/topic span/trace metric/log label/annotation namespace/cluster user/admin "
    "header/body field/column producer/consumer image/container page/region shard/replica commit/branch "
    "proxy/gateway controller/scheduler event/command address/port token/key certificate/key file/directory "
    "disk/memory snapshot/log peer/leader operator/user store/cache resource/attribute task/pipeline exporter/receiver "
    "collector/agent sampler/exporter entry/index term/index voter/learner kubelet/scheduler child/sibling "
    "function/class package/module string/array session/connection role/permission group/member owner/reader "
    "timeout/interval limit/quota buffer/queue lock/lease message/packet host/guest volume/disk region/zone "
    "author/reviewer buyer/seller invoice/receipt customer/vendor order/payment frontend/backend minutes/seconds "
    "bytes/bits hours/days weeks/months increase/decrease enable/disable before/after maximum/minimum allow/deny"
)


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    for pair in text.split():
        one, other = pair.split("/")
        yield one, other
        yield other, one


def _inflected(verb: str) -> Iterator[str]:
    """A regular verb and its forms."""
    stem = verb[:-1] if verb.endswith("e") else verb
    soft = re.search(r"[^aeiou]y\Z", verb)
    yield verb
    yield verb[:-1] + "ies" if soft else verb + ("es" if re.search(r"(?:s|sh|ch|x)\Z", verb) else "s")
    yield verb[:-1] + "ied" if soft else stem + "ed"
    yield stem + "ing"


_IRREGULAR_TEXT = (
    "build choose send understand keep begin show find hold see meet try swap stay drive reply sketch mimic dry set "
    "stop permit refer get let put submit fetch handle"
)
_IRREGULAR = frozenset(_IRREGULAR_TEXT.split())


def _words() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one, other in _pairs(_VERBS_TEXT):
        forms = zip(_inflected(one), _inflected(other), strict=True)
        kept = 2 if {one, other} & _IRREGULAR else 4
        for first, second in list(forms)[:kept]:
            found.setdefault(first, []).append(second)
    for one, other in _pairs(_OTHERS_TEXT):
        found.setdefault(one, []).append(other)
    return found


SYNONYMS = _words()
SISTERS: dict[str, list[str]] = {}
for _one, _other in _pairs(_SISTERS_TEXT):
    SISTERS.setdefault(_one, []).append(_other)


def _inner_words(text: str, known: dict[str, list[str]]) -> list[re.Match[str]]:
    """Words of a list but the first and the last two, outside code and links."""
    ends = [found.span() for found in re.finditer(r"\S+", text)]
    return [
        found
        for found in re.finditer(r"(?<=\s)[a-z]{3,}(?=[\s,.;:])", text)
        if found[0] in known
        and ends[1][1] < found.start()
        and found.end() < ends[-2][0]
        and text.count("`", 0, found.start()) % 2 == 0
        and text.count("[", 0, found.start()) == text.count("]", 0, found.start())
    ]


def _sentence(sample: Sample, rng: random.Random) -> Quote | None:
    quote = quote_from(sample, rng, ("sentence", "line", "item", "lines"))
    is_long = quote is not None and sum(any(map(str.isalpha, word)) for word in quote.text.split()) >= 10
    return quote if quote is not None and is_long and quote.is_prose and sample.is_chain_unique(quote.part) else None


def plain_synonym(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """One ordinary word for another one, in the same form; what the new sentence would say stands nowhere."""
    quote = _sentence(sample, rng)
    places = _inner_words(quote.text, SYNONYMS) if quote is not None else []
    if quote is None or not places:
        return None
    found = rng.choice(places)
    find = quote.text[: found.start()] + rng.choice(SYNONYMS[found[0]]) + quote.text[found.end() :]
    if bare(find) in bare(sample.text):
        return None
    return case(kind, quote, find, rng.choice(NEW), {(quote.start, quote.end)})


def _plural(noun: str) -> str:
    return list(_inflected(noun))[1]


def sister_term(quote: Quote, rng: random.Random) -> tuple[str, int, int] | None:
    """A thing of the same field that is another thing, in a long sentence: a role, a part, a unit."""
    is_long = sum(any(map(str.isalpha, word)) for word in quote.text.split()) >= 10
    known = SISTERS | {_plural(one): [_plural(other) for other in others] for one, others in SISTERS.items()}
    places = _inner_words(quote.text, known) if quote.is_prose and is_long else []
    if not places:
        return None
    found = rng.choice(places)
    return (
        quote.text[: found.start()] + rng.choice(known[found[0]]) + quote.text[found.end() :],
        found.start(),
        found.end(),
    )


def another_name(quote: Quote, rng: random.Random) -> tuple[str, int, int] | None:
    """A name of the document for another name of it, in a long sentence."""
    names = sorted({found[0] for found in re.finditer(r"(?<=[a-z,] )[A-Z][A-Za-z]{3,}(?=[\s,.])", quote.sample.text)})
    places = list(re.finditer(r"(?<=[a-z,] )[A-Z][A-Za-z]{3,}(?=[\s,.])", quote.text))
    if not places or len(names) < 2 or not quote.is_prose:
        return None
    found, other = rng.choice(places), rng.choice(names)
    if other.casefold().rstrip("s") == found[0].casefold().rstrip("s"):
        return None
    return quote.text[: found.start()] + other + quote.text[found.end() :], found.start(), found.end()


def another_target(quote: Quote, rng: random.Random) -> tuple[str, int, int] | None:
    """The same words with a link, an image, a reference or a footnote that leads elsewhere."""
    places = list(re.finditer(r"\]\((#?[^\s()]+)\)|\]\[([^\[\]\s]+)\]|\[\^(\w+)\]", quote.text))
    if not places or not quote.is_prose:
        return None
    found = rng.choice(places)
    start, end = found.span(found.lastindex or 1)
    old = quote.text[start:end]
    new = rng.choice([f"{old}-2", f"{old[:-1]}{'a' if old[-1] != 'a' else 'b'}", "#elsewhere", f"other-{old}"])
    find = quote.text[:start] + new + quote.text[end:]
    if rng.random() < 0.5:  # and a word otherwise
        find = re.sub(r"(?<=\s)(?:the|a|is|are)(?=\s)", "this", find, count=1)
    return (find, start, end) if new != old else None


THESAURUS: dict[str, tuple[int, Maker]] = {"plain synonym": (8, plain_synonym)}
FURTHER_DECOYS: dict[str, tuple[int, Decoy]] = {
    "decoy: sister term": (8, sister_term),
    "decoy: another name": (5, another_name),
    "decoy: another target": (5, another_target),
}
