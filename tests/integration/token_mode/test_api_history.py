"""`test_api_history` in token mode."""

from tests.integration.test_api_history import *  # noqa: F403  # its tests, whatever they are called
