"""The command line `draftsmith`: one module a command, and `group`, which joins them.

No command is imported before it is needed, so that one can be run without the others.
"""


def main() -> None:
    """Run the command line: the entry point `draftsmith`."""
    from draftsmith.cli.group import main as run

    run()
