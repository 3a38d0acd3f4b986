"""The real application, which says besides which modules its process has imported (`GET /imported`)."""

from __future__ import annotations

import json
import sys
from typing import Any

from draftsmith.main import create_app as create_real_app


def create_app() -> Any:
    """The application's factory, for a worker process."""
    app = create_real_app()

    async def told(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or scope["path"] != "/imported":
            await app(scope, receive, send)
            return
        names = sorted(sys.modules)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": json.dumps(names).encode()})

    return told
