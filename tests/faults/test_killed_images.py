"""Workers that are killed while images come: what was answered is there, and what has a name is whole."""

from __future__ import annotations

import hashlib
import itertools
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from tests.image_samples import png, sha256_of
from tests.integration.client import Api, put_image
from tests.integration.servers import running

IMAGES = [png(salt=f"{number:03}".encode() * 40_000) for number in range(120)]
WRITERS = 4


@pytest.mark.parametrize("answers", [3, 17, 40])
def test_a_worker_is_killed_between_files_and_answers(redis_url: str, tmp_path: Path, answers: int) -> None:
    """Four clients put images through two workers, one of which is killed after some answers; all are put again."""
    folder = tmp_path / "images"
    answered: list[str] = []
    enough, lock = threading.Event(), threading.Lock()
    with running(redis_url, "w-doomed", "w-other", IMAGES_DIR=str(folder)) as (doomed, other):
        with Api(other.url) as api:
            w = api.create(name="Shop")

        def put_some(number: int) -> None:
            """Every fourth image; by the doomed worker again and again, until it does not answer any more."""
            own = IMAGES[number::WRITERS]
            is_doomed = number % 2 == 0
            with Api((doomed if is_doomed else other).url) as api:
                for content in itertools.cycle(own) if is_doomed else own:
                    try:
                        answer = put_image(api, w, content)
                    except httpx.TransportError:
                        return
                    assert answer.status_code in (200, 201), answer.text
                    with lock:
                        answered.append(sha256_of(content))
                        if len(answered) >= answers:
                            enough.set()

        with ThreadPoolExecutor(WRITERS) as threads:
            writing = [threads.submit(put_some, number) for number in range(WRITERS)]
            enough.wait()
            doomed.process.kill()
            for one in writing:
                one.result()
        files = {path.stem: path.read_bytes() for path in (folder / w).glob("*.png")}
        assert set(answered) <= files.keys()
        assert {name: hashlib.sha256(content).hexdigest() for name, content in files.items()} == {
            name: name for name in files
        }
        with Api(other.url) as api:
            for content in IMAGES:
                name = sha256_of(content)
                assert put_image(api, w, content).status_code == (200 if name in files else 201)
                assert api.get(f"/api/v1/workspaces/{w}/images/{name}").content == content
