"""One worker process: uvicorn on a socket that the launcher has bound.

Started as `python -m draftsmith.adapters.server.worker` with four arguments: the parent's process id, the socket's
descriptor, the app factory and the drain seconds. Everything else comes from the environment. Logging is set up by the
application; there is no access log here.
"""

from __future__ import annotations

import gc
import os
import socket
import sys
import threading
import time

from draftsmith.adapters.process.parent_death import die_with_parent


def watch_parent(parent: int, every_s: float = 1.0) -> None:
    """End this process soon after its parent, on systems where the kernel does not (see `die_with_parent`)."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(every_s)
        os._exit(1)

    threading.Thread(target=watch, name="watch-parent", daemon=True).start()


def main(arguments: list[str]) -> None:
    """Serve until told to stop by SIGTERM; requests that run get `drain` seconds to finish."""
    parent, descriptor, app, drain = int(arguments[0]), int(arguments[1]), arguments[2], int(arguments[3])
    die_with_parent(parent)
    if not sys.platform.startswith("linux"):
        watch_parent(parent)

    # Importing frees next to nothing, and being looked through again and again took a seventh of its time. The
    # application has the collector run again when it has started.
    gc.disable()
    # After `die_with_parent`, because importing takes a while.
    import uvicorn

    from draftsmith.adapters.server.slow_clients import WatchedHttp, unsent
    from draftsmith.adapters.server.websocket import MAX_MESSAGE_BYTES, PING_SECONDS, PONG_SECONDS, PageSocket

    class Server(uvicorn.Server):
        """A server that tells the application when it serves.

        It has the application end its streams before it waits for responses and closes sockets.
        """

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            """Start, and say so."""
            await super().startup(sockets)
            unsent.most = self.lifespan.state.get("max_unsent_bytes", unsent.most)  # from the application's lifespan
            ready = self.lifespan.state.get("ready")
            if ready is not None and not self.should_exit:
                ready()

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            """Stop."""
            for server in self.servers:
                server.close()  # a client that reconnects reaches another worker or waits for the next start
            stop = self.lifespan.state.get("stop")  # from the application's lifespan
            try:
                if stop is not None:
                    await stop()
            finally:
                await super().shutdown(sockets)

    config = uvicorn.Config(
        app,
        factory=True,
        loop="uvloop",
        http=WatchedHttp,
        ws=PageSocket,
        ws_max_size=MAX_MESSAGE_BYTES,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PONG_SECONDS,
        ws_per_message_deflate=False,  # costs memory and time for each page, while frames are encoded once for all
        lifespan="on",
        access_log=False,
        log_config=None,
        # No setting allows to trust a proxy's headers about the client.
        proxy_headers=False,
        server_header=False,
        # Longer than clients keep an idle connection, so that it is not closed here while a request is sent.
        timeout_keep_alive=75,
        timeout_graceful_shutdown=drain,
    )
    Server(config).run(sockets=[socket.socket(fileno=descriptor)])


if __name__ == "__main__":
    main(sys.argv[1:])
