"""Configure logging: one line each on standard error, for people or as JSON.

Lines of libraries (`logging`) and ours (`structlog`) get the same form. What is logged is not here.
"""

from __future__ import annotations

import logging
import sys
from typing import Literal

import structlog


def configure_logs(level: Literal["debug", "info", "warning", "error"], form: Literal["console", "json"]) -> None:
    """Set up logging of this process; the last call counts."""
    number = logging.getLevelNamesMapping()[level.upper()]
    shared: list[structlog.types.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    renderer: list[structlog.types.Processor]
    if form == "json":
        # Without local variables: they hold cookies, bodies and the store's address.
        frames = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
        renderer = [structlog.processors.ExceptionRenderer(frames), structlog.processors.JSONRenderer()]
    else:
        # The same: left to itself, structlog has `rich`, where that is installed, draw tracebacks with local variables.
        plain = structlog.dev.plain_traceback
        renderer = [structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=plain)]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderer],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(number)
    # It tells of every request that we make, with the whole address, passwords included.
    logging.getLogger("httpx2").setLevel(max(number, logging.WARNING))
    # What it tells of every request is told by the lines of requests.
    logging.getLogger("mcp").setLevel(number if level == "debug" else max(number, logging.WARNING))
    # Its lines about starting and stopping repeat those of the launcher.
    logging.getLogger("uvicorn").setLevel(number if level == "debug" else max(number, logging.WARNING))
