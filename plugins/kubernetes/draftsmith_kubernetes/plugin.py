"""The tools: what a model may ask, and what it is answered. What they do is in the modules beside."""

from __future__ import annotations

from typing import Annotated, Any, Final

from pydantic import Field

from draftsmith.plugin import Plugin
from draftsmith_kubernetes.capabilities import add_capability_tools
from draftsmith_kubernetes.capabilities_source import KubectlSource
from draftsmith_kubernetes.dry_run import dry_run
from draftsmith_kubernetes.kinds import Kinds
from draftsmith_kubernetes.kubectl import Kubectl
from draftsmith_kubernetes.reading import Reader
from draftsmith_kubernetes.resources import add_resource_tools
from draftsmith_kubernetes.schema import explain
from draftsmith_kubernetes.settings import Settings
from draftsmith_kubernetes.workloads import read_workloads

Told = dict[str, Any]
_KUBECTL_NAMES: Final = {
    "api_resources": "kubectl_api_resources",
    "get": "kubectl_get",
    "describe": "kubectl_describe",
    "logs": "kubectl_logs",
    "events": "kubectl_events",
    "schema": "kubectl_get_crd_schema",
    "apply": "kubectl_apply",
}
"""The names by which other tools for a cluster call the same, for prompts that are written for these."""
Text = Annotated[str, Field(max_length=300)]
Namespaces = Annotated[list[Text], Field(max_length=200)]
Manifest = Annotated[str, Field(min_length=1, max_length=100_000)]
Lines = Annotated[int, Field(ge=1, le=5000)]
Depth = Annotated[int, Field(ge=1, le=4)]


def create(settings: Settings) -> Plugin:
    """Make the plugin with some settings."""
    plugin = Plugin("kubernetes", "1.0.0")
    kubectl = Kubectl(settings)
    kinds = Kinds(kubectl)
    reader = Reader(kubectl, kinds)

    @plugin.tool(read_only=True)
    async def api_resources(words: Text = "") -> Told:
        """List the kinds of objects that the cluster has, custom ones too, and the namespaces that may be read.

        Use it before you ask for a kind that you do not know to be there. `words`: only kinds whose name or group
        contains it, such as postgres.
        """
        found = [one.told() for one in await kinds.all() if words.lower() in f"{one.kind} {one.full_name}".lower()]
        told: Told = {"cluster": settings.cluster_name, "namespaces": list(settings.namespaces), "kinds": found}
        return told | ({"incomplete": kinds.incomplete} if kinds.incomplete else {})

    @plugin.tool(read_only=True)
    async def workloads(namespaces: Namespaces | None = None) -> Told:
        """Say what runs in the cluster and what it connects to, each connection with what shows it.

        Use it before you draw or describe what runs, or compare a design with it; ask for one namespace at a time where
        there is much. `namespaces`: some of those that api_resources names; all of them where it is left out. A
        connection whose only evidence is a networkPolicy is allowed, which does not say that it is used. `incomplete`
        says what could not be read, which belongs in what you tell.
        """
        return await read_workloads(kubectl, kinds, namespaces)

    @plugin.tool(read_only=True)
    async def get(kind: Text, namespace: Text = "", selector: Text = "") -> Told:
        """List the objects of a kind in a namespace as a table, as kubectl prints it.

        Use it to see what there is before you ask for one object. For what runs and what it connects to, ask
        `workloads` instead. `kind`: as people or api_resources name it, such as deployments or
        clusters.postgresql.cnpg.io. `namespace`: one that api_resources names. `selector`: by labels, such as
        app=orders,tier!=test.
        """
        return await reader.table(kind, namespace, selector)

    @plugin.tool(read_only=True)
    async def get_resource(kind: Text, name: Text, namespace: Text = "") -> Told:
        """Read one object as YAML, without managedFields; values of secrets are masked.

        Use it where you need what an object says exactly, such as its image, its environment or its resources.
        """
        return await reader.object(kind, name, namespace)

    @plugin.tool(read_only=True)
    async def describe(kind: Text, name: Text, namespace: Text = "") -> Told:
        """Describe one object as `kubectl describe` does: its state in words, and its latest events.

        Use it to find out why something does not run. Values of secrets are masked.
        """
        return await reader.describe(kind, name, namespace)

    @plugin.tool(read_only=True)
    async def events(namespace: Text = "", name: Text = "", only_warnings: bool = False) -> Told:
        """List the events of a namespace, newest first: what the cluster did and what went wrong.

        Use it to find out what happened lately. `name`: only events of the object with this name.
        """
        return await reader.events(namespace, name, only_warnings)

    @plugin.tool(read_only=True)
    async def logs(
        name: Text,
        namespace: Text = "",
        kind: Text = "pods",
        container: Text = "",
        lines: Lines = 100,
        previous: bool = False,
    ) -> Told:
        """Read the last lines that a container has written.

        Use it to find out why something fails. `kind`: pods, or what has pods, such as deployments; one of its pods is
        taken then. `container`: needed where there are several. `previous`: of the container before its last restart.
        Secrets are masked where they can be recognised.
        """
        return await reader.logs(kind, name, namespace, container, lines, previous)

    @plugin.tool(read_only=True)
    async def schema(kind: Text, path: Text = "", depth: Depth = 1) -> Told:
        """Say which fields a kind has, with types, defaults and allowed values; custom kinds too.

        Use it before you write a manifest or name a field of one; never write one from memory. `path`: such as
        spec.template.spec, for what stands there. `depth`: how many levels of fields.
        """
        return await explain(kubectl, kinds, kind, path, depth)

    if settings.apply:

        @plugin.tool(read_only=False)
        async def apply(manifest: Manifest) -> Told:
            """Try a manifest on the cluster as a dry run on the server, and say what would change or why it is refused.

            Nothing is ever stored: applying is left to the team's own pipeline, and you say so. Use it only where the
            person asks whether a manifest would be accepted. `manifest`: YAML of up to 10 objects, each with its
            namespace. Each call waits for the person's yes, as it asks for the rights of writing.
            """
            return await dry_run(kubectl, kinds, manifest)

    add_capability_tools(plugin, KubectlSource(kinds, kubectl))
    add_resource_tools(plugin, kubectl, kinds)
    if settings.kubectl_names:
        _add_kubectl_names(plugin)
    return plugin


def _add_kubectl_names(plugin: Plugin) -> None:
    """Offer the tools that others have for a cluster under the names of these, too."""
    offered = {tool["name"] for tool in plugin.describe()["tools"]}
    for name, other in _KUBECTL_NAMES.items():
        if name in offered:
            plugin.alias(other, name)
