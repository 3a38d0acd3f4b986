"""An API server of Kubernetes as kubectl meets it; its objects are those of a made-up shop, written by hand, or others.

It answers discovery (also in one piece, as newer kubectls ask for it), lists as JSON and as tables, selectors by labels
and fields, logs, both OpenAPI documents, and server-side applies of a dry run. Anything else that writes is refused and
kept in `written`. What its users may not read is a 403, as RBAC makes it.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import yaml

from tests.integration.kubernetes_discovery import BUILT_IN, Resource, aggregated, at, group, listed, table
from tests.integration.kubernetes_openapi import openapi_v2, openapi_v3

PACKAGE: Final = Path(__file__).parents[2] / "plugins" / "kubernetes"
OBJECTS: Final = PACKAGE / "tests" / "cluster"
# kubectl sends no token without TLS, so whoever asks is named by how the path begins.
USERS: Final = ("reader", "applier", "narrow")
_AGGREGATED: Final = "as=APIGroupDiscoveryList"
_PATH: Final = re.compile(
    r"/(?:api/(?P<core>v1)|apis/(?P<group>[^/]+)/(?P<version>[^/]+))(?:/namespaces/(?P<namespace>[^/]+))?"
    r"/(?P<plural>[a-z]+)(?:/(?P<name>[^/]+)(?:/(?P<sub>log|status))?)?"
)


@dataclass
class Cluster:
    """What is served, and what was asked for.

    Attributes:
        asked: method and path with query of every request.
        written: requests that would have changed something; a test of this plugin asks that it stays empty.
        lists_failing: groups whose discovery answers 503, as an extension that is away.
        is_slow: set while every answer waits for `go_on`.
    """

    port: int = 0
    objects: list[dict[str, Any]] = field(default_factory=list)
    logs: dict[str, str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    lists_failing: set[str] = field(default_factory=set)
    is_slow: bool = False
    go_on: threading.Event = field(default_factory=threading.Event)

    def resources(self) -> list[Resource]:
        """The built-in kinds and those of the CRDs among the objects."""
        found = [Resource(v, plural, kind, tuple(short), own) for v, plural, kind, short, own in BUILT_IN]
        for crd in self.objects:
            if crd["kind"] == "CustomResourceDefinition":
                spec, names = crd["spec"], crd["spec"]["names"]
                version = spec["versions"][0]
                columns = tuple((one["name"], one["jsonPath"]) for one in version.get("additionalPrinterColumns", []))
                api_version = f"{spec['group']}/{version['name']}"
                short = tuple(names.get("shortNames", []))
                is_namespaced = spec["scope"] == "Namespaced"
                found.append(Resource(api_version, names["plural"], names["kind"], short, is_namespaced, columns))
        return found

    def kubeconfig(self, folder: Path) -> Path:
        """Write a kubeconfig with a context for each user, and one for nobody, which is its current one."""
        names = [*USERS, "nobody"]
        clusters = [{"name": name, "cluster": {"server": f"http://127.0.0.1:{self.port}/{name}"}} for name in names]
        contexts = [{"name": name, "context": {"cluster": name, "user": "none"}} for name in names]
        users = [{"name": "none", "user": {}}]
        config = {"apiVersion": "v1", "kind": "Config", "clusters": clusters, "users": users, "contexts": contexts}
        file = folder / "kubeconfig"
        file.write_text(json.dumps({**config, "current-context": "nobody"}), "utf-8")
        return file


class _Refused(Exception):
    def __init__(self, status: int, reason: str, message: str, **details: Any) -> None:
        super().__init__(message)
        self.status, self.reason, self.details = status, reason, details


def handwritten_cluster(folder: Path = OBJECTS) -> AbstractContextManager[Cluster]:
    """Serve the objects of a folder, which are written by hand, on a port of their own."""
    objects = []
    for file in sorted(folder.glob("*.yaml")):
        objects += [one for one in yaml.load_all(file.read_text("utf-8"), yaml.CSafeLoader) if one]
    return serving(objects, {file.stem: file.read_text("utf-8") for file in folder.glob("*.log")})


@contextmanager
def serving(objects: list[dict[str, Any]], logs: dict[str, str]) -> Iterator[Cluster]:
    """Serve objects on a port of their own; what a server adds to each is added where it is not there."""
    cluster = Cluster(objects=objects, logs=logs)
    for number, one in enumerate(cluster.objects):
        meta = one["metadata"]
        meta.setdefault("uid", uid_of(one["kind"], meta["name"]))
        meta.setdefault("resourceVersion", str(1000 + number))
        meta.setdefault("creationTimestamp", "2026-10-05T08:00:00Z")
    handler = type("Handler", (_Handler,), {"cluster": cluster})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    cluster.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield cluster
    finally:
        cluster.go_on.set()
        server.shutdown()
        server.server_close()
        thread.join()


def uid_of(kind: str, name: str) -> str:
    return f"uid-{kind.lower()}-{name}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    cluster: Cluster

    def log_message(self, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        self._answer()

    do_POST = do_PUT = do_PATCH = do_DELETE = do_GET  # noqa: N815  # names of the base class

    def _answer(self) -> None:
        cluster = self.cluster
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        cluster.asked.append(f"{self.command} {self.path}")
        if cluster.is_slow:
            cluster.go_on.wait()
        parts = urlsplit(self.path)
        query = {key: values[-1] for key, values in parse_qs(parts.query, keep_blank_values=True).items()}
        try:
            user, slash, path = parts.path.lstrip("/").partition("/")
            content, kind = self._read(user, slash + path, query, body)
            self._send(200, content, kind)
        except _Refused as refused:
            told = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "code": refused.status}
            told |= {"reason": refused.reason, "message": str(refused), "details": refused.details}
            self._send(refused.status, _json(told))

    def _send(self, status: int, content: bytes, kind: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _read(self, user: str, path: str, query: Mapping[str, str], body: bytes) -> tuple[bytes, str]:
        if user not in USERS:
            raise _Refused(401, "Unauthorized", "Unauthorized")
        accept = self.headers.get("Accept") or ""
        if path in ("/api", "/apis", "/api/v1") or re.fullmatch(r"/apis/[^/]+(/[^/]+)?", path):
            return self._discovery(path, accept)
        if path == "/version":
            return _json({"major": "1", "minor": "31", "gitVersion": "v1.31.4"}), "application/json"
        if path == "/openapi/v2":
            return openapi_v2(self.cluster.resources(), accept)
        if path.startswith("/openapi/v3"):
            found = openapi_v3(path, self.cluster.resources(), self.cluster.objects)
            if found is None:
                raise _Refused(404, "NotFound", "the server could not find the requested resource")
            return _json(found), "application/json"
        return self._objects(path, query, body, user, accept)

    def _discovery(self, path: str, accept: str) -> tuple[bytes, str]:
        resources = self.cluster.resources()
        if _AGGREGATED in accept and path in ("/api", "/apis"):
            version = "v2" if "v=v2;" in accept or accept.endswith("v=v2") else "v2beta1"
            kind = f"application/json;g=apidiscovery.k8s.io;v={version};as=APIGroupDiscoveryList"
            return _json(aggregated(resources, path == "/api", version, self.cluster.lists_failing)), kind
        if path == "/api":
            return _json({"kind": "APIVersions", "versions": ["v1"]}), "application/json"
        groups = sorted({one.api_version for one in resources if one.group})
        if path == "/apis":
            return _json({"kind": "APIGroupList", "apiVersion": "v1", "groups": [group(g) for g in groups]}), _JSON_TYPE
        wanted = path.removeprefix("/apis/").removeprefix("/api/")
        if wanted.partition("/")[0] in self.cluster.lists_failing:
            raise _Refused(503, "ServiceUnavailable", "the server is currently unable to handle the request")
        found = [listed(one) for one in resources if one.api_version == wanted]
        if not found:
            raise _Refused(404, "NotFound", "the server could not find the requested resource")
        answer = {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": wanted, "resources": found}
        return _json(answer), _JSON_TYPE

    def _objects(self, path: str, query: Mapping[str, str], body: bytes, user: str, accept: str) -> tuple[bytes, str]:
        found = _PATH.fullmatch(path)
        api_version = found and (found["core"] or f"{found['group']}/{found['version']}")
        resource = found and next(
            (r for r in self.cluster.resources() if (r.api_version, r.plural) == (api_version, found["plural"])), None
        )
        if found is None or resource is None:
            raise _Refused(404, "NotFound", "the server could not find the requested resource")
        namespace, name = found["namespace"], found["name"]
        self._allow(user, resource, namespace, name)
        if self.command != "GET":
            return self._write(resource, namespace, name, query, body, user), _JSON_TYPE
        here = [one for one in self.cluster.objects if _is_in(one, resource, namespace)]
        if name is None:
            chosen = [one for one in here if _is_selected(one, query)]
            if "as=Table" in accept:
                return _json(table(resource, chosen)), _JSON_TYPE
            kind = {"kind": f"{resource.kind}List", "apiVersion": resource.api_version}
            return _json({**kind, "metadata": {"resourceVersion": "9000"}, "items": chosen}), _JSON_TYPE
        one = next((one for one in here if one["metadata"]["name"] == name), None)
        if one is None:
            raise _Refused(404, "NotFound", f'{_dotted(resource)} "{name}" not found')
        if found["sub"] == "log":
            return self._log(one, query), "text/plain"
        return (_json(table(resource, [one])) if "as=Table" in accept else _json(one)), _JSON_TYPE

    def _allow(self, user: str, resource: Resource, namespace: str | None, name: str | None) -> None:
        """RBAC: `narrow` reads no Secrets, network policies and Ingresses; `applier` alone writes."""
        verb = {"GET": "get" if name else "list", "PATCH": "patch", "POST": "create"}.get(self.command, "delete")
        is_hidden = user == "narrow" and resource.kind in ("Secret", "NetworkPolicy", "Ingress")
        if is_hidden or (self.command != "GET" and user != "applier"):
            where = f' in the namespace "{namespace}"' if namespace else " at the cluster scope"
            subject = f'User "system:serviceaccount:tools:{user}" cannot {verb} resource "{resource.plural}"'
            said = f'{subject} in API group "{resource.group}"{where}'
            named = f' "{name}"' if name else ""
            raise _Refused(403, "Forbidden", f"{_dotted(resource)}{named} is forbidden: {said}")

    def _log(self, pod: Mapping[str, Any], query: Mapping[str, str]) -> bytes:
        names = [one["name"] for one in pod["spec"]["containers"]]
        container = query.get("container") or names[0]
        if container not in names:
            raise _Refused(400, "BadRequest", f"container {container} is not valid for pod {pod['metadata']['name']}")
        log = self.cluster.logs.get(f"{pod['metadata']['name']}.{container}", "")
        lines = log.splitlines(keepends=True)
        if "tailLines" in query:
            lines = lines[-int(query["tailLines"]) :]
        return "".join(lines).encode()[: int(query.get("limitBytes") or 10**9)]

    def _write(
        self,
        resource: Resource,
        namespace: str | None,
        name: str | None,
        query: Mapping[str, str],
        body: bytes,
        user: str,
    ) -> bytes:
        """A server-side apply of a dry run: merged as maps are, with the fields that the schema lacks refused."""
        is_apply = self.command == "PATCH" and self.headers.get("Content-Type") == "application/apply-patch+yaml"
        if query.get("dryRun") != "All" or not is_apply:
            self.cluster.written.append(f"{self.command} {self.path}")
            raise _Refused(405, "MethodNotAllowed", "this server takes server-side applies of a dry run alone")
        given = yaml.safe_load(body)
        replicas = given.get("spec", {}).get("replicas", 0)
        if isinstance(replicas, int) and replicas < 0:
            said = f"Invalid value: {replicas}: must be greater than or equal to 0"
            cause = {"field": "spec.replicas", "message": said, "reason": "FieldValueInvalid"}
            told = f'{resource.kind}.{resource.group} "{name}" is invalid: spec.replicas: {said}'
            details = {"name": name, "group": resource.group, "kind": resource.kind, "causes": [cause]}
            raise _Refused(422, "Invalid", told, **details)
        if "replicaz" in given.get("spec", {}):
            said = "failed to create typed patch object: .spec.replicaz: field not declared in schema"
            raise _Refused(500, "InternalError", said)
        here = [one for one in self.cluster.objects if _is_in(one, resource, namespace)]
        old = next((one for one in here if one["metadata"]["name"] == name), {})
        merged = _merge(old, given)
        merged["metadata"].setdefault("uid", uid_of(resource.kind, str(name)))
        merged["metadata"]["managedFields"] = [{"manager": query.get("fieldManager"), "operation": "Apply"}]
        return _json(merged)


_JSON_TYPE: Final = "application/json"


def _json(value: Any) -> bytes:
    return json.dumps(value, default=str).encode()


def _dotted(resource: Resource) -> str:
    return f"{resource.plural}.{resource.group}" if resource.group else resource.plural


def _is_in(one: Mapping[str, Any], resource: Resource, namespace: str | None) -> bool:
    is_kind = (one["apiVersion"], one["kind"]) == (resource.api_version, resource.kind)
    return is_kind and (namespace is None or one["metadata"].get("namespace") == namespace)


def _is_selected(one: Mapping[str, Any], query: Mapping[str, str]) -> bool:
    labels = one["metadata"].get("labels", {})
    for part in filter(None, query.get("labelSelector", "").split(",")):
        key, sign, value = part.partition("!=") if "!=" in part else part.partition("=")
        if (labels.get(key) == value.lstrip("=")) != (sign == "="):
            return False
    for part in filter(None, query.get("fieldSelector", "").split(",")):
        path, _, value = part.partition("=")
        if str(at(one, path)) != value:
            return False
    return True


def _merge(old: Any, new: Any) -> Any:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return {**old, **{key: _merge(old.get(key), part) for key, part in new.items()}}
    return new
