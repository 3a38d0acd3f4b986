"""The command `schema`: the contract as JSON."""

from __future__ import annotations

import json
from typing import Literal

import click

from draftsmith.cli.server_options import show


@click.command()
@click.argument("what", type=click.Choice(["openapi", "operations", "live"]))
def schema(what: Literal["openapi", "operations", "live"]) -> None:
    """Print the contract: OpenAPI of the HTTP API, or the JSON Schema of operations or of the live protocol."""
    from draftsmith.main import contract

    show(json.dumps(contract(what), indent=1, ensure_ascii=False, sort_keys=True))
