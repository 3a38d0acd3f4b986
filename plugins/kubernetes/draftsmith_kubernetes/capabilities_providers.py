"""Whose a kind is, by its group. A group that is not in the list is its own provider."""

from __future__ import annotations

from typing import Final

KUBERNETES: Final = "Kubernetes"
_ITS_PLAIN: Final = ("", "apps", "autoscaling", "batch", "extensions", "policy")
_ITS_NAMED: Final = (
    "admissionregistration apiextensions apiregistration authentication authorization certificates"
    " coordination discovery events flowcontrol.apiserver internal.apiserver networking node rbac.authorization"
    " resource scheduling storage storagemigration"
)
_OF_KUBERNETES: Final = frozenset(_ITS_PLAIN) | {f"{name}.k8s.io" for name in _ITS_NAMED.split()}
_PROVIDERS: Final = {
    "postgresql.cnpg.io": "CloudNativePG",
    "acid.zalan.do": "Zalando Postgres Operator",
    "postgres-operator.crunchydata.com": "Crunchy Postgres",
    "percona.com": "Percona",
    "mariadb.com": "MariaDB",
    "mysql.oracle.com": "MySQL Operator",
    "planetscale.com": "Vitess",
    "cockroachlabs.com": "CockroachDB",
    "mongodb.com": "MongoDB",
    "k8ssandra.io": "K8ssandra",
    "datastax.com": "K8ssandra",
    "scylladb.com": "ScyllaDB",
    "altinity.com": "ClickHouse Operator",
    "elastic.co": "Elastic",
    "opster.io": "OpenSearch Operator",
    "opensearch.org": "OpenSearch Operator",
    "opstreelabs.in": "OT Redis Operator",
    "spotahome.com": "Spotahome Redis Operator",
    "strimzi.io": "Strimzi",
    "redpanda.com": "Redpanda",
    "rabbitmq.com": "RabbitMQ",
    "nats.io": "NATS",
    "flink.apache.org": "Apache Flink",
    "sparkoperator.k8s.io": "Spark Operator",
    "cert-manager.io": "cert-manager",
    "external-secrets.io": "External Secrets Operator",
    "bitnami.com": "Sealed Secrets",
    "hashicorp.com": "HashiCorp",
    "gateway.networking.k8s.io": "Gateway API",
    "istio.io": "Istio",
    "linkerd.io": "Linkerd",
    "traefik.io": "Traefik",
    "projectcontour.io": "Contour",
    "konghq.com": "Kong",
    "metallb.io": "MetalLB",
    "externaldns.k8s.io": "ExternalDNS",
    "cilium.io": "Cilium",
    "projectcalico.org": "Calico",
    "keda.sh": "KEDA",
    "karpenter.sh": "Karpenter",
    "autoscaling.k8s.io": "Vertical Pod Autoscaler",
    "monitoring.coreos.com": "Prometheus Operator",
    "grafana.com": "Grafana",
    "integreatly.org": "Grafana Operator",
    "loki.grafana.com": "Loki Operator",
    "fluentbit.fluent.io": "Fluent Operator",
    "fluent.io": "Fluent Operator",
    "banzaicloud.io": "Logging Operator",
    "opentelemetry.io": "OpenTelemetry",
    "jaegertracing.io": "Jaeger",
    "velero.io": "Velero",
    "snapshot.storage.k8s.io": "Volume snapshots (CSI)",
    "longhorn.io": "Longhorn",
    "rook.io": "Rook",
    "min.io": "MinIO",
    "argoproj.io": "Argo",
    "fluxcd.io": "Flux",
    "tekton.dev": "Tekton",
    "flagger.app": "Flagger",
    "knative.dev": "Knative",
    "kubevirt.io": "KubeVirt",
    "kserve.io": "KServe",
    "kubeflow.org": "Kubeflow",
    "ray.io": "KubeRay",
    "keycloak.org": "Keycloak",
    "kyverno.io": "Kyverno",
    "gatekeeper.sh": "Gatekeeper",
    "aquasecurity.github.io": "Trivy Operator",
    "crossplane.io": "Crossplane",
    "upbound.io": "Crossplane providers (Upbound)",
    "services.k8s.aws": "AWS Controllers for Kubernetes",
    "cnrm.cloud.google.com": "Google Config Connector",
    "azure.com": "Azure Service Operator",
    "cluster.x-k8s.io": "Cluster API",
    "chaos-mesh.org": "Chaos Mesh",
    "litmuschaos.io": "LitmusChaos",
}


def is_part_of_kubernetes(group: str) -> bool:
    """Whether a group comes with Kubernetes itself."""
    return group in _OF_KUBERNETES


def provider_of(group: str) -> str:
    """The project that a group belongs to; the group where it is none that is known."""
    return KUBERNETES if is_part_of_kubernetes(group) else _listed(group) or group


def _listed(group: str) -> str | None:
    """By the whole group, or the longest end of it."""
    labels = group.split(".")[:20]
    ends = (".".join(labels[at:]) for at in range(len(labels)))
    return next((_PROVIDERS[end] for end in ends if end in _PROVIDERS), None)
