"""What may be passed to kubectl of what a model says: names, never flags."""

from __future__ import annotations

import re
from typing import Final

from draftsmith.plugin import PluginError
from draftsmith_kubernetes.settings import Settings

_NAME: Final = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.:_-]{0,251}[A-Za-z0-9])?")
_SELECTOR: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9=!,./_ ()-]{0,499}")


def check_name(name: str, what: str = "object") -> str:
    """Give the name of an object, or of a container, as it is.

    Raises:
        PluginError: `invalid_args`, it cannot be one.
    """
    if not _NAME.fullmatch(name):
        raise PluginError("invalid_args", f"'{name[:100]}' is no name of a {what}.")
    return name


def check_selector(selector: str) -> str:
    """Give a selector by labels as it is, such as `app=orders,tier!=test`.

    Raises:
        PluginError: `invalid_args`, it cannot be one.
    """
    if not _SELECTOR.fullmatch(selector):
        raise PluginError("invalid_args", "A selector is such as app=orders,tier!=test.")
    return selector


def check_namespace(settings: Settings, namespace: str) -> str:
    """Give a namespace as it is; where none is named and one alone is configured, that one.

    Raises:
        PluginError: `unknown_namespace`, it is none of the configured ones.
    """
    if not namespace and len(settings.namespaces) == 1:
        return settings.namespaces[0]
    if namespace not in settings.namespaces:
        known = ", ".join(settings.namespaces)
        said = f"'{namespace[:100]}' is no namespace that" if namespace else "Name one of the namespaces that"
        raise PluginError("unknown_namespace", f"{said} this plugin may read: {known}.")
    return namespace
