/** Synonyms of node types for the search: products, protocols and other names. Pure. */
import type { NodeType } from '../../protocol/types';
import { TYPE_CATEGORIES, TYPE_NAMES } from './kinds';

const WORDS: Readonly<Record<NodeType, string>> = {
  client:
    'browser desktop app pc laptop terminal cli command line electron thin client consumer device iot sensor frontend',
  web: 'website web page frontend front end ui spa single page react vue angular svelte next.js nextjs nuxt remix portal dashboard html static site wordpress',
  mobile: 'phone tablet ios android iphone ipad swift swiftui kotlin flutter react native app watch',
  user: 'person people actor customer admin administrator operator human role persona team visitor',
  external:
    'third party 3rd party saas partner vendor outside legacy stripe paypal adyen payment payments provider twilio sendgrid mailgun ses email smtp salesforce slack github google maps bank erp crm sap shopify openai webhook',
  gateway:
    'api gateway ingress edge proxy reverse proxy kong apigee nginx envoy traefik istio zuul bff backend for frontend router tyk waf firewall vpn nat service mesh graphql federation',
  api: 'endpoint rest graphql grpc http https openapi swagger soap websocket interface rpc json contract',
  load_balancer:
    'lb alb nlb elb balancer haproxy nginx f5 traffic round robin reverse proxy metallb keepalived cloud load balancing',
  cdn: 'content delivery network cloudfront cloudflare fastly akamai edge cache static assets bunny azure front door',
  service:
    'microservice backend back end application app server component module container docker pod kubernetes k8s deployment ecs fargate cloud run django flask fastapi spring rails express node go java python .net business logic',
  server:
    'host machine vm virtual machine ec2 compute engine droplet instance bare metal node linux windows on premise apache tomcat iis',
  worker:
    'background job jobs consumer processor celery sidekiq resque batch task runner daemon etl pipeline subscriber spark flink airflow temporal step functions workflow',
  function:
    'lambda serverless faas cloud function azure functions openfaas knative edge function cloudflare workers',
  scheduler: 'cron timer schedule quartz airflow job calendar eventbridge cloud scheduler trigger periodic',
  auth: 'authentication authorization authorisation identity idp iam login sign in sso single sign on oauth oauth2 oidc openid saml jwt token keycloak auth0 okta cognito entra active directory ldap kerberos vault secrets permissions access control mfa 2fa',
  database:
    'db sql postgres postgresql mysql mariadb oracle sqlite sql server mssql aurora rds cloud sql spanner cockroachdb mongodb mongo nosql document store dynamodb cassandra couchdb firestore neo4j graph database timescale influxdb time series clickhouse snowflake bigquery redshift data warehouse warehouse supabase relational table',
  cache:
    'redis valkey memcached memcache elasticache hazelcast varnish in memory key value kv session store dragonfly ehcache ttl',
  queue:
    'message queue mq broker rabbitmq sqs activemq ibm mq azure service bus service bus celery broker nats jobs amqp jms bullmq kafka pub/sub pubsub sns topic mailbox',
  stream:
    'kafka event bus event stream streaming kinesis pulsar redpanda event hub event hubs events log pub/sub pubsub topic nats jetstream redis streams confluent msk cdc debezium firehose eventbridge',
  storage:
    's3 object storage blob bucket file files filesystem file system nfs efs gcs cloud storage azure blob minio disk volume archive glacier backup data lake hdfs ceph assets images uploads',
  search:
    'elasticsearch elastic opensearch solr lucene algolia meilisearch typesense index full text search engine vector pinecone weaviate qdrant milvus',
  ml_model:
    'machine learning ai artificial intelligence model llm gpt claude gemini inference prediction embedding embeddings neural network sagemaker vertex bedrock hugging face pytorch tensorflow recommendation classifier training',
  monitoring:
    'observability metrics logging logs log tracing traces alerts alerting prometheus grafana datadog new relic splunk elk kibana loki jaeger zipkin opentelemetry otel cloudwatch sentry pagerduty nagios dashboard analytics',
  group:
    'boundary container frame box vpc network subnet zone availability zone region cluster namespace domain bounded context environment account cloud aws azure gcp kubernetes cluster data center layer swimlane team',
  other: 'generic box custom unknown shape component thing blank rectangle',
  note: 'sticky note post-it postit remark comment annotation question reminder todo',
  text: 'words caption heading title annotation remark comment free text',
};

/** In the order of the palette. */
const ALL: readonly NodeType[] = TYPE_CATEGORIES.flatMap(({ types }) => types);

/**
 * The types that match every word of the query, best first; all of them for an empty query.
 *
 * A word matches where a name or synonym begins with it. Names come before synonyms, whole words before prefixes.
 *
 * @param fitting the type that comes first among those that match as well
 */
export function searchTypes(query: string, fitting: string | null = null): NodeType[] {
  const asked = query.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (type: NodeType): number => (type === fitting ? 0 : 1);
  if (asked.length === 0) return [...ALL].sort((one, other) => fits(one) - fits(other));
  const ranked = ALL.flatMap((type) => {
    const ranks = asked.map((word) => rankOf(type, word));
    return ranks.includes(null) ? [] : [{ type, rank: Math.max(...(ranks as number[])) }];
  });
  return ranked
    .sort((one, other) => one.rank - other.rank || fits(one.type) - fits(other.type))
    .map(({ type }) => type);
}

/** The rank of a match: 0 the name itself … 3 the prefix of a synonym; null for none. */
function rankOf(type: NodeType, word: string): number | null {
  const name = wordsIn(`${TYPE_NAMES[type]} ${type.replaceAll('_', ' ')}`);
  const known = wordsIn(WORDS[type]);
  if (name.includes(word)) return 0;
  if (known.includes(word)) return 1;
  if (name.some((one) => one.startsWith(word))) return 2;
  return known.some((one) => one.startsWith(word)) ? 3 : null;
}

const wordsIn = (text: string): string[] => text.toLowerCase().split(' ');

/** The synonym that matched, to be shown beside the name; null where the name matched. */
export function wordFound(type: NodeType, query: string): string | null {
  const asked = query.toLowerCase().split(/\s+/).filter(Boolean);
  const missing = asked.find((word) => {
    const rank = rankOf(type, word);
    return rank === 1 || rank === 3;
  });
  if (missing === undefined) return null;
  return wordsIn(WORDS[type]).find((word) => word.startsWith(missing)) ?? null;
}
