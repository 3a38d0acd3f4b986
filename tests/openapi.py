"""The contract as it is published, for tests of whole routes: reading it takes a fiftieth of making it.

That it is what the server has is seen to in `tests/unit/test_contract_files.py`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

OPENAPI: Final[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "docs" / "openapi.json").read_text("utf-8"))
