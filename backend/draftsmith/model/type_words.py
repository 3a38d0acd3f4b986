"""Guesses a node's type from its words, for imports that only know labels.

In English the head noun comes last: a "queue worker" is a worker, an "auth service" a service. So the last known word
of the label decides; without one the technology decides, then the shape.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Final

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


def guess_type(label: str, technology: str = "", otherwise: str = "service") -> str:
    """Guess the node type from label and technology; `otherwise` if no word is known. Never `group`."""
    for text in (label, technology):
        plain = unicodedata.normalize("NFKD", text).lower().replace(".js", "js")
        for word in reversed(_WORD.findall(plain)):
            if word in _TYPE_OF:
                return _TYPE_OF[word]
    return otherwise
