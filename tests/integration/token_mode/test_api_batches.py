"""`test_api_batches` in token mode."""

from tests.integration.test_api_batches import *  # noqa: F403  # its tests, whatever they are called
