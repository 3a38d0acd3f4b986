"""`test_api_repeats` in token mode."""

from tests.integration.test_api_repeats import *  # noqa: F403  # its tests, whatever they are called
