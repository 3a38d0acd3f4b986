"""Compose files: what is drawn of services, volumes and networks, how files are merged, and that none fails."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from draftsmith.model.readers.compose import reader
from draftsmith.model.readers.compose.services import with_defaults
from draftsmith.model.readers.reading import ReadWorkspace, UnreadableSource
from tests.kit.readers import damaged, ends, files_of, nodes_by_label, read_or_refused, read_sets, unread
from tests.seeds import examples

SHOP = """\
name: shop
x-common: &common
  restart: always
  environment: &env
    LOG: info
services:
  web:
    <<: *common
    build: ./web
    ports: ["8080:80", "127.0.0.1:9000:9000/udp"]
    depends_on: [api]
    profiles: [front]
  api:
    image: ghcr.io/acme/orders:1.4
    environment:
      <<: *env
      DATABASE_URL: postgres://app:s3cr3t@db:5432/orders
      REDIS_HOST: cache
      KAFKA_BROKERS: broker:9092,other.example.com:9092
      SESSION_SECRET: hush
    depends_on:
      db: {condition: service_healthy}
      migrate: {condition: service_completed_successfully}
    secrets: [db-password]
    deploy: {replicas: 3}
    healthcheck: {test: [CMD, "true"]}
  migrate:
    image: acme/migrate
    command: ["migrate", "--url", "postgres://db/orders"]
  db:
    image: postgres:16.4
    volumes:
      - data:/var/lib/postgresql/data
      - ./init.sql:/docker-entrypoint-initdb.d/init.sql:ro
  cache: {image: "redis:7-alpine"}
  broker:
    image: docker.redpanda.com/redpandadata/redpanda:v24.1.1
    container_name: Kafka-1
  node:
    image: node:20
    links: ["db:postgres"]
    environment: ["PGHOST=postgres", "BROKER=kafka-1:9092"]
volumes:
  data:
    driver: nfs
secrets:
  db-password: {file: ./password.txt}
"""


def read(text: str, **more: str) -> ReadWorkspace:
    """The only workspace of a compose file, with others beside it."""
    (found,) = read_sets(reader, {"shop/compose.yaml": text, **more})
    return found


def services(text: str) -> str:
    return "services:\n" + text


def test_services_and_volumes_are_nodes() -> None:
    """Types and technologies come from images, else from names; what the file calls them is kept."""
    found = read(SHOP)
    assert found.name == "shop"
    assert not found.is_placed
    nodes = nodes_by_label(found.diagram)
    told = {label: (node["type"], node.get("technology", "")) for label, node in nodes.items()}
    assert told == {
        "web": ("web", ""),
        "api": ("api", ""),
        "migrate": ("service", ""),
        "db": ("database", "PostgreSQL 16.4"),
        "cache": ("cache", "Redis 7"),
        "broker": ("queue", "Redpanda 24.1.1"),
        "node": ("service", "Node.js 20"),
        "data": ("storage", "nfs"),
    }
    assert found.sources[nodes["db"]["id"]] == "shop/services.db"
    assert found.sources[nodes["data"]["id"]] == "shop/volumes.data"
    assert nodes["web"]["properties"] == {
        "build": "./web", "ports": "8080:80, 127.0.0.1:9000:9000/udp", "profiles": "front",
    }  # fmt: skip
    assert nodes["api"]["properties"] == {
        "image": "ghcr.io/acme/orders:1.4", "replicas": "3", "secrets": "db-password",
    }  # fmt: skip
    assert nodes["db"]["properties"]["mounts"] == "./init.sql → /docker-entrypoint-initdb.d/init.sql (read-only)"


def test_edges_say_what_is_known_of_them() -> None:
    """What only waits for another service is a dependency; what names its host is connected to it."""
    assert ends(read(SHOP)) == {
        ("web", "api", "", "dependency"),
        ("api", "db", "PostgreSQL queries", "data"),
        ("api", "migrate", "after it has completed", "dependency"),
        ("api", "cache", "Redis commands", "data"),
        ("api", "broker", "Kafka messages", "async"),
        ("migrate", "db", "PostgreSQL queries", "data"),
        ("node", "db", "PostgreSQL queries", "data"),
        ("node", "broker", "Kafka messages", "async"),
        ("db", "data", "", "data"),
    }


def test_an_edge_says_where_it_is_known_from() -> None:
    found = read(SHOP)
    ids = {label: node["id"] for label, node in nodes_by_label(found.diagram).items()}
    (edge,) = [one for one in found.diagram["edges"] if (one["source"], one["target"]) == (ids["api"], ids["db"])]
    assert edge["description"] == "DATABASE_URL of api names db:5432."
    assert edge["properties"] == {"evidence": "depends_on, environment"}
    (mounted,) = [one for one in found.diagram["edges"] if one["target"] == ids["data"]]
    assert mounted["properties"] == {"mounted at": "/var/lib/postgresql/data"}


def test_no_value_of_a_variable_or_a_secret_comes_in() -> None:
    """Hosts of services are taken over, and nothing else: neither values nor what stands before an @."""
    text = repr(read(SHOP))
    for value in ("s3cr3t", "hush", "info", "password.txt", "app:"):
        assert value not in text


@pytest.mark.parametrize(
    "variable",
    [
        "NAME: db",
        "MODE: cache",
        "DATABASE_URL: postgres://db.example.com/orders",
        "DATABASE_URL: postgres://mydb:5432/orders",
        "DATABASE_URL: postgres://db-1/orders",
        "DATABASE_PASSWORD: db",
        "NOTE: see the db host",
        "TIME: at db:99",
        "URL: http://localhost:5432/db",
    ],
)
def test_a_word_that_only_looks_like_a_host_is_none(variable: str) -> None:
    text = services(f"  web:\n    image: x\n    environment:\n      {variable}\n  db: {{image: postgres}}\n")
    assert ends(read(text + "  cache: {image: redis}\n")) == set()


@pytest.mark.parametrize(
    "variable",
    [
        "DB_HOST: db",
        "PGHOST: DB",
        "JDBC: jdbc:postgresql://db:5432/orders",
        "URL: postgres://${USER}:${PASS}@db/orders",
        "URL: postgres://${HOST:-db}/orders",
        "ADDRESS: db:5432",
        "TEXT: from db:5432 on",
    ],
)
def test_a_host_that_is_exactly_a_service_is_one(variable: str) -> None:
    """A word with a port in a text counts where the service listens on that port."""
    text = f"  web:\n    image: x\n    environment:\n      {variable}\n  db:\n    image: postgres\n    expose: [5432]\n"
    assert {(source, target) for source, target, _, _ in ends(read(services(text)))} == {("web", "db")}


@pytest.mark.parametrize(
    "short, long",
    [
        ("ports: ['80:8080/udp']", "ports: [{target: 8080, published: 80, protocol: udp}]"),
        ("volumes: ['data:/data:ro']", "volumes: [{type: volume, source: data, target: /data, read_only: true}]"),
        ("volumes: ['./a:/b']", "volumes: [{type: bind, source: ./a, target: /b}]"),
        ("depends_on: [db]", "depends_on: {db: {condition: service_started}}"),
        ("networks: [back]", "networks: {back: {}}"),
        ("environment: ['DB_HOST=db']", "environment: {DB_HOST: db}"),
        ("secrets: [key]", "secrets: [{source: key, target: /key}]"),
        ("build: ./web", "build: {context: ./web, dockerfile: Dockerfile.prod}"),
    ],
)
def test_both_notations_say_the_same(short: str, long: str) -> None:
    rest = "  db: {image: postgres}\nvolumes: {data: {}}\nnetworks: {back: {}}\n"
    one, other = (read(services(f"  web:\n    image: x\n    {said}\n{rest}")) for said in (short, long))
    assert one.diagram == other.diagram


def test_an_override_is_merged_as_compose_does_it() -> None:
    base = services(
        "  web:\n    image: nginx:1.25\n    ports: ['80:80']\n    environment: {DB_HOST: db}\n"
        "    volumes: ['./a:/data', './b:/etc']\n  db: {image: postgres}\n  old: {image: x}\n"
    )
    over = services(
        "  web:\n    image: nginx:1.27\n    ports: ['80:80', '443:443']\n    environment: ['CACHE_HOST=cache']\n"
        "    volumes: ['./c:/data']\n  cache: {image: redis}\n  old: !reset null\n"
    )
    (found,) = read_sets(reader, {"shop/compose.yaml": base, "shop/compose.override.yaml": over})
    assert found.name == "shop"
    web = nodes_by_label(found.diagram)["web"]
    assert web["technology"] == "nginx 1.27"
    assert web["properties"]["ports"] == "80:80, 443:443"
    assert web["properties"]["mounts"] == "./c → /data, ./b → /etc"
    assert set(nodes_by_label(found.diagram)) == {"web", "db", "cache"}
    assert {target for _, target, _, _ in ends(found)} == {"db", "cache"}


def test_reset_and_override_leave_out_what_stands_below() -> None:
    base = services("  web:\n    image: x\n    ports: ['80:80']\n    profiles: [a]\n")
    over = services("  web:\n    ports: !override ['81:80']\n    profiles: !reset []\n")
    (found,) = read_sets(reader, {"compose.yaml": base, "compose.override.yaml": over})
    assert nodes_by_label(found.diagram)["web"]["properties"] == {"image": "x", "ports": "81:80"}


def test_sets_are_what_compose_reads_together() -> None:
    """A file that is written for another one is read over it; one that runs by itself is read by itself."""
    whole = services("  web: {image: nginx}\n")
    partly = services("  web: {ports: ['80:80']}\n")
    files = files_of(
        {
            "a/compose.yaml": whole,
            "a/compose.override.yml": partly,
            "a/compose.prod.yaml": partly,
            "a/compose.alone.yaml": whole,
            "b/docker-compose.prod.yml": whole,
            "readme.md": "services:",
        }
    )
    sets = [(one.root.path, sorted(one.files)) for one in reader.sets_of(files)]
    assert sets == [
        ("a/compose.yaml", ["a/compose.override.yml", "a/compose.yaml"]),
        ("a/compose.yaml", ["a/compose.prod.yaml", "a/compose.yaml"]),
        ("a/compose.alone.yaml", ["a/compose.alone.yaml"]),
        ("b/docker-compose.prod.yml", ["b/docker-compose.prod.yml"]),
    ]
    names = [found.name for one in reader.sets_of(files) for found in reader.read(one)]
    assert names == ["a", "a (prod)", "a (alone)", "b (prod)"]


def test_what_is_included_and_extended_is_of_the_same_set() -> None:
    files = {
        "shop/compose.yaml": "include:\n  - db/compose.yaml\n  - path: [missing.yaml]\n" + services(
            "  web:\n    extends: {file: common.yml, service: base}\n    environment: {DB_HOST: db}\n"
        ),
        "shop/db/compose.yaml": services("  db: {image: mysql, volumes: ['data:/d']}\nvolumes: {data: {}}\n"),
        "shop/common.yml": services("  base: {image: nginx}\n"),
    }  # fmt: skip
    (found,) = read_sets(reader, files)
    assert set(nodes_by_label(found.diagram)) == {"web", "db", "data"}
    assert nodes_by_label(found.diagram)["web"]["technology"] == "nginx"
    assert ("web", "db", "MySQL queries", "data") in ends(found)
    assert unread(found)["include: missing.yaml"] == (
        "line 3", "the file is not among those that came, and none is fetched",
    )  # fmt: skip


@pytest.mark.parametrize(
    "text, reason",
    [
        ("  a: {extends: b}\n  b: {extends: a, image: x}\n", "the services extend one another"),
        ("  a: {extends: a, image: x}\n", "the services extend one another"),
        ("  a: {extends: none, image: x}\n", "there is no such service"),
        (
            "  a: {image: x, extends: {file: ../../../etc/passwd, service: x}}\n",
            "`../../../etc/passwd` is not among the files that came, and none is fetched",
        ),
        (
            "  a: {image: x, extends: {file: 'https://example.com/a.yaml', service: x}}\n",
            "`https://example.com/a.yaml` is not among the files that came, and none is fetched",
        ),
    ],
)
def test_what_cannot_be_extended_is_listed(text: str, reason: str) -> None:
    assert reason in {why for _, why in unread(read(services(text))).values()}


def test_files_that_include_one_another_are_read_once() -> None:
    found = read(
        "include: [b.yaml]\n" + services("  a: {image: x}\n"),
        **{"shop/b.yaml": "include: [compose.yaml]\n" + services("  b: {image: x}\n")},
    )
    assert set(nodes_by_label(found.diagram)) == {"a", "b"}
    assert "the files include one another" in {why for _, why in unread(found).values()}


def test_networks_are_groups_where_each_service_is_in_one() -> None:
    parted = services(
        "  web: {image: x, networks: [front]}\n  api:\n    image: x\n    networks: [back]\n    volumes: ['data:/d']\n"
    )
    found = read(parted + "volumes: {data: {}}\nnetworks: {front: {}, back: {}}\n")
    nodes = nodes_by_label(found.diagram)
    groups = {node["id"]: label for label, node in nodes.items() if node["type"] == "group"}
    assert {label: groups[node["parent"]] for label, node in nodes.items() if "parent" in node} == {
        "web": "front", "api": "back", "data": "back",
    }  # fmt: skip
    assert found.sources[next(one for one, label in groups.items() if label == "front")] == "shop/networks.front"


@pytest.mark.parametrize(
    "text, said",
    [
        ("  web: {image: x, networks: [a, b]}\n  api: {image: x, networks: [a]}\n", "a, b"),
        ("  web: {image: x, networks: [a]}\n  api: {image: x, networks: [a]}\n", "a"),
        ("  web: {image: x, networks: [a]}\n  api: {image: x, network_mode: host}\n", "a"),
    ],
)
def test_other_networks_are_properties(text: str, said: str) -> None:
    """A service in two networks is in no group, and one network around everything says nothing."""
    found = read(services(text) + "networks: {a: {}, b: {}}\n")
    assert not [node for node in found.diagram["nodes"] if node["type"] == "group"]
    assert nodes_by_label(found.diagram)["web"]["properties"]["networks"] == said


def test_what_is_not_drawn_is_listed_with_its_line() -> None:
    """What is alike is said once, with how often it is there; no text holds a value."""
    text = services(
        "  a:\n    image: x\n    restart: always\n    env_file: .env\n    environment: {KEY: hush}\n"
        "  b:\n    image: x\n    restart: always\n    volumes: ['gone:/x']\n    depends_on: [nobody]\n"
    )
    found = unread(read(text + "configs: {c: {file: ./c}}\n"))
    assert found == {
        "services.a.restart": ("line 4", "`restart` is not drawn (and 1 more like it)"),
        "services.a.env_file": ("line 5", "files of variables are not read, since they may hold secrets"),
        "services.a.environment": (
            "line 6",
            "values of variables are not taken over, since they may be secrets; hosts of services in them are edges",
        ),
        "services.b.volumes: gone": ("line 7", "the volume is not among the volumes of the file"),
        "services.b.depends_on: nobody": ("line 7", "there is no service of this name"),
        "configs": ("line 12", "nothing of configs is read; services that use them name them"),
    }  # fmt: skip


@pytest.mark.parametrize(
    "text, expected",
    [
        ("${A}", "${A}"),
        ("$A", "$A"),
        ("${A:-b}", "b"),
        ("${A-b}:${C:-d}", "b:d"),
        ("${A:-${B:-c}}", "c"),
        ("$$A", "$A"),
        ("$${A:-b}", "${A:-b}"),
        ("${A:?say it}", "${A:?say it}"),
        ("${A", "${A"),
    ],
)
def test_variables_get_their_defaults(text: str, expected: str) -> None:
    assert with_defaults(text) == expected


@pytest.mark.parametrize(
    "path, text, is_one",
    [
        ("compose.yaml", "services:\n  a: {image: x}\n", True),
        ("stack.yml", "version: '3'\nservices:\n  a: {image: x}\n", True),
        ("a.yml", "services:\n  a: {command: x}\n", True),
        ("services.yaml", "services:\n  App\\Mailer:\n    arguments: [x]\n", False),
        (".gitlab-ci.yml", "services:\n  - postgres\n", False),
        ("x.yaml", "apiVersion: v1\nkind: X\nservices:\n  a: {image: x}\n", False),
        ("compose.yaml", "services:\n  a: [", True),
        ("other.yaml", "services:\n  a: [", False),
        ("docker-compose.yml", "web:\n  image: x\n", True),
        ("compose.txt", "services:\n  a: {image: x}\n", False),
        ("compose.yaml", "a: 1\n", False),
    ],
)
def test_files_are_recognized_by_what_is_in_them(path: str, text: str, is_one: bool) -> None:
    assert reader.recognizes(files_of({path: text})[0]) is is_one


@pytest.mark.parametrize(
    "text, reason, line",
    [
        ("services:\n  a: [\n", "it is no YAML: did not find expected node content", 3),
        ("web:\n  image: x\n", "it is of the first format, which has no `services` and which Compose reads no more", 1),
        ("services: {}\n", "it has no services", 1),
        ("", "it is no compose file: a mapping with `services` is expected", 1),
    ],
)
def test_what_cannot_be_read_is_refused_in_words(text: str, reason: str, line: int) -> None:
    (sources,) = reader.sets_of(files_of({"compose.yaml": text}))
    with pytest.raises(UnreadableSource) as refused:
        reader.read(sources)
    assert (refused.value.reason, refused.value.line) == (reason, line)


@settings(max_examples=examples(300))
@given(st.integers(0, 2**32))
def test_no_damage_makes_it_fail(seed: int) -> None:
    """Files cut off, with bits turned over and pieces twice, are read to something valid, or refused in words."""
    content = damaged(SHOP.encode(), random.Random(seed))
    read_or_refused(reader, {"compose.yaml": content, "compose.override.yaml": SHOP[: seed % len(SHOP)]})


def test_large_files_end() -> None:
    """As many services as a file may hold, each of which names all the others, are refused or read."""
    many = "".join(f"  s{n}:\n    image: x\n    depends_on: *all\n" for n in range(600))
    names = ", ".join(f"s{n}" for n in range(600))
    assert not read_or_refused(reader, {"compose.yaml": f"x-all: &all [{names}]\nservices:\n{many}"})
    flat = "services:\n" + "".join(f"  s{n}: {{image: redis}}\n" for n in range(4_900))
    (found,) = read_or_refused(reader, {"compose.yaml": flat})
    assert len(found.diagram["nodes"]) == 4_900


def test_services_that_extend_much_more_often_than_they_say_are_refused() -> None:
    """What is repeated counts each time, before it is copied."""
    base = "  base:\n    image: x\n    environment:\n" + "".join(f"      K{n}: v\n" for n in range(2_000))
    many = "".join(f"  s{n}: {{extends: base}}\n" for n in range(1_000))
    assert not read_or_refused(reader, {"compose.yaml": services(base + many)})


def test_what_is_included_on_several_ways_is_read_once() -> None:
    """Files of which each includes two, down to the same ones, are as many as there are, and not two to their power."""
    files = {
        f"l{level}{side}.yaml": f"include: [l{level + 1}a.yaml, l{level + 1}b.yaml]\n"
        + services(f"  s{level}{side}: {{image: x}}\n")
        for level in range(12)
        for side in "ab"
    }
    files |= {f"l12{side}.yaml": services(f"  s12{side}: {{image: x}}\n") for side in "ab"}
    files["compose.yaml"] = "include: [l0a.yaml, l0b.yaml]\n" + services("  web: {image: x}\n")
    (found,) = read_sets(reader, files)
    assert len(found.diagram["nodes"]) == 27
    assert not found.unread


@pytest.mark.parametrize(
    "body, node_type",
    [
        ("{build: ., image: etl-kafka}", "service"),
        ("{image: acme/etl-kafka}", "stream"),
        ("{build: ., image: acme/postgres}", "database"),
    ],
)
def test_what_is_built_here_has_no_type_by_words_in_its_name(body: str, node_type: str) -> None:
    """It is called after what it does; only the whole name of a product says what it is."""
    assert nodes_by_label(read(services(f"  etl: {body}\n")).diagram)["etl"]["type"] == node_type
