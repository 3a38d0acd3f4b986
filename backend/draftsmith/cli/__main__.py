"""`python -m draftsmith.cli`."""

from draftsmith.cli.group import main

main()
