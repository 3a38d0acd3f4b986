"""`python -m draftsmith.cli`."""

from draftsmith.cli.group import main

if __name__ == "__main__":
    main()
