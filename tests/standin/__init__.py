"""A stand-in for the Messages API, faithful on the wire: the real SDK talks to it over a real socket.

It answers by a script of turns or by a function of the request (a brain), refuses requests that the real API refuses,
counts tokens and cache hits honestly by its own measure, signs thoughts so that a history that was rewritten is found
out, and remembers what it was asked. There is no model in it.

    standin = Standin([Turn([ToolUse("edit_diagram", {...})]), Turn([Text("Done.")])])
    async with serve(standin) as base_url:
        provider = AnthropicProvider(standin.key, "claude-sonnet-5-5", base_url=base_url)
"""

from tests.standin.script import Block, Break, HttpError, Step, Text, Thinking, ToolUse, Turn
from tests.standin.server import Standin, serve

__all__ = ["Block", "Break", "HttpError", "Standin", "Step", "Text", "Thinking", "ToolUse", "Turn", "serve"]
