"""Questions with the kinds that answer them first. Most words of them are in no text of the kind.

`TRIED` were at hand while the vocabulary was written; `HELD_BACK` were written down before it was tried, and it was not
changed for them, so they tell more about the next question.
"""

from __future__ import annotations

TRIED = """
database -> postgresql.cnpg.io/Cluster, postgresql.cnpg.io/Database, mongodbcommunity.mongodb.com/MongoDBCommunity
postgres -> postgresql.cnpg.io/Cluster
relational storage -> postgresql.cnpg.io/Cluster
something with SQL tables -> postgresql.cnpg.io/Cluster
RDBMS for orders -> postgresql.cnpg.io/Cluster
pg cluster -> postgresql.cnpg.io/Cluster
connection pool in front of the database -> postgresql.cnpg.io/Pooler
NoSQL document store -> mongodbcommunity.mongodb.com/MongoDBCommunity
json document database -> mongodbcommunity.mongodb.com/MongoDBCommunity
cache -> redis.redis.opstreelabs.in/Redis
in-memory key value store -> redis.redis.opstreelabs.in/Redis
message broker -> rabbitmq.com/RabbitmqCluster, kafka.strimzi.io/Kafka
AMQP queue -> rabbitmq.com/RabbitmqCluster
event streaming platform -> kafka.strimzi.io/Kafka
event bus with a commit log -> kafka.strimzi.io/Kafka
kafka topic -> kafka.strimzi.io/KafkaTopic
TLS certificate -> cert-manager.io/Certificate
SSL for my web site -> cert-manager.io/Certificate
certificate authority -> cert-manager.io/Issuer, cert-manager.io/ClusterIssuer
let's encrypt -> cert-manager.io/Certificate, cert-manager.io/Issuer, cert-manager.io/ClusterIssuer
expose HTTP to the outside -> Ingress, gateway.networking.k8s.io/HTTPRoute, traefik.io/IngressRoute
reverse proxy -> Ingress, gateway.networking.k8s.io/Gateway, traefik.io/IngressRoute
api gateway -> gateway.networking.k8s.io/Gateway
circuit breaker between services -> networking.istio.io/DestinationRule, networking.istio.io/VirtualService
mutual TLS service mesh -> networking.istio.io/DestinationRule, networking.istio.io/VirtualService
firewall between pods -> NetworkPolicy
credentials from an external vault -> external-secrets.io/ExternalSecret, external-secrets.io/SecretStore
encrypted passwords in git -> bitnami.com/SealedSecret
autoscaling by queue length -> keda.sh/ScaledObject
scale to zero -> keda.sh/ScaledObject, serving.knative.dev/Service
disaster recovery -> velero.io/Backup, velero.io/Restore, velero.io/Schedule
nightly backup of the cluster -> velero.io/Schedule, velero.io/Backup, postgresql.cnpg.io/ScheduledBackup
go back to an old copy of data -> velero.io/Restore, velero.io/Backup
observability -> monitoring.coreos.com/Prometheus
scrape metrics of a service -> monitoring.coreos.com/ServiceMonitor
alarm when something is wrong -> monitoring.coreos.com/Alertmanager, monitoring.coreos.com/PrometheusRule
distributed tracing -> jaegertracing.io/Jaeger, opentelemetry.io/OpenTelemetryCollector
full text search -> elasticsearch.k8s.elastic.co/Elasticsearch
s3 bucket -> minio.min.io/Tenant
blob storage -> minio.min.io/Tenant
gitops -> argoproj.io/Application
canary release -> argoproj.io/Rollout
CI pipeline -> tekton.dev/Pipeline, tekton.dev/PipelineRun
cron -> CronJob
agent on every node -> DaemonSet
stateless web application -> Deployment
persistent disk -> PersistentVolumeClaim, PersistentVolume
data warehouse -> clickhouse.altinity.com/ClickHouseInstallation
VM -> kubevirt.io/VirtualMachine
governance rules for manifests -> kyverno.io/ClusterPolicy
"""

HELD_BACK = """
where can I keep customer records relationally -> postgresql.cnpg.io/Cluster
MySQL or PostgreSQL instance -> postgresql.cnpg.io/Cluster
asynchronous messaging between microservices -> rabbitmq.com/RabbitmqCluster, kafka.strimzi.io/Kafka
publish subscribe -> rabbitmq.com/RabbitmqCluster, kafka.strimzi.io/Kafka
work queue for background workers -> rabbitmq.com/RabbitmqCluster
session cache -> redis.redis.opstreelabs.in/Redis
memcached replacement -> redis.redis.opstreelabs.in/Redis
MongoDB -> mongodbcommunity.mongodb.com/MongoDBCommunity
https for our domain -> cert-manager.io/Certificate
who signs our certificates -> cert-manager.io/Issuer, cert-manager.io/ClusterIssuer
OLAP queries over clickstream data -> clickhouse.altinity.com/ClickHouseInstallation
upload of large files, object store -> minio.min.io/Tenant
single sign-on -> keycloak.org/Keycloak
OAuth login for users -> keycloak.org/Keycloak
collect the logs of all containers -> loki.grafana.com/LokiStack
dashboards for metrics -> monitoring.coreos.com/Prometheus
page the person on call -> monitoring.coreos.com/Alertmanager
serve a machine learning model -> serving.kserve.io/InferenceService
run a function only when it is called -> serving.knative.dev/Service
add worker machines when pods do not fit -> karpenter.sh/NodePool
fault injection -> chaos-mesh.org/PodChaos
create cloud resources such as an RDS instance -> apiextensions.crossplane.io/Composition
DNS record for a host -> externaldns.k8s.io/DNSEndpoint
virtual IP for a bare metal cluster -> metallb.io/IPAddressPool
copy of a persistent volume -> snapshot.storage.k8s.io/VolumeSnapshot
blue-green deployment -> argoproj.io/Rollout
sync manifests from a git repository -> argoproj.io/Application
route requests by path and host name -> gateway.networking.k8s.io/HTTPRoute, Ingress
horizontal scaling on CPU -> HorizontalPodAutoscaler
one-off migration task -> Job
"""
