"""OpenAPI of the made-up cluster: version 3 as JSON, and of version 2 what an old kubectl reads of it, as protobuf.

Of version 2 only paths are there, with what says that a dry run is supported; numbers of fields are those of
https://github.com/google/gnostic-models/blob/main/openapiv2/OpenAPIv2.proto.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from tests.integration.kubernetes_discovery import Resource

PROTOBUF: Final = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"
_GROUP_VERSION_KIND: Final = "x-kubernetes-group-version-kind"
_TEXT: Final = {"type": "string"}
_COUNT: Final = {"type": "integer", "format": "int32"}
_LABELS: Final = {"type": "object", "additionalProperties": _TEXT}
_META: Final = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"
_POD: Final = "io.k8s.api.core.v1.PodSpec"
_CONTAINER: Final = "io.k8s.api.core.v1.Container"


def _to(name: str) -> dict[str, Any]:
    return {"allOf": [{"$ref": f"#/components/schemas/{name}"}], "default": {}}


# Written after what an API server answers: the fields that these tests name, no more.
SCHEMAS: Final[dict[str, dict[str, Any]]] = {
    _META: {
        "description": "ObjectMeta is metadata that all persisted resources must have.",
        "type": "object",
        "properties": {"name": _TEXT, "namespace": _TEXT, "labels": _LABELS, "annotations": _LABELS},
    },
    _CONTAINER: {
        "description": "A single application container that you want to run within a pod.",
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": _TEXT,
            "image": {"description": "Container image name.", "type": "string"},
            "imagePullPolicy": {"type": "string", "enum": ["Always", "IfNotPresent", "Never"]},
        },
    },
    _POD: {
        "description": "PodSpec is a description of a pod.",
        "type": "object",
        "required": ["containers"],
        "properties": {
            "containers": {
                "description": "List of containers belonging to the pod.",
                "type": "array",
                "items": {**_to(_CONTAINER)},
            },
            "hostNetwork": {"type": "boolean", "default": False},
        },
    },
    "io.k8s.api.core.v1.PodTemplateSpec": {
        "type": "object",
        "properties": {"metadata": _to(_META), "spec": _to(_POD)},
    },
    "io.k8s.api.apps.v1.DeploymentSpec": {
        "description": "DeploymentSpec is the specification of the desired behavior of the Deployment.",
        "type": "object",
        "required": ["selector", "template"],
        "properties": {
            "replicas": {"description": "Number of desired pods. Defaults to 1.", **_COUNT},
            "minReadySeconds": _COUNT,
            "paused": {"description": "Indicates that the deployment is paused.", "type": "boolean"},
            "selector": {"type": "object", "properties": {"matchLabels": _LABELS}},
            "template": _to("io.k8s.api.core.v1.PodTemplateSpec"),
        },
    },
    "io.k8s.api.apps.v1.Deployment": {
        "description": "Deployment enables declarative updates for Pods and ReplicaSets.",
        "type": "object",
        "properties": {
            "apiVersion": _TEXT,
            "kind": _TEXT,
            "metadata": _to(_META),
            "spec": _to("io.k8s.api.apps.v1.DeploymentSpec"),
        },
        _GROUP_VERSION_KIND: [{"group": "apps", "kind": "Deployment", "version": "v1"}],
    },
}


def openapi_v3(path: str, resources: Iterable[Resource], objects: Iterable[Mapping[str, Any]]) -> Any:
    """The index, or the document of a group and version; None where there is none."""
    by_version: dict[str, list[Resource]] = {}
    for one in resources:
        by_version.setdefault(f"apis/{one.api_version}" if one.group else f"api/{one.api_version}", []).append(one)
    if path == "/openapi/v3":
        return {"paths": {key: {"serverRelativeURL": f"/openapi/v3/{key}?hash=00"} for key in by_version}}
    here = by_version.get(path.removeprefix("/openapi/v3/"))
    if here is None:
        return None
    schemas = dict(SCHEMAS) if path.endswith("/apps/v1") else {}
    for one in here:
        schemas |= _custom(one, objects)
    info = {"title": "Kubernetes", "version": "v1.31.4"}
    paths = {_path(one): {"patch": _patch(one)} for one in here}
    return {"openapi": "3.0.0", "info": info, "paths": paths, "components": {"schemas": schemas}}


def openapi_v2(resources: Iterable[Resource], accept: str) -> tuple[bytes, str]:
    """The document of version 2, as it was asked for."""
    if "protobuf" not in accept:
        paths = {_path(one): {"patch": _patch(one)} for one in resources}
        info = {"title": "Kubernetes", "version": "v1.31.4"}
        return json.dumps({"swagger": "2.0", "info": info, "paths": paths}).encode(), "application/json"
    info_v2 = _field(1, b"Kubernetes") + _field(2, b"v1.31.4")
    items = b"".join(_field(2, _field(1, _path(one).encode()) + _field(2, _patched(one))) for one in resources)
    return _field(1, b"2.0") + _field(2, info_v2) + _field(8, items), PROTOBUF


def _path(one: Resource) -> str:
    place = f"/apis/{one.api_version}" if one.group else f"/api/{one.api_version}"
    return f"{place}{'/namespaces/{namespace}' if one.is_namespaced else ''}/{one.plural}/{{name}}"


def _patch(one: Resource) -> dict[str, Any]:
    names = ("dryRun", "fieldManager", "fieldValidation", "force")
    parameters = [{"name": name, "in": "query", "schema": {"type": "string"}} for name in names]
    return {"parameters": parameters, _GROUP_VERSION_KIND: _kind_of(one), "responses": {"200": {"description": "OK"}}}


def _kind_of(one: Resource) -> dict[str, str]:
    return {"group": one.group, "kind": one.kind, "version": one.version}


def _patched(one: Resource) -> bytes:
    """A path with `patch`: its parameter `dryRun` and its kind."""
    sub_schema = _field(2, b"query") + _field(4, b"dryRun")
    parameter = _field(1, _field(2, _field(3, sub_schema)))
    text = "".join(f"{key}: {json.dumps(value)}\n" for key, value in _kind_of(one).items())
    extension = _field(1, _GROUP_VERSION_KIND.encode()) + _field(2, _field(2, text.encode()))
    return _field(8, _field(8, parameter) + _field(13, extension))


def _field(number: int, content: bytes) -> bytes:
    """A field of bytes: its tag, its length, itself."""
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def _custom(one: Resource, objects: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    for crd in objects:
        if crd["kind"] != "CustomResourceDefinition" or crd["spec"]["group"] != one.group:
            continue
        if crd["spec"]["names"]["plural"] == one.plural:
            schema = crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
            name = ".".join([*reversed(one.group.split(".")), one.version, one.kind])
            return {name: {**schema, _GROUP_VERSION_KIND: [_kind_of(one)]}}
    return {}
