"""From the words for a new thing ("a Redis cache called Sessions") to its type, label and technology."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from draftsmith.assistant.builtin.masking import Slot, mask
from draftsmith.assistant.builtin.new_names import Known, article, check_count, check_thing, doubt, no_names, quoted
from draftsmith.assistant.builtin.refusal import Unclear
from draftsmith.model.type_words import guess_type
from draftsmith.model.vocabulary import GROUP, NODE_TYPES

_TECHNOLOGIES_TEXT = (
    "Redis Valkey Memcached PostgreSQL Postgres=PostgreSQL MySQL MariaDB MongoDB Mongo=MongoDB DynamoDB Cassandra "
    "SQLite ClickHouse Snowflake BigQuery Redshift Neo4j CockroachDB Oracle Kafka RabbitMQ SQS NATS Pulsar Kinesis "
    "ActiveMQ Celery Airflow Temporal Nginx HAProxy Envoy Traefik Kong S3 MinIO CloudFront Fastly Cloudflare Akamai "
    "Elasticsearch OpenSearch Solr Algolia Meilisearch Keycloak Auth0 Okta Cognito Prometheus Grafana Jaeger Loki "
    "Datadog Sentry OpenTelemetry React Vue Angular Next.js Flutter Stripe PayPal Twilio SendGrid"
)
TECHNOLOGIES: Final[Mapping[str, str]] = {
    word.partition("=")[0].lower(): word.rpartition("=")[2] for word in _TECHNOLOGIES_TEXT.split()
}
_NOUNS_TEXT = (
    "node= component= thing= box= element= client=client desktop=client web=web website=web frontend=web webapp=web "
    "mobile=mobile app=client user=user customer=user person=user external=external provider=external "
    "partner=external gateway=gateway proxy=gateway api=api balancer=load_balancer lb=load_balancer cdn=cdn "
    "service=service microservice=service backend=service server=server worker=worker consumer=worker "
    "function=function lambda=function scheduler=scheduler cron=scheduler auth=auth identity=auth database=database "
    "db=database store=database warehouse=database cache=cache queue=queue broker=stream stream=stream topic=stream "
    "bus=stream storage=storage bucket=storage search=search index=search model=ml_model monitoring=monitoring "
    "monitor=monitoring group=group"
)
_NOUNS: Final[Mapping[str, str]] = {pair.partition("=")[0]: pair.partition("=")[2] for pair in _NOUNS_TEXT.split()}
_COMPOUNDS: Final = frozenset(
    f"{front} {noun}"
    for front, noun in (
        *(("message", noun) for noun in ("queue", "broker", "bus")),
        *(("event", noun) for noun in ("stream", "bus", "broker")),
        *((front, "storage") for front in ("object", "file", "blob")),
        ("storage", "bucket"),
        ("data", "warehouse"),
        ("search", "index"),
        ("api", "gateway"),
        ("lambda", "function"),
        ("serverless", "function"),
    )
)
_CAPITALS: Final = frozenset(
    [
        "api",
        "cdn",
        "db",
        "ui",
        "sql",
        "sso",
        "crm",
        "erp",
        "iam",
        "dns",
        "ml",
        "ai",
        "lb",
        "bff",
        "etl",
        "cms",
        "http",
        "grpc",
        "sdk",
        "cli",
        "id",
        "pdf",
    ]
)
_ARTICLES = re.compile(r"(?:(?:an?|the|new|another|one|our)\s+)+", re.IGNORECASE)
_NO_NAMES: Final = frozenset({"a", "an", "the", "new", "another", "one", "our"})
_CALLED = re.compile(r"(.+?)\s(?:called|named)\s(.+)", re.IGNORECASE | re.DOTALL)
_MOST_CHARACTERS: Final = 120


@dataclass(frozen=True, slots=True)
class New:
    """A thing to be made.

    Attributes:
        is_another: it is said that there is one like it already.
    """

    type: str
    label: str
    technology: str
    is_another: bool

    def fields(self) -> dict[str, Any]:
        """The fields of an `add_node`."""
        known = {"type": self.type, "label": self.label}
        return known | {"technology": self.technology} if self.technology else known


def read_new(slot: Slot, known: Known = no_names) -> New:
    """Read the words for a new thing.

    Args:
        slot: the words.
        known: gives the names that are there and may be parts of the new name.

    Raises:
        Unclear: `name_unclear`, where it cannot be told which words are the name.
    """
    articles = _ARTICLES.match(slot.raw)
    is_another = articles is not None and "another" in articles[0].lower()
    begin = 0 if articles is None else articles.end()
    text = slot.raw[begin:]
    kind, name = _parted(text)
    if name is not None:
        _check_kind(slot, kind, name)
        offered = slot.raw[: begin + name.start] + quoted(name.text.rstrip(",:; "))
        _check(slot, name, known, offered)
        noun = guess(kind)
        label = name.text
        node_type = noun if noun else guess_type(label)
    else:
        inner = _unquoted(text)
        if inner is None:
            _check_plain(slot, text, known)
        label = inner if inner is not None else _titled(text)
        node_type = guess_type(label)
        kind = label
    if not label.strip():
        raise Unclear("name_unclear", "The new thing needs a name: add a service called Billing.")
    if len(label) > _MOST_CHARACTERS:
        raise Unclear("name_unclear", f"A name has at most {_MOST_CHARACTERS} characters.")
    return New(node_type, label.strip(), technology_of(kind), is_another)


def _check(slot: Slot, name: Slot, known: Known, offered: str) -> None:
    reason = "" if name.is_quoted else doubt(name.raw, known)
    if reason:
        raise Unclear("name_unclear", reason, ((slot.start, slot.end, offered),))


def _check_kind(slot: Slot, kind: str, name: Slot) -> None:
    """Refuse "a queue and a cache called …": what it is says one thing in a few words."""
    check_thing(slot, kind)
    check_count(slot, kind)
    if doubt(kind, no_names):
        reason = f"I cannot tell what '{kind}' is. Say what it is in a few words: a service called Billing."
        noun = (guess(kind) or "service").replace("_", " ")
        raise Unclear(
            "name_unclear", reason, ((slot.start, slot.end, f"{article(noun)} {noun} called {quoted(name.text)}"),)
        )


def _check_plain(slot: Slot, text: str, known: Known) -> None:
    if text.lower() in _NO_NAMES:
        raise Unclear("name_unclear", "The new thing needs a name: add a service called Billing.")
    check_thing(slot, text)
    check_count(slot, text)
    _check(slot, Slot(text, 0, len(text), False), known, quoted(text))
    first, _, rest = text.partition(" ")
    if rest and first in NODE_TYPES and rest[0].isupper() and not rest.isupper():
        reason = f"I cannot tell whether '{first}' belongs to the name. Say what it is and what it is called."
        instead = (f"{article(first)} {first} called {quoted(rest)}", quoted(text))
        raise Unclear("name_unclear", reason, tuple((slot.start, slot.end, one) for one in instead))


def _parted(text: str) -> tuple[str, Slot | None]:
    """What it is, and what it is called where that is said."""
    masked_text = mask(text, ())
    found = _CALLED.fullmatch(masked_text.masked)
    if found is None:
        return text, None
    return masked_text.slot(*found.span(1)).text, masked_text.slot(*found.span(2))


def _unquoted(text: str) -> str | None:
    """What is in quotation marks, if that is all there is."""
    masked_text = mask(text, ())
    slot = masked_text.slot(0, len(masked_text.masked))
    return slot.text if slot.is_quoted else None


def _titled(text: str) -> str:
    return " ".join(_capital(word) for word in text.split())


def _capital(word: str) -> str:
    if word.lower() in _CAPITALS and word.islower():
        return word.upper()
    if word.islower() and word in TECHNOLOGIES and TECHNOLOGIES[word].lower() == word:
        return TECHNOLOGIES[word]
    return word[0].upper() + word[1:] if word.islower() else word


def technology_of(text: str) -> str:
    """The technology that some words name, in its usual spelling; empty if none is known."""
    found = (TECHNOLOGIES.get(word.strip(".,").lower()) for word in text.split())
    return next((name for name in found if name), "")


def guess(text: str) -> str:
    """The node type that some words name; empty where none is known."""
    noun = noun_type(text)
    return noun if noun else guess_type(text, otherwise="")


def noun_type(text: str, *, is_whole: bool = False) -> str | None:
    """The node type of a noun, singular or plural; empty for "node" and the like, None for any other word.

    The last word of several decides; with `is_whole` all of them together must be a usual name of the type, as "message
    queues" is and "slow databases" is not.
    """
    low = " ".join(text.lower().replace("_", " ").split())
    forms = [low, low.removesuffix("s"), low.removesuffix("es"), re.sub(r"ies$", "y", low)]
    if forms[1].endswith(" app") and noun_type(forms[1].removesuffix(" app"), is_whole=is_whole):
        return noun_type(forms[1].removesuffix(" app"), is_whole=is_whole)  # a mobile app, a web app
    for form in forms:
        if form.replace(" ", "_") in NODE_TYPES:
            return form.replace(" ", "_")
    last = [form.rpartition(" ")[2] for form in forms if not is_whole or form in _COMPOUNDS]
    return next((_NOUNS[form] for form in [*forms, *last] if form in _NOUNS), None)


def check_no_group(new: New) -> None:
    """Refuse a group where a single thing is needed."""
    if new.type == GROUP:
        raise Unclear("not_possible", "A group has no connections of its own; connect what stands in it.")
