"""`test_live_pages` in token mode."""

from tests.integration.test_live_pages import *  # noqa: F403  # its tests, whatever they are called
