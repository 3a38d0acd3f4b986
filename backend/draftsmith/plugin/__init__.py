"""Tools for the assistant of Draftsmith, written in Python and served over HTTP: functions with types, no more.

    plugin = Plugin("greeter", "1.0.0")

    @plugin.tool(read_only=True)
    def greet(name: str) -> str:
        \"\"\"Greet somebody. Use it when asked to say hello.\"\"\"
        return f"Hello, {name}!"

    app = plugin.app()

Nothing else of Draftsmith is imported, so a plugin runs in a process or a container of its own. What travels is in
docs/plugins.md. Not here: how the server registers and calls plugins.
"""

from draftsmith.plugin.plugin import Plugin, PluginError, Session

__all__ = ["Plugin", "PluginError", "Session"]
