"""What the shapes of draw.io's libraries stand for: type, technology and colour of a node by the style of its cell.

The name of a shape says what it is: `mxgraph.aws4.lambda`, `img/lib/azure2/compute/Virtual_Machine.svg`. It is looked
up by the words in it, so that a library's next edition, which renames prefixes more than things, is read as well.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from draftsmith.model.drawio.cells import Cell, Style
from draftsmith.model.readers.colors import nearest_color
from draftsmith.model.type_words import guess_type

_WORDS_OF: Final[Mapping[str, str]] = {
    "function": "lambda function functions function_app function_apps cloud_functions",
    "storage": "s3 bucket bucket_with_objects glacier s3_glacier efs elastic_file_system ebs elastic_block_store fsx "
    "elastic_block_storage backup storage_gateway cloud_storage storage persistent_disk filestore storage_account "
    "storage_accounts blob blob_storage blob_block data_lake data_lake_storage file_storage disk disks volume tape nas "
    "persistent_disk_snapshot snapshot san pv pvc vol hard_disk data_storage",
    "database": "rds aurora dynamodb redshift neptune documentdb timestream keyspaces rds_instance simpledb database "
    "db datastore cloud_sql cloud_spanner spanner cloud_datastore cloud_bigtable bigtable bigquery firestore "
    "cloud_firestore sql_database sql_databases cosmos_db azure_cosmos_db sql_server sql mysql postgresql oracle "
    "cylinder cylinder2 cylinder3 table_storage data_warehouse synapse mongodb database_server db_server "
    "db_on_instance",
    "cache": "elasticache memorydb dax memorystore memcache cloud_memorystore redis redis_cache cache_redis cache "
    "elasticache_for_redis elasticache_for_memcached",
    "queue": "sqs simple_queue_service queue queues mq task_queues cloud_tasks service_bus azure_service_bus "
    "storage_queue message_queue rabbitmq",
    "stream": "sns simple_notification_service kinesis kinesis_data_streams kinesis_streams kinesis_firehose msk "
    "kinesis_data_firehose eventbridge managed_streaming_for_kafka pubsub cloud_pubsub event_hub event_hubs event_grid "
    "topic kafka event_bus message_bus",
    "cdn": "cloudfront cloud_cdn cdn cdn_profiles front_door google_network_edge_cache edge_location "
    "download_distribution",
    "load_balancer": "elastic_load_balancing elb load_balancer load_balancers application_load_balancer "
    "network_load_balancer classic_load_balancer cloud_load_balancing load_balancing balancer",
    "gateway": "api_gateway gateway internet_gateway nat_gateway vpn_gateway application_gateway customer_gateway "
    "transit_gateway virtual_private_gateway api_management nat firewall router switch vpn cloud_vpn cloud_router "
    "gateway_icon ing ingress cloud_nat apigee wireless_router modem hub bridge multilayer_switch proxy "
    "squid_proxy citrix_gateway layer_3_switch workgroup_switch",
    "api": "appsync cloud_endpoints endpoints api logs_api",
    "server": "ec2 instance instances ec2_instance compute_engine virtual_machine virtual_machines vm server servers "
    "server_rack rack_server file_server web_server mail_server proxy_server application_server tower_server "
    "host blade traditional_server mainframe auto_scaling auto_scaling2 unix_server rack physical_server "
    "dell_poweredge hpe_server bare_metal lightsail standard_host node cube",
    "service": "ecs eks fargate elastic_beanstalk elastic_container_service elastic_kubernetes_service app_engine "
    "container_engine cloud_run kubernetes_engine kubernetes_service kubernetes_services app_service app_services "
    "container_instances containers pod deploy svc component module api_app google_play_game_service "
    "elastic_container_service2 push_notification_service application_system",
    "worker": "emr glue batch cloud_dataflow dataflow cloud_dataproc dataproc data_factory job ds data_pipeline "
    "elastic_mapreduce elastic_transcoder cloud_dataprep worker",
    "scheduler": "step_functions scheduled_tasks cloud_scheduler cloud_composer cron cronjob scheduler logic_apps",
    "auth": "cognito iam identity_and_access_management identity_access_management active_directory "
    "azure_active_directory directory_service key_management_service secrets_manager key_vault key_vaults cloud_iam "
    "ldap internal_payment_authorization",
    "monitoring": "cloudwatch cloudtrail stackdriver monitor logging cloud_logging cloud_monitoring monitoring x_ray "
    "application_insights log_analytics log_analytics_workspaces",
    "search": "elasticsearch_service elasticsearch opensearch_service opensearch cloudsearch search cognitive_search",
    "ml_model": "sagemaker rekognition bedrock lex polly comprehend machine_learning cloud_machine_learning vertex_ai "
    "ai_platform cognitive_services azure_openai ml vision_api cloud_vision_api prediction_api",
    "mobile": "mobile mobile_client mobile_devices phone smartphone tablet ipad iphone cell_phone ios android "
    "mobile_device",
    "client": "client clients desktop laptop pc workstation terminal desktop_and_mobile desktop_computer computer "
    "monitor_pc thin_client virtual_desktop imac mac printer office_building generic_client",
    "web": "browser web_browser web website webapp web_app browser_window browserwindow web_browser_container "
    "web_browser_container2 webbrowsercontainer webbrowsercontainer2 static_web_apps",
    "user": "user users actor umlactor person person2 group_of_users man woman people customer male_user female_user "
    "end_user role stickman",
    "external": "internet internet_alt1 internet_alt2 cloud external_payment_form payment partner internet_alt22 "
    "external saas",
    "other": "rhombus decision diamond ellipse doubleellipse circle triangle note note2 document card step callout "
    "startstate endstate start terminator offpagereference waypoint trapezoid cross infographic umllifeline",
}
_TYPE_OF: Final = {word: node_type for node_type, words in _WORDS_OF.items() for word in words.split()}
_VENDORS: Final = (
    (re.compile(r"mxgraph\.aws|img/lib/aws|amazon"), "AWS"),
    (re.compile(r"mxgraph\.azure|img/lib/(?:ms|azure|mscae)|mxgraph\.mscae"), "Azure"),
    (re.compile(r"mxgraph\.gcp|img/lib/gcp|mxgraph\.google"), "Google Cloud"),
    (re.compile(r"mxgraph\.kubernetes"), "Kubernetes"),
    (re.compile(r"mxgraph\.cisco|img/lib/cisco"), "Cisco"),
)
_SPELLED: Final = (
    "API AD CDN DAX DB DNS DynamoDB DocumentDB EBS EC2 ECS ECR EFS EKS ELB EMR FSx IAM IoT MQ MSK NAT PV PVC RDS "
    "S3 SNS SQL SQS SSO VM VPC VPN WAF BigQuery CloudFront CloudWatch CloudTrail ElastiCache EventBridge SageMaker "
    "AppSync MemoryDB OpenSearch MySQL PostgreSQL"
)
_SPELLINGS: Final[Mapping[str, str]] = {
    **{word.lower(): word for word in _SPELLED.split()},
    "pubsub": "Pub/Sub",
}
_ICON_SETS: Final = re.compile(
    r"(?:mxgraph\.(?:aws\w*|azure2?|mscae|gcp2?|gcpicons|kubernetes2?|cisco\w*|networks2?|citrix2?|office|ibm\w*|"
    r"alibaba_cloud|openstack|rack\w*|vvd|veeam\w*|webicons|weblogos|atlassian|salesforce|active_directory|pid\w*|"
    r"android|ios\w*|signs|mockup\.misc)\b)",
    re.IGNORECASE,
)
_NO_ICONS: Final = frozenset(("group", "group2", "doublerect", "groupcenter", "illustration_group"))
_PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+\d*|[A-Z]+\d*|\d+")
_SIZE_AT_END = re.compile(r"_?\d{1,5}x\d{1,5}$")
_LEAST_CHROMA_OF_FILL: Final = 0.06
_LEAST_CHROMA_OF_STROKE: Final = 0.25


@dataclass(frozen=True, slots=True)
class ShapeFacts:
    """What a shape says of a node: its type if known, its technology if it is a product's, and what it is called."""

    type: str
    technology: str
    name: str


def shape_facts(style: Style) -> ShapeFacts:
    """Type, technology and name of what a style draws; empty where it says nothing."""
    full = _shape_name(style)
    last = _SIZE_AT_END.sub("", re.split(r"[./]", full)[-1])
    words = [part.lower() for part in _PARTS.findall(last)][:8]
    node_type = _type_of_words(words)
    drawn = f"{style.get('shape')} {full}".lower()
    vendor = next((name for pattern, name in _VENDORS if pattern.search(drawn)), "")
    name = " ".join(
        _SPELLINGS.get(word, word.capitalize() if at == 0 or vendor else word) for at, word in enumerate(words)
    )
    if not words or last.lower() in _NO_ICONS:
        return ShapeFacts("", "", "")
    return ShapeFacts(node_type, _technology(vendor, name) if is_icon(style) else "", name)


def is_icon(style: Style) -> bool:
    """Whether a style draws a picture rather than a box."""
    shape = style.shape
    if shape == "image" or (style.get("image") and shape != "label"):
        return True
    return _ICON_SETS.match(shape) is not None and re.split(r"\.", shape)[-1].lower() not in _NO_ICONS


def is_embedded(style: Style) -> bool:
    """Whether a style draws an image whose bytes are in it."""
    return style.get("image").startswith("data:")


def node_type_of(cell: Cell, facts: ShapeFacts, label: str) -> str:
    """The type of a node: what its shape is, else what its words are, else what its form is usually drawn for."""
    said = cell.fields.get("c4Type", "")
    if said:
        return _c4_type(cell, said, label)
    if facts.type and facts.type != "other":
        return facts.type
    is_box = cell.style.shape in ("", "rounded", "label", "rect", "rectangle", "process", "swimlane") or is_icon(
        cell.style
    )
    is_called_by_shape = facts.type == "other" and label == facts.name  # of which nothing more is known
    default = "service" if is_box and not is_called_by_shape else "other"
    return guess_type(label, facts.name if is_icon(cell.style) else "", default)


def color_of(style: Style) -> str:
    """The nearest of the colours of nodes, where a cell is clearly coloured; else empty."""
    if style.shape == "image":  # which is drawn without the others
        return color_of_fill(style.get("imageBackground")) or color_of_stroke(style.get("imageBorder"))
    return color_of_fill(style.get("fillColor")) or color_of_stroke(style.get("strokeColor"))


def line_color_of(style: Style) -> str:
    """The nearest of the colours of edges, where a line is clearly coloured; else empty."""
    return color_of_stroke(style.get("strokeColor"))


def color_of_fill(color: str) -> str:
    """The nearest of the colours of nodes to `#rrggbb` or `#rgb`, in which an area is filled; empty if it is pale."""
    return nearest_color(color, _LEAST_CHROMA_OF_FILL)


def color_of_stroke(color: str) -> str:
    """The same for the colour of a line, which is clear only if it is stronger."""
    return nearest_color(color, _LEAST_CHROMA_OF_STROKE)


def _shape_name(style: Style) -> str:
    for key in ("resIcon", "prIcon", "grIcon"):
        if style.get(key):
            return style.get(key)
    image = style.get("image")
    if image and not image.startswith("data:"):
        return image.rpartition(".")[0] or image
    shape = style.get("shape")
    if shape in ("image", "label", "connector") or image:
        return ""
    return shape or (style.names[0] if style.names and style.names[0] not in _PLAIN_NAMES else "")


_PLAIN_NAMES: Final = frozenset(("rounded", "text", "group", "swimlane", "image", "label", "rect", "edgeLabel", "line"))


def _type_of_words(words: list[str]) -> str:
    """By the whole name, else its longest ending or beginning that is known."""
    joined = "_".join(words)
    for name in (joined, joined.replace("_", ""), joined.rstrip("0123456789")):
        if name in _TYPE_OF:
            return _TYPE_OF[name]
    for length in range(len(words) - 1, 0, -1):
        for part in (words[-length:], words[:length]):
            if "_".join(part) in _TYPE_OF:
                return _TYPE_OF["_".join(part)]
    return ""


def _technology(vendor: str, name: str) -> str:
    if not vendor or not name:
        return ""
    last = vendor.rpartition(" ")[2]
    return f"{vendor} {name.removeprefix(last + ' ')}" if not name.startswith(vendor) else name


def _c4_type(cell: Cell, said: str, label: str) -> str:
    kind = said.lower()
    if "person" in kind:
        return "user"
    drawn = shape_facts(cell.style).type
    if drawn not in ("", "other"):
        return drawn
    return guess_type(label, cell.fields.get("c4Technology", ""), "external" if "external" in kind else "service")
