"""What was told that it had changed nothing is told so again, whatever was killed since."""

from __future__ import annotations

from tests.faults.load import Asked, new_workspace
from tests.faults.servers import store_server, workers


async def test_nothing_to_undo_is_said_again_after_a_killed_store(seed: str) -> None:
    """Killed as soon as it was answered, and asked of another worker when there is something to undo."""
    with store_server() as server:
        async with workers(server.url, server.url) as (one, two):
            w = await new_workspace(one, seed)
            node = {"op": "add_node", "type": "service", "label": "N"}
            for number in range(5):
                undo = Asked(f"{seed}-undo-{number}", f"ann-{number}", "undo").request()
                first = await one.submit(w, undo)
                server.kill()
                server.restart()
                assert (first["changed"], first["replayed"]) == (False, False)
                added = Asked(f"{seed}-add-{number}", f"ann-{number}", "edit", [{**node, "id": f"n{number}"}])
                assert (await two.submit(w, added.request()))["changed"]
                for worker in (two, one):
                    again = await worker.submit(w, undo)
                    assert again == {**first, "replayed": True}
