"""Requests over HTTP that wait as long as anything may take in a test, and not the five seconds of httpx."""

from __future__ import annotations

from functools import partial

import httpx

from tests.timeouts import TIMEOUT_SECONDS

get = partial(httpx.get, timeout=TIMEOUT_SECONDS)
post = partial(httpx.post, timeout=TIMEOUT_SECONDS)
client = partial(httpx.Client, timeout=TIMEOUT_SECONDS)
async_client = partial(httpx.AsyncClient, timeout=TIMEOUT_SECONDS)
