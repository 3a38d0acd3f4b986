"""What the types of nodes are called, and a guess at a node's type from its words, for imports that only know labels.

Two things that differ: a name of a type (`type_named`, `types_meant`) is a kind of thing, "message queue"; a word of a
label (`guess_type`) may be a product as well, "redis", which says what something is made with.

In English the head noun comes last: a "queue worker" is a worker, an "auth service" a service. So the last known word
of the label decides; without one the technology decides, then the shape.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Final

from draftsmith.model.vocabulary import NODE_TYPES

_NAMES_OF: Final[Mapping[str, str]] = {
    "client": "client clients desktop_app desktop_client",
    "web": "web website websites frontend frontends spa browser browsers webapp webapps ui web_app web_client web_ui "
    "web_frontend single_page_app",
    "mobile": "mobile app apps phone mobile_app mobile_client",
    "user": "user users person people actor actors end_user",
    "external": "external third_party vendor vendors provider providers partner partners saas external_service "
    "external_system external_api third_party_service third_party_api",
    "gateway": "gateway gateways ingress api_gateway",
    "api": "api apis endpoint endpoints rest_api graphql_api",
    "load_balancer": "load_balancer load_balancers balancer lb",
    "cdn": "cdn cdns content_delivery_network",
    "service": "service services microservice microservices backend backends backend_service",
    "server": "server servers host hosts vm vms virtual_machine",
    "worker": "worker workers consumer consumers processor processors job jobs background_worker background_job",
    "function": "function functions lambda lambdas serverless lambda_function serverless_function cloud_function",
    "scheduler": "scheduler schedulers cron cronjob cron_job task_scheduler",
    "auth": "auth authentication authorization authorisation identity login sso auth_service identity_provider idp",
    "database": "database databases db dbs datastore datastores data_store rdbms sql sql_database sql_db "
    "relational_database relational_db nosql nosql_database nosql_db document_db data_warehouse",
    "cache": "cache caches caching cache_store in_memory_cache",
    "queue": "queue queues messaging message_queue messagequeue mq job_queue task_queue",
    "stream": "stream streams topic topics broker brokers bus messaging event_bus streaming message_queue event_stream "
    "data_stream message_bus",
    "storage": "storage bucket buckets blob object_store file_store object_storage blob_storage file_storage",
    "search": "search search_engine search_index search_service",
    "ml_model": "ml_model model ml llm ai inference machine_learning machine_learning_model ai_model",
    "monitoring": "monitoring observability telemetry metrics logging tracing alerting",
    "group": "group groups boundary boundaries zone zones",
    "note": "note sticky_note remark annotation",
    "text": "text text_annotation",
}
"""The names of types as people search for them; some may mean more than one type."""
_TYPES_OF: Final = {
    word: tuple(kind for kind, words in _NAMES_OF.items() if word in words.split())
    for words in _NAMES_OF.values()
    for word in words.split()
}
_VAGUE_TEXT: Final = "app apps broker brokers model phone provider providers sql serverless zone zones"
_VAGUE: Final = frozenset(_VAGUE_TEXT.split())
"""Names that are good enough to find something by, but not to decide what something is."""
_EXACT: Final[Mapping[str, str]] = {"message_queue": "queue"}
"""Names that find several types, and are the usual spelling of one."""
_BY_LETTERS: Final = {name.replace("_", ""): name for name in (*_TYPES_OF, *NODE_TYPES)}

_WORDS_OF: Final[Mapping[str, str]] = {
    "client": "client desktop cli sdk",
    "web": "web website frontend spa browser storefront portal ui webapp dashboard react vue angular nextjs",
    "mobile": "mobile ios android iphone ipad swift kotlin flutter",
    "user": "user users customer customers shopper admin operator person visitor",
    "external": "external partner vendor provider stripe paypal adyen twilio sendgrid ses mailgun shopify",
    "gateway": "gateway ingress kong apigee traefik envoy",
    "api": "api apis graphql rest grpc bff",
    "load_balancer": "balancer lb elb alb nlb haproxy nginx",
    "cdn": "cdn cloudfront fastly akamai cloudflare",
    "service": "service services microservice svc backend",
    "server": "server host vm ec2",
    "worker": "worker workers consumer processor relay indexer celery sidekiq debezium",
    "function": "function functions lambda lambdas",
    "scheduler": "scheduler cron cronjob airflow temporal",
    "auth": "auth authentication authorization oauth oidc sso identity iam keycloak auth0 okta cognito login",
    "database": "database databases db rdbms sql postgres postgresql mysql mariadb mongodb mongo dynamodb cassandra "
    "sqlite oracle mssql sqlserver aurora rds cockroachdb spanner bigquery snowflake redshift clickhouse warehouse "
    "neo4j firestore timescaledb",
    "cache": "cache caches redis valkey memcached memcache hazelcast",
    "queue": "queue queues rabbitmq sqs activemq mq amqp",
    "stream": "stream streams kafka kinesis pulsar nats redpanda pubsub eventbridge topic topics broker bus eventhub",
    "storage": "storage bucket buckets s3 gcs blob minio nfs disk volume lake hdfs",
    "search": "search elasticsearch opensearch solr algolia meilisearch typesense",
    "ml_model": "model llm ml inference classifier gpt claude recommender embedding embeddings",
    "monitoring": "monitoring monitor metrics logs logging tracing telemetry observability prometheus grafana datadog "
    "jaeger zipkin loki sentry opentelemetry otel alertmanager alerts cloudwatch",
}
_TYPE_OF: Final = {word: node_type for node_type, words in _WORDS_OF.items() for word in words.split()}
_WORD = re.compile(r"[a-z0-9]+")
_SHORTEST_END: Final = 5
"""Shorter words end too many others: "lb" is the end of "bulb"."""
_PRODUCTS_OF: Final[Mapping[str, str]] = {
    "web": "React Vue Angular",
    "mobile": "Flutter",
    "gateway": "Kong Traefik Envoy Apigee",
    "load_balancer": "nginx HAProxy",
    "cdn": "CloudFront Cloudflare Fastly Akamai",
    "scheduler": "Airflow Temporal",
    "worker": "Celery Sidekiq",
    "auth": "Keycloak Auth0 Okta Cognito",
    "database": "PostgreSQL MySQL MariaDB MongoDB DynamoDB Cassandra SQLite CockroachDB Spanner BigQuery Snowflake "
    "Redshift ClickHouse Neo4j Firestore Oracle",
    "cache": "Redis Valkey Memcached",
    "queue": "RabbitMQ SQS ActiveMQ",
    "stream": "Kafka Kinesis Pulsar NATS Redpanda",
    "storage": "S3 MinIO GCS",
    "search": "Elasticsearch OpenSearch Solr Algolia Meilisearch",
    "external": "Stripe PayPal Twilio SendGrid",
    "monitoring": "Prometheus Grafana Datadog Jaeger Loki Sentry OpenTelemetry",
}
_PRODUCTS: Final = {
    **{name.lower(): (kind, name) for kind, names in _PRODUCTS_OF.items() for name in names.split()},
    "postgres": ("database", "PostgreSQL"),
    "mongo": ("database", "MongoDB"),
    "nextjs": ("web", "Next.js"),
    "broker": ("queue", ""),
    "messagebroker": ("queue", ""),
    "container": ("service", ""),
}
"""What models write for a type though it says what something is made with: the type, and the usual spelling of that."""
_VENDORS: Final = frozenset({"amazon", "apache", "aws", "google"})
FINER_TYPES: Final[Mapping[str, frozenset[str]]] = {
    "database": frozenset(("cache", "queue", "stream", "storage", "search")),
    "queue": frozenset(("stream",)),
    "client": frozenset(("web", "mobile")),
}
"""What words may say more exactly than a shape that is drawn for that type."""


def guess_type(label: str, technology: str = "", otherwise: str = "service") -> str:
    """Guess the node type from label and technology; `otherwise` if no word is known. Never `group`."""
    for text in (label, technology):
        plain = unicodedata.normalize("NFKD", text).lower().replace(".js", "js")
        for word in reversed(_WORD.findall(plain)):
            if word in _TYPE_OF:
                return _TYPE_OF[word]
    return otherwise


def type_of_name(name: str, otherwise: str = "service") -> str:
    """The node type that a name says, "Orders DB" a database, as the page takes it where nobody has chosen one.

    The last word that says a type decides. A last word may end with its head noun, as "paymentservice" does.
    """
    words = _WORD.findall(unicodedata.normalize("NFKD", name).lower().replace(".js", "js"))
    if not words:
        return otherwise
    last = words[-1]
    # The longest end first, which is the word itself.
    ends = (last[start:] for start in range(len(last) - _SHORTEST_END + 1))
    for word in (last, *ends, *reversed(words)):
        if word in _TYPE_OF:
            return _TYPE_OF[word]
    return otherwise


def types_meant(word: str) -> tuple[str, ...]:
    """The node types that a name of types means; none for any other word."""
    return _TYPES_OF.get(word, (word,) if word in NODE_TYPES else ())


def type_named(text: str) -> str | None:
    """The node type that a text is a usual spelling of, "LoadBalancer" or "message queue"; None if not clear."""
    name = _BY_LETTERS.get("".join(_WORD.findall(text.lower())), "")
    found = (_EXACT[name],) if name in _EXACT else types_meant(name)
    return found[0] if len(found) == 1 and name not in _VAGUE else None


def product_named(text: str) -> tuple[str, str] | None:
    """The node type and the technology of a usual product, "Apache Kafka"; None for any other text."""
    words = _WORD.findall(text.lower())
    return _PRODUCTS.get("".join(words[1:] if words[:1] and words[0] in _VENDORS else words))
