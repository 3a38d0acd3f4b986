"""A plugin of Draftsmith in ten lines: `python greeter.py`, then `draftsmith plugin add greeter http://127.0.0.1:8080`."""

from draftsmith.plugin import Plugin, Session

plugin = Plugin("greeter", "1.0.0")


@plugin.tool(read_only=True)
def greet(name: str, session: Session, loud: bool = False) -> str:
    """Greet somebody by name, and say how many were greeted before. Use it when asked to say hello."""
    before = session.state.get("greeted", 0)
    session.state["greeted"] = before + 1
    text = f"Hello, {name}! {before} were greeted before."
    return text.upper() if loud else text


app = plugin.app()

if __name__ == "__main__":
    plugin.run(port=8080)
