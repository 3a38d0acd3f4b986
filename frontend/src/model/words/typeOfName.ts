/**
 * The type that the name of a node says, "Orders DB" a database. Pure.
 *
 * The words are those by which the server guesses the types of imported labels (`model/type_words.py`). Not here: what the
 * palette finds (`typeSynonyms.ts`), which has many more words, most of which no name is sure to mean.
 */
import type { Operation } from '../../protocol/live';
import type { NodeType } from '../../protocol/types';

export const WORDS_IN_NAMES: Partial<Readonly<Record<NodeType, string>>> = {
  client: 'client desktop cli sdk',
  web: 'web website frontend spa browser storefront portal ui webapp dashboard react vue angular nextjs',
  mobile: 'mobile ios android iphone ipad swift kotlin flutter',
  user: 'user users customer customers shopper admin operator person visitor',
  external: 'external partner vendor provider stripe paypal adyen twilio sendgrid ses mailgun shopify',
  gateway: 'gateway ingress kong apigee traefik envoy',
  api: 'api apis graphql rest grpc bff',
  load_balancer: 'balancer lb elb alb nlb haproxy nginx',
  cdn: 'cdn cloudfront fastly akamai cloudflare',
  service: 'service services microservice svc backend',
  server: 'server host vm ec2',
  worker: 'worker workers consumer processor relay indexer celery sidekiq debezium',
  function: 'function functions lambda lambdas',
  scheduler: 'scheduler cron cronjob airflow temporal',
  auth: 'auth authentication authorization oauth oidc sso identity iam keycloak auth0 okta cognito login',
  database:
    'database databases db rdbms sql postgres postgresql mysql mariadb mongodb mongo dynamodb cassandra sqlite oracle mssql sqlserver aurora rds cockroachdb spanner bigquery snowflake redshift clickhouse warehouse neo4j firestore timescaledb',
  cache: 'cache caches redis valkey memcached memcache hazelcast',
  queue: 'queue queues rabbitmq sqs activemq mq amqp',
  stream:
    'stream streams kafka kinesis pulsar nats redpanda pubsub eventbridge topic topics broker bus eventhub',
  storage: 'storage bucket buckets s3 gcs blob minio nfs disk volume lake hdfs',
  search: 'search elasticsearch opensearch solr algolia meilisearch typesense',
  ml_model: 'model llm ml inference classifier gpt claude recommender embedding embeddings',
  monitoring:
    'monitoring monitor metrics logs logging tracing telemetry observability prometheus grafana datadog jaeger zipkin loki sentry opentelemetry otel alertmanager alerts cloudwatch',
};

const TYPE_OF: ReadonlyMap<string, NodeType> = new Map(
  Object.entries(WORDS_IN_NAMES).flatMap(([type, words]) =>
    words.split(' ').map((word) => [word, type as NodeType] as const),
  ),
);
/** Shorter words end too many others: "lb" is the end of "bulb". */
const SHORTEST_END = 5;

/**
 * The type that a name says; null for none.
 *
 * In English the head noun comes last, so the last word that says one decides: a "queue worker" is a worker. A last word
 * may end with its head noun, as "paymentservice" does.
 */
export function typeOfName(name: string): NodeType | null {
  const words =
    name
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll('.js', 'js')
      .match(/[a-z0-9]+/g) ?? [];
  const [last = ''] = words.slice(-1);
  // The longest end first, which is the word itself.
  for (let start = 0; start === 0 || last.length - start >= SHORTEST_END; start++) {
    const type = TYPE_OF.get(last.slice(start));
    if (type) return type;
  }
  const said = words.findLast((word) => TYPE_OF.has(word));
  return said === undefined ? null : (TYPE_OF.get(said) ?? null);
}

/** The operations with the types that the names of their nodes say. */
export const typedByName = (operations: readonly Operation[]): Operation[] =>
  operations.map((operation) =>
    operation.op === 'add_node'
      ? { ...operation, type: typeOfName(operation.label) ?? operation.type }
      : operation,
  );
