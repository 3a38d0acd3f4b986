"""Makes the fixtures in which test files of the real server differ by their settings and what is in a workspace.

A file names the fixture itself: `place = town_fixture("f-one", "f-two")`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import pytest
import redis

from tests.integration.client import Api
from tests.integration.kubernetes_api_server import Cluster, handwritten_cluster
from tests.integration.manifests import kubectl_or_skip
from tests.integration.model_beside import Model, model_beside
from tests.integration.people import Town, town
from tests.integration.servers import Server, running
from tests.kit.tokens import TokenIssuer


def town_fixture(*names: str, issuer: TokenIssuer | None = None, **environment: str) -> Any:
    """A town for a whole file: its workers, their settings, and the issuer whose tokens they take, if any.

    It has a database of its own, empty at first: nobody in it is known to another file, and no test of this file that
    empties the store signs anybody out, in whatever order they run.
    """

    @pytest.fixture(scope="module")
    def fixture(town_store: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
        settings = {} if issuer is None else issuer.settings(tmp_path_factory.mktemp("issuer"))
        with redis.Redis.from_url(town_store) as client:
            client.flushdb()
        with town(town_store, *names, **settings, **environment) as place:
            yield place

    return fixture


def workspace_fixture(*batches: Sequence[Any], **body: Any) -> Any:
    """The id of a new workspace of the script `api`, with a commit for each batch."""

    @pytest.fixture
    def fixture(api: Api) -> str:
        return api.create(*batches, **body)

    return fixture


def admin_workspace_fixture(*batches: Sequence[Any], **body: Any) -> Any:
    """The id of a new workspace of the administrator of `place`, with a commit for each batch."""

    @pytest.fixture
    def fixture(place: Town) -> str:
        return place.admin.create(*batches, **body)

    return fixture


def api_fixture(server: str) -> Any:
    """A script's client of the worker that is the fixture of this name; the store is empty."""

    @pytest.fixture
    def fixture(request: pytest.FixtureRequest, redis_url: str) -> Iterator[Api]:
        worker: Server = request.getfixturevalue(server)
        with Api(worker.url) as client:
            yield client

    return fixture


def model_fixture(*, scope: Literal["function", "module"] = "module", **stand_in: str) -> Any:
    """The provider of models that servers of a file have a key for; which one is said as to `model_beside`."""

    @pytest.fixture(scope=scope)
    def fixture() -> Iterator[Model]:
        with model_beside(**stand_in) as model:
            yield model

    return fixture


def asked_server_fixture(name: str, **environment: str) -> Any:
    """A worker with a key for `model` that keeps its files in `folder`."""

    @pytest.fixture(scope="module")
    def fixture(model: Model, folder: Path, redis_server: str) -> Iterator[Server]:
        key = {"ANTHROPIC_API_KEY": model.key, "ANTHROPIC_BASE_URL": model.url}
        with running(redis_server, name, DATA_DIR=str(folder), **key, **environment) as (server,):
            yield server

    return fixture


def cluster_fixture() -> Any:
    """A cluster of Kubernetes whose objects are written by hand, for kubectl; a test of it may write nothing there."""

    @pytest.fixture(scope="module")
    def fixture() -> Iterator[Cluster]:
        kubectl_or_skip()
        with handwritten_cluster() as cluster:
            yield cluster
            assert cluster.written == []

    return fixture
