"""`draftsmith.addresses`, for plugins."""

from draftsmith.addresses import Reach, is_public, literal_or_none, may_serve, reach, resolve_host

__all__ = ["Reach", "is_public", "literal_or_none", "may_serve", "reach", "resolve_host"]
