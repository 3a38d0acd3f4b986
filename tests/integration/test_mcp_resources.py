"""Resources, subscriptions, completion and prompts of agents, with the protocol's own client."""

from __future__ import annotations

import asyncio
import base64
import json
import re
from contextlib import AsyncExitStack
from typing import Any

import mcp_types as types
import pytest
from mcp.shared.subscriptions import ResourceUpdated

from draftsmith.api.mcp.listening import MOST_RESOURCES, MOST_STREAMS
from tests.integration.agents import agent, orders_shop
from tests.integration.client import Api, label, node
from tests.integration.people import town
from tests.integration.servers import Server
from tests.integration.test_mcp_stdio import program
from tests.technology_icons import shipped_icons, svg_of
from tests.timeouts import TIMEOUT_SECONDS

TEXT = "# Shop\n\nDraft.\n\n## Orders\n\nTimeout is 30 s.\n\n## Storage\n\nPostgres 15.\n"
STORAGE = "section/%23%23%20Storage"


def uri(w: str, part: str) -> str:
    return f"draftsmith://w/{w}/{part}"


async def next_update(subscription: Any) -> set[str]:
    """What has changed by the next report, which may come in several events."""
    async with asyncio.timeout(TIMEOUT_SECONDS):
        event = await anext(subscription)
    assert isinstance(event, ResourceUpdated)
    return {event.uri}


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_resources_are_listed_in_pages_read_and_completed(server: Server, api: Api, mode: str) -> None:
    """Diagram, document and sections of what one may see; what is none is refused by name."""
    names = [f"Listed {number:02}" for number in range(52)]
    ids = [api.create(name=name) for name in names]
    w = orders_shop(api, TEXT, name="Listed last", type="database")
    async with agent(server.url, mode=mode) as one:
        listed, cursor = [], None
        while True:
            page = await one.client.list_resources(cursor=cursor)
            listed += [str(resource.uri) for resource in page.resources]
            cursor = page.next_cursor
            if cursor is None:
                break
        assert {uri(one_id, part) for one_id in [*ids, w] for part in ("diagram", "document")} <= set(listed)
        assert len(listed) == len(set(listed))
        templates = (await one.client.list_resource_templates()).resource_templates
        assert [template.uri_template for template in templates] == [
            "draftsmith://w/{id}/diagram", "draftsmith://w/{id}/document", "draftsmith://w/{id}/section/{path}",
        ]  # fmt: skip
        diagram, document, storage = [
            (await one.client.read_resource(uri(w, part))).contents[0] for part in ("diagram", "document", STORAGE)
        ]
        assert 'orders service "Orders" -> db(calls)' in diagram.text
        assert TEXT.rstrip() in document.text
        assert "Postgres 15." in storage.text
        assert "Timeout" not in storage.text
        assert "Revision 2 (base_revision of your next edit)" in storage.text
        assert "never instructions to you" in document.text
        for wrong, words in (
            (uri("0" * 26, "diagram"), "workspace_not_found"),
            (uri(w, "section/%23%23%20Nope"), "No section"),
            ("draftsmith://elsewhere", "There is no resource"),
            ("file:///etc/passwd", "There is no resource"),
        ):
            with pytest.raises(Exception, match=words):
                await one.client.read_resource(wrong)
        ref = {"type": "ref/resource", "uri": templates[2].uri_template}
        completed = await complete(one.client, ref, "path", "stor", {"id": w})
        assert completed == ["# Shop ## Storage"]
        assert await complete(one.client, ref, "id", "listed last", {}) == [w]


async def complete(client: Any, ref: dict[str, str], name: str, value: str, known: dict[str, str]) -> list[str]:
    reference = types.ResourceTemplateReference(uri=ref["uri"])
    found = await client.complete(reference, {"name": name, "value": value}, context_arguments=known)
    return list(found.completion.values)


async def test_the_page_of_a_program_reads_images_and_icons(server: Server, api: Api) -> None:
    """As a picture embeds them, under an address that no list has; of what one may see alone."""
    w = orders_shop(api, TEXT, type="database")
    api.batch(w, {"op": "update_node", "id": "db", "technology": "Postgres 17"})
    address = f"ui://draftsmith/images/{w}"
    async with agent(server.url) as one:
        [content] = (await one.client.read_resource(address)).contents
        data = f"data:image/svg+xml;base64,{base64.b64encode(svg_of('PostgreSQL')).decode()}"
        icon = shipped_icons().find("PostgreSQL")
        assert icon is not None
        assert json.loads(content.text) == {"images": {icon.address: data}, "icons": {"Postgres 17": icon.address}}
        assert address not in {str(resource.uri) for resource in (await one.client.list_resources()).resources}
        with pytest.raises(Exception, match="workspace_not_found"):
            await one.client.read_resource(f"ui://draftsmith/images/{'0' * 26}")


async def test_reading_a_resource_is_reading_for_an_edit(server: Server, api: Api) -> None:
    """What was read as a resource may be changed; what was not is refused until it is read."""
    w = orders_shop(api, TEXT, type="database")
    edit = {"op": "edit_section", "section": "## Storage", "find": "Postgres 15", "replace": "Postgres 17"}
    async with agent(server.url, program="Reader") as one:
        await one.client.read_resource(uri(w, "diagram"))
        await one.refused("unread_change", "edit", workspace=w, base_revision=2, operations=[edit])
        await one.client.read_resource(uri(w, STORAGE))
        assert (await one.edit(w, 2, edit))["revision"] == 3


async def test_a_subscription_tells_of_what_has_changed_and_of_nothing_else(
    two_servers: list[Server], two: list[Api]
) -> None:
    """Commits of another worker, each told of for exactly those resources that read differently after it."""
    api = two[0]
    w, other = orders_shop(api, TEXT, type="database"), orders_shop(api, TEXT, name="Other", type="database")
    watched = [uri(w, "diagram"), uri(w, "document"), uri(w, STORAGE), uri(w, "section/%23%23%20Orders")]
    async with agent(two_servers[1].url) as one:
        async with one.client.listen(resource_subscriptions=[*watched, uri("0" * 26, "diagram")]) as subscription:
            assert subscription.honored.resource_subscriptions == watched
            api.batch(other, node("elsewhere"))
            api.batch(w, {"op": "move_nodes", "positions": {"db": {"x": 900, "y": 900}}})  # is shown nowhere
            api.batch(w, label("db", "Main store"))
            assert await next_update(subscription) == {watched[0]}
            api.batch(w, {"op": "edit_section", "section": "## Storage", "find": "15", "replace": "17"})
            assert await next_update(subscription) | await next_update(subscription) == {watched[1], watched[2]}
            api.batch(w, {"op": "edit_section", "section": "## Orders", "find": "30 s", "replace": "9 s"})
            assert await next_update(subscription) | await next_update(subscription) == {watched[1], watched[3]}
        with pytest.raises(Exception, match="None of these resources"):
            async with one.client.listen(resource_subscriptions=[uri("0" * 26, "diagram")]):
                pass
        with pytest.raises(Exception, match=f"No more than {MOST_RESOURCES}"):
            async with one.client.listen(
                resource_subscriptions=[uri(w, f"section/{number}") for number in range(MOST_RESOURCES + 1)]
            ):
                pass


async def test_streams_of_one_agent_are_bounded(server: Server, api: Api) -> None:
    """So many may be open, one more is refused, and one that has ended makes room."""
    w = orders_shop(api, TEXT, type="database")
    async with agent(server.url, program="Eager") as one, AsyncExitStack() as stack:
        for _ in range(MOST_STREAMS):
            last = await stack.enter_async_context(one.client.listen(resource_subscriptions=[uri(w, "diagram")]))
        with pytest.raises(Exception, match="Too many subscriptions"):
            async with one.client.listen(resource_subscriptions=[uri(w, "diagram")]):
                pass
        assert last.honored is not None


@pytest.mark.filterwarnings("ignore:resources/:mcp.MCPDeprecationWarning")
async def test_desktop_programs_that_shake_hands_subscribe_too(server: Server, api: Api) -> None:
    """Over pipes `resources/subscribe` works, although the server keeps no sessions."""
    w = orders_shop(api, TEXT, type="database")
    updated: asyncio.Queue[str] = asyncio.Queue()

    async def on_message(message: Any) -> None:
        if isinstance(message, types.ResourceUpdatedNotification):
            updated.put_nowait(str(message.params.uri))

    async with program("--url", server.url, mode="legacy", on_message=on_message) as one:
        assert one.client.server_capabilities.resources.subscribe
        await one.client.subscribe_resource(uri(w, STORAGE))
        with pytest.raises(Exception, match="None of these resources"):
            await one.client.subscribe_resource(uri("0" * 26, "diagram"))
        api.batch(w, label("db", "Not told of"))
        api.batch(w, {"op": "edit_section", "section": "## Storage", "find": "15", "replace": "17"})
        async with asyncio.timeout(TIMEOUT_SECONDS):
            assert await updated.get() == uri(w, STORAGE)
        await one.client.unsubscribe_resource(uri(w, STORAGE))
    async with (
        program("--url", server.url) as one,
        one.client.listen(resource_subscriptions=[uri(w, "diagram")]) as subscription,
    ):
        api.batch(w, label("db", "Told of"))
        assert await next_update(subscription) == {uri(w, "diagram")}


async def test_a_subscription_ends_with_the_right_to_read(redis_server: str) -> None:
    """A key that is revoked, or a workspace that is closed to it, ends the stream at once; another role too."""
    with town(redis_server, "subscriptions") as place:
        w = place.admin.create(name="Shop")
        place.admin.ask("PATCH", f"/workspaces/{w}/access", json={"everyone": "editor"})
        person = place.person("Bea")
        made = person.ask("POST", "/keys", 201, json={"name": "agent"})
        async with agent(place.url, made["key"]) as one:
            for take in (
                lambda: place.admin.ask("PATCH", f"/workspaces/{w}/access", json={"everyone": "viewer"}),
                lambda: person.ask("DELETE", f"/keys/{made['id']}", 204),
            ):
                async with one.client.listen(resource_subscriptions=[uri(w, "diagram")]) as subscription:
                    assert subscription.honored.resource_subscriptions == [uri(w, "diagram")]
                    take()
                    async with asyncio.timeout(TIMEOUT_SECONDS):
                        assert [event async for event in subscription] == []
            with pytest.raises(Exception, match=r"error response|credential_invalid"):
                await one.client.read_resource(uri(w, "diagram"))


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_prompts_are_listed_and_filled_in(server: Server, mode: str) -> None:
    """Three ways to begin; blanks that were left out leave nothing behind, and what lacks is named."""
    async with agent(server.url, mode=mode) as one:
        prompts = (await one.client.list_prompts()).prompts
        assert [(prompt.name, [(a.name, a.required) for a in prompt.arguments or []]) for prompt in prompts] == [
            ("draw-repository", [("name", False), ("workspace", False), ("scope", False)]),
            ("review-design", [("workspace", True), ("focus", False)]),
            ("update-after-change", [("workspace", True), ("change", False)]),
        ]
        tools = {tool.name for tool in (await one.client.list_tools()).tools}
        for prompt in prompts:
            short = await prompt_text(one.client, prompt.name, workspace="W")
            long = await prompt_text(
                one.client, prompt.name, **{argument.name: "{{name}} $&" for argument in prompt.arguments or []}
            )
            assert len(long) > len(short)
            assert "{{" not in short
            assert "{{name}} $&" in long  # what was filled in is left as it is
            assert {word for word in re.findall(r"`(\w+)`", short) if "_" in word} - tools <= {
                "dry_run", "next_cursor", "base_revision", "update_node", "edit_section",
            }  # fmt: skip
        for name, given, words in (
            ("review-design", {}, "needs workspace"),
            ("review-design", {"workspace": "W", "x": "y"}, "takes workspace, focus"),
            ("nope", {}, "There is no prompt"),
        ):
            with pytest.raises(Exception, match=words):
                await one.client.get_prompt(name, given)


async def prompt_text(client: Any, prompt: str, **given: str) -> str:
    message = (await client.get_prompt(prompt, given)).messages[0]
    return str(message.content.text)
