"""Pictures in mixed order, for somebody to judge who does not know which is whose.

`python -m bench.drawings.blind PICTURES OUT SEED` copies the light pictures of each graph (`pictures.py`) as
`GRAPH-A.png`, `GRAPH-B.png`, …; which column each letter is stands in `OUT/key/key.json`, not to be read before.
"""

from __future__ import annotations

import json
import random
import shutil
import sys
from pathlib import Path

_COLUMNS = ("batch", "tidy", "plain", "author")
_LETTERS = "ABCD"


def main(pictures: Path, out: Path, seed: str) -> None:
    """Copy the pictures and write the key."""
    chance = random.Random(seed)
    (out / "key").mkdir(parents=True, exist_ok=True)
    key: dict[str, dict[str, str]] = {}
    for graph in sorted({file.stem.rsplit("-", 1)[0] for file in pictures.glob("*.json")}):
        there = [column for column in _COLUMNS if (pictures / f"{graph}-{column}-light.png").exists()]
        chance.shuffle(there)
        key[graph] = dict(zip(_LETTERS, there, strict=False))
        for letter, column in key[graph].items():
            shutil.copyfile(pictures / f"{graph}-{column}-light.png", out / f"{graph}-{letter}.png")
    (out / "key" / "key.json").write_text(json.dumps(key, indent=1), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
