"""What an image or a custom kind is: its role in a design, and its technology with the version that its tag names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_VERSION: Final = re.compile(r"v?(\d+(?:\.\d+)*)(?![a-z])")

_ROLES: Final[dict[str, dict[str, str]]] = {
    "database": {
        "postgres postgresql postgis spilo pgvector crunchy-postgres cloudnative-pg": "PostgreSQL",
        "timescaledb timescaledb-ha": "TimescaleDB",
        "mysql mysql-server percona percona-server percona-xtradb-cluster": "MySQL",
        "mariadb mariadb-galera": "MariaDB",
        "mongo mongodb percona-server-mongodb mongodb-community-server": "MongoDB",
        "cassandra": "Apache Cassandra",
        "scylla": "ScyllaDB",
        "cockroach": "CockroachDB",
        "clickhouse clickhouse-server": "ClickHouse",
        "influxdb": "InfluxDB",
        "neo4j": "Neo4j",
        "couchdb": "CouchDB",
        "etcd": "etcd",
        "mssql-server server-mssql": "SQL Server",
    },
    "cache": {
        "redis redis-cluster redis-stack redis-stack-server": "Redis",
        "valkey valkey-cluster": "Valkey",
        "memcached": "Memcached",
        "dragonfly": "Dragonfly",
        "varnish": "Varnish",
    },
    "queue": {
        "kafka cp-kafka cp-server": "Apache Kafka",
        "redpanda": "Redpanda",
        "rabbitmq": "RabbitMQ",
        "nats nats-server": "NATS",
        "pulsar pulsar-all": "Apache Pulsar",
        "activemq activemq-classic activemq-artemis artemis": "ActiveMQ",
        "zookeeper": "Apache ZooKeeper",
    },
    "search": {
        "elasticsearch": "Elasticsearch",
        "opensearch": "OpenSearch",
        "solr": "Apache Solr",
        "meilisearch": "Meilisearch",
        "typesense": "Typesense",
        "qdrant": "Qdrant",
        "weaviate": "Weaviate",
    },
    "storage": {"minio": "MinIO", "seaweedfs": "SeaweedFS", "registry": "Docker Registry"},
    "gateway": {
        "traefik": "Traefik",
        "envoy": "Envoy",
        "haproxy kubernetes-ingress": "HAProxy",
        "kong kong-gateway": "Kong",
        "caddy": "Caddy",
        "nginx nginx-unprivileged": "nginx",
        "httpd": "Apache httpd",
    },
    "monitoring": {
        "prometheus": "Prometheus",
        "alertmanager": "Alertmanager",
        "grafana": "Grafana",
        "loki": "Grafana Loki",
        "tempo": "Grafana Tempo",
        "jaeger all-in-one": "Jaeger",
        "opentelemetry-collector opentelemetry-collector-contrib": "OpenTelemetry Collector",
        "node-exporter": "Prometheus node exporter",
        "kube-state-metrics": "kube-state-metrics",
        "fluent-bit": "Fluent Bit",
        "fluentd": "Fluentd",
        "promtail": "Promtail",
        "kibana": "Kibana",
    },
}
_BY_IMAGE: Final = {
    name: (role, technology)
    for role, entries in _ROLES.items()
    for names, technology in entries.items()
    for name in names.split()
}
_SIDECARS: Final = frozenset(
    {"proxyv2", "proxy", "envoy-sidecar", "linkerd-proxy", "cloud-sql-proxy", "gce-proxy", "vault-agent", "daprd"}
)

_PRODUCTS: Final = {
    "node": "Node.js",
    "python": "Python",
    "golang": "Go",
    "php": "PHP",
    "ruby": "Ruby",
    "rust": "Rust",
    "openjdk": "Java",
    "eclipse-temurin": "Java",
    "tomcat": "Apache Tomcat",
    "wordpress": "WordPress",
    "nextcloud": "Nextcloud",
    "ghost": "Ghost",
    "drupal": "Drupal",
    "joomla": "Joomla",
    "adminer": "Adminer",
    "phpmyadmin": "phpMyAdmin",
    "gitea/gitea": "Gitea",
    "sonarqube": "SonarQube",
    "jenkins/jenkins": "Jenkins",
    "hashicorp/vault": "Vault",
    "localstack/localstack": "LocalStack",
}
"""What else is known by the names of images; what of it is a service and what a job, they do not say."""

_FLOWS: Final = {
    "PostgreSQL": "PostgreSQL queries",
    "TimescaleDB": "PostgreSQL queries",
    "MySQL": "MySQL queries",
    "MariaDB": "MySQL queries",
    "MongoDB": "MongoDB queries",
    "Apache Cassandra": "CQL queries",
    "Redis": "Redis commands",
    "Valkey": "Redis commands",
    "Memcached": "Memcached commands",
    "Apache Kafka": "Kafka messages",
    "Redpanda": "Kafka messages",
    "RabbitMQ": "AMQP messages",
    "NATS": "NATS messages",
    "Elasticsearch": "search requests",
    "OpenSearch": "search requests",
    "MinIO": "objects over S3",
}
_BY_SCHEME: Final = {
    "http": "HTTP requests",
    "https": "HTTP requests",
    "http-web": "HTTP requests",
    "web": "HTTP requests",
    "grpc": "gRPC calls",
    "grpcs": "gRPC calls",
    "ws": "WebSocket",
    "wss": "WebSocket",
    "postgres": "PostgreSQL queries",
    "postgresql": "PostgreSQL queries",
    "mysql": "MySQL queries",
    "mongodb": "MongoDB queries",
    "mongodb+srv": "MongoDB queries",
    "redis": "Redis commands",
    "rediss": "Redis commands",
    "amqp": "AMQP messages",
    "amqps": "AMQP messages",
    "kafka": "Kafka messages",
    "nats": "NATS messages",
    "smtp": "e-mail",
    "smtps": "e-mail",
    "ldap": "LDAP queries",
    "ldaps": "LDAP queries",
}
_BY_PORT: Final = {25: "e-mail", 465: "e-mail", 587: "e-mail", 389: "LDAP queries", 636: "LDAP queries"}


@dataclass(frozen=True, slots=True)
class CustomKind:
    """A custom kind whose objects are something that runs.

    Attributes:
        image: the field of `spec` with its image; empty where it names none.
        version: the field with its version.
        replicas, ready: the fields of `spec` and `status` with how many there should be and are ready.
        secrets: endings of the names of Secrets that its operator makes for those that connect to it.
        maker: what evidence calls that operator.
    """

    name: str
    role: str
    technology: str
    image: str = ""
    version: str = ""
    replicas: str = "replicas"
    ready: str = "readyReplicas"
    secrets: tuple[str, ...] = ()
    maker: str = ""

    @property
    def has_template(self) -> bool:
        """Whether its objects have a template of pods, as a Deployment has, which says what they are."""
        return not self.role


CUSTOM: Final[tuple[CustomKind, ...]] = (
    CustomKind(
        "clusters.postgresql.cnpg.io", "database", "PostgreSQL", "imageName", replicas="instances",
        ready="readyInstances", secrets=("app", "superuser"), maker="CloudNativePG",
    ),
    CustomKind("poolers.postgresql.cnpg.io", "gateway", "PgBouncer", replicas="instances", ready="instances"),
    CustomKind("postgresqls.acid.zalan.do", "database", "PostgreSQL", version="postgresql.version",
               replicas="numberOfInstances", ready=""),
    CustomKind("postgresclusters.postgres-operator.crunchydata.com", "database", "PostgreSQL", "image",
               "postgresVersion", replicas="", ready=""),
    CustomKind("perconaxtradbclusters.pxc.percona.com", "database", "MySQL", "pxc.image", replicas="pxc.size",
               ready="pxc.ready"),
    CustomKind("perconaservermongodbs.psmdb.percona.com", "database", "MongoDB", "image", replicas="", ready="ready"),
    CustomKind("mongodbcommunity.mongodbcommunity.mongodb.com", "database", "MongoDB", version="version",
               replicas="members", ready="currentMongoDBMembers"),
    CustomKind("innodbclusters.mysql.oracle.com", "database", "MySQL", version="version", replicas="instances",
               ready="cluster.onlineInstances"),
    CustomKind("mariadbs.k8s.mariadb.com", "database", "MariaDB", "image", ready=""),
    CustomKind("cassandradatacenters.cassandra.datastax.com", "database", "Apache Cassandra", "serverImage",
               "serverVersion", replicas="size", ready=""),
    CustomKind("clickhouseinstallations.clickhouse.altinity.com", "database", "ClickHouse", replicas="", ready=""),
    CustomKind("redisfailovers.databases.spotahome.com", "cache", "Redis", "redis.image", replicas="redis.replicas",
               ready=""),
    CustomKind("dragonflies.dragonflydb.io", "cache", "Dragonfly", "image", ready=""),
    CustomKind("kafkas.kafka.strimzi.io", "queue", "Apache Kafka", version="kafka.version",
               replicas="kafka.replicas", ready=""),
    CustomKind("kafkaconnects.kafka.strimzi.io", "worker", "Kafka Connect", version="version", ready=""),
    CustomKind("kafkabridges.kafka.strimzi.io", "gateway", "Kafka Bridge", ready=""),
    CustomKind("kafkamirrormaker2s.kafka.strimzi.io", "worker", "Kafka MirrorMaker 2", version="version", ready=""),
    CustomKind("rabbitmqclusters.rabbitmq.com", "queue", "RabbitMQ", "image", secrets=("default-user",), ready="",
               maker="the RabbitMQ operator"),
    CustomKind("elasticsearches.elasticsearch.k8s.elastic.co", "search", "Elasticsearch", version="version",
               replicas="", ready="availableNodes", secrets=("es-elastic-user",), maker="Elastic's operator"),
    CustomKind("kibanas.kibana.k8s.elastic.co", "monitoring", "Kibana", version="version", replicas="count",
               ready="availableNodes"),
    CustomKind("tenants.minio.min.io", "storage", "MinIO", "image", replicas="", ready=""),
    CustomKind("prometheuses.monitoring.coreos.com", "monitoring", "Prometheus", "image", "version",
               ready="availableReplicas"),
    CustomKind("alertmanagers.monitoring.coreos.com", "monitoring", "Alertmanager", "image", "version",
               ready="availableReplicas"),
    CustomKind("rollouts.argoproj.io", "", ""),
)  # fmt: skip
"""Kinds of well-known operators, by the names of their CRDs; the last one has a template of pods, as a Deployment."""

CLASSES: Final = {
    "nginx": "nginx",
    "traefik": "Traefik",
    "haproxy": "HAProxy",
    "kong": "Kong",
    "contour": "Contour",
    "istio": "Istio",
    "cilium": "Cilium",
    "envoy": "Envoy",
    "alb": "AWS Application Load Balancer",
    "gce": "Google Cloud Load Balancing",
}
"""Technologies of the classes of Ingresses and Gateways that are called after them."""


def role_of(image: str) -> tuple[str, str] | None:
    """The role and the technology of an image, such as `("database", "PostgreSQL 16.4")`; None if it is not known."""
    path, tag = _split(image)
    name = path.rpartition("/")[2].lower()
    if path.endswith("ingress-nginx/controller"):
        return "gateway", _with("ingress-nginx", tag)
    found = _BY_IMAGE.get(name)
    return found and (found[0], _with(found[1], tag if _numbers_releases(path, tag) else ""))


def product_of(image: str) -> str:
    """What a well-known image holds that says no role, such as `Node.js 20`; empty where that is not known."""
    path, tag = _split(image)
    plain = path.removeprefix("docker.io/").removeprefix("library/").lower()
    found = _PRODUCTS.get(plain, "")
    return found and _with(found, tag)


def is_sidecar(image: str) -> bool:
    """Whether an image runs beside something else and says nothing of what that is."""
    return _split(image)[0].rpartition("/")[2].lower() in _SIDECARS


def with_version(technology: str, text: str) -> str:
    """A technology with the version that a version field or an image names; without one as it is."""
    return _with(technology, _split(text)[1] or (text if _VERSION.match(text) else ""))


def flow(scheme: str, technology: str, port: int | None, port_name: str) -> str:
    """What flows to something of this technology, in a few words; empty where nothing says it."""
    name = re.sub(r" [\d.]+$", "", technology)
    return _FLOWS.get(name) or _BY_SCHEME.get(scheme) or _BY_SCHEME.get(port_name) or _BY_PORT.get(port or 0, "")


def _split(image: str) -> tuple[str, str]:
    """The name of an image without its tag, and the tag."""
    name = image.partition("@")[0]
    path, sign, tag = name.rpartition(":")
    return (path, tag) if sign and "/" not in tag else (name, "")


def _numbers_releases(path: str, tag: str) -> bool:
    """Whether a tag is the version of what an image is called after.

    A publisher may count their own images: `google-samples/cassandra:v14` holds no Cassandra 14. So one number alone
    says it only of images of nobody in particular, such as `postgres:16`.
    """
    return "." in tag or "/" not in path.removeprefix("docker.io/").removeprefix("library/")


def _with(technology: str, tag: str) -> str:
    found = _VERSION.match(tag)
    return f"{technology} {found[1]}" if found else technology
