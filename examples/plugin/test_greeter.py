"""The plugin called as the server calls it, without a socket: `pytest test_greeter.py`."""

import pytest
from greeter import plugin

from draftsmith.plugin import PluginError
from draftsmith.plugin.testing import PluginCaller


def test_it_counts_whom_it_greeted() -> None:
    """What one call leaves comes with the next."""
    caller = PluginCaller(plugin)
    assert caller.problems() == []
    assert caller.invoke("greet", name="Ada") == "Hello, Ada! 0 were greeted before."
    assert caller.invoke("greet", name="Alan", loud=True) == "HELLO, ALAN! 1 WERE GREETED BEFORE."


def test_a_name_is_a_text() -> None:
    """What does not fit the types is refused, with the name of the argument."""
    with pytest.raises(PluginError, match="name") as refused:
        PluginCaller(plugin).invoke("greet", name=3)
    assert refused.value.code == "invalid_args"
